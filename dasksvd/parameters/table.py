"""THE table of parameters: what each one is called, means and may be.

The settings and their checks, the command line, the controls of the dashboard, the README's table
and the tables in the docstrings are made from it or compared with it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from dasksvd.parameters.parameter import Control, Parameter
from dasksvd.parameters.ranges import Count, CountOrShare, Interval, OneOf, Registered, Switch
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.rankings import RANKINGS

_ROWS = (
    Parameter(
        name="q",
        symbol="q",
        title="non-zeros per signal",
        meaning="How many atoms a signal may use, as a count or as a share of the atoms, rounded down.",
        formula=r"\|a\|_0 \le q\,M",
        plain_formula="non-zeros <= q * M",
        allowed=CountOrShare(),
        default=0.2,
        control=Control(1, 100, 1, unit="%", scale=100),
        sweep=(0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
    ),
    Parameter(
        name="t",
        symbol="t",
        title="signals per class",
        meaning="How many signals of each class are drawn in each iteration.",
        formula=r"n = t\,k",
        plain_formula="t * classes signals",
        allowed=Count(),
        limits="at most the smallest class",
        default=500,
        control=Control(1, 4000, 10),
        sweep=(50, 100, 200, 300, 500, 800),
    ),
    Parameter(
        name="tau1",
        symbol="τ1",
        title="memory",
        meaning="The odds of a drawn signal are multiplied by it: 1 means no memory, 0 never again.",
        formula=r"p \leftarrow \tau_1\,p",
        plain_formula="p = tau1 * p",
        allowed=Interval(0, 1),
        default=0.5,
        control=Control(0, 1, 0.05, slider=True),
        sweep=(0.0, 0.25, 0.5, 0.75, 1.0),
    ),
    Parameter(
        name="tau2",
        symbol="τ2",
        title="noise growth",
        meaning="How much the noise grows from one iteration to the next.",
        formula=r"(l-1)\,\tau_2\,\sigma_i,\ l = 1 \dots I",
        plain_formula="noise = (l-1) * tau2 * sigma_i",
        allowed=Interval(0, 1, high_open=True),
        default=0.1,
        control=Control(0, 0.99, 0.01, slider=True),
        sweep=(0.0, 0.05, 0.1, 0.2, 0.3),
    ),
    Parameter(
        name="I",
        symbol="I",
        title="iterations",
        meaning="How many iterations there are, which is also the number of atoms per class.",
        formula=r"l = 1 \dots I",
        plain_formula="I * classes atoms in the end",
        allowed=Count(),
        default=20,
        control=Control(1, 200, 1),
        sweep=(2, 5, 10, 15, 20, 30),
    ),
    Parameter(
        name="alpha",
        symbol="α",
        title="activation frequency",
        meaning="Weight of how much more often the class uses the atom than its rival.",
        formula=r"m_{af} = (p^+ - p^*)/p^+",
        plain_formula="m_af = (p+ - p*) / p+",
        allowed=Interval(0, 1),
        limits="alpha + beta <= 1",
        default=0.0,
        control=Control(0, 1, 0.01, slider=True),
        place="sidebar",
    ),
    Parameter(
        name="beta",
        symbol="β",
        title="coefficient magnitude",
        meaning="Weight of how much larger the atom's mean coefficient is; the error weighs 1 − α − β.",
        formula=r"m_{cm} = (q^+ - q^*)/q^+",
        plain_formula="m_cm = (q+ - q*) / q+",
        allowed=Interval(0, 1),
        limits="alpha + beta <= 1",
        default=0.0,
        control=Control(0, 1, 0.01, slider=True),
        place="sidebar",
    ),
    Parameter(
        name="ranking",
        title="ranking",
        meaning="Which score decides which atom of a class is kept.",
        formula=r"\arg\max_j m_j",
        plain_formula="the atom with the largest score",
        allowed=Registered(RANKINGS),
        default=DEFAULT_RANKING,
        place="sidebar",
        before=DEFAULT_RANKING,
    ),
    Parameter(
        name="r_f",
        symbol="r_f",
        title="redundancy",
        meaning="How many atoms K-SVD learns in each iteration, relative to the signal length N.",
        formula=r"M = r_f\,N",
        plain_formula="M = r_f * N",
        allowed=Interval(0, low_open=True),
        limits="classes <= M <= t * classes",
        default=1.0,
        control=Control(0.05, 4, 0.05),
        advanced=True,
    ),
    Parameter(
        name="ksvd_iter",
        title="K-SVD iterations",
        subject="The number of K-SVD iterations",
        meaning="How many times K-SVD codes all signals and updates all atoms.",
        formula=r"\min_{\Phi, A} \|X - A\,\Phi\|_F^2",
        plain_formula="min |X - A Phi|^2",
        allowed=Count(),
        default=50,
        control=Control(1, 200, 5),
    ),
    Parameter(
        name="noise",
        symbol="σ_i",
        title="size of the noise",
        meaning="What a signal's noise is proportional to: its standard deviation or its variance (D3).",
        formula=r"(l-1)\,\tau_2\,\sigma_i",
        plain_formula="noise = (l-1) * tau2 * sigma_i",
        allowed=OneOf({"std": "standard deviation", "variance": "variance"}),
        default="std",
        advanced=True,
    ),
    Parameter(
        name="re_sign",
        symbol="m_re",
        title="sign",
        meaning="Sign of the measure of the representation error: the paper's or the authors' code's (D7).",
        formula=r"(r^+ - r^*)/r^+ \text{ or } (r^* - r^+)/r^*",
        plain_formula="(r+ - r*) / r+ or (r* - r+) / r*",
        allowed=OneOf({"paper": "the paper's", "code": "the authors' code's"}),
        default="paper",
        advanced=True,
    ),
    Parameter(
        name="exact",
        title="exact updates",
        meaning="Exact singular vectors in K-SVD instead of the fast approximate update (D4).",
        formula=r"E_j \approx s\,u\,v^T",
        plain_formula="E_j = s * u * v",
        allowed=Switch(),
        default=False,
        place="none",  # no estimate of its time is known, and visitors share the machine
        advanced=True,
    ),
    Parameter(
        name="seed",
        title="seed",
        subject="The seed",
        meaning="Start of all random numbers: the same seed on the same machine gives the same bits.",
        formula=r"(\text{seed}, l)",
        plain_formula="iteration l draws from (seed, l)",
        allowed=Count(0, bits=63),
        default=0,
        control=Control(0, 2**31, 1),
        advanced=True,
    ),
    Parameter(
        name="fine_tune",
        title="epochs of fine-tuning",
        subject="The number of epochs of fine-tuning",
        meaning="Epochs in which a small network moves the selected atoms for the encoder threshold; 0: they stay.",
        formula=r"\Phi_D \leftarrow \Phi_D - \eta\,\partial L(a(\Phi_D)) / \partial \Phi_D",
        plain_formula="atoms = atoms - rate * slope of the loss on their codes",
        allowed=Count(0),
        default=0,
        control=Control(0, 100, 5),
        advanced=True,
        before=0,
    ),
    Parameter(
        name="streams",
        title="version of the random numbers",
        meaning="How the iterations get their random numbers from the seed (D18): 1 in older runs, 2 in new ones.",
        allowed=OneOf({1: "older runs", 2: "new runs"}),
        default=2,
        place="none",
        for_users=False,
        before=1,
    ),
)

#: Every parameter by its name.
TABLE: Mapping[str, Parameter] = {row.name: row for row in _ROWS}
#: The names of those that users set.
PARAMETERS = tuple(row.name for row in _ROWS if row.for_users)
#: The names of those that a sweep may vary; stored scores are named by them, in this order.
SWEPT = tuple(row.name for row in _ROWS if row.sweep)


class Row(NamedTuple):
    """A parameter as tables for people show it."""

    symbol: str
    name: str
    title: str
    meaning: str
    default: str
    range: str


def parameter_table() -> list[Row]:
    """The rows of every parameter that users set.

    Examples
    --------
    >>> row = parameter_table()[2]
    >>> row.symbol, row.name, row.title, row.default, row.range
    ('τ1', 'tau1', 'memory', '0.5', '0 ≤ τ1 ≤ 1')
    """
    rows = [TABLE[name] for name in PARAMETERS]
    return [Row(row.symbol or "–", row.name, row.title, row.meaning, row.default_text, row.range) for row in rows]
