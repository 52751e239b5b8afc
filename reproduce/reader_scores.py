"""How well the model for drawn digits reads: held-out images, styles not seen, at the very end the test set."""

from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

from dasksvd import digit, load_mnist
from dasksvd.common.files import read_json, write_json
from dasksvd.digit.reader import DigitModel, load_default_model, load_model
from reproduce import strokes
from reproduce.default_model import adapt_to_drawings, split
from reproduce.distortion import change_width, transform
from reproduce.results import RESULTS

NAME = "default_model.json"
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
SMALLER = {"epochs": 3, "n_copies": 0, "n_copied": 2000, "n_redrawn": 1, "n_drawn": 30_000, "n_painted": 2000}
IMAGES = 10_000
#: Drawings per style that are read.
JUDGED = 60
#: Brushes on a canvas of 280 points, drawings as tall as this on it, and how many of them are painted with each.
CANVAS_BRUSHES = (8, 15, 22, 29, 36)
TALL = 200
PAINTED = 3000
#: How much the small pictures of other writers are enlarged, and the margin they then get.
ENLARGED = 14
MARGIN = 20


def accuracies(model: DigitModel, images: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Shares read right: of images (n, 28, 28) as they are, and of each kind of distorted ones."""
    kinds = {"as they are": images}
    kinds |= {name: np.stack([change(image) for image in images]) for name, change in DISTORTIONS.items()}
    return {name: float(np.mean(model.predict(kind) == labels)) for name, kind in kinds.items()}


def style_accuracies(model: DigitModel, names: list[str], rng: np.random.Generator) -> dict[str, float]:
    """Shares of invented drawings read right, style by style."""
    found = {}
    for name in names:
        label = int(name[0])
        drawn = strokes.draw_digits(np.full(JUDGED, label), rng, only=[name])
        found[name] = float(np.mean(model.predict(drawn) == label))
    return found


def judge_styles(first_part: str) -> dict[str, float]:
    """Each style read by a model that has not seen it: a quarter of them left out in turn.

    Parameters
    ----------
    first_part : str
        File of the model before the drawings, as ``default-model --first-part`` keeps it.
    """
    data = load_mnist()
    chosen = split()[1][:IMAGES]
    first = load_model(Path(first_part))
    found: dict[str, float] = {}
    for fold, left_out in enumerate(strokes.folds(FOLDS)):
        images, labels = data.train_images[chosen], data.train_labels[chosen]
        model = adapt_to_drawings(first, images, labels, left_out=left_out, seed=fold, **SMALLER)
        found |= style_accuracies(model, left_out, np.random.default_rng([fold, 2]))
        mean = np.mean([found[name] for name in left_out])
        print(f"fold {fold + 1} of {FOLDS}: {mean:.1%} of drawings in styles left out", flush=True)
    save(
        "default-model-styles",
        {"styles left out": {"mean": float(np.mean(list(found.values())))} | dict(sorted(found.items()))},
    )
    return found


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


def judge_default_model() -> None:
    """The shipped model on held-out training images and on the test set; the last thing that is done."""
    data = load_mnist()
    held_out = split()[0]
    model = load_default_model()
    save(
        "default-model-scores",
        {
            "held-out training images": accuracies(model, data.train_images[held_out], data.train_labels[held_out]),
            "test images": accuracies(model, data.test_images, data.test_labels),
        },
    )


def save(command: str, scores: dict) -> None:
    """Add scores to the file that keeps them, with the command that found them."""
    path = RESULTS / NAME
    known = read_json(path) if path.exists() else {}
    write_json(
        path, known | {name: {"command": f"python -m reproduce {command}"} | score for name, score in scores.items()}
    )
