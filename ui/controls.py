"""The parameters of a run as controls, each with its symbol, formula and range."""

from dataclasses import dataclass, replace

import streamlit as st

from dasksvd import parts
from dasksvd.evaluation import Plan
from dasksvd.settings import NOISES, RE_SIGNS, ParameterError, Settings

DATA_NAMES = {"mnist": "MNIST, 16 × 16", "digits": "small digits, 8 × 8"}
PRESET_NAMES = {"quick": "Quick · 10 s", "classroom": "Classroom · 1 min", "paper": "Paper · 2 min"}
NOISE_NAMES = {"std": "standard deviation", "variance": "variance"}
SIGN_NAMES = {"paper": "the paper's", "code": "the authors' code's"}
CLASSIFIER_NAMES = {"modern": "ReLU, Adam (today's)", "scg": "SCG, MSE (the paper's)"}


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


def choose_settings(alpha: float, beta: float) -> Choice:
    """Draw the controls; α and β are the sidebar's."""
    start, what = st.columns([2, 1])
    preset = start.segmented_control(
        "Start from",
        list(PRESET_NAMES),
        format_func=PRESET_NAMES.get,
        default="quick",
        key="preset",
        bind="query-params",
        required=True,
    )
    preset = preset or "quick"  # a link may name none
    data = what.selectbox(
        "Data",
        list(DATA_NAMES),
        format_func=DATA_NAMES.get,
        key=f"{preset}_data",
        bind="query-params",
        help="What to learn from. The preset's t is lowered where the classes are small.",
    )
    base = parts.preset(preset, data)
    # A preset has widgets of its own: its values first, then what was set there.
    key = f"{preset}_{{}}".format
    left, middle, right = st.columns(3)
    q = left.number_input(
        "q · non-zeros per signal (%)",
        1.0,
        100.0,
        100.0 * base.q,
        1.0,
        key=key("q"),
        bind="query-params",
        help=r"Share of the atoms a signal may use: $\|a\|_0 \le q\,M$, rounded down. 1 … 100 %.",
    )
    t = _count(
        middle,
        "t · signals per class and iteration",
        (1, 4000),
        base.t,
        10,
        key("t" if data == "mnist" else f"t_{data}"),  # its value depends on the data, too
        "Drawn anew in each iteration. 1 … class size.",
    )
    I = _count(right, "I · iterations", (1, 200), base.I, 1, key("I"), "Also the atoms per class. 1 … 200.")
    tau1 = left.slider(
        "τ1 · memory",
        0.0,
        1.0,
        base.tau1,
        0.05,
        key=key("tau1"),
        bind="query-params",
        help=r"Odds of a drawn signal: $p \leftarrow \tau_1 p$. 0 … 1; 0 = never drawn again, 1 = no memory.",
    )
    tau2 = middle.slider(
        "τ2 · noise growth",
        0.0,
        0.99,
        base.tau2,
        0.01,
        key=key("tau2"),
        bind="query-params",
        help=r"Iteration $l = 1 \dots I$ adds noise of size $(l-1)\,\tau_2\,\sigma_i$. 0 ≤ τ2 < 1.",
    )
    with st.expander("Advanced"):
        first, second, third = st.columns(3)
        r_f = first.number_input(
            "r_f · redundancy",
            0.05,
            4.0,
            base.r_f,
            0.05,
            key=key("r_f"),
            bind="query-params",
            help=r"Atoms per dictionary: $M = r_f N$. 0.05 … 4.",
        )
        ksvd_iter = _count(
            second,
            "K-SVD iterations",
            (1, 200),
            base.ksvd_iter,
            5,
            key("ksvd_iter"),
            "Each codes all signals and renews all atoms. 1 … 200.",
        )
        seed = _count(
            third,
            "Seed",
            (0, 2**31),
            0,
            1,
            key("seed"),
            r"Start of all random numbers: the same seed on the same machine gives the same bits. 0 … $2^{31}$.",
        )
        noise = first.selectbox(
            "σ of the noise",
            NOISES,
            format_func=NOISE_NAMES.get,
            key=key("noise"),
            bind="query-params",
            help=r"What $\sigma_i$ is in $(l-1)\,\tau_2\,\sigma_i$: the signal's standard deviation or variance (D3).",
        )
        re_sign = second.selectbox(
            "Sign of m_re",
            RE_SIGNS,
            format_func=SIGN_NAMES.get,
            key=key("re_sign"),
            bind="query-params",
            help=r"The paper's $m_{re} = (r^+ - r^*)/r^+$, or the authors' code's $(r^* - r^+)/r^*$ (D7).",
        )
        classifier = first.selectbox(
            "Classifier",
            list(CLASSIFIER_NAMES),
            format_func=CLASSIFIER_NAMES.get,
            key=key("classifier"),
            bind="query-params",
            help="Trained on the sparse codes when the atoms are learned. The paper's takes about ten times as long.",
        )
        hidden = _count(
            second,
            "h · hidden units",
            (0, 2000),
            0,
            10,
            key("hidden"),
            "Of the network MLP-$n$-$h$-10. 0 means as many as atoms, as in the paper; 0 … 2000.",
        )
    right.markdown(
        f"α = {alpha:.2f}, β = {beta:.2f}",
        help=r"Weights in $m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$, set in the sidebar; "
        r"$\alpha, \beta \ge 0$, $\alpha + \beta \le 1$.",
    )
    right.caption("They choose among the learned atoms: they can be moved after the run, too.")
    plan = Plan(classifier, hidden)
    try:
        settings = replace(
            base,
            q=q / 100,
            t=t,
            I=I,
            tau1=tau1,
            tau2=tau2,
            r_f=r_f,
            ksvd_iter=ksvd_iter,
            seed=seed,
            noise=noise,
            re_sign=re_sign,
            alpha=alpha,
            beta=beta,
        )
    except ParameterError as error:
        return Choice(None, data, plan, str(error))
    return Choice(settings, data, plan, "")


def _count(place, label: str, span: tuple[int, int], value: int, step: int, key: str, meaning: str) -> int:
    """A control for a whole number; in floats, because an infinite one in a link would break an integer control."""
    low, high = span
    found = place.number_input(
        label,
        float(low),
        float(high),
        float(value),
        float(step),
        format="%.0f",
        key=key,
        bind="query-params",
        help=meaning,
    )
    return int(found)
