"""Rankings: which of a class's atoms is the best?  Each is registered once and appears wherever one is chosen."""

from collections.abc import Callable

from dasksvd.common.registry import Registry

#: name -> (tables, measures, rng) -> one score per atom (M,)
RANKINGS: Registry[Callable] = Registry("ranking")
register = RANKINGS.register
RANKINGS.declare("combined", "dasksvd.method.measures:Measures", title="Combined measure m")
