"""Seeds from what scikit-learn's users pass as ``random_state``."""

from typing import Any, TypeAlias

import numpy as np

from dasksvd.parameters import check_count

#: What :func:`to_seed` accepts.
RandomStateLike: TypeAlias = int | np.random.Generator | np.random.RandomState | None


def to_seed(random_state: Any) -> int:
    """A seed from an int, a Generator, a RandomState, or None for one by chance."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return check_count("random_state", random_state, smallest=0)
