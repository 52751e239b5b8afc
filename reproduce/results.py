"""The files that keep what was measured."""

import base64
from pathlib import Path

import numpy as np

from dasksvd.common.files import read_json

RESULTS = Path(__file__).parent / "results"
#: Tables 1 and 3 show the same networks.
FILES = {"table1": "sizes.json", "table2": "methods.json", "table3": "sizes.json", "ablation": "ablation.json"}


def results_path(table: str) -> Path:
    """The file of a table's results."""
    return RESULTS / FILES[table]


def load_results(table: str) -> dict[str, dict]:
    """Results so far: task key -> result."""
    path = results_path(table)
    return read_json(path)["results"] if path.exists() else {}


def pack_bits(right: np.ndarray) -> str:
    """Which test images were right, as text."""
    return base64.b64encode(np.packbits(right).tobytes()).decode("ascii")


def right_bits(result: dict) -> np.ndarray:
    """Which of the 10,000 test images a result got right; bool."""
    return np.unpackbits(np.frombuffer(base64.b64decode(result["right"]), np.uint8))[:10000].astype(bool)
