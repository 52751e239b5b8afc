"""Train the shipped model for drawn digits: one network for each of a few lengths of codes, on the same atoms.

They learn from training images and copies of them, from copies whose lines are drawn again the way a drawing is, and
from invented drawings in styles that MNIST hardly has.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dasksvd import load_mnist
from dasksvd.common.files import write_atomically
from dasksvd.digit.reader import DEFAULT_MODEL, DigitModel
from dasksvd.digit.step_networks import StepNetwork
from dasksvd.encoders import TUNED
from dasksvd.networks import relu
from dasksvd.parameters import PAPER
from dasksvd.runs.reference import load_reference
from reproduce.calibration import cooled, temperature
from reproduce.reader_data import Part, bent_part, drawn_parts, image_parts, joined, levels, redrawn_parts
from reproduce.reader_results import save

#: Lengths of codes that have a network; the first is the reader's own, and the others start from its network.
STEPS = (40, 100, 20, 10, 5)
HIDDEN = (512, 256)
#: What is read beside the codes of the pursuit: the same number of largest correlations.
BESIDE = TUNED
#: Bent copies of each training image that each epoch makes anew, for the first network and for all that follow; and
#: how often an epoch has the image itself, beside a thinner, a thicker and two turned ones.
COPIES, FEWER_COPIES = 10, 4
AGAIN = 2
#: Images whose lines are drawn again, and how often; invented drawings as strokes, of which three eighths more are made
#: with few points, and as painted pictures.
COPIED = 20_000
REDRAWN = 3
DRAWN = 400_000
PAINTED = 10_000
#: Of the first network, and of the networks that begin with it, which have every second drawing.
EPOCHS = (8, 1)
#: Training images held out to choose by, to calibrate with and to tell accuracies of; as many fresh drawings.
HELD_OUT = 5000
BATCH = 200
LARGE_BATCH = 500
LEARNING_RATE, MORE_RATE = 1e-3, 7e-4


@dataclass(frozen=True)
class Amounts:
    """How much is learned from.

    Attributes
    ----------
    copies : tuple of int
        Bent copies of each image in each epoch: of the first network, and of the others.
    copied : int
        Images whose lines are drawn again.
    drawn, painted : int
        Invented drawings as strokes and as pictures.
    """

    copies: tuple[int, int] = (COPIES, FEWER_COPIES)
    copied: int = COPIED
    drawn: int = DRAWN
    painted: int = PAINTED


def train_default_model(
    images: np.ndarray,
    labels: np.ndarray,
    held_out: tuple[np.ndarray, np.ndarray],
    steps: Sequence[int] = STEPS,
    epochs: tuple[int, int] = EPOCHS,
    amounts: Amounts | None = None,
    hidden: Sequence[int] = HIDDEN,
    beside: str = BESIDE,
    left_out: Sequence[str] = (),
    seed: int = 0,
    folder: Path | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> DigitModel:
    """Networks on the reference run's codes of the images, their copies and drawings.

    Parameters
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    labels : ndarray of shape (n,), int64
    held_out : tuple of ndarray
        Images and labels that the networks are calibrated with; their accuracy is kept with each network.
    steps : sequence of int
        Lengths of codes.
    epochs : tuple of int
        See :data:`EPOCHS`.
    amounts : Amounts, optional
        How much of everything is learned from.
    left_out : sequence of str
        Styles that are not drawn, to see how the model reads styles it does not know.
    folder : Path, optional
        Keeps what is finished, so that a run that was stopped goes on where it was.
    """
    selection = load_reference().reselect(PAPER.alpha, PAPER.beta)
    amounts = amounts or Amounts()
    data = training_data(images, labels, amounts, left_out, seed, folder)
    tell(f"{len(data.always[1])} images and {len(data.drawings[1])} drawings")
    drawn = next(drawn_parts(len(held_out[0]), "drawn", left_out, seed + 1000, None))
    judged = [(levels(held_out[0]), held_out[1]), drawn]
    model = DigitModel(selection.atoms, selection.classes, steps[0], np.ones(0, np.float32), (), beside=beside)
    course = Course(hidden, seed, folder, tell)
    start: StepNetwork | None = None
    for step in steps:
        model = replace(model, n_nonzero=step)
        network = _train(model, data, course, epochs[start is not None], start)
        start = start or network
        found = _calibrated(replace(model, scale=network.scale, weights=network.weights), judged, tell)
        model = replace(model, networks=(*model.networks, found))
    first = model.networks[0]
    return replace(
        model,
        n_nonzero=first.n_nonzero,
        scale=first.scale,
        weights=first.weights,
        networks=tuple(sorted(model.networks, key=lambda network: network.n_nonzero)),
    )


def _calibrated(
    model: DigitModel, judged: Sequence[tuple[np.ndarray, np.ndarray]], tell: Callable[[str], None]
) -> StepNetwork:
    """The model's network as it is kept, as sure as it may be; its accuracy is that on the first judged part."""
    cooling = temperature(model, *(np.concatenate(parts) for parts in zip(*judged, strict=True)))
    weights = tuple(map(_as_kept, cooled(model.weights, cooling)))
    model = replace(model, weights=weights)
    shares = [float(np.mean(_answers(model, part) == right)) for part, right in judged]
    step = model.n_nonzero
    tell(f"q = {step}: {shares[0]:.2%} of held-out images, {shares[1]:.2%} of drawings; T = {cooling:.2f}")
    return StepNetwork(step, model.scale, weights, shares[0])


@dataclass(frozen=True)
class TrainingData:
    """What is learned from, as grey levels (n, 256) uint8 with labels (n,).

    Attributes
    ----------
    images : ndarray of shape (n, 28, 28), uint8
    labels : ndarray of shape (n,), int64
    always : tuple of ndarray
        Signals that every epoch has.
    drawings : tuple of ndarray
    copies : tuple of int
        See :class:`Amounts`.
    """

    images: np.ndarray
    labels: np.ndarray
    always: Part
    drawings: Part
    copies: tuple[int, int]

    def steady(self, first: bool) -> Part:
        """The signals of all epochs of a network; every second drawing only, if it is not the first network."""
        signals, labels = self.drawings
        return joined([self.always, (signals, labels) if first else (signals[::2], labels[::2])])

    def fresh(self, first: bool, seed: Sequence[int]) -> Part:
        """The signals of one epoch alone, of the first network or of another one."""
        return bent_part(self.images, self.labels, self.copies[not first], seed)


def training_data(
    images: np.ndarray,
    labels: np.ndarray,
    amounts: Amounts,
    left_out: Sequence[str],
    seed: int,
    folder: Path | None,
) -> TrainingData:
    """Everything that is learned from but the bent copies, which each epoch makes for itself."""
    n_copied, n_drawn = amounts.copied, amounts.drawn
    from_images = list(image_parts(images, labels, seed, folder))
    drawings = [
        *redrawn_parts(images[:n_copied], labels[:n_copied], REDRAWN, seed, folder),
        *drawn_parts(n_drawn, "drawn", left_out, seed, folder),
        *drawn_parts(3 * n_drawn // 8, "coarse", left_out, seed, folder),
        *drawn_parts(amounts.painted, "painted", left_out, seed, folder),
    ]
    always = joined(from_images + (AGAIN - 1) * from_images[:1])
    none = always[0][:0], always[1][:0]
    return TrainingData(images, labels, always, joined([none, *drawings]), amounts.copies)


@dataclass(frozen=True)
class Course:
    """What all networks of a training have in common.

    Attributes
    ----------
    hidden : sequence of int
        Hidden units of each layer.
    seed : int
    folder : Path or None
        Keeps where each network's training stands.
    tell : callable(str)
        Is told how it goes.
    """

    hidden: Sequence[int]
    seed: int
    folder: Path | None
    tell: Callable[[str], None]


def _train(
    model: DigitModel, data: TrainingData, course: Course, epochs: int, start: StepNetwork | None
) -> StepNetwork:
    """A network on codes as long as the model's, from random weights or from those of another network."""
    step, seed = model.n_nonzero, course.seed
    n_inputs = len(model.atoms) * (2 if model.beside else 1)
    weights = start_weights(n_inputs, course.hidden, np.random.default_rng([seed, 1]))
    if start is not None:
        for layer, learned in zip(weights.parts, start.weights, strict=True):
            layer[:] = learned
    n_steps, rate = 1, LEARNING_RATE if start is None else MORE_RATE
    adam = relu.Adam(weights, lambda done: rate * 0.5 * (1 + np.cos(np.pi * min(1, done / n_steps))))
    state = course.folder / f"network-{seed}-{step}.npz" if course.folder else None
    done, scale = _resume(state, adam)
    signals, steady_labels = data.steady(start is None)
    steady, scale = _inputs(model, signals, n_inputs, scale)
    for epoch in range(done, epochs):
        signals, labels = data.fresh(start is None, [seed, 4, step, epoch])
        codes, labels = joined([(steady, steady_labels), (_inputs(model, signals, n_inputs, scale)[0], labels)])
        whole = len(codes) - len(codes) % LARGE_BATCH
        n_steps = epochs * whole // LARGE_BATCH
        order = np.random.default_rng([seed, step, epoch]).permutation(len(codes))[:whole]
        loss = relu.run_epoch(adam, codes, labels, order, LARGE_BATCH)
        _keep(state, adam, epoch + 1, scale)
        course.tell(f"q = {step}, epoch {epoch + 1} of {epochs}: loss {loss:.4f}")
    return StepNetwork(step, scale, tuple(layer.copy() for layer in weights.parts), 0.0)


def _inputs(model: DigitModel, signals: np.ndarray, n_inputs: int, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes of signals (n, 256) uint8 as the network gets them, in half precision; and their scale, known or empty."""
    codes = np.empty((len(signals), n_inputs), np.float16)
    for start in range(0, len(signals), 10_000):
        chosen = slice(start, start + 10_000)
        codes[chosen] = model.encode(signals[chosen] / np.float32(255))
    scale = known.astype(np.float16)
    if len(known) == 0:
        spread = codes[:: max(1, len(codes) // 50_000)].astype(np.float32).std(axis=0)
        scale = np.maximum(spread, 1e-3).astype(np.float16)
    codes /= scale
    return codes, scale.astype(np.float32)


def _keep(state: Path | None, adam: relu.Adam, epochs: int, scale: np.ndarray) -> None:
    """Write where a training stands."""
    if state is not None:
        arrays = {"flat": adam.weights.flat, "mean": adam.mean, "square": adam.square, "scale": scale}
        write_atomically(state, lambda file: np.savez(file, done=np.array([adam.done, epochs]), **arrays))


def _resume(state: Path | None, adam: relu.Adam) -> tuple[int, np.ndarray]:
    """Go back to where a training stood; how many epochs are done, and the scale of the codes."""
    if state is None or not state.exists():
        return 0, np.empty(0, np.float32)
    with np.load(state, allow_pickle=False) as stored:
        adam.weights.flat[:], adam.mean[:], adam.square[:] = (stored[name] for name in ("flat", "mean", "square"))
        adam.done, epochs = (int(number) for number in stored["done"])
        return epochs, stored["scale"]


def _answers(model: DigitModel, part: np.ndarray) -> np.ndarray:
    return model.classify(part / np.float32(255)).argmax(axis=1)


def _as_kept(layer: np.ndarray) -> np.ndarray:
    """A layer as its file has it: weights in half precision, biases as they are."""
    return layer.astype(np.float16).astype(np.float32) if layer.ndim == 2 else layer


def start_weights(
    n_inputs: int, hidden: int | Sequence[int], rng: np.random.Generator, n_classes: int = 10
) -> relu.Layers:
    """Random weights of a network to start from."""
    sizes = [n_inputs, *([hidden] if isinstance(hidden, int) else hidden), n_classes]
    shapes: list[tuple[int, ...]] = []
    for rows, columns in itertools.pairwise(sizes):
        shapes += [(rows, columns), (columns,)]
    weights = relu.Layers(shapes)
    for layer in weights.parts[::2]:
        gain = 1 if layer.shape[1] == n_classes else 2
        layer[:] = rng.standard_normal(layer.shape, dtype=np.float32) * np.float32(np.sqrt(gain / len(layer)))
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


def split() -> tuple[np.ndarray, np.ndarray]:
    """Which training images are held out, and which are trained on."""
    order = np.random.default_rng(0).permutation(len(load_mnist().train_labels))
    return order[:HELD_OUT], order[HELD_OUT:]


def make_default_model(folder: str = "") -> DigitModel:
    """Train on 55,000 training images, tell the accuracy on the other 5,000, write the shipped file.

    Parameters
    ----------
    folder : str
        Where finished parts of the work are kept, so that it can be stopped and goes on.
    """
    data, (held_out, chosen) = load_mnist(), split()
    began, began_at = time.process_time(), time.perf_counter()
    model = train_default_model(
        data.train_images[chosen],
        data.train_labels[chosen],
        (data.train_images[held_out], data.train_labels[held_out]),
        folder=Path(folder) if folder else None,
        tell=lambda line: print(f"{time.process_time() - began:6.0f} s of computing: {line}", flush=True),
    )
    model.save(DEFAULT_MODEL)
    made = {
        "seed": 0,
        "minutes of computing": round((time.process_time() - began) / 60, 1),
        "minutes": round((time.perf_counter() - began_at) / 60, 1),
        "held-out images by q": {str(network.n_nonzero): network.accuracy for network in model.networks},
    }
    save("default-model", {"training": made})
    return model
