"""The work of a study: one trajectory, and everything that is taken from it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import learning_part, scoring_parts
from dasksvd.encoders import encode_by
from dasksvd.errors import NoAtomForClass, ParameterError
from dasksvd.evaluate import evaluate
from dasksvd.method.trajectory import Trajectory
from dasksvd.search.shared import of_settings
from dasksvd.search.trial import Finding, Findings, Trial

#: The folder of the trajectories and the file of the findings; empty on a machine that does not share the disk.
Place = tuple[str, str]


def compute_group(place: Place, trials: Sequence[Trial], description: Description, *arrays: np.ndarray) -> list:
    """Learn the trajectory that some trials share, as long as the longest needs it, and score them all.

    Each finding is kept as it comes, so that whoever is killed loses one network at most.
    """
    root, file = place
    shared = of_settings(Path(root) if root else None, description, trials[0].trajectory)
    trajectory = Trajectory(trials[0].trajectory, description.classes)
    problem, found = "", []

    def tell(finding: Finding) -> None:
        finding = replace(finding, at=round(time.time(), 2))
        found.append(finding)
        if file:
            Findings(Path(file)).add([finding])

    with threadpool_limits(1, user_api="blas"):  # the same bits wherever it is computed
        try:
            what = replace(description, settings=trials[0].settings)
            signals, labels = learning_part(what, arrays)
            most = max(trial.settings.I for trial in trials)
            for record in shared.grow(most, signals, labels):
                trajectory.records.append(record)
        except (NoAtomForClass, ParameterError) as error:
            problem = str(error)
        _score_all(trajectory, trials, problem, description, arrays, tell)
    return found


def _score_all(
    trajectory: Trajectory,
    trials: Sequence[Trial],
    problem: str,
    description: Description,
    arrays: Sequence[np.ndarray],
    tell: Callable[[Finding], Any],
) -> None:
    """Score trials by the atoms that they choose; those that choose and read alike are scored once."""
    known: dict[Any, Finding] = {}
    coding = _Remembering()
    for trial in sorted(trials, key=lambda one: (one.settings.I, one.plan.encoder, repr(one.code_q))):
        settings = trial.settings
        if len(trajectory.records) < settings.I:
            tell(Finding(trial.key, problem=problem or "its trajectory is too short"))
            continue
        index = trajectory.reselect(settings.alpha, settings.beta, settings.I, settings.ranking).index
        same = index.tobytes(), index.shape, trial.plan, repr(trial.code_q), settings.seed
        if same not in known:
            try:
                known[same] = _score(trajectory, trial, description, arrays, coding)
            except ParameterError as error:
                known[same] = Finding(trial.key, problem=str(error))
            tell(known[same])
        else:
            tell(replace(known[same], key=trial.key, seconds=0.0))


def _score(
    trajectory: Trajectory,
    trial: Trial,
    description: Description,
    arrays: Sequence[np.ndarray],
    coding: Callable[..., np.ndarray],
) -> Finding:
    """One network on the atoms of a trial: the same number as `evaluate` gives for a run of its own."""
    settings = trial.settings
    started = time.perf_counter()
    parts = scoring_parts(replace(description, settings=settings), arrays)
    q = settings.q if trial.code_q is None else trial.code_q
    atoms = trajectory.reselect(settings.alpha, settings.beta, settings.I, settings.ranking).atoms
    metrics, _, _ = evaluate(
        Trajectory(replace(settings, q=q), trajectory.classes, trajectory.records),
        parts,
        trial.plan,
        alpha=settings.alpha,
        beta=settings.beta,
        I=settings.I,
        seed=settings.seed,
        atoms=atoms,
        encode=coding,
    )
    return Finding(
        trial.key,
        metrics.accuracy,
        metrics.n_scored,
        metrics.n_atoms,
        metrics.hidden,
        metrics.weights,
        round(metrics.nonzeros, 6),
        round(time.perf_counter() - started, 3),
    )


class _Remembering:
    """Codes signals, and remembers the last two parts: another network reads the same codes."""

    def __init__(self) -> None:
        self.last: dict[Any, np.ndarray] = {}

    def __call__(self, name: str, signals: np.ndarray, atoms: np.ndarray, count: int, level: float) -> np.ndarray:
        key = name, len(signals), atoms.tobytes(), count, level
        if key not in self.last:
            while len(self.last) > 1:
                del self.last[next(iter(self.last))]
            self.last[key] = encode_by(name, signals, atoms, count, level)
        return self.last[key]
