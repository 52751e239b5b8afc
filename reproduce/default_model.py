"""Train the shipped model for drawn digits.

First on the training images and distorted copies of them; then on drawings too: copies whose lines
are drawn again the way a drawing is, and invented ones in styles that MNIST hardly has.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import ndimage

from dasksvd import digit, encode, load_mnist, reduce_images
from dasksvd.digit.centre_lines import centre_lines
from dasksvd.digit.reader import DEFAULT_MODEL, DigitModel, load_model
from dasksvd.networks import relu
from dasksvd.parameters import PAPER, n_nonzero
from dasksvd.runs.reference import load_reference
from reproduce import strokes
from reproduce.distortion import distort, transform

HIDDEN = 1200
#: Non-zeros of a code, as a share of the atoms.
SHARE = 0.5
#: Distorted copies of each training image, beside the image itself.
COPIES = 20
EPOCHS = 14
#: The second part: distorted copies of every image, redrawn ones of so many images; invented drawings,
#: as strokes and as painted pictures.
DISTORTED_BESIDE_DRAWINGS = 4
TURN = 15
COPIED = 15_000
REDRAWN = 3
DRAWN = 140_000
PAINTED = 15_000
EPOCHS_WITH_DRAWINGS = 6
#: Training images held out to look at while training.
HELD_OUT = 5000
BATCH = 200
LEARNING_RATE = 1e-3
LEARNING_RATE_WITH_DRAWINGS = 5e-4


def train_default_model(
    images: np.ndarray,
    labels: np.ndarray,
    epochs: int = EPOCHS,
    n_copies: int = COPIES,
    hidden: int = HIDDEN,
    share: float = SHARE,
    seed: int = 0,
    on_epoch: Callable[[int, DigitModel], None] | None = None,
) -> DigitModel:
    """A network on the reference run's codes of the images and their distorted copies.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    labels : ndarray of shape (n,), int64
    """
    rng = np.random.default_rng(seed)
    selection = load_reference().reselect(PAPER.alpha, PAPER.beta)
    count = n_nonzero(share, len(selection.atoms))
    copies = [images, *(distort(images, rng) for _ in range(n_copies))]
    codes = np.concatenate([encode(reduce_images(copy), selection.atoms, count) for copy in copies])
    labels = np.tile(labels, len(copies))
    scale = codes.std(axis=0)
    codes /= scale
    weights = start_weights(len(selection.atoms), hidden, rng)
    for epoch in epochs_of(weights, codes, labels, epochs, LEARNING_RATE, rng):
        if on_epoch is not None:
            on_epoch(epoch, _model(selection, count, scale, weights))
    return _model(selection, count, scale, weights)


def adapt_to_drawings(
    model: DigitModel,
    images: np.ndarray,
    labels: np.ndarray,
    epochs: int = EPOCHS_WITH_DRAWINGS,
    n_copies: int = DISTORTED_BESIDE_DRAWINGS,
    n_copied: int = COPIED,
    n_redrawn: int = REDRAWN,
    n_drawn: int = DRAWN,
    n_painted: int = PAINTED,
    left_out: Sequence[str] = (),
    seed: int = 0,
    on_epoch: Callable[[int, DigitModel], None] | None = None,
) -> DigitModel:
    """The model, its network trained further on images and drawings together.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    labels : ndarray of shape (n,), int64
    n_copies : int
        Distorted copies of each image, beside a thinner, a thicker and two turned ones.
    n_copied, n_redrawn : int
        How many of the images are redrawn, and how often.
    n_drawn, n_painted : int
        Invented drawings, as strokes and as pictures.
    left_out : sequence of str
        Styles that are not drawn, to see how the model reads styles it does not know.
    """
    rng = np.random.default_rng([seed, 1])
    parts = [
        (encode(reduce_images(part), model.atoms, model.n_nonzero), part_labels)
        for part, part_labels in [
            (images, labels),
            *((copy, labels) for copy in _distorted(images, n_copies, rng)),
            *((copy, labels[:n_copied]) for copy in _redrawn(images[:n_copied], n_redrawn, rng)),
            *_drawings(n_drawn, left_out, False, rng),
            *_drawings(n_painted, left_out, True, rng),
        ]
    ]
    codes = np.concatenate([part for part, _ in parts])
    codes /= model.scale
    labels = np.concatenate([part_labels for _, part_labels in parts])
    weights = start_weights(len(model.atoms), len(model.weights[1]), rng)
    for layer, learned in zip(weights.parts, model.weights, strict=True):
        layer[:] = learned
    for epoch in epochs_of(weights, codes, labels, epochs, LEARNING_RATE_WITH_DRAWINGS, rng):
        model = replace(model, weights=tuple(layer.copy() for layer in weights.parts))
        if on_epoch is not None:
            on_epoch(epoch, model)
    return model


def _distorted(images: np.ndarray, n_copies: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Thinner, thicker, turned and ``n_copies`` times distorted copies of images (n, 28, 28)."""
    yield ndimage.minimum_filter(images, size=(1, 2, 2))
    yield ndimage.maximum_filter(images, size=(1, 2, 2))
    for angle in (TURN, -TURN):
        yield np.stack([transform(image, angle) for image in images])
    for _ in range(n_copies):
        yield distort(images, rng)


def _redrawn(images: np.ndarray, n_redrawn: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Copies of images (n, 28, 28) with their lines warped and drawn again."""
    lines = [unit_lines(image) for image in images] if n_redrawn else []
    for _ in range(n_redrawn):
        yield np.stack([redraw(part, rng) for part in lines])


def _drawings(
    n_drawn: int, left_out: Sequence[str], painted: bool, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Invented drawings (n_drawn, 28, 28) with their labels."""
    if n_drawn:
        labels = rng.integers(0, 10, n_drawn)
        yield strokes.draw_digits(labels, rng, left_out, painted=painted), labels


def unit_lines(image: np.ndarray) -> np.ndarray:
    """The centre lines of an image's digit as segments (n, 4), of height or width 1."""
    segments = centre_lines(image / 255)
    ends = segments.reshape(-1, 2)
    extent = np.ptp(ends, axis=0).max() or 1.0
    return ((ends - ends.min(axis=0)) / extent).reshape(-1, 4)


def redraw(segments: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lines of unit size, warped and drawn again; (28, 28) uint8."""
    return digit.draw(strokes.warp(rng)(segments.reshape(-1, 2)).reshape(-1, 4))


def start_weights(n_inputs: int, hidden: int, rng: np.random.Generator, n_classes: int = 10) -> relu.Layers:
    """Random weights of a network to start from."""
    weights = relu.Layers([(n_inputs, hidden), (hidden,), (hidden, n_classes), (n_classes,)])
    first, _, second, _ = weights.parts
    first[:] = rng.standard_normal(first.shape, dtype=np.float32) * np.float32(np.sqrt(2 / n_inputs))
    second[:] = rng.standard_normal(second.shape, dtype=np.float32) * np.float32(np.sqrt(1 / hidden))
    return weights


def epochs_of(
    weights: relu.Layers, codes: np.ndarray, labels: np.ndarray, epochs: int, rate: float, rng: np.random.Generator
) -> Iterator[int]:
    """Train on all codes again and again; yields after each pass."""
    whole = len(codes) - len(codes) % BATCH
    steps = epochs * whole // BATCH
    # Half a cosine: large steps first, ever smaller ones at the end.
    adam = relu.Adam(weights, lambda done: rate * 0.5 * (1 + np.cos(np.pi * done / steps)))
    for epoch in range(epochs):
        relu.run_epoch(adam, codes, labels, rng.permutation(len(codes))[:whole], BATCH)
        yield epoch


def _model(selection, count, scale, weights) -> DigitModel:
    layers = tuple(layer.copy() for layer in weights.parts)
    return DigitModel(selection.atoms, selection.classes, count, scale, layers)


def split() -> tuple[np.ndarray, np.ndarray]:
    """Which training images are held out, and which are trained on."""
    order = np.random.default_rng(0).permutation(len(load_mnist().train_labels))
    return order[:HELD_OUT], order[HELD_OUT:]


def make_default_model(first_part: str = "") -> DigitModel:
    """Train on 55,000 training images, tell the accuracy on the other 5,000, write the shipped file.

    Parameters
    ----------
    first_part : str
        A file for the model before the drawings, which takes most of the time: read if it is there, else written.
    """
    data = load_mnist()
    held_out, chosen = split()

    def tell(epoch: int, model: DigitModel) -> None:
        right = model.predict(data.train_images[held_out]) == data.train_labels[held_out]
        print(f"epoch {epoch + 1}: {right.mean():.2%} of the held-out images", flush=True)

    images, labels = data.train_images[chosen], data.train_labels[chosen]
    if first_part and Path(first_part).exists():
        model = load_model(Path(first_part))
    else:
        model = train_default_model(images, labels, on_epoch=tell)
        if first_part:
            model.save(Path(first_part))
    model = adapt_to_drawings(model, images, labels, on_epoch=tell)
    model.save(DEFAULT_MODEL)
    return model
