"""Whether an image shows a digit at all.

A network trained on ten digits takes everything for one of them, with great confidence.  So the image
is judged first: by its ink, by what the atoms leave of it, and by a small network of its own that
has seen letters, shapes, scribbles and pairs of digits beside digits.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from dasksvd.common.files import read_npz, write_npz
from dasksvd.common.language import say

#: Weights and limits; ``python -m reproduce default-judge`` makes the file.
DEFAULT_JUDGE = Path(__file__).parents[1] / "data" / "default_judge.npz"
HIDDEN = 448
#: Pixels of a 28 × 28 image that a pen covers which has not moved.
DOT = 16
#: More pixels than any digit of MNIST covers.
FULL = 330
#: Grey level from which a pixel counts as covered.
INK = 128


@dataclass(frozen=True)
class Doubt:
    """Why an image is not taken for a digit.

    Attributes
    ----------
    reason : str
        ``"dot"``, ``"full"``, ``"two"``, ``"left over"`` or ``"unlike"``.
    sentence : str
        The same for a person.
    """

    reason: str
    sentence: str


@dataclass(frozen=True)
class Judge:
    """A small network that tells digits from other drawings.

    Attributes
    ----------
    first, first_bias : ndarray of shape (256, HIDDEN) and (HIDDEN,), float32
    second : ndarray of shape (HIDDEN,), float32
    second_bias : float
    limit : float
        Scores above it are no digits.
    left_over : float
        Largest share of a digit that the shipped model's atoms leave.
    """

    first: np.ndarray
    first_bias: np.ndarray
    second: np.ndarray
    second_bias: float
    limit: float
    left_over: float

    def scores(self, signals: np.ndarray) -> np.ndarray:
        """How little the signals (n, 256) look like digits; shape (n,), high for what is not a digit."""
        hidden = np.maximum(signals @ self.first + self.first_bias, 0)
        return hidden @ self.second + self.second_bias

    def save(self, path: Path) -> None:
        """Write the judge as npz."""
        write_npz(
            path,
            {
                "first": self.first.astype(np.float16),
                "first_bias": self.first_bias,
                "second": self.second,
                "limits": np.array([self.second_bias, self.limit, self.left_over]),
            },
        )


def plain_doubt(image: np.ndarray) -> Doubt | None:
    """What can be seen without any learning: a dot, too much ink, two digits; image of shape (28, 28)."""
    covered = np.count_nonzero(image > INK)
    if covered <= DOT:
        return Doubt("dot", say("So far this is only a dot. Keep drawing."))
    if covered > FULL:
        return Doubt("full", say("This is more ink than a digit has. Draw one digit with a thin line."))
    if side_by_side(image):
        return Doubt("two", say("This looks like two digits side by side. Draw one digit at a time."))
    return None


def side_by_side(image: np.ndarray) -> bool:
    """Whether a 28×28 image looks like two digits: two tall parts with an empty column between them."""
    columns = np.flatnonzero(image.max(axis=0) > 64)
    gaps = np.flatnonzero(np.diff(columns) > 1)
    for gap in gaps:
        halves = image[:, : columns[gap] + 1], image[:, columns[gap + 1] :]
        if min(np.count_nonzero(half.max(axis=1) > 64) for half in halves) >= 8:
            return True
    return False


def doubt(image: np.ndarray, signal: np.ndarray, left_over: float | None = None) -> Doubt | None:
    """Why an image is not a digit, None if it may be one.

    Parameters
    ----------
    image : ndarray of shape (28, 28), uint8
    signal : ndarray of shape (256,), float32
        The reduced image.
    left_over : float, optional
        Share of the signal's length that the shipped model's atoms leave.
    """
    found = plain_doubt(image)
    if found is not None:
        return found
    judge = load_default_judge()
    if left_over is not None and left_over > judge.left_over:
        return Doubt(
            "left over",
            say(
                "The atoms cannot rebuild this: {left_over:.0%} of it is left over; a digit leaves at most "
                "{left_over2:.0%}.",
                left_over=left_over,
                left_over2=judge.left_over,
            ).replace("%", " %"),
        )
    if judge.scores(signal[None])[0] > judge.limit:
        return Doubt("unlike", say("This does not look like a digit. Draw one digit from 0 to 9."))
    return None


def load_judge(path: Path) -> Judge:
    """A judge written by :meth:`Judge.save`."""
    specs = {
        "first": (np.float16, (256, HIDDEN)),
        "first_bias": (np.float32, (HIDDEN,)),
        "second": (np.float32, (HIDDEN,)),
        "limits": (np.float64, (3,)),
    }
    arrays = read_npz(path, specs)
    limits = (float(value) for value in arrays["limits"])
    return Judge(arrays["first"].astype(np.float32), arrays["first_bias"], arrays["second"], *limits)


@lru_cache(maxsize=1)
def load_default_judge() -> Judge:
    """The shipped judge."""
    return load_judge(DEFAULT_JUDGE)
