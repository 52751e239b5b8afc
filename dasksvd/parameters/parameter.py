"""What is known of one parameter, and the texts that are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dasksvd.common.language import say
from dasksvd.parameters.ranges import Range, in_symbols

#: No earlier value: the parameter is always stored.
ALWAYS = object()


@dataclass(frozen=True)
class Control:
    """A control for a number.

    Attributes
    ----------
    low, high, step : float
        As the control shows them.
    unit : str
        What stands behind the number.
    scale : float
        The control shows this many times the setting.
    slider : bool
        A slider; otherwise a field for a number.
    """

    low: float
    high: float
    step: float
    unit: str = ""
    scale: float = 1
    slider: bool = False

    @property
    def range(self) -> str:
        """The range in words.

        Examples
        --------
        >>> Control(1, 100, 1, "%").range
        '1 … 100 %'
        """
        return f"{self.low:.10g} … {self.high:.10g} {self.unit}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of the method.

    Attributes
    ----------
    name : str
        In Python, on the command line and in files.
    symbol : str
        In the paper; empty if it has none there.
    title : str
        A few words for labels.
    subject : str
        What begins a sentence about it, where that is not its symbol.
    meaning : str
        One plain sentence.
    formula, plain_formula : str
        In LaTeX, and for terminals.
    allowed : Range
        What it may be, whatever the data.
    limits : str
        What the data or other parameters allow beyond that, in plain letters.
    default : object
    control : Control, optional
        For numbers; what has a list of choices needs none.
    place : {"form", "sidebar", "none"}
        Where the dashboard has a control for it.
    advanced : bool
        Whether that control stands among the advanced ones.
    sweep : tuple
        Values on offer for a sweep; empty if a sweep cannot vary it.
    for_users : bool
        Whether users set it.
    before : object
        The value of runs made before the parameter was there; it is not stored.
    """

    name: str
    symbol: str = ""
    title: str
    subject: str = ""
    meaning: str
    formula: str = ""
    plain_formula: str = ""
    allowed: Range
    limits: str = ""
    default: Any
    control: Control | None = None
    place: Literal["form", "sidebar", "none"] = "form"
    advanced: bool = False
    sweep: tuple[float, ...] = ()
    for_users: bool = True
    before: Any = ALWAYS

    @property
    def called(self) -> str:
        """The symbol and the title, or the title alone."""
        return f"{self.symbol} · {say(self.title)}" if self.symbol else say(self.title)

    @property
    def label(self) -> str:
        """What stands above its control: the symbol, the title and the unit."""
        words = self.called if self.symbol else f"{self.called[0].upper()}{self.called[1:]}"
        return f"{words} ({self.control.unit})" if self.control and self.control.unit else words

    @property
    def range(self) -> str:
        """What it may be, with the paper's symbols."""
        return in_symbols(self._range_of(self.allowed.words(self.symbol or self.name)))

    def _range_of(self, words: str) -> str:
        return "; ".join(filter(None, [words, self.limits and say(self.limits)]))

    @property
    def titles(self) -> Mapping[Any, str]:
        """What people read for each of its choices; empty if it is a number."""
        return getattr(self.allowed, "titles", {})

    @property
    def default_text(self) -> str:
        """The default as a table has it."""
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)

    @property
    def help(self) -> str:
        """Meaning, formula and range for its control, in Markdown."""
        words = self.control.range if self.control else self.allowed.words(self.name)
        allowed = in_symbols(self._range_of(words))
        meaning = say(self.meaning)
        return say(
            "{meaning} Formula: ${formula}$. Range: {allowed}.", meaning=meaning, formula=self.formula, allowed=allowed
        )

    @property
    def option_help(self) -> str:
        """Symbol, meaning, formula and range for the command line."""
        name = f"{self.symbol}, {self.title}" if self.symbol else self.title
        formula, words = self.plain_formula, self._range_of(self.allowed.words(self.name))
        named = "; ".join(f"{choice}: {title}" for choice, title in self.titles.items()) or words
        return f"{name}. {self.meaning} Formula: {formula}. Range: {named}.".replace("%", "%%")
