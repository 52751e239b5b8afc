"""The formulas of the measures with an atom's numbers filled in: LaTeX, for every page that shows an atom."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from dasksvd.common.language import phrase
from dasksvd.method.measures import ClassTables, Measures
from dasksvd.method.trajectory import Record

Name = Literal["af", "cm", "re"]
#: Of each measure: the symbol of its table, and what the table holds.
TABLES: dict[Name, tuple[str, str]] = {
    "af": ("p", phrase("activation probability")),
    "cm": ("q", phrase("mean coefficient")),
    "re": ("r", phrase("error without the atom")),
}


@dataclass(frozen=True)
class Lead:
    """A measure of one atom, (plus − star) / plus, and its parts.

    Attributes
    ----------
    name : {"af", "cm", "re"}
    plus, star : float
        The two classes' values in the order of the fraction.
    turned : bool
        Whether ℓ* comes first (D7).
    value : float
        The measure, clipped at 0 (D6).
    """

    name: Name
    plus: float
    star: float
    turned: bool
    value: float

    @property
    def symbol(self) -> str:
        """The measure's symbol."""
        return f"m_{{{self.name}}}"

    @property
    def unclipped(self) -> float:
        """The fraction itself; it can be negative."""
        return (self.plus - self.star) / self.plus if self.plus > 0 else 0.0


def table_of(tables: ClassTables, name: Name) -> np.ndarray:
    """The table behind a measure; shape (n_classes, n_atoms)."""
    return getattr(tables, TABLES[name][0])


def lead(record: Record, atom: int, name: Name, re_sign: str) -> Lead:
    """A measure of an atom and the two numbers it is made of."""
    measures, table = record.measures, table_of(record.tables, name)
    plus, star = float(table[measures.top[atom], atom]), float(table[measures.second[atom], atom])
    turned = name == "re" and re_sign == "code"  # D7: a larger error counts against it
    if turned:
        plus, star = star, plus
    return Lead(name, plus, star, turned, float(getattr(measures, name)[atom]))


def symbols(one: Lead) -> str:
    """The fraction in symbols."""
    table = TABLES[one.name][0]
    plus, star = (f"{table}^*", f"{table}^+") if one.turned else (f"{table}^+", f"{table}^*")
    return rf"\frac{{{plus} - {star}}}{{{plus}}}"


def numbers(one: Lead, digits: int = 3) -> str:
    """The fraction with its numbers."""
    plus, star = f"{one.plus:.{digits}f}", f"{one.star:.{digits}f}"
    return rf"\frac{{{plus} - {star}}}{{{plus}}}"


def result(one: Lead, digits: int = 3) -> str:
    """What the fraction gives; what is below 0 is cut to 0."""
    if one.unclipped < 0:
        return rf"{one.unclipped:z.{digits}f} \;\to\; 0"
    return f"{one.value:.{digits}f}"


def filled(one: Lead, digits: int = 3, *, in_symbols: bool = True) -> str:
    """A measure in one line: symbols, numbers, result."""
    parts = [one.symbol, *([symbols(one)] if in_symbols else []), numbers(one, digits), result(one, digits)]
    return " = ".join(parts)


def combined(measures: Measures, atom: int, alpha: float, beta: float, digits: int = 3) -> str:
    """The sum m of the three measures, with weights and numbers filled in."""
    weights = alpha, beta, max(0.0, 1 - alpha - beta)
    values = measures.af[atom], measures.cm[atom], measures.re[atom]
    terms = [rf"{weight:.2f}{{\cdot}}{value:.{digits}f}" for weight, value in zip(weights, values, strict=True)]
    return f"m = {' + '.join(terms)} = {measures.combined(alpha, beta)[atom]:.{digits}f}"


def stacked(lines: list[str]) -> str:
    """Formulas one below the other in a narrow column, their fractions as large as the rest."""
    return r"\footnotesize\begin{aligned} " + r" \\[0.6em] ".join(f"&{line}" for line in lines) + r" \end{aligned}"
