"""Task-driven fine-tuning: selected atoms are moved so that their sparse codes are easier to classify.

A small network reads the codes of :func:`dasksvd.encoders.threshold`, and the slope of its loss goes back through
the code to the atoms (Mairal, Bach and Ponce 2012, with an encoder of one step in place of the lasso).  The network
is a helper and is thrown away: whoever wants to classify trains one of :data:`dasksvd.networks.NETWORKS` on the codes
of the new atoms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dasksvd.errors import ParameterError
from dasksvd.method.omp import check_nonzeros, check_pair
from dasksvd.method.sampling import degrade
from dasksvd.networks import relu
from dasksvd.networks.fixed_epochs import start
from dasksvd.parameters import Settings, check_count, check_real
from dasksvd.parameters import n_nonzero as to_count

#: Signals whose codes say how large codes are.
_SCALED_BY = 4000
#: Keeps the random numbers apart from those of the iterations, which are children 0, 1, … of the same seed.
_STREAM = 2**31


@dataclass(frozen=True)
class Tuning:
    """How atoms are fine-tuned; the defaults were chosen on MNIST's validation part.

    Attributes
    ----------
    epochs : int
    hidden : int
        Units of the helper.  Few, so that it leaves the work to the atoms.
    noise : float
        Standard deviation of the Gaussian noise on every signal, in standard deviations of that signal.
    growing : bool
        Whether the noise grows from 0 to twice that, as it does over the iterations of DAS-KSVD.
    decay : float
        Weight of the helper's squared weights in the loss.
    rate, atom_rate : float
        Adam's first learning rates for the helper and for the atoms; both fall linearly to zero.
    batch_size : int
        Signals per step.
    """

    epochs: int = 25
    hidden: int = 20
    noise: float = 0.5
    growing: bool = False
    decay: float = 0.03
    rate: float = 0.002
    atom_rate: float = 0.003
    batch_size: int = 100

    def __post_init__(self) -> None:
        for name in ("epochs", "hidden", "batch_size"):
            check_count(name, getattr(self, name))
        for name in ("noise", "decay", "rate", "atom_rate"):
            value = getattr(self, name)
            check_real(name, value, f"{name} ≥ 0", isinstance(value, int | float) and value >= 0)

    def noise_in(self, epoch: int) -> float:
        """The noise in an epoch, from 1."""
        return 2 * self.noise * (epoch - 1) / max(1, self.epochs - 1) if self.growing else self.noise


def fine_tune_as(
    settings: Settings,
    signals: np.ndarray,
    labels: np.ndarray,
    atoms: np.ndarray,
    on_epoch: Callable[[int, float], Any] | None = None,
) -> np.ndarray:
    """Atoms fine-tuned for as many epochs as the settings of a run say, with its sparsity and its seed."""
    tuning, count = Tuning(epochs=settings.fine_tune), to_count(settings.q, len(atoms))
    return fine_tune(signals, labels, atoms, count, settings.seed, tuning, on_epoch=on_epoch)


def fine_tune(
    signals: np.ndarray,
    labels: np.ndarray,
    atoms: np.ndarray,
    n_nonzero: int,
    seed: int,
    tuning: Tuning = Tuning(),
    *,
    on_epoch: Callable[[int, float], Any] | None = None,
) -> np.ndarray:
    """Atoms whose sparse codes are easier to classify.

    Atom j of the result comes from atom j of ``atoms``, so it belongs to the same class.

    Parameters
    ----------
    signals : ndarray of shape (n_signals, N), float32
    labels : ndarray of shape (n_signals,), int
        Classes 0 … n_classes - 1.
    atoms : ndarray of shape (n_atoms, N)
        Where to start, of length one.
    n_nonzero : int
        Non-zeros of a code, 1 … n_atoms.
    seed : int
    tuning : Tuning
    on_epoch : callable(epoch, loss), optional
        Called after each epoch, from 1, with the mean loss on the way.

    Returns
    -------
    ndarray of shape (n_atoms, N), float32
        Of length one.
    """
    signals, atoms = check_pair(signals, atoms)
    n_nonzero = check_nonzeros(n_nonzero, len(atoms))
    labels = np.asarray(labels)
    if labels.shape != (len(signals),):
        raise ParameterError(f"labels must have shape ({len(signals)},), got {labels.shape}")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_STREAM,)))
    steps = tuning.epochs * -(-len(signals) // tuning.batch_size)
    trainer = _Trainer(signals, int(labels.max()) + 1, atoms, n_nonzero, tuning, steps, rng)
    # The products are small: more threads would only wait for each other, and they would change the last bits.
    with threadpool_limits(1, user_api="blas"):
        for epoch in range(1, tuning.epochs + 1):
            total, order = 0.0, rng.permutation(len(signals))
            for at in range(0, len(order), tuning.batch_size):
                batch = order[at : at + tuning.batch_size]
                degraded = degrade(signals[batch], 1, tuning.noise_in(epoch), "std", rng)
                total += len(batch) * trainer.step(degraded, labels[batch])
            if on_epoch is not None:
                on_epoch(epoch, total / len(order))
    return trainer.atoms.copy()


class _Trainer:
    """Helper and atoms, and a step of both."""

    def __init__(
        self,
        signals: np.ndarray,
        n_classes: int,
        atoms: np.ndarray,
        n_nonzero: int,
        tuning: Tuning,
        n_steps: int,
        rng: np.random.Generator,
    ):
        layer = relu.Layers([atoms.shape])
        self.atoms, self.n_nonzero, self.decay = layer.parts[0], n_nonzero, tuning.decay
        self.atoms[:] = atoms
        self.scale = float(shrink(signals[:_SCALED_BY] @ atoms.T, n_nonzero)[0].std()) or 1.0
        helper = start(len(atoms), tuning.hidden, n_classes, rng)
        self.found = relu.Layers([part.shape for part in helper.parts])
        self.helper = relu.Adam(helper, lambda done: tuning.rate * (1 - done / n_steps))
        self.mover = relu.Adam(layer, lambda done: tuning.atom_rate * (1 - done / n_steps))

    def step(self, signals: np.ndarray, labels: np.ndarray) -> float:
        """Move atoms and helper a little; return the loss before."""
        loss, slope = loss_and_slope(
            signals, labels, self.atoms, self.n_nonzero, self.scale, self.helper.weights.parts, self.decay, self.found
        )
        self.helper.step(self.found.flat)
        self.mover.step(slope.ravel())
        self.atoms /= np.linalg.norm(self.atoms, axis=1, keepdims=True)
        return loss


def loss_and_slope(
    signals: np.ndarray,
    labels: np.ndarray,
    atoms: np.ndarray,
    n_nonzero: int,
    scale: float,
    helper: relu.Weights,
    decay: float,
    found: relu.Layers,
) -> tuple[float, np.ndarray]:
    """The helper's loss on the codes divided by ``scale``, and its gradient by the atoms.

    Parameters
    ----------
    signals : ndarray of shape (n, N)
    labels : ndarray of shape (n,), int
    atoms : ndarray of shape (n_atoms, N)
    n_nonzero : int
    scale : float
    helper : sequence of ndarray
    decay : float
    found : relu.Layers
        Gets the gradient by the helper's weights.

    Returns
    -------
    loss : float
    slope : ndarray of shape (n_atoms, N)
    """
    correlations = signals @ atoms.T
    codes, limit_at = shrink(correlations, n_nonzero)
    codes /= scale
    by_codes = np.empty_like(codes)
    loss = relu.gradients(codes, labels, helper, decay, found, by_codes)
    by_codes /= scale
    return loss, shrink_back(by_codes, correlations, codes, limit_at).T @ signals


def shrink(correlations: np.ndarray, n_nonzero: int) -> tuple[np.ndarray, np.ndarray | None]:
    """The code a_j = sign(c_j) · max(|c_j| − θ, 0) of :func:`dasksvd.encoders.threshold`, and whose |c| θ is.

    Returns
    -------
    codes : ndarray of shape (n, n_atoms)
    limit_at : ndarray of shape (n,), int, or None
        The atom with the (n_nonzero + 1)-th largest |c|; None if there are no more atoms, so that θ = 0.
    """
    if n_nonzero == correlations.shape[1]:
        return correlations.copy(), None
    sizes = np.abs(correlations)
    rank = correlations.shape[1] - n_nonzero - 1
    limit_at = np.argpartition(sizes, rank, axis=1)[:, rank]
    sizes -= np.take_along_axis(sizes, limit_at[:, None], axis=1)
    return np.copysign(np.maximum(sizes, 0, out=sizes), correlations), limit_at


def shrink_back(
    by_codes: np.ndarray, correlations: np.ndarray, codes: np.ndarray, limit_at: np.ndarray | None
) -> np.ndarray:
    """The gradient by the correlations, from that by the codes; both of shape (n, n_atoms).

    A kept correlation moves its own coefficient; that of θ moves all kept ones towards zero.
    """
    slope = np.where(codes != 0, by_codes, 0)
    if limit_at is not None:
        rows, signs = np.arange(len(slope)), np.sign(correlations)
        pull = np.einsum("ij,ij->i", slope, signs)
        slope[rows, limit_at] -= pull * signs[rows, limit_at]
    return slope
