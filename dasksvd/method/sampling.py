"""Steps 1 and 2 of the loop: draw signals by their odds, then degrade them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dasksvd.errors import ParameterError

#: Signals at most this sine apart have one direction: a pursuit sees nothing beside it.
SAME_DIRECTION = 1e-6


def check_varied(signals: np.ndarray, labels: np.ndarray, classes: Sequence[Any]) -> None:
    """Raise ParameterError if no draw from these signals could tell the classes apart.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1, each present.
    classes : sequence
        Class labels for messages.
    """
    visible: np.ndarray = np.any(signals, axis=1)
    if not visible.any():
        raise ParameterError("all signals are zero, so there is nothing to learn from; check how they were read")
    empty = [str(label) for number, label in enumerate(classes) if not visible[labels == number].any()]
    if empty:
        raise ParameterError(
            f"all signals of class {', '.join(empty)} are zero, and a zero signal uses no atom; "
            "leave the class out, or check how its signals were read"
        )
    if are_alike(signals):
        alike = "the same" if np.all(signals == signals[0]) else "the same but for their size"
        raise ParameterError(
            f"all {len(signals)} signals are {alike}, so every class uses the same atom and none is any class's own; "
            "check how they were read"
        )


def are_alike(signals: np.ndarray) -> bool:
    """Whether all signals (n_signals, N), not all of them zero, are multiples of one: no pursuit tells them apart."""
    first = signals[np.argmax(np.any(signals, axis=1))].astype(np.float64)
    return all(_are_along(signals[at : at + 1000], first) for at in range(0, len(signals), 1000))


def _are_along(signals: np.ndarray, direction: np.ndarray) -> bool:
    """Whether all signals are multiples of ``direction``."""
    signals = signals.astype(np.float64)
    along = signals @ direction / (direction @ direction)
    remainder = np.linalg.norm(signals - np.outer(along, direction), axis=1)
    return bool(np.all(remainder <= SAME_DIRECTION * np.linalg.norm(signals, axis=1)))


def draw(odds: np.ndarray, labels: np.ndarray, n_classes: int, t: int, rng: np.random.Generator) -> np.ndarray:
    """Draw t signals of each class without replacement, with odds proportional to ``odds`` (D2).

    Parameters
    ----------
    odds : ndarray of shape (n_signals,)
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1.

    Returns
    -------
    ndarray of shape (n_classes * t,), int
        Indices, class by class.
    """
    drawn = []
    for label in range(n_classes):
        members = np.flatnonzero(labels == label)
        chances = odds[members]
        available = np.count_nonzero(chances)
        if available < t:
            raise ParameterError(f"only {available} signals of class {label} can still be drawn, t = {t} are needed")
        drawn.append(rng.choice(members, size=t, replace=False, p=chances / chances.sum()))
    return np.concatenate(drawn)


def lower_odds(odds: np.ndarray, drawn: np.ndarray, tau1: float) -> np.ndarray:
    """Multiply the odds of the drawn signals by τ1 and renormalise all to sum 1."""
    odds = odds.copy()
    odds[drawn] *= tau1
    total = odds.sum()
    # tau1 = 0 can use up every signal exactly at the last iteration: nothing is left to share out.
    return odds / total if total > 0 else odds


def degrade(signals: np.ndarray, iteration: int, tau2: float, noise: str, rng: np.random.Generator) -> np.ndarray:
    """Add Gaussian noise that grows with the iteration; iteration 0 stays clean.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    noise : {"std", "variance"}
        The noise of signal i has standard deviation ``iteration * tau2 * sigma_i``, where
        sigma_i is that signal's own standard deviation or variance (D3).
    """
    spread = signals.std(axis=1) if noise == "std" else signals.var(axis=1)
    sizes = np.float32(iteration * tau2) * spread[:, None]
    return signals + sizes * rng.standard_normal(signals.shape, dtype=np.float32)
