"""The file that keeps how the shipped reader was made, and how well it reads."""

from typing import Any

from dasksvd.common.files import read_json, write_json
from reproduce.results import RESULTS

NAME = "default_model.json"


def save(command: str, scores: dict[str, dict[str, Any]]) -> None:
    """Add scores to the file that keeps them, with the command that found them."""
    path = RESULTS / NAME
    known = read_json(path) if path.exists() else {}
    write_json(
        path, known | {name: {"command": f"python -m reproduce {command}"} | score for name, score in scores.items()}
    )
