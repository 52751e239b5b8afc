"""The parameters of a run as controls, each made from its row of the table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

import streamlit as st

from dasksvd.common.registry import Registry
from dasksvd.datasets import DATASETS, parts
from dasksvd.encoders import ENCODERS
from dasksvd.errors import DataError, ParameterError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import DURATIONS, PRESETS, TABLE, Parameter, Settings
from ui import links, texts

PRESET_NAMES = {name: f"{name.capitalize()} · {time}" for name, time in DURATIONS.items()}
#: Parameters on the Train page.  Fields, sliders and lists in turn, so that each row has one kind.
ROWS = sorted(
    (row for row in TABLE.values() if row.place == "form"),
    key=lambda row: (row.control is None, row.control is not None and row.control.slider),
)


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

    subject: str
    low: float
    high: float
    unit: str = ""
    whole: bool = True

    def problem(self, value: float) -> str:
        """What is wrong with a number, or an empty text."""
        if self.low <= value <= self.high and (value == int(value) or not self.whole):
            return ""
        kind = "a whole number " if self.whole else ""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.subject} must be {kind}between {self.low:g} and {self.high:.10g}{unit}, not {value:.10g}"


def _span(row: Parameter) -> Span:
    control = row.control
    return Span(row.subject or row.symbol, control.low, control.high, control.unit, whole=isinstance(row.default, int))


#: Of the parameters that are typed in, and of two numbers about the networks.
SPANS = {row.name: _span(row) for row in ROWS if row.control and not row.control.slider} | {
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


@dataclass
class _Form:
    """The controls of one preset on one data set, and what they say."""

    preset: str
    data: str
    base: Settings
    values: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def key(self, name: str) -> str:
        """A preset has controls of its own: its values first, then what was set there."""
        if name == "t" and self.data != next(iter(DATASETS)):  # its value depends on the data, too
            name = f"t_{self.data}"
        return f"{self.preset}_{name}"

    def ask(self, place, row: Parameter) -> None:
        """Draw a parameter's control."""
        if row.control is None:
            default = getattr(self.base, row.name)
            self.values[row.name] = _option(place, row.label, row.titles, self.key(row.name), row.help, default)
        elif row.control.slider:
            self.values[row.name] = _slider(place, row, self.key(row.name), getattr(self.base, row.name))
        else:
            self._ask_number(place, row)

    def _ask_number(self, place, row: Parameter) -> None:
        shown = row.control.scale * getattr(self.base, row.name)
        key, span = self.key(row.name), SPANS[row.name]
        value, problem = number(place, row.label, key, span, shown, row.control.step, row.help)
        self.values[row.name] = value if row.control.scale == 1 else value / row.control.scale
        self.problems.append(problem)

    def ask_plan(self, places: Iterator) -> Plan:
        """Draw the controls of the evaluation."""
        classifier = _option(
            next(places),
            "Classifier",
            titles(NETWORKS),
            self.key("classifier"),
            "The network that is trained on the sparse codes when the atoms are learned. SCG takes about ten times "
            "as long as Adam.",
        )
        encoder = _option(
            next(places),
            "Encoder",
            titles(ENCODERS),
            self.key("encoder"),
            "How the sparse codes that the classifier is trained on are computed. The atoms are always learned by OMP.",
        )
        hidden, problem = number(
            next(places),
            "h · hidden units",
            self.key("hidden"),
            SPANS["hidden"],
            0,
            10,
            "Of the network MLP-$n$-$h$-$k$ for $n$ atoms and $k$ classes. 0 means as many as atoms, as in the "
            "paper. Range: 0 … 2000.",
        )
        self.problems.append(problem)
        return Plan(classifier, hidden, encoder)

    def choice(self, plan: Plan, **sidebar: Any) -> Choice:
        """What the controls say, together with the parameters of the sidebar."""
        problem = next(filter(None, self.problems), "")
        if problem:
            return Choice(None, self.data, plan, problem)
        try:
            settings = replace(self.base, **self.values, **sidebar)
        except ParameterError as error:
            return Choice(None, self.data, plan, str(error))
        return Choice(settings, self.data, plan, "")


def choose_settings(alpha: float, beta: float, ranking: str) -> Choice:
    """Draw the controls; α, β and the ranking are the sidebar's."""
    form = _start()
    places = cycle(st.columns(3))
    for row in ROWS:
        if not row.advanced:
            form.ask(next(places), row)
    _show_ranking(next(places), texts.ranked_by(ranking, alpha, beta))
    with st.expander("Advanced"):
        places = cycle(st.columns(3))
        for row in ROWS:
            if row.advanced:
                form.ask(next(places), row)
        plan = form.ask_plan(places)
    return form.choice(plan, alpha=alpha, beta=beta, ranking=ranking)


def _start() -> _Form:
    """Draw the choice of a preset and of the data."""
    left, right = st.columns([2, 1])
    preset = links.choose(
        left.segmented_control, "Start from", PRESET_NAMES, key="preset", default="quick", required=True
    )
    data = _option(
        right,
        "Data",
        titles(DATASETS),
        "data",
        "The pictures to learn from. The preset's t is lowered where the classes are small.",
    )
    try:
        base = parts.preset(preset, data)
    except (DataError, ParameterError):  # such data are refused with a reason when the run is described
        base = PRESETS[preset]
    return _Form(preset, data, base)


def _show_ranking(place, words: str) -> None:
    place.markdown(
        words,
        help=r"Weights in $m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$, set in the sidebar; "
        r"$\alpha, \beta \ge 0$, $\alpha + \beta \le 1$.",
    )
    place.caption("They choose among the learned atoms, so they can still be moved after the run.")


def titles(registry: Registry) -> dict[str, str]:
    """The titles of a registry's entries by their names."""
    return {entry.name: entry.title for entry in registry.entries()}


def _slider(place, row: Parameter, key: str, default: float) -> float:
    low, high = float(row.control.low), float(row.control.high)
    return links.draw(
        place.slider,
        row.label,
        low,
        high,
        key=key,
        kind=links.NUMBER,
        default=default,
        check=lambda value: low <= value <= high,
        step=row.control.step,
        help=row.help,
    )


def _option(place, label: str, names: Mapping[str, str], key: str, meaning: str, default: str = "") -> str:
    """A choice among named things; the first one to begin with, unless another is the default."""
    return links.choose(place.selectbox, label, names, key=key, default=default or None, help=meaning)
