"""The score of each run in a list of many, without what takes long to read; kept as long as the file stays."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dasksvd.common.files import Stamp, stamp
from dasksvd.errors import DamagedFile
from dasksvd.evaluate import Metrics
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.folder import Run
from dasksvd.statistics import share_half_width


@dataclass(frozen=True)
class Score:
    """How well a run is classified.

    Attributes
    ----------
    accuracy, half_width : float
        A share, and half of its 95 % interval (Wilson's) for so many images.
    n_scored : int
    part : str
        What it was scored on.
    classifier, encoder : str
    hidden, weights : int
        Of the network.
    seconds : float
        For coding and training.
    """

    accuracy: float
    half_width: float
    n_scored: int
    part: str
    classifier: str
    encoder: str
    hidden: int
    weights: int
    seconds: float


def score(run: Run) -> Score | None:
    """The score of a run; None before its evaluation, and of a file that cannot be."""
    path = f"{run.folder}/metrics.json"
    state = stamp(path)
    return None if state is None else _read_score(str(run.folder), state, stamp(f"{run.folder}/settings.json"))


@lru_cache(maxsize=4096)
def _read_score(folder: str, _metrics: Stamp, _settings: Stamp) -> Score | None:
    try:
        found = read_metrics(Run(Path(folder)))
    except DamagedFile:
        return None
    return None if found is None else score_of(found)


def score_of(found: Metrics) -> Score | None:
    """The score in some metrics; None if their numbers cannot be."""
    if not 0 <= found.accuracy <= 1 <= found.n_scored:
        return None
    half_width = share_half_width(found.accuracy, found.n_scored)
    numbers = found.hidden, found.weights, found.seconds
    return Score(found.accuracy, half_width, found.n_scored, found.part, found.classifier, found.encoder, *numbers)
