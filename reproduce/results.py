"""The files that keep what was measured."""

import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dasksvd.common.files import read_json, write_json
from dasksvd.parameters import PAPER

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("numpy", "numba", "scipy", "scikit-learn", "pillow")
#: Tables 1 and 3 show the same networks.
FILES = {
    "table1": "sizes.json",
    "table2": "methods.json",
    "table3": "sizes.json",
    "ablation": "ablation.json",
    "fashion": "fashion.json",
    "fashion-table1": "fashion_sizes.json",
    "fashion-table2": "fashion_methods.json",
    "robustness": "robustness.json",
    "curves": "curves.json",
    "weights": "weights.json",
    "tuning": "tuning.json",
    "tried": "tried.json",
    "repeat": "repeated.json",
}


def results_path(study: str) -> Path:
    """The file of a study's results."""
    return RESULTS / FILES[study]


#: How everything is measured now.  The seed of all is the round.  SCG may take MATLAB's usual number of epochs, as the
#: paper names no other; networks that used them up are marked.
PROTOCOL = PAPER.as_dict() | {"seed": "the round", "scg": {"max_epochs": 1000, "patience": 60}}


def load_results(study: str) -> dict[str, dict]:
    """Results so far: key -> result.

    Earlier results of a network stay until it is measured in as many rounds by today's protocol: two protocols do not
    mix, because differences are taken round by round.
    """
    stored = _stored(study)
    found, earlier = _today_and_earlier(stored)
    old = _not_yet_replaced(stored)
    kept = {key: one for key, one in earlier.items() if one.get("classifier") in old}
    return kept | {key: one for key, one in found.items() if one.get("classifier") not in old}


def _today_and_earlier(stored: dict[str, Any]) -> tuple[dict[str, dict], dict[str, dict]]:
    return stored.get("results", {}), stored.get("earlier", {}).get("results", {})


def _not_yet_replaced(stored: dict[str, Any]) -> set[str | None]:
    """Kinds of network of which an earlier row has more rounds than today's."""
    today, before = (Counter(map(_row, results.values())) for results in _today_and_earlier(stored))
    return {row[0] for row, rounds in before.items() if today[row] < rounds}


def _row(result: dict) -> tuple:
    """What is measured in every round; the kind of network first."""
    return tuple(result.get(name) for name in ("classifier", "method", "I", "hidden", "encoder"))


def load_comparable(study: str) -> dict[str, dict]:
    """Results so far, if they were measured by today's protocol; others are not added to."""
    stored = _stored(study)
    return stored["results"] if stored.get("settings") == PROTOCOL else {}


def measured_earlier(study: str) -> set[str]:
    """The kinds of network of which a study has results by an earlier protocol only."""
    stored = _stored(study)
    if stored and stored.get("settings") != PROTOCOL:
        return {one["classifier"] for one in load_results(study).values() if "classifier" in one}
    return {classifier for classifier in _not_yet_replaced(stored) if classifier}


def save_results(study: str, results: dict[str, dict]) -> None:
    """Keep results with the command, settings and versions that gave them, and beside them those measured earlier."""
    rounds = 1 + max(result["round"] for result in results.values())
    stored = _stored(study)
    earlier = stored.get("earlier") if stored.get("settings") == PROTOCOL else stored
    write_json(
        results_path(study),
        {
            "command": f"python -m reproduce {study} --rounds {rounds}",
            "settings": PROTOCOL,
            "versions": versions(),
            "results": dict(sorted(results.items())),
        }
        | ({"earlier": earlier} if earlier else {}),
    )


def _stored(study: str) -> dict[str, Any]:
    path = results_path(study)
    return read_json(path) if path.exists() else {}


def command(study: str) -> str:
    """The command that made a study's results, or an empty text."""
    return _stored(study).get("command", "")


def versions() -> dict[str, str]:
    """Of Python and of the packages that decide the numbers."""
    return {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
