"""Results of studies as small files, made up: what is drawn from them must follow from any numbers."""

from pathlib import Path

import numpy as np

from dasksvd.common.files import write_json
from reproduce.descriptions import DESCRIPTIONS
from reproduce.results import FILES

READERS = (("das-ksvd", "omp"), ("das-ksvd", "soft"), ("ksvd, noise", "threshold"), ("raw-16", "omp"))
KINDS = {"noise": ("0.1", "0.2"), "missing pixels": ("0.25", "0.5"), "rotation": ("10", "20")}
VALUES = {
    "tau2": (0.0, 0.1, 0.2),
    "ksvd_iter": (5, 50),
    "hidden": (100, 200, 400),
    "raw-16": (100, 158, 400),
    "omp": (0.05, 0.2, 1.0),
    "threshold": (0.05, 0.2),
    "soft": (0.2, 0.5),
}


def write_all(folder: Path, rounds: int, seed: int = 0) -> None:
    """The three studies with so many rounds each."""
    rng = np.random.default_rng(seed)
    for study, made in (("ablation", ablation), ("robustness", robustness), ("curves", curves)):
        write(folder, study, made(rounds, rng), rounds)


def write(folder: Path, study: str, results: list[dict], rounds: int) -> None:
    named = {f"{number:04}": result for number, result in enumerate(results)}
    said = {"command": f"python -m reproduce {study} --rounds {rounds}", "settings": {}, "versions": {}}
    write_json(folder / FILES[study], said | {"results": named})


def accuracy(rng: np.random.Generator, mean: float = 0.96) -> float:
    return float(rng.normal(mean, 0.004))


def ablation(rounds: int, rng: np.random.Generator) -> list[dict]:
    codes = [(method, 200, encoder) for method in DESCRIPTIONS for encoder in ("omp", "threshold", "soft")]
    tasks = [task for task in codes if task[0] != "raw-16"] + [("raw-16", 158, "omp"), ("raw-16", 200, "omp")]
    base = {"I": 20, "classifier": "modern", "weights": 42210, "seconds": 1.0, "val_accuracy": 0.96, "at_limit": False}
    known = {"coherence": 0.9, "nonzeros": 0.2, "psnr": 20.0}
    modern = [
        base
        | {"round": number, "method": method, "hidden": hidden, "encoder": encoder, "test_accuracy": accuracy(rng)}
        | ({} if method == "raw-16" else known | {"mean_coherence": round(float(rng.uniform(0.2, 0.9)), 4)})
        for number in range(rounds)
        for method, hidden, encoder in tasks
    ]
    # Another classifier's numbers must not get into the picture.
    return [*modern, modern[0] | {"classifier": "scg", "test_accuracy": 0.1}]


def robustness(rounds: int, rng: np.random.Generator) -> list[dict]:
    return [
        {
            "round": number,
            "method": method,
            "encoder": encoder,
            "clean": accuracy(rng),
            "changed": {kind: {size: accuracy(rng, 0.8) for size in sizes} for kind, sizes in KINDS.items()},
        }
        for number in range(rounds)
        for method, encoder in READERS
    ]


def curves(rounds: int, rng: np.random.Generator) -> list[dict]:
    return [
        {
            "parameter": parameter,
            "value": value,
            "round": number,
            "test_accuracy": accuracy(rng),
            "val_accuracy": 0.96,
            "weights": _weights(parameter, value),
        }
        | ({} if parameter == "raw-16" else _known(parameter, value, rng))
        for number in range(rounds)
        for parameter, values in VALUES.items()
        for value in values
    ]


def _weights(parameter: str, value: float) -> int:
    inputs, hidden = (256 if parameter == "raw-16" else 200), (int(value) if parameter in ("hidden", "raw-16") else 200)
    return (inputs + 1) * hidden + (hidden + 1) * 10


def _known(parameter: str, value: float, rng: np.random.Generator) -> dict:
    share = value if parameter in ("omp", "threshold") else 0.7 - value if parameter == "soft" else 0.2
    return {
        "nonzeros": share,
        "psnr": float(rng.normal(20, 0.1)),
        "own_energy": 0.4,
        "coherence": 0.9,
        "mean_coherence": round(float(rng.uniform(0.6, 0.7)), 4),
    }
