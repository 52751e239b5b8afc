"""The squared error of the paper's network: gradient, curvature, and what is kept along a descent."""

import numpy as np
import pytest

from dasksvd.networks import saturating
from dasksvd.networks.saturating import SquaredError, Workers
from dasksvd.networks.scg import descend, minimise


def problem_of(rng, workers, n=2300, d=7, h=6, k=3, low=-1.0):
    """A problem of three blocks, with weights large enough to saturate some units."""
    X = rng.standard_normal((n, d)).astype(np.float32)
    targets = np.eye(k, dtype=np.float32)[rng.integers(0, k, n)]
    start = (rng.standard_normal((d + 1) * h + (h + 1) * k) * 0.4).astype(np.float32)
    return SquaredError(X, targets, start, h, low, workers), X, targets


def direct_loss(flat, X, targets, problem, low):
    first, second = (layer.astype(float) for layer in problem.layers(flat))
    hidden = np.clip(X.astype(float) @ first[:-1] + first[-1], low, 1)
    outputs = np.clip(hidden @ second[:-1] + second[-1], low, 1)
    return np.mean((outputs - targets) ** 2)


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_loss_and_gradient_vs_finite_differences(rng, low):
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, low=low)
        gradient = np.empty_like(problem.point)
        loss = problem.begin(gradient)
        assert loss == pytest.approx(direct_loss(problem.point, X, targets, problem, low), rel=1e-5)
        point = problem.point.astype(float)
        for i in range(0, len(point), 5):
            step = np.zeros_like(point)
            step[i] = 1e-5
            ahead, behind = (direct_loss(point + sign * step, X, targets, problem, low) for sign in (1, -1))
            assert (ahead - behind) / 2e-5 == pytest.approx(gradient[i], rel=0.02, abs=2e-5)


def test_steps_and_curvature_vs_direct_loss(rng):
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        direction = -gradient
        curvature = problem.curvature(direction)
        start = problem.point.astype(float)
        losses = [direct_loss(start + length * direction, X, targets, problem, -1.0) for length in (-1e-3, 0, 1e-3)]
        assert (losses[0] - 2 * losses[1] + losses[2]) / 1e-6 == pytest.approx(curvature, rel=0.1)
        for length in (0.3, 0.7):
            expected = direct_loss(start + length * direction, X, targets, problem, -1.0)
            assert problem.try_step(length) == pytest.approx(expected, rel=1e-4)
        problem.accept(gradient)
        np.testing.assert_allclose(problem.point, start + 0.7 * direction, atol=1e-5)
        fresh = SquaredError(X, targets, problem.point.copy(), 6, -1.0, workers)
        expected = np.empty_like(gradient)
        fresh.begin(expected)
        np.testing.assert_allclose(gradient, expected, atol=1e-6)


@pytest.mark.parametrize("low", [-1.0, 0.0])
@pytest.mark.parametrize("direction", ["random", "gradient"])
def test_curvature_vs_second_difference_where_both_layers_move(rng, low, direction):
    """Over a step so short that no unit meets its end; the product of the layers' changes is a large part of it."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=300, low=low)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        along = rng.standard_normal(len(gradient)).astype(np.float32) if direction == "random" else -20 * gradient
        start = problem.point.astype(float)
        losses = [direct_loss(start + h * along, X, targets, problem, low) for h in (-1e-6, 0, 1e-6)]
        expected = (losses[0] - 2 * losses[1] + losses[2]) / 1e-12
        assert problem.curvature(along) == pytest.approx(expected, rel=5e-3)
        W2, P1, P2 = (problem.layers(flat)[i].astype(float) for flat, i in ((start, 1), (along, 0), (along, 1)))
        W1 = problem.layers(start)[0]
        sums = X @ W1[:-1] + W1[-1]
        hidden = np.clip(sums, low, 1)
        outputs = hidden @ W2[:-1] + W2[-1]
        moved = (X @ P1[:-1] + P1[-1]) * (hidden == sums)
        inside = (outputs > low) & (outputs < 1)
        mixed = 4 * np.sum(inside * (outputs - targets) * (moved @ P2[:-1])) / targets.size
        if direction == "random":
            assert abs(mixed) > 0.05 * abs(expected)


@pytest.mark.parametrize("low", [-1.0, 0.0])
def test_a_descent_vs_the_same_on_a_plain_function(rng, low):
    """The oracle knows no blocks, no kept sums and no exact curvature: loss and gradient in float64, from scratch."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=1200, low=low)
        start = problem.point.astype(float)

        def function(flat):
            W1, W2 = problem.layers(flat)
            sums = X @ W1[:-1] + W1[-1]
            hidden = np.clip(sums, low, 1)
            outputs = hidden @ W2[:-1] + W2[-1]
            errors = np.clip(outputs, low, 1) - targets
            back = errors * (outputs >= low) * (outputs <= 1) * 2 / targets.size
            second = np.vstack([hidden.T @ back, back.sum(axis=0)])
            back = back @ W2[:-1].T * (sums >= low) * (sums <= 1)
            first = np.vstack([X.T @ back, back.sum(axis=0)])
            return np.mean(errors**2), np.concatenate([first.ravel(), second.ravel()])

        ours, theirs = [], []
        descend(problem, max_epochs=12, on_epoch=lambda epoch: ours.append(epoch.loss))
        minimise(function, start, max_epochs=12, on_epoch=lambda epoch: theirs.append(epoch.loss))
    np.testing.assert_allclose(ours, theirs, rtol=3e-3)


def test_what_is_kept_along_the_way_does_not_drift(rng):
    """More accepted steps than lie between two refreshments: loss and gradient are those of the point."""
    with Workers() as workers:
        problem, X, targets = problem_of(rng, workers, n=1200)
        result = descend(problem, max_epochs=3 * saturating.REFRESH)
        assert problem._n_accepted > 2 * saturating.REFRESH
        assert result.loss == pytest.approx(direct_loss(problem.point, X, targets, problem, -1.0), rel=1e-5)
        gradient = np.empty_like(problem.point)
        SquaredError(X, targets, problem.point.copy(), 6, -1.0, workers).begin(gradient)
        assert np.linalg.norm(gradient) == pytest.approx(result.gradient_norm, rel=0.02)


def test_kept_sums_are_refreshed_after_so_many_steps(rng, monkeypatch):
    """Sums spoiled on purpose are right again after the next refreshment."""
    monkeypatch.setattr(saturating, "REFRESH", 3)
    with Workers() as workers:
        problem, X, _ = problem_of(rng, workers, n=1200)
        gradient = np.empty_like(problem.point)
        problem.begin(gradient)
        for step in range(3):
            problem._blocks[0].sums[:] += 0.01
            problem.curvature(-gradient)
            problem.try_step(0.01)
            problem.accept(gradient)
            W1 = problem.layers(problem.point)[0]
            sums = X[: saturating.BLOCK_ROWS] @ W1[:-1] + W1[-1]
            assert np.allclose(problem._blocks[0].sums, sums, atol=1e-4) == (step == 2)
