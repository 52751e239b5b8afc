"""The parameters of a run as controls, each with its symbol, formula and range."""

from dataclasses import dataclass, replace

import streamlit as st

from dasksvd.datasets import DATASETS, parts
from dasksvd.encoders import ENCODERS
from dasksvd.errors import ParameterError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import NOISES, RE_SIGNS, Settings
from ui import links

PRESET_NAMES = {"quick": "Quick · 10 s", "classroom": "Classroom · 1 min", "paper": "Paper · 2 min"}
NOISE_NAMES = {"std": "standard deviation", "variance": "variance"}
SIGN_NAMES = {"paper": "the paper's", "code": "the authors' code's"}


@dataclass(frozen=True)
class Choice:
    """What the controls say.

    Attributes
    ----------
    settings : Settings or None
        None if they contradict each other.
    data : str
        The data set.
    plan : Plan
        How to evaluate the run.
    problem : str
        What is wrong, or an empty text.
    """

    settings: Settings | None
    data: str
    plan: Plan
    problem: str


@dataclass(frozen=True)
class Span:
    """The numbers that a control may have, and the sentence for all others."""

    symbol: str
    low: float
    high: float
    unit: str = ""
    whole: bool = True

    def problem(self, value: float) -> str:
        """What is wrong with a number, or an empty text."""
        if self.low <= value <= self.high and (value == int(value) or not self.whole):
            return ""
        kind = "a whole number " if self.whole else ""
        return f"{self.symbol} must be {kind}between {self.low:g} and {self.high:.10g}{self.unit}, not {value:.10g}"


SPANS = {
    "q": Span("q", 1, 100, " %", whole=False),
    "t": Span("t", 1, 4000),
    "I": Span("I", 1, 200),
    "r_f": Span("r_f", 0.05, 4, whole=False),
    "ksvd_iter": Span("The number of K-SVD iterations", 1, 200),
    "seed": Span("The seed", 0, 2**31),
    "hidden": Span("h", 0, 2000),
    "seeds": Span("The number of networks", 1, 20),
}


def number(place, label: str, key: str, span: Span, default: float, step: float, meaning: str) -> tuple[float, str]:
    """A control for a number, and what is wrong with it, which then stands under it.

    The control itself has no limits: the browser would show a number outside of them in red and keep it to
    itself, and the server would go on with the last good one.
    """
    value = links.draw(
        place.number_input,
        label,
        key=key,
        kind=links.NUMBER,
        default=float(default),
        check=lambda value: value - value == 0,
        step=float(step),
        format="%g",
        help=meaning,
    )
    problem = span.problem(value)
    if problem:
        place.error(f"{problem}.")
        return default, problem
    return int(value) if span.whole else value, ""


def choose_settings(alpha: float, beta: float) -> Choice:
    """Draw the controls; α and β are the sidebar's."""
    start, what = st.columns([2, 1])
    preset = links.draw(
        start.segmented_control,
        "Start from",
        list(PRESET_NAMES),
        key="preset",
        kind=links.one_of(PRESET_NAMES, PRESET_NAMES),
        default="quick",
        check=PRESET_NAMES.__contains__,
        format_func=PRESET_NAMES.get,
        required=True,
    )
    titles = {entry.name: entry.title for entry in DATASETS.entries()}
    data = _option(
        what, "Data", titles, "data", "What to learn from. The preset's t is lowered where the classes are small."
    )
    base = parts.preset(preset, data)
    # A preset has widgets of its own: its values first, then what was set there.
    key = f"{preset}_{{}}".format
    left, middle, right = st.columns(3)
    asked = {
        "q": number(
            left,
            "q · non-zeros per signal (%)",
            key("q"),
            SPANS["q"],
            100 * base.q,
            1,
            r"Share of the atoms a signal may use: $\|a\|_0 \le q\,M$, rounded down. 1 … 100 %.",
        ),
        "t": number(
            middle,
            "t · signals per class and iteration",
            key("t" if data == next(iter(titles)) else f"t_{data}"),  # its value depends on the data, too
            SPANS["t"],
            base.t,
            10,
            "Drawn anew in each iteration. 1 … class size.",
        ),
        "I": number(right, "I · iterations", key("I"), SPANS["I"], base.I, 1, "Also the atoms per class. 1 … 200."),
    }
    tau1 = _share(
        left,
        "τ1 · memory",
        (1.0, 0.05),
        base.tau1,
        key("tau1"),
        r"Odds of a drawn signal: $p \leftarrow \tau_1 p$. 0 … 1; 0 = never drawn again, 1 = no memory.",
    )
    tau2 = _share(
        middle,
        "τ2 · noise growth",
        (0.99, 0.01),
        base.tau2,
        key("tau2"),
        r"Iteration $l = 1 \dots I$ adds noise of size $(l-1)\,\tau_2\,\sigma_i$. 0 ≤ τ2 < 1.",
    )
    with st.expander("Advanced"):
        first, second, third = st.columns(3)
        asked["r_f"] = number(
            first,
            "r_f · redundancy",
            key("r_f"),
            SPANS["r_f"],
            base.r_f,
            0.05,
            r"Atoms per dictionary: $M = r_f N$. 0.05 … 4.",
        )
        asked["ksvd_iter"] = number(
            second,
            "K-SVD iterations",
            key("ksvd_iter"),
            SPANS["ksvd_iter"],
            base.ksvd_iter,
            5,
            "Each codes all signals and renews all atoms. 1 … 200.",
        )
        asked["seed"] = number(
            third,
            "Seed",
            key("seed"),
            SPANS["seed"],
            0,
            1,
            r"Start of all random numbers: the same seed on the same machine gives the same bits. 0 … $2^{31}$.",
        )
        noise = _option(
            first,
            "σ of the noise",
            {name: NOISE_NAMES[name] for name in NOISES},
            key("noise"),
            r"What $\sigma_i$ is in $(l-1)\,\tau_2\,\sigma_i$: the signal's standard deviation or variance (D3).",
        )
        re_sign = _option(
            second,
            "Sign of m_re",
            {name: SIGN_NAMES[name] for name in RE_SIGNS},
            key("re_sign"),
            r"The paper's $m_{re} = (r^+ - r^*)/r^+$, or the authors' code's $(r^* - r^+)/r^*$ (D7).",
        )
        classifier = _option(
            first,
            "Classifier",
            {entry.name: entry.title for entry in NETWORKS.entries()},
            key("classifier"),
            "Trained on the sparse codes when the atoms are learned. The paper's takes about ten times as long.",
        )
        encoder = _option(
            third,
            "Encoder",
            {entry.name: entry.title for entry in ENCODERS.entries()},
            key("encoder"),
            "What makes the sparse codes that the classifier is trained on. The atoms are always learned by OMP.",
        )
        asked["hidden"] = number(
            second,
            "h · hidden units",
            key("hidden"),
            SPANS["hidden"],
            0,
            10,
            "Of the network MLP-$n$-$h$-10. 0 means as many as atoms, as in the paper; 0 … 2000.",
        )
    right.markdown(
        f"α = {alpha:.2f}, β = {beta:.2f}",
        help=r"Weights in $m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$, set in the sidebar; "
        r"$\alpha, \beta \ge 0$, $\alpha + \beta \le 1$.",
    )
    right.caption("They choose among the learned atoms: they can be moved after the run, too.")
    values = {name: value for name, (value, _) in asked.items()}
    plan = Plan(classifier, values.pop("hidden"), encoder)
    problem = next((problem for _, problem in asked.values() if problem), "")
    if problem:
        return Choice(None, data, plan, problem)
    values["q"] /= 100
    try:
        settings = replace(base, **values, tau1=tau1, tau2=tau2, noise=noise, re_sign=re_sign, alpha=alpha, beta=beta)
    except ParameterError as error:
        return Choice(None, data, plan, str(error))
    return Choice(settings, data, plan, "")


def _share(place, label: str, end: tuple[float, float], default: float, key: str, meaning: str) -> float:
    """A slider from 0 to some end, in steps."""
    high, step = end
    return links.draw(
        place.slider,
        label,
        0.0,
        high,
        key=key,
        kind=links.NUMBER,
        default=default,
        check=lambda value: 0 <= value <= high,
        step=step,
        help=meaning,
    )


def _option(place, label: str, names: dict[str, str], key: str, meaning: str) -> str:
    """A choice among named things, the first one to begin with."""
    return links.draw(
        place.selectbox,
        label,
        list(names),
        key=key,
        kind=links.one_of(names, names),
        default=next(iter(names)),
        check=names.__contains__,
        format_func=names.get,
        help=meaning,
    )
