"""Scaled conjugate gradients (Møller 1993): a conjugate direction, and a step without a line search.

The step along a direction p comes from the curvature pᵀHp.  Where the quadratic model it gives
predicts the loss badly, a growing λ makes the steps shorter; where it predicts well, λ shrinks.

:func:`minimise` takes any function.  :func:`descend` takes a :class:`Problem`, which may know
cheaper ways to get the curvature and the losses along a line than evaluating a function.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count, check_real

#: D11: length of the step over which the curvature is measured, and the first λ.
SIGMA = 5e-5
LAMBDA = 5e-7
#: λ never falls below this: where the loss is a plane it alone bounds the step.
LEAST_LAMBDA = 1e-15
#: Stop when the gradient is shorter than this.
MIN_GRAD = 1e-6
#: The model's quality below which λ grows and above which it shrinks.
POOR, GOOD = 0.25, 0.75
#: Quality of a step to where the loss is not finite: the next one is a tenth as long.
HOPELESS = -8.0


@dataclass(frozen=True)
class Epoch:
    """Where a descent stands after an epoch.

    Attributes
    ----------
    epoch : int
        Counted from 1.
    loss : float
    gradient_norm : float
    accepted : bool
        Whether the point has moved; a step that would raise the loss is not taken.
    """

    epoch: int
    loss: float
    gradient_norm: float
    accepted: bool


@dataclass(frozen=True)
class Result:
    """The end of a descent.

    Attributes
    ----------
    point : ndarray of shape (n,)
        The best point, of the start's type.
    loss, gradient_norm : float
        There.
    n_epochs : int
    reason : {"gradient", "epochs", "precision", "callback"}
        Why it ended: the gradient vanished, the epochs were used up, a step no longer changes
        the point, or the callback said so.
    """

    point: np.ndarray
    loss: float
    gradient_norm: float
    n_epochs: int
    reason: str


class Problem(Protocol):
    """A loss that stands at a point and can look along a direction.

    Attributes
    ----------
    point : ndarray of shape (n,)
        Where it stands; only :meth:`accept` changes it.
    """

    point: np.ndarray

    def begin(self, gradient: np.ndarray) -> float:
        """Write the gradient at the point into ``gradient`` and return the loss."""

    def curvature(self, direction: np.ndarray) -> float:
        """Second derivative pᵀHp at the point along ``direction``, which :meth:`try_step` uses."""

    def try_step(self, length: float) -> float:
        """Loss at ``point + length * direction``."""

    def accept(self, gradient: np.ndarray) -> None:
        """Move to the point tried last and write the gradient there into ``gradient``."""


class FunctionProblem:
    """A :class:`Problem` from a function, with its curvature from a difference of gradients."""

    def __init__(
        self, function: Callable[[np.ndarray], tuple[float, np.ndarray]], start: np.ndarray, sigma: float = SIGMA
    ):
        self.point = np.array(start)
        self._function = function
        self._sigma = sigma
        self._trial = np.empty_like(self.point)
        # Not known yet: NaN, so that a use too early shows in the loss.
        self._gradient, self._trial_gradient, self._direction = (np.full_like(self.point, np.nan) for _ in range(3))

    def begin(self, gradient: np.ndarray) -> float:
        loss, self._gradient = self._function(self.point)
        gradient[:] = self._gradient
        return float(loss)

    def curvature(self, direction: np.ndarray) -> float:
        self._direction = direction
        length = self._sigma / float(np.linalg.norm(direction))
        _, ahead = self._function(self._at(length))
        return float(direction @ (ahead - self._gradient)) / length

    def try_step(self, length: float) -> float:
        loss, self._trial_gradient = self._function(self._at(length))
        return float(loss)

    def accept(self, gradient: np.ndarray) -> None:
        self.point, self._trial = self._trial, self.point
        self._gradient = self._trial_gradient
        gradient[:] = self._gradient

    def _at(self, length: float) -> np.ndarray:
        np.multiply(self._direction, length, out=self._trial)
        self._trial += self.point
        return self._trial


def minimise(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    *,
    sigma: float = SIGMA,
    lambda_: float = LAMBDA,
    max_epochs: int = 1000,
    min_grad: float = MIN_GRAD,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> Result:
    """Minimise a function of many variables.

    Parameters
    ----------
    function : callable(point) -> (loss, gradient)
        ``point`` is used again afterwards: a function that keeps it must copy it.  ``gradient``
        must be a new array each time.
    start : array of shape (n,)
        Its float type is the type of all computations.
    sigma : float
        Length of the step over which the curvature is measured.
    lambda_, max_epochs, min_grad, on_epoch
        See :func:`descend`.

    Examples
    --------
    >>> result = minimise(lambda x: (float(x @ x), 2 * x), np.array([3.0, -4.0]))
    >>> result.reason, bool(np.abs(result.point).max() < 1e-6)
    ('gradient', True)
    """
    start = np.asarray(start)
    if start.dtype not in (np.float32, np.float64):
        start = start.astype(np.float64)
    if start.ndim != 1 or start.size == 0:
        raise ParameterError(f"start must have shape (n,) with n >= 1, got {start.shape}")
    check_real("sigma", sigma, "sigma > 0", sigma > 0)
    problem = FunctionProblem(function, start, sigma)
    return descend(problem, lambda_=lambda_, max_epochs=max_epochs, min_grad=min_grad, on_epoch=on_epoch)


def descend(
    problem: Problem,
    *,
    lambda_: float = LAMBDA,
    max_epochs: int = 1000,
    min_grad: float = MIN_GRAD,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> Result:
    """Minimise a problem from the point where it stands.

    Parameters
    ----------
    problem : Problem
    lambda_ : float
        The first λ, which is added to the curvature of a direction of length one.
    max_epochs : int
        Largest number of steps tried.
    min_grad : float
        Stop when the gradient is at most this long.
    on_epoch : callable(Epoch), optional
        Called after every epoch; a true answer ends the descent.
    """
    check_real("lambda_", lambda_, "lambda_ > 0", lambda_ > 0)
    check_real("min_grad", min_grad, "min_grad >= 0", min_grad >= 0)
    check_count("max_epochs", max_epochs)
    return _Descent(problem, float(lambda_)).run(max_epochs, min_grad, on_epoch)


class _Descent:
    """The state of a descent; ``step`` is one pass through Møller's steps 2 to 8."""

    def __init__(self, problem: Problem, lambda_: float):
        self.problem = problem
        self.lambda_ = lambda_
        self.gradient = np.empty_like(problem.point)
        self.previous = np.empty_like(problem.point)
        self.loss = problem.begin(self.gradient)
        self.gradient_norm = _norm(self.gradient)
        if not math.isfinite(self.loss) or not math.isfinite(self.gradient_norm):
            raise ParameterError(
                f"the loss and its gradient must be finite at the start, got {self.loss} and {self.gradient_norm}"
            )
        self.direction = -self.gradient
        self.n_accepted = 0
        self._look_along_direction()

    def run(self, max_epochs: int, min_grad: float, on_epoch: Callable[[Epoch], object] | None) -> Result:
        epoch, reason = 0, "gradient"
        while self.gradient_norm > min_grad:
            if epoch == max_epochs:
                reason = "epochs"
                break
            if not self._can_move():
                reason = "precision"
                break
            accepted = self.step()
            epoch += 1
            if on_epoch is not None and on_epoch(Epoch(epoch, self.loss, self.gradient_norm, accepted)):
                reason = "callback"
                break
        return Result(self.problem.point, self.loss, self.gradient_norm, epoch, reason)

    def step(self) -> bool:
        """Try one step and say whether it was taken."""
        damped = self._damped_curvature()
        length = self.slope / damped
        loss = self.problem.try_step(length)
        gain = self.loss - loss
        # Møller's Δ: what the step brought, against what the quadratic model promised.
        quality = 2 * gain / (length * self.slope) if math.isfinite(loss) else HOPELESS
        accepted = quality >= 0
        if quality < POOR:
            self.lambda_ += damped * (1 - quality) / self.squared_length
        elif quality >= GOOD:
            self.lambda_ = max(self.lambda_ / 4, LEAST_LAMBDA)
        if accepted:
            self.loss = loss
            self._turn()
        return accepted

    def _damped_curvature(self) -> float:
        """pᵀHp + λ|p|², with λ raised where the loss is not convex along p."""
        damped = self.curvature + self.lambda_ * self.squared_length
        if damped <= 0:
            self.lambda_ = 2 * (self.lambda_ - damped / self.squared_length)
            damped = self.curvature + self.lambda_ * self.squared_length
        return damped

    def _turn(self) -> None:
        """Go to the accepted point and take the next conjugate direction (Polak and Ribière)."""
        self.gradient, self.previous = self.previous, self.gradient
        self.problem.accept(self.gradient)
        self.n_accepted += 1
        squared = float(self.gradient @ self.gradient)
        self.gradient_norm = math.sqrt(squared)
        bend = (squared - float(self.gradient @ self.previous)) / self.slope
        self.direction *= 0.0 if self.n_accepted % self.gradient.size == 0 else bend
        self.direction -= self.gradient
        if float(self.direction @ self.gradient) >= 0:  # not downhill: start again
            np.negative(self.gradient, out=self.direction)
        self._look_along_direction()

    def _look_along_direction(self) -> None:
        self.slope = -float(self.direction @ self.gradient)
        self.squared_length = float(self.direction @ self.direction)
        self.curvature = self.problem.curvature(self.direction) if self.squared_length > 0 else 0.0

    def _can_move(self) -> bool:
        """Whether the step that λ alone allows is visible beside the point in its float type."""
        shortest = self.slope / (max(self.curvature, 0.0) + self.lambda_ * self.squared_length)
        moved = shortest * math.sqrt(self.squared_length)
        return moved > np.finfo(self.direction.dtype).eps * _norm(self.problem.point)


def _norm(vector: np.ndarray) -> float:
    return math.sqrt(float(vector @ vector))
