"""What is chosen on the validation images of round 0, by one rule and with one budget for every method.

The rule: of five candidates the one whose network reads most validation images of round 0 is taken, with MLP-200-200-10
(ReLU, Adam) on codes by OMP for a method's own number, on its codes by the soft threshold for its threshold, and with
the very network after 250 epochs for the initial weights of SCG, of which there are four candidates.  The test images
decide nothing.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dasksvd.common.files import read_json, write_json
from reproduce.results import results_path, versions

#: Candidates for the soft threshold, and for the spread of the hidden units' sums before SCG's first step.
SOFT = (0.1, 0.2, 0.3, 0.4, 0.5)
STARTS = (0.05, 0.15, 0.5, 1.0)
#: Epochs after which one of the latter is chosen, a quarter of what SCG may take.
START_EPOCHS = 250


def chosen(kind: str, name: str) -> Any:
    """What was chosen for a method; None if there is nothing to choose."""
    return _stored().get(kind, {}).get(name, {}).get("chosen")


@lru_cache(maxsize=1)
def _stored() -> dict[str, Any]:
    path = results_path("tuning")
    return read_json(path) if path.exists() else {}


def missing(kind: str, wanted: Mapping[str, tuple]) -> Iterator[tuple[str, Any]]:
    """Name and candidate of everything that has no score yet."""
    stored = _stored().get(kind, {})
    for name, candidates in wanted.items():
        scores = stored.get(name, {}).get("scores", {})
        yield from ((name, one) for one in candidates if written(one) not in scores)


def note(kind: str, name: str, candidate: Any, accuracy: float, candidates: tuple) -> None:
    """Keep a candidate's validation accuracy; when all are there, the best one is chosen, of equals the first."""
    stored = _stored() or {"command": "python -m reproduce tuning", "rule": __doc__, "versions": versions()}
    entry = stored.setdefault(kind, {}).setdefault(name, {"scores": {}})
    entry["scores"][written(candidate)] = round(accuracy, 4)
    if all(written(one) in entry["scores"] for one in candidates):
        entry["chosen"] = max(candidates, key=lambda one: entry["scores"][written(one)])
    write_json(results_path("tuning"), stored)
    _stored.cache_clear()


def written(candidate: Any) -> str:
    """A candidate as a key of the file."""
    return json.dumps(candidate)
