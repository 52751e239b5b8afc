"""Controls for numbers: what they may have, and what is said of all others."""

from dataclasses import dataclass

from dasksvd.common.language import phrase, say
from dasksvd.encoders import ENCODERS, levels_of
from dasksvd.parameters import TABLE, Parameter
from ui import links

_ON_THE_FORM = [row for row in TABLE.values() if row.place == "form"]
#: Parameters on the Train page by their kind, so that each row of the form has one.
NUMBERS, SLIDERS = (
    [row for row in _ON_THE_FORM if not row.advanced and bool(row.control and row.control.slider) == slider]
    for slider in (False, True)
)
#: Those that most visitors leave as they are, fields before lists.
ADVANCED = sorted((row for row in _ON_THE_FORM if row.advanced), key=lambda row: row.control is None)


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
        kind = say("a whole number ") if self.whole else ""
        unit = f" {self.unit}" if self.unit else ""
        return say(
            "{subject} must be {kind}between {low:g} and {high:.10g}{unit}, not {value:.10g}",
            subject=say(self.subject),
            kind=kind,
            low=self.low,
            high=self.high,
            unit=unit,
            value=value,
        )


def _span(row: Parameter) -> Span:
    control = row.control
    return Span(row.subject or row.symbol, control.low, control.high, control.unit, whole=isinstance(row.default, int))


#: Of the parameters that are typed in, and of numbers about networks and their codes.
SPANS = {row.name: _span(row) for row in NUMBERS + ADVANCED if row.control} | {
    "hidden": Span("h", 0, 2000),
    "seeds": Span(phrase("The number of networks"), 1, 20),
    "level": Span("λ", 0, 0.95, whole=False),
}


def number(
    place, label: str, key: str, span: Span, default: float, step: float, meaning: str, *, disabled: bool = False
) -> tuple[float, str]:
    """A control for a number, and what is wrong with it, which then stands under it; the default if it is off.

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
        disabled=disabled,
    )
    if disabled:
        return default, ""
    problem = span.problem(value)
    if problem:
        place.error(f"{problem}.")
        return default, problem
    return int(value) if span.whole else value, ""


def level(place, key: str, encoder: str) -> tuple[float, str]:
    """A control for the level of an encoder, off where it has none, and what is wrong with it."""
    tried = ", ".join(f"{one:g}" for name in ENCODERS for one in levels_of(name))
    meaning = say(
        r"The threshold of the encoder: $a_j = \mathrm{{sign}}(c_j)\max(|c_j| - \lambda, 0)$, the larger the "
        "sparser. 0 means chosen on validation images, by one network each for {tried}. Range: 0 … 0.95.",
        tried=tried,
    )
    off = not levels_of(encoder)
    value, problem = number(place, say("λ · level"), key, SPANS["level"], 0.0, 0.05, meaning, disabled=off)
    return round(value, 4), problem
