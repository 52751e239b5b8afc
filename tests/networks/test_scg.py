"""Scaled conjugate gradients against scipy, paramz and the laws of a descent."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paramz.optimization.scg import SCG as paramz_scg
from scipy.optimize import minimize, rosen, rosen_der

from dasksvd import ParameterError
from dasksvd.networks.scg import minimise


def rosenbrock(x):
    return rosen(x), rosen_der(x)


@pytest.mark.parametrize("start", [[-1.2, 1.0], [0.0, 0.0], [2.0, -3.0, 1.5], [0.5] * 10])
def test_rosenbrock_vs_scipy(start):
    ours = minimise(rosenbrock, np.array(start), max_epochs=3000, min_grad=1e-8)
    theirs = minimize(rosen, start, jac=rosen_der, method="BFGS", options={"gtol": 1e-8})
    np.testing.assert_allclose(ours.point, theirs.x, atol=1e-5)
    assert ours.reason == "gradient"


@pytest.mark.parametrize("start", [[-1.2, 1.0], [2.0, 2.0]])
def test_rosenbrock_vs_paramz(start):
    theirs = paramz_scg(rosen, rosen_der, np.array(start), maxiters=2000, xtol=1e-10, ftol=1e-12, gtol=1e-12)
    ours = minimise(rosenbrock, np.array(start), max_epochs=2000)
    np.testing.assert_allclose(ours.point, theirs[0], atol=1e-3)
    assert ours.n_epochs <= 3 * len(theirs[1])


def small_net(rng, n=60, d=4, h=5):
    """Mean squared error of a smooth net with one hidden layer, and its gradient."""
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)

    def function(w):
        first, second = w[: d * h].reshape(d, h), w[d * h :]
        hidden = np.tanh(X @ first)
        error = hidden @ second - y
        back = np.outer(error, second) * (1 - hidden**2)
        return error @ error / n, np.concatenate([(X.T @ back).ravel(), hidden.T @ error]) * 2 / n

    return function, rng.standard_normal(d * h + h) * 0.5


def test_gradient_of_the_small_net_vs_finite_differences(rng):
    function, start = small_net(rng)
    gradient = function(start)[1]
    for i in range(0, len(start), 3):
        ahead, behind = start.copy(), start.copy()
        ahead[i] += 1e-6
        behind[i] -= 1e-6
        assert (function(ahead)[0] - function(behind)[0]) / 2e-6 == pytest.approx(gradient[i], rel=1e-4, abs=1e-7)


def test_small_nets_are_trained_as_well_as_by_scipy_and_paramz():
    """Means over ten nets: single ones end in different local minima."""
    losses = []
    for seed in range(10):
        function, start = small_net(np.random.default_rng(seed))
        ours = minimise(function, start, max_epochs=2000).loss
        by_scipy = minimize(function, start, jac=True, method="CG", options={"maxiter": 2000}).fun
        by_paramz = paramz_scg(lambda w, f=function: f(w)[0], lambda w, f=function: f(w)[1], start, maxiters=2000)[1][
            -1
        ]
        losses.append([ours, by_scipy, by_paramz])
    ours, by_scipy, by_paramz = np.mean(losses, axis=0)
    assert ours <= 1.05 * by_scipy
    assert ours <= 1.05 * by_paramz


def moller(function, w, n_epochs, sigma=5e-5, lambda_=5e-7):
    """Møller's algorithm of 1993, step by step as printed; (loss, accepted) of every epoch."""
    loss, gradient = function(w)
    p = r = -gradient
    bar, success, n_accepted, epochs = 0.0, True, 0, []
    for _ in range(n_epochs):
        squared = p @ p
        if success:  # 2: second-order information
            step = sigma / np.sqrt(squared)
            delta = p @ ((function(w + step * p)[1] - function(w)[1]) / step)
        delta += (lambda_ - bar) * squared  # 3: scale
        if delta <= 0:  # 4: make the Hessian positive definite
            bar = 2 * (lambda_ - delta / squared)
            delta = -delta + lambda_ * squared
            lambda_ = bar
        mu = p @ r  # 5: step size
        alpha = mu / delta
        ahead, gradient = function(w + alpha * p)
        quality = 2 * delta * (loss - ahead) / mu**2  # 6: comparison parameter
        success = quality >= 0
        previous = squared
        if success:  # 7
            w, loss, bar, n_accepted = w + alpha * p, ahead, 0.0, n_accepted + 1
            before, r = r, -gradient
            p = r if n_accepted % len(w) == 0 else r + (r @ r - r @ before) / mu * p
            p = r if p @ r <= 0 else p  # ours: what does not lead downhill starts anew
            if quality >= 0.75:
                lambda_ /= 4
        else:
            bar = lambda_
        if quality < 0.25:  # 8
            lambda_ += delta * (1 - quality) / previous
        epochs.append((loss, success))
    return epochs


@pytest.mark.parametrize("seed", range(3))
def test_every_epoch_vs_mollers_algorithm_as_printed(seed):
    """Nets that refuse steps, meet negative curvature and shrink and grow λ, in float64."""
    function, start = small_net(np.random.default_rng(seed))
    ours = []
    minimise(function, start, max_epochs=60, on_epoch=ours.append)
    theirs = moller(function, start, 60)
    assert [epoch.accepted for epoch in ours] == [accepted for _, accepted in theirs]
    np.testing.assert_allclose([epoch.loss for epoch in ours], [loss for loss, _ in theirs], rtol=1e-5)
    assert not all(accepted for _, accepted in theirs)


def test_every_epoch_of_rosenbrocks_valley_vs_mollers_algorithm_as_printed():
    """Two variables: the direction starts anew after every second accepted step."""
    ours, start = [], np.array([-1.2, 1.0])
    minimise(rosenbrock, start, max_epochs=30, on_epoch=ours.append)
    theirs = moller(rosenbrock, start, 30)
    assert [epoch.accepted for epoch in ours] == [accepted for _, accepted in theirs]
    np.testing.assert_allclose([epoch.loss for epoch in ours], [loss for loss, _ in theirs], rtol=1e-4)


@pytest.mark.parametrize(
    ("function", "start", "options", "reason"),
    [
        (lambda x: (float(x @ x), 2 * x), [3.0, 4.0], {}, "gradient"),
        (lambda x: (float(x @ x), 2 * x), [3.0, 4.0], {"min_grad": 1e9}, "gradient"),
        (rosenbrock, [-1.2, 1.0], {"max_epochs": 5}, "epochs"),
        # A loss that falls for ever but less than its point can show.
        (lambda x: (1e30 - 1e-30 * float(x.sum()), np.full(2, -1e-4)), [1e12, 1e12], {"lambda_": 1.0}, "precision"),
    ],
)
def test_the_reason_of_the_end_is_told(function, start, options, reason):
    assert minimise(function, np.array(start), **options).reason == reason


def test_on_a_plane_steps_grow_until_the_least_lambda_bounds_them():
    losses = []
    minimise(
        lambda x: (-float(x[0]), -np.ones(1)), np.zeros(1), max_epochs=60, on_epoch=lambda e: losses.append(e.loss)
    )
    steps = -np.diff(losses)
    np.testing.assert_allclose(steps[5:10], 4 * steps[4:9], rtol=1e-6)
    np.testing.assert_allclose(steps[-20:], 1e15, rtol=1e-6)


def test_a_step_to_where_the_loss_is_not_finite_is_refused_and_the_next_one_is_a_tenth_as_long():
    tried = []

    def cliff(x):
        tried.append(float(x[0]))
        inside = abs(x[0]) < 0.02
        return (float(x[0]) if inside else np.nan), np.ones(1)

    epochs = []
    minimise(cliff, np.zeros(1), max_epochs=12, on_epoch=epochs.append)
    steps = [-place for place in tried if place < -1e-4]  # without those over which the curvature is measured
    first_inside = next(i for i, step in enumerate(steps) if step < 0.02)
    assert not any(epoch.accepted for epoch in epochs[:first_inside])
    np.testing.assert_allclose(np.divide(steps[1 : first_inside + 1], steps[:first_inside]), 0.1, rtol=1e-3)
    assert epochs[first_inside].accepted


@given(n=st.integers(1, 12), seed=st.integers(0, 10**6))
def test_a_quadratic_is_solved_in_few_more_steps_than_it_has_variables(n, seed):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, n))
    matrix, goal = root @ root.T + np.eye(n), rng.standard_normal(n)

    def function(x):
        return 0.5 * (x - goal) @ matrix @ (x - goal), matrix @ (x - goal)

    result = minimise(function, np.zeros(n), max_epochs=20 * n + 20)
    np.testing.assert_allclose(result.point, goal, atol=1e-4)
    assert result.n_epochs <= 4 * n + 10


def test_the_loss_never_rises_and_a_refused_step_does_not_move(rng):
    function, start = small_net(rng)
    epochs = []
    minimise(function, start, max_epochs=200, on_epoch=epochs.append)
    losses = [epoch.loss for epoch in epochs]
    assert losses == sorted(losses, reverse=True)
    for before, after in pairwise(epochs):
        if not after.accepted:
            assert (after.loss, after.gradient_norm) == (before.loss, before.gradient_norm)


def test_the_callback_can_stop_it(rng):
    function, start = small_net(rng)
    result = minimise(function, start, on_epoch=lambda epoch: epoch.epoch == 7)
    assert (result.n_epochs, result.reason) == (7, "callback")


def test_the_type_of_the_start_is_kept(rng):
    function, start = small_net(rng)

    def single(w):
        assert w.dtype == np.float32
        loss, gradient = function(w.astype(float))
        return loss, gradient.astype(np.float32)

    result = minimise(single, start.astype(np.float32), max_epochs=300)
    assert result.point.dtype == np.float32
    assert result.loss < 0.7 * function(start)[0]


def test_the_start_is_left_alone():
    start = np.array([3.0, 4.0])
    minimise(lambda x: (x @ x, 2 * x), start)
    np.testing.assert_array_equal(start, [3, 4])


@pytest.mark.parametrize(
    ("start", "options", "message"),
    [
        (np.ones((2, 2)), {}, r"shape \(n,\) with n >= 1, got \(2, 2\)"),
        (np.ones(0), {}, "got"),
        (np.array([np.inf]), {}, "must be finite at the start, got inf"),
        (np.ones(2), {"max_epochs": 0}, "max_epochs must be a whole number of at least 1, got 0"),
        (np.ones(2), {"sigma": 0}, "sigma > 0, got 0"),
        (np.ones(2), {"lambda_": -1}, "lambda_ > 0, got -1"),
    ],
)
def test_bad_input_is_named(start, options, message):
    with pytest.raises(ParameterError, match=message):
        minimise(lambda x: (float(np.sum(x * x)), 2 * x), start, **options)
