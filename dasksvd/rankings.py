"""Rankings: which of a class's atoms is the best?  Each is registered once and appears wherever one is chosen.

A ranking is a function of an iteration's tables and measures that gives one score per atom.  Of
the atoms that a class owns, the one with the largest score is selected.

Examples
--------
>>> import dasksvd.rankings
>>> @dasksvd.rankings.register("often", title="Used most often", formula=r"p^+", uses_weights=False)
... def often(tables, measures, rng):
...     return tables.p.max(axis=0)
>>> dasksvd.rankings.RANKINGS.unregister("often")
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from dasksvd.common.registry import Registry
from dasksvd.errors import ParameterError

#: name -> (tables, measures, rng) -> one score per atom, shape (n_atoms,).  ``tables`` are
#: :class:`dasksvd.method.measures.ClassTables`, ``measures`` are
#: :class:`dasksvd.method.measures.WeightedMeasures`, which know α and β.  ``rng`` gives the same
#: numbers whenever the same iteration of the same run is ranked.  Facts of an entry: ``formula``
#: in LaTeX, and ``uses_weights=False`` if α and β change nothing.
RANKINGS: Registry[Callable[[Any, Any, np.random.Generator], np.ndarray]] = Registry("ranking")
register = RANKINGS.register
#: The paper's.
DEFAULT = "combined"


def formula_of(name: str) -> str:
    """What a ranking's score is, in LaTeX; empty if nobody has said it."""
    return RANKINGS[name].facts.get("formula", "")


def uses_weights(name: str) -> bool:
    """Whether α and β can change what a ranking selects."""
    return RANKINGS[name].facts.get("uses_weights", True)


@register(
    "combined",
    title="Combined measure m",
    formula=r"m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}",
)
def combined(tables: Any, measures: Any, rng: np.random.Generator) -> np.ndarray:
    """The paper's m; where m is 0, the same sum without clipping decides (D16)."""
    m = measures.m
    return np.where(m > 0, m, measures.unclipped_m)


@register("mdcs", title="MDCS, lead in use", formula=r"p^+ - p^*", uses_weights=False)
def mdcs(tables: Any, measures: Any, rng: np.random.Generator) -> np.ndarray:
    """Most discriminative column selection, from which the paper's three measures grew.

    For two classes it is |p_1 − p_2| (Rolón and others, 2017).  For more the natural extension is
    taken: the largest p minus the second largest.  Unlike m_af, this lead is not divided by the
    largest p, so it prefers atoms that are used often.
    """
    if len(tables.p) < 2:
        raise ParameterError(f"at least two classes are needed, got {len(tables.p)}")
    second, top = np.partition(tables.p, -2, axis=0)[-2:]
    return top - second


@register("random", title="Random atom of the class", formula=r"u \sim U(0, 1)", uses_weights=False)
def random(tables: Any, measures: Any, rng: np.random.Generator) -> np.ndarray:
    """Chance: every atom that the class owns is equally likely.  What selecting is worth shows against it."""
    return rng.random(tables.p.shape[1])


@register(
    "worst",
    title="Smallest combined measure",
    formula=r"-m = -\alpha\,m_{af} - \beta\,m_{cm} - (1-\alpha-\beta)\,m_{re}",
)
def worst(tables: Any, measures: Any, rng: np.random.Generator) -> np.ndarray:
    """The paper's order upside down."""
    return -combined(tables, measures, rng)
