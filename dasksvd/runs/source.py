"""What can be looked at and searched: a run of the store, or the one shipped with the package."""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from dasksvd.datasets.description import Description
from dasksvd.method.trajectory import Trajectory


class Source(Protocol):
    """Where a trajectory comes from."""

    @property
    def description(self) -> Description:
        """What decides the result."""

    @property
    def trajectory(self) -> Trajectory:
        """All finished iterations."""

    def own_data(self) -> tuple[np.ndarray, ...]:
        """Signals or images, and class numbers, if it learns from a user's own pictures."""


class SearchBase(Source, Protocol):
    """A source with a place for the scores of searches."""

    @property
    def id(self) -> str:
        """What it is called in links and messages."""

    @property
    def folder(self) -> Path:
        """Where what is computed goes."""

    def shipped_scores(self) -> dict[str, Any]:
        """Scores of a search that came with the package, in plain values."""

    def shipped_plans(self) -> list[dict[str, Any]]:
        """The plans behind these scores, in plain values."""
