"""Train the shipped model for drawn digits on distorted copies of the training images."""

from collections.abc import Callable

import numpy as np

from dasksvd import encode, load_mnist, reduce_images
from dasksvd.model import DEFAULT_MODEL, DigitModel
from dasksvd.reference import load_reference
from dasksvd.settings import PAPER, n_nonzero
from reproduce.distortion import distort

HIDDEN = 1200
#: Non-zeros of a code, as a share of the atoms.
SHARE = 0.5
#: Distorted copies of each training image, beside the image itself.
COPIES = 20
EPOCHS = 14
#: Training images held out to look at while training.
HELD_OUT = 5000
BATCH = 200
LEARNING_RATE = 1e-3


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
    network = Network(len(selection.atoms), hidden, rng)
    steps = epochs * (len(codes) // BATCH)
    for epoch in range(epochs):
        order = rng.permutation(len(codes))
        for start in range(0, len(codes) - len(codes) % BATCH, BATCH):
            chosen = order[start : start + BATCH]
            # Half a cosine: large steps first, ever smaller ones at the end.
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * network.steps / steps))
            network.learn(codes[chosen], labels[chosen], rate)
        if on_epoch is not None:
            on_epoch(epoch, _model(selection, count, scale, network))
    return _model(selection, count, scale, network)


def _model(selection, count, scale, network) -> DigitModel:
    weights = tuple(array.copy() for array in network.weights)
    return DigitModel(selection.atoms, selection.classes, count, scale, weights)


class Network:
    """One hidden layer of rectified units, softmax, cross-entropy, Adam; float32."""

    def __init__(self, n_inputs: int, hidden: int, rng: np.random.Generator):
        draw = rng.standard_normal
        self.weights = [
            draw((n_inputs, hidden), dtype=np.float32) * np.float32(np.sqrt(2 / n_inputs)),
            np.zeros(hidden, np.float32),
            draw((hidden, 10), dtype=np.float32) * np.float32(np.sqrt(1 / hidden)),
            np.zeros(10, np.float32),
        ]
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.steps = 0

    def learn(self, inputs: np.ndarray, labels: np.ndarray, rate: float) -> None:
        """One step on a batch of inputs (n, n_inputs) with labels (n,)."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(inputs @ first + first_bias, 0)
        scores = hidden @ second + second_bias
        error = np.exp(scores - scores.max(axis=1, keepdims=True))
        error /= error.sum(axis=1, keepdims=True)
        error[np.arange(len(labels)), labels] -= 1
        error /= len(labels)
        back = (error @ second.T) * (hidden > 0)
        self._step([inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)], rate)

    def _step(self, gradients: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        rate = np.float32(rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weight -= rate * mean / (np.sqrt(square) + np.float32(1e-8))


def make_default_model() -> DigitModel:
    """Train on 55,000 training images, tell the accuracy on the other 5,000, write the shipped file."""
    data = load_mnist()
    order = np.random.default_rng(0).permutation(len(data.train_labels))
    held_out, chosen = order[:HELD_OUT], order[HELD_OUT:]

    def tell(epoch: int, model: DigitModel) -> None:
        right = model.predict(data.train_images[held_out]) == data.train_labels[held_out]
        print(f"epoch {epoch + 1}/{EPOCHS}: {right.mean():.2%} of the held-out images", flush=True)

    model = train_default_model(data.train_images[chosen], data.train_labels[chosen], on_epoch=tell)
    model.save(DEFAULT_MODEL)
    return model
