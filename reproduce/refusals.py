"""What is no digit: train the shipped judge, set its limits, measure how often it refuses.

The limits come from digits that no network has seen: held-out training images and fresh drawings.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dasksvd import encode, load_mnist, reduce_images
from dasksvd.digit.judge import DEFAULT_JUDGE, HIDDEN, Judge, load_default_judge, plain_doubt
from dasksvd.digit.reader import load_default_model
from reproduce import no_digits, strokes
from reproduce.default_model import epochs_of, split, start_weights
from reproduce.distortion import distort
from reproduce.reader_results import save
from reproduce.reader_scores import writer_images

#: Digits and other drawings to learn from; letters and shapes of each name.
DRAWN = 160_000
LETTERS, SHAPES, SCRIBBLES, PAIRS, DOTS = 1000, 1000, 16_000, 12_000, 800
EPOCHS = 16
LEARNING_RATE = 1e-3
#: A signal's pixels are small numbers for a network.
SCALE = 4.0
#: The largest share of digits that may be refused, of each kind: below the 2 % that are aimed at, for chance.
REFUSED = 0.016
#: What the atoms leave of all digits but so many.
REFUSED_BY_ATOMS = 0.001
CALIBRATED, PAINTED = 10_000, 3000
#: Names and styles are dealt to so many folds, each left out once.
FOLDS = 3
#: Judges of the folds learn from less than the shipped one.
FOLD_IMAGES, FOLD_SHARE = 10_000, 0.1
#: Drawings of each kind that are judged, and the share of what the judge learns from of others.
JUDGED = 3000
OTHERS = 0.04


def others(
    rng: np.random.Generator, share: float = 1.0, keep: Callable[[int], bool] = lambda place: True
) -> dict[str, np.ndarray]:
    """Drawings that are no digits, by kind; each (n, 28, 28) uint8.

    Parameters
    ----------
    share : float
        Of the numbers that the shipped judge has learned from.
    keep : callable(place) -> bool
        Which of the names of letters and shapes are drawn, by their place in the list.
    """
    names = {
        kind: [name for place, name in enumerate(styles) if keep(place)]
        for kind, styles in (("letters", no_digits.LETTERS), ("shapes", no_digits.SHAPES))
    }
    return {
        "letters": no_digits.letters(rng, max(1, round(share * LETTERS)), names["letters"]),
        "shapes": no_digits.shapes(rng, max(1, round(share * SHAPES)), names["shapes"]),
        "scribbles": no_digits.scribbles(rng, max(1, round(share * SCRIBBLES))),
        "two digits": no_digits.pairs(rng, max(1, round(share * PAIRS))),
        "dots": no_digits.dots(rng, max(1, round(share * DOTS))),
    }


def train_judge(
    images: np.ndarray,
    rng: np.random.Generator,
    share: float = 1.0,
    epochs: int = EPOCHS,
    keep: Callable[[int], bool] = lambda place: True,
    left_out: Sequence[str] = (),
) -> Judge:
    """A judge without limits.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
        Digits that may be learned from.
    share, keep
        See :func:`others`; the share holds for drawn digits too.
    left_out : sequence of str
        Styles of digits that are not drawn.
    """
    drawn = strokes.draw_digits(rng.integers(0, 10, round(share * DRAWN)), rng, left_out)
    digits = [images, distort(images, rng), drawn]
    wrong = others(rng, share, keep)
    signals = np.concatenate([reduce_images(part) for part in (*digits, *wrong.values())])
    labels = np.zeros(len(signals), np.int64)
    labels[sum(map(len, digits)) :] = 1
    weights = start_weights(signals.shape[1], HIDDEN, rng, n_classes=2)
    for _ in epochs_of(weights, SCALE * signals, labels, epochs, LEARNING_RATE, rng):
        pass
    first, first_bias, second, second_bias = weights.parts
    first = (SCALE * first).astype(np.float16).astype(np.float32)  # as it is kept
    return Judge(first, first_bias, second[:, 1] - second[:, 0], float(second_bias[1] - second_bias[0]), np.inf, np.inf)


def left_over(images: np.ndarray) -> np.ndarray:
    """Share of each image's signal that the shipped model's atoms leave; shape (n,)."""
    model, signals = load_default_model(), reduce_images(images)
    rest = signals - encode(signals, model.atoms, model.n_nonzero) @ model.atoms
    return np.linalg.norm(rest, axis=1) / np.linalg.norm(signals, axis=1)


def judged(judge: Judge, images: np.ndarray) -> np.ndarray:
    """Scores of images (n, 28, 28), infinite where no learning is needed to refuse them; shape (n,)."""
    plain = np.array([plain_doubt(image) is not None for image in images])
    by_atoms = left_over(images) > judge.left_over
    return np.where(plain | by_atoms, np.inf, judge.scores(reduce_images(images)))


def refused(judge: Judge, images: np.ndarray) -> float:
    """Share of images (n, 28, 28) that are taken for no digits."""
    return float(np.mean(judged(judge, images) > judge.limit))


def calibrated(judge: Judge, *kinds: np.ndarray) -> Judge:
    """The judge with limits that refuse few of the digits of each kind; images (n, 28, 28)."""
    shares = np.concatenate([left_over(images) for images in kinds])
    judge = _with_limits(judge, np.inf, float(np.quantile(shares, 1 - REFUSED_BY_ATOMS)))
    limits = [np.quantile(judged(judge, images), 1 - REFUSED, method="higher") for images in kinds]
    return _with_limits(judge, float(max(limits)), judge.left_over)


def _with_limits(judge: Judge, limit: float, left_over: float) -> Judge:
    return Judge(judge.first, judge.first_bias, judge.second, judge.second_bias, limit, left_over)


def calibrating() -> tuple[np.ndarray, np.ndarray]:
    """Fresh drawings that the shipped judge's limits are set with, as strokes and as pictures."""
    return (
        strokes.draw_digits(np.arange(CALIBRATED) % 10, np.random.default_rng([0, 5])),
        strokes.draw_digits(np.arange(PAINTED) % 10, np.random.default_rng([0, 8]), painted=True),
    )


def make_judge() -> None:
    """Train on the images that are not held out, set the limits with those that are, write the shipped file."""
    data, (held_out, chosen) = load_mnist(), split()
    judge = train_judge(data.train_images[chosen], np.random.default_rng([0, 4]))
    judge = calibrated(judge, data.train_images[held_out], *calibrating())
    judge.save(DEFAULT_JUDGE)
    load_default_judge.cache_clear()
    print(f"limit {judge.limit:.2f}, at most {judge.left_over:.1%} left over; {DEFAULT_JUDGE}", flush=True)


def judge_refusals() -> None:
    """How often the shipped judge refuses digits and other drawings; then judges that have not seen what they judge."""
    data, held_out = load_mnist(), split()[0]
    rng, labels = np.random.default_rng([0, 6]), np.arange(JUDGED) % 10
    drawn, painted = (strokes.draw_digits(labels, rng, painted=painted) for painted in (False, True))
    digits = {
        "held-out training images": data.train_images[held_out],
        "test images": data.test_images,
        "drawings": drawn,
        "painted pictures": painted,
        "other writers": writer_images(),
    }
    wrong = others(rng, OTHERS)
    judge = load_default_judge()
    shares = {name: refused(judge, images) for name, images in (digits | wrong).items()}
    limit = np.quantile(left_over(digits["held-out training images"]), 1 - REFUSED)
    save(
        "default-model-refusals",
        {
            "refused": shares,
            "refused by residual alone": {
                name: float(np.mean(left_over(images) > limit)) for name, images in (digits | wrong).items()
            },
        },
    )
    left_out = _left_out(data.train_images[split()[1][:FOLD_IMAGES]])
    save("default-model-refusals", {"refused, names and styles left out": left_out})


def _left_out(images: np.ndarray) -> dict[str, float]:
    """Refused shares of letters, shapes and digits in styles that a smaller judge has not seen, over all folds."""
    found: dict[str, list[float]] = {"letters": [], "shapes": [], "drawings": []}
    for fold, styles in enumerate(strokes.folds(FOLDS)):
        rng = np.random.default_rng([fold, 7])
        judge = train_judge(
            images, rng, FOLD_SHARE, keep=lambda place, fold=fold: place % FOLDS != fold, left_out=styles
        )
        known = strokes.draw_digits(np.arange(JUDGED) % 10, rng, left_out=styles)
        judge = calibrated(judge, load_mnist().train_images[split()[0]], known)
        new = others(rng, OTHERS, lambda place, fold=fold: place % FOLDS == fold)
        found["letters"].append(refused(judge, new["letters"]))
        found["shapes"].append(refused(judge, new["shapes"]))
        found["drawings"].append(refused(judge, strokes.draw_digits(np.arange(JUDGED) % 10, rng, only=styles)))
        print(
            f"fold {fold + 1} of {FOLDS}: { ({name: round(values[-1], 3) for name, values in found.items()}) }",
            flush=True,
        )
    return {name: float(np.mean(values)) for name, values in found.items()}
