"""The files that keep what was measured."""

import platform
from importlib.metadata import version
from pathlib import Path

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
    "robustness": "robustness.json",
    "curves": "curves.json",
    "weights": "weights.json",
    "tuning": "tuning.json",
    "tried": "tried.json",
}


def results_path(study: str) -> Path:
    """The file of a study's results."""
    return RESULTS / FILES[study]


#: How everything is measured now.  The seed of all is the round; SCG may take so long.
PROTOCOL = PAPER.as_dict() | {"seed": "the round", "scg": {"max_epochs": 3000, "patience": 60}}


def load_results(study: str) -> dict[str, dict]:
    """Results so far: key -> result."""
    path = results_path(study)
    return read_json(path)["results"] if path.exists() else {}


def load_comparable(study: str) -> dict[str, dict]:
    """Results so far, if they were measured by today's protocol; others are not added to."""
    path = results_path(study)
    return load_results(study) if path.exists() and read_json(path)["settings"] == PROTOCOL else {}


def save_results(study: str, results: dict[str, dict]) -> None:
    """Keep results with the command, settings and versions that gave them."""
    rounds = 1 + max(result["round"] for result in results.values())
    write_json(
        results_path(study),
        {
            "command": f"python -m reproduce {study} --rounds {rounds}",
            "settings": PROTOCOL,
            "versions": versions(),
            "results": dict(sorted(results.items())),
        },
    )


def command(study: str) -> str:
    """The command that made a study's results, or an empty text."""
    path = results_path(study)
    return read_json(path)["command"] if path.exists() else ""


def versions() -> dict[str, str]:
    """Of Python and of the packages that decide the numbers."""
    return {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
