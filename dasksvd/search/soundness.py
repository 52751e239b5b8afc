"""Could a search have left these scores?  For runs from elsewhere, of which nothing is believed."""

import re

from dasksvd.errors import DamagedFile
from dasksvd.runs.folder import Run
from dasksvd.search.scores import Scores

#: Network, encoder and level, as in :attr:`dasksvd.search.plans.WeightsPlan.scored_by`.
_SCORED_BY = r"\w{1,20}(?:\+\w{1,20}(?:=[\d.e-]{1,20})?)?"
_WEIGHTS_KEY = re.compile(_SCORED_BY + r"/(\d{1,3})-[0-9a-f]{16}")
_SWEEP_KEY = re.compile(_SCORED_BY + r"/[\w.,=+-]{1,40}/[\w.,=+-]{1,120}(?:/\w{1,20})?")
_PROBLEM = re.compile(r"[^<>\x00-\x1f\x7f]{0,400}")


def check_weight_scores(run: Run) -> None:
    """Raise DamagedFile unless ``grid.json`` holds scores of a search over the run's weights."""
    _check_scores(run, "grid.json", _WEIGHTS_KEY)


def check_sweep_scores(run: Run) -> None:
    """Raise DamagedFile unless ``sweep.json`` holds scores of sweeps that start from the run."""
    _check_scores(run, "sweep.json", _SWEEP_KEY)


def _check_scores(run: Run, name: str, pattern: re.Pattern) -> None:
    for key, entry in Scores(run.folder / name).entries.items():
        match = pattern.fullmatch(key)
        if not match or (match.lastindex and not 1 <= int(match[1]) <= run.n_finished()):
            raise DamagedFile(f"{name} has scores of {key[:60]!r}, which is no dictionary of this run")
        if not _PROBLEM.fullmatch(entry.problem) or not all(0 <= seed < 2**31 for seed in entry.accuracies):
            raise DamagedFile(f"{name} has scores with an odd text or seed")
