"""How good is a classifier, and is it better than another one?  Takes arrays only."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count, check_real

#: Images in MNIST's test set.
N_TEST = 10_000


def accuracy(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Share of correct labels, 0 … 1.

    Parameters
    ----------
    truth, predicted : array of shape (n,)
    """
    truth, predicted = _check_labels(truth, predicted)
    return float(np.mean(truth == predicted))


def confusion_matrix(truth: np.ndarray, predicted: np.ndarray, n_classes: int) -> np.ndarray:
    """How often class i was read as class j.

    Parameters
    ----------
    truth, predicted : array of shape (n,), int
        Classes 0 … n_classes - 1.
    n_classes : int

    Returns
    -------
    ndarray of shape (n_classes, n_classes), int64
        Rows are true classes, columns predicted ones.
    """
    truth, predicted = _check_labels(truth, predicted)
    n_classes = check_count("n_classes", n_classes)
    for name, labels in (("truth", truth), ("predicted", predicted)):
        if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= n_classes:
            raise ParameterError(
                f"{name} must be whole numbers of 0 … {n_classes - 1}, got {labels.min()} … {labels.max()} "
                f"as {labels.dtype}"
            )
    cells = truth.astype(np.int64) * n_classes + predicted
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


def n_weights(n_inputs: int, n_hidden: int, n_outputs: int = 10) -> int:
    """Weights and biases of a network with one hidden layer.

    Examples
    --------
    >>> n_weights(200, 200), n_weights(784, 1000)
    (42210, 795010)
    """
    n_inputs, n_hidden = check_count("n_inputs", n_inputs), check_count("n_hidden", n_hidden)
    return (n_inputs + 1) * n_hidden + (n_hidden + 1) * check_count("n_outputs", n_outputs)


def plus_minus(value: float, spread: float | None = None, *, signed: bool = False) -> str:
    """A number with its spread or interval: the one way in which both are written.

    Parameters
    ----------
    value : float
        In percent, or in points of 100.
    spread : float, optional
        Standard deviation, or half the width of an interval, in the same unit; None if it is not known.
    signed : bool, default=False
        Whether the number is a difference, whose sign is always written.

    Examples
    --------
    >>> plus_minus(96.274, 0.2), plus_minus(96.274), plus_minus(-0.001, 0.25, signed=True)
    ('96.27 ± 0.20', '96.27', '+0.00 ± 0.25')
    """
    number = f"{round(value, 2) + 0.0:+.2f}" if signed else f"{value:.2f}"  # adding 0.0 makes -0.0 a plain zero
    return number if spread is None else f"{number} ± {spread:.2f}"


def _in_percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


@dataclass(frozen=True)
class Summary:
    """Accuracies of several rounds in three numbers.

    Attributes
    ----------
    mean, best : float
    sd : float or None
        Standard deviation of a sample (divided by rounds - 1); None for one round.
    rounds : int
    """

    mean: float
    sd: float | None
    best: float
    rounds: int

    @property
    def text(self) -> str:
        """Mean and standard deviation in percent, as in ``95.00 ± 1.00``."""
        return plus_minus(100 * self.mean, _in_percent(self.sd))

    def __str__(self) -> str:
        return f"{self.text} (best {100 * self.best:.2f} of {self.rounds})"


def summarise(accuracies: Sequence[float]) -> Summary:
    """Mean, standard deviation and best of the rounds' accuracies.

    Parameters
    ----------
    accuracies : array of shape (n_rounds,)
        In 0 … 1.

    Examples
    --------
    >>> print(summarise([0.94, 0.95, 0.96]))
    95.00 ± 1.00 (best 96.00 of 3)
    """
    values = np.asarray(accuracies, np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ParameterError(f"accuracies must have shape (n_rounds,) with n_rounds >= 1, got {values.shape}")
    if not np.all((values >= 0) & (values <= 1)):
        raise ParameterError(f"accuracies must lie in 0 … 1, got {values.min():g} … {values.max():g}")
    sd = float(values.std(ddof=1)) if values.size > 1 else None
    return Summary(float(values.mean()), sd, float(values.max()), values.size)


def probability_better(ours: float, theirs: float, n_test: int = N_TEST) -> float:
    """The paper's significance P(ε_ref < ε): that our true error is below theirs.

    Each number of errors is a binomial, approximated by a Gaussian, and the two are taken as
    independent.  On the same test images they are not: see :func:`paired`.

    Parameters
    ----------
    ours, theirs : float
        Accuracies in 0 … 1.
    n_test : int, default=10000
        Test images of each.

    Examples
    --------
    >>> probability_better(0.967, 0.955) > 0.9999
    True
    """
    n_test = check_count("n_test", n_test)
    ours, theirs = _check_share("ours", ours), _check_share("theirs", theirs)
    variance = (ours * (1 - ours) + theirs * (1 - theirs)) / n_test
    if variance == 0:  # each always right or always wrong
        return (1 + float(np.sign(ours - theirs))) / 2
    return float(ndtr((ours - theirs) / np.sqrt(variance)))


@dataclass(frozen=True)
class Difference:
    """How much better one method is than another, from rounds that both have.

    Attributes
    ----------
    mean : float
        Mean of the rounds' differences, first minus second.
    half_width : float or None
        Half the width of the 95 % interval; None for one round, which cannot tell.
    p : float or None
        Two-sided p-value of the paired t-test.
    rounds : int
    """

    mean: float
    half_width: float | None
    p: float | None
    rounds: int

    @property
    def text(self) -> str:
        """Points of 100 with their interval, as in ``+0.60 ± 0.25``."""
        return plus_minus(100 * self.mean, _in_percent(self.half_width), signed=True)

    @property
    def verdict(self) -> str:
        """What the interval allows to say of the first method: better, worse, or nothing."""
        if self.half_width is None:
            return "one round cannot tell"
        if abs(self.mean) <= self.half_width:
            return "cannot be told apart"
        return "better" if self.mean > 0 else "worse"


def paired(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference of two methods over the same rounds, with Student's 95 % interval.

    A round's split and test images are the same for both, so what makes a round easy or hard
    cancels in its difference.

    Parameters
    ----------
    first, second : array of shape (n_rounds,)
        Accuracies in 0 … 1, one of each round.

    Examples
    --------
    >>> paired([0.961, 0.964, 0.962], [0.955, 0.957, 0.957]).text
    '+0.60 ± 0.25'
    """
    ours, theirs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if ours.ndim != 1 or ours.shape != theirs.shape or ours.size == 0:
        raise ParameterError(f"paired accuracies must have one shape (n_rounds,), got {ours.shape} and {theirs.shape}")
    differences = ours - theirs
    mean, n = float(differences.mean()), ours.size
    if n == 1:
        return Difference(mean, None, None, 1)
    error = float(differences.std(ddof=1)) / np.sqrt(n)
    half_width = float(stdtrit(n - 1, 0.975)) * error
    p = float(2 * stdtr(n - 1, -abs(mean) / error)) if error > 0 else float(mean == 0)
    return Difference(mean, half_width, p, n)


def _check_share(name: str, value: Any) -> float:
    return check_real(name, value, f"0 <= {name} <= 1", isinstance(value, Real) and 0 <= cast(float, value) <= 1)


def _check_labels(truth: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    truth, predicted = np.asarray(truth), np.asarray(predicted)
    if truth.ndim != 1 or truth.shape != predicted.shape or truth.size == 0:
        raise ParameterError(
            f"labels must have one shape (n,) with n >= 1, got {truth.shape} true and {predicted.shape} predicted"
        )
    return truth, predicted
