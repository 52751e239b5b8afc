"""How accuracy, what is rebuilt, coherence and energy on the own class change with one parameter at a time."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dasksvd.common.parallel import each
from dasksvd.encoders import encode_by
from dasksvd.evaluate import train_network
from dasksvd.metrics import n_weights
from dasksvd.parameters import PAPER, n_nonzero
from reproduce.results import load_comparable, save_results
from reproduce.rounds import Round
from reproduce.scoring import classes_of_atoms, coherence, psnr, round_of, share_nonzero

#: Settings of DAS-KSVD that a trajectory is learned anew for; the paper's value is among them.
LEARNED: dict[str, tuple[float, ...]] = {
    "ksvd_iter": (5, 15, 30, 50),
    "t": (100, 250, 500, 1000),
    "tau1": (0.25, 0.5, 0.75, 1.0),
    "tau2": (0.0, 0.05, 0.1, 0.2),
    "r_f": (0.5, 1.0, 1.5),
    "q": (0.05, 0.1, 0.2, 0.4),
}
#: What one trajectory gives: atoms per class, hidden units, non-zeros of the codes by OMP and by the largest
#: correlations, and the soft threshold.
CHOSEN: dict[str, tuple[float, ...]] = {
    "I": (2, 5, 10, 15, 20),
    "hidden": (25, 50, 100, 200, 400, 800),
    "omp": (0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
    "threshold": (0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
    "soft": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
    "raw-16": (25, 50, 100, 158, 200, 400, 800),
}
CURVES = CHOSEN | LEARNED
#: A pursuit with q·n non-zeros, or another encoder: signals, atoms -> codes.
Encode = Callable[[np.ndarray, np.ndarray], np.ndarray]


def measure_point(parameter: str, value: float, number: int) -> dict[str, Any]:
    """One network of one round with one parameter changed, scored on the test images."""
    round_ = round_of(number, "mnist")
    if parameter == "raw-16":
        parts = round_.split.train_signals, round_.split.val_signals, round_.test_signals
        found = _read(round_, parts, int(value))
    else:
        found = _read_codes(round_, parameter, value)
    return {"parameter": parameter, "value": value, "round": number} | found


def _read_codes(round_: Round, parameter: str, value: float) -> dict[str, Any]:
    changes = {parameter: type(getattr(PAPER, parameter))(value)} if parameter in LEARNED else {}
    changes = {name: one for name, one in changes.items() if one != getattr(PAPER, name)}
    atoms = round_.trajectory(**changes).reselect(0, 0, int(value) if parameter == "I" else None).atoms
    encoded = _encoder(parameter, value)
    parts = [
        encoded(part, atoms) for part in (round_.split.train_signals, round_.split.val_signals, round_.test_signals)
    ]
    found = _read(round_, parts, int(value) if parameter == "hidden" else len(atoms))
    return found | {
        "nonzeros": share_nonzero(parts[2]),
        "psnr": psnr(round_.test_signals, parts[2] @ atoms),
        "own_energy": own_energy(parts[2], round_.test_labels),
        **coherence(atoms),
    }


def _encoder(parameter: str, value: float) -> Encode:
    name = parameter if parameter in ("omp", "threshold", "soft") else "omp"
    q = value if parameter in ("omp", "threshold", "q") else PAPER.q
    level = value if parameter == "soft" else 0.0
    return lambda signals, atoms: encode_by(name, signals, atoms, n_nonzero(q, len(atoms)), level)


def _read(round_: Round, parts, hidden: int) -> dict[str, Any]:
    split = round_.split
    model = train_network(
        "modern",
        parts[0],
        split.train_labels,
        hidden=hidden,
        seed=round_.number,
        validation=(parts[1], split.val_labels),
    )
    right = [float(np.mean(model.predict(part) == labels)) for part, labels in _scored(round_, parts)]
    return {"val_accuracy": right[0], "test_accuracy": right[1], "weights": n_weights(parts[0].shape[1], hidden)}


def _scored(round_: Round, parts) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(parts[1], round_.split.val_labels), (parts[2], round_.test_labels)]


def own_energy(codes: np.ndarray, labels: np.ndarray) -> float:
    """Mean share of a code's squared length that stands on the atoms of the signal's own class."""
    energy = codes.astype(np.float64) ** 2
    total = energy.sum(axis=1)
    own = (energy * (classes_of_atoms("das-ksvd", codes.shape[1]) == labels[:, None])).sum(axis=1)
    return round(float(np.mean(np.divide(own, total, out=np.zeros_like(own), where=total > 0))), 4)


def measure_curves(rounds: int, jobs: int = 1, scheduler: str = "") -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Measure what is missing, what needs no new trajectory first, saving after every network."""
    tasks = [
        (parameter, value, number)
        for curves in (CHOSEN, LEARNED)
        for number in range(rounds)
        for parameter, values in curves.items()
        for value in values
    ]
    results = load_comparable("curves")
    missing = [task for task in tasks if _key(*task) not in results]
    found = each(measure_point, missing, n_jobs=jobs, scheduler=scheduler)
    for done, result in enumerate(found, len(tasks) - len(missing) + 1):
        results[_key(result["parameter"], result["value"], result["round"])] = result
        save_results("curves", results)
        yield done, len(tasks), result


def _key(parameter: str, value: float, number: int) -> str:
    return f"{parameter}/{value:g}/{number}"
