"""Encoders: sparse codes on given atoms; each is registered once and appears wherever one is chosen."""

from collections.abc import Callable

from dasksvd.common.registry import Registry

#: name -> (signals (n, N), atoms (M, N), n_nonzero) -> codes (n, M), float32
ENCODERS: Registry[Callable] = Registry("encoder")
register = ENCODERS.register
ENCODERS.declare("omp", "dasksvd.method.omp:encode", title="Orthogonal matching pursuit")
