"""What the shipped reader learns from: training images, copies of them, and invented drawings; all as reduced signals.

Everything is made in parts with seeds of their own, so that a part can be kept in a folder and need not be made again.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import ndimage

from dasksvd import digit, reduce_images
from dasksvd.common.files import write_atomically
from dasksvd.digit.centre_lines import centre_lines
from reproduce import strokes
from reproduce.distortion import bent, transform

#: Degrees of the turned copies.
TURN = 15
#: Drawings of one part, and pictures, which take longer.
PART = 10_000
PAINTED_PART = 2_500

Part = tuple[np.ndarray, np.ndarray]


#: Kinds of invented drawings, and what :func:`reproduce.strokes.draw_digits` is told about them.
KINDS: dict[str, dict[str, bool]] = {"drawn": {}, "painted": {"painted": True}, "coarse": {"coarse": True}}


def drawn_parts(n: int, kind: str, left_out: Sequence[str], seed: int, folder: Path | None) -> Iterator[Part]:
    """Invented drawings, ``n`` in all, as grey levels (…, 256) uint8 with their labels.

    Parameters
    ----------
    kind : str
        A key of :data:`KINDS`: as strokes, as pictures, or as strokes of few points.
    left_out : sequence of str
        Styles that are not drawn.
    folder : Path or None
        Where parts are kept, and taken from.
    """
    whole = PAINTED_PART if kind == "painted" else PART
    for part, start in enumerate(range(0, n, whole)):
        size = min(whole, n - start)

        def make(part: int = part, size: int = size) -> Part:
            rng = np.random.default_rng([seed, 2, part, list(KINDS).index(kind)])
            labels = rng.integers(0, 10, size)
            return levels(strokes.draw_digits(labels, rng, left_out, **KINDS[kind])), labels

        yield kept(folder, f"{kind}-{seed}-{part}", make)


def redrawn_parts(
    images: np.ndarray, labels: np.ndarray, n_copies: int, seed: int, folder: Path | None
) -> Iterator[Part]:
    """Copies of images (n, 28, 28) with their lines warped and drawn again."""
    for start in range(0, len(images), PART):
        chosen = slice(start, start + PART)

        def make(chosen: slice = chosen, start: int = start) -> Part:
            rng = np.random.default_rng([seed, 3, start])
            lines = [unit_lines(image) for image in images[chosen]]
            copies = [np.stack([redraw(one, rng) for one in lines]) for _ in range(n_copies)]
            return levels(np.concatenate(copies)), np.tile(labels[chosen], n_copies)

        yield kept(folder, f"redrawn-{seed}-{start}", make)


def image_parts(images: np.ndarray, labels: np.ndarray, seed: int, folder: Path | None) -> Iterator[Part]:
    """The images (n, 28, 28), and thinner, thicker and turned ones."""
    changes: list[Callable[[], np.ndarray]] = [
        lambda: images,
        lambda: ndimage.minimum_filter(images, size=(1, 2, 2)),
        lambda: ndimage.maximum_filter(images, size=(1, 2, 2)),
        *(lambda angle=angle: np.stack([transform(image, angle) for image in images]) for angle in (TURN, -TURN)),
    ]
    for place, change in enumerate(changes):
        yield kept(folder, f"images-{seed}-{place}", lambda change=change: (levels(change()), labels))


def bent_part(images: np.ndarray, labels: np.ndarray, n_copies: int, seed: Sequence[int]) -> Part:
    """``n_copies`` bent copies of images (n, 28, 28); made faster than they are read from a disk."""
    rng = np.random.default_rng(seed)
    copies = [
        levels(bent(images[start : start + PART], rng))
        for _ in range(n_copies)
        for start in range(0, len(images), PART)
    ]
    return np.concatenate([np.empty((0, 256), np.uint8), *copies]), np.tile(labels, n_copies)


def kept(folder: Path | None, name: str, make: Callable[[], Part]) -> Part:
    """What ``make`` makes, from the folder if it is there."""
    if folder is None:
        return make()
    path = folder / f"{name}.npz"
    if path.exists():
        with np.load(path, allow_pickle=False) as stored:
            return stored["levels"], stored["labels"]
    found = make()
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, lambda file: np.savez(file, levels=found[0], labels=found[1]))
    return found


def joined(parts: Sequence[Part]) -> Part:
    """Parts one after the other."""
    return np.concatenate([part for part, _ in parts]), np.concatenate([labels for _, labels in parts])


def levels(images: np.ndarray) -> np.ndarray:
    """Images (n, 28, 28) reduced, as whole grey levels (n, 256), which is what reducing gives; uint8."""
    return np.rint(255 * reduce_images(images)).astype(np.uint8)


def unit_lines(image: np.ndarray) -> np.ndarray:
    """The centre lines of an image's digit as segments (n, 4), of height or width 1."""
    segments = centre_lines(image / 255)
    ends = segments.reshape(-1, 2)
    extent = np.ptp(ends, axis=0).max() or 1.0
    return ((ends - ends.min(axis=0)) / extent).reshape(-1, 4)


def redraw(segments: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lines of unit size, warped and drawn again; (28, 28) uint8."""
    return digit.draw(strokes.warp(rng)(segments.reshape(-1, 2)).reshape(-1, 4))
