"""Arrays of pictures: an npz file with images and labels, or idx files."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.lib import format as npy
from PIL import Image

from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.idx import parse_idx
from dasksvd.datasets.intake.findings import (
    Example,
    Findings,
    Problem,
    class_names,
    class_problems,
    parted,
    picture_problems,
    shown,
    some,
)
from dasksvd.datasets.intake.folders import EXAMPLES, MAX_EXAMPLES, OnProgress, naturally
from dasksvd.datasets.intake.members import MAX_UNPACKED, read_member
from dasksvd.datasets.intake.picture import MAX_PIXELS, levels, small_copy, to_square
from dasksvd.datasets.library import MAX_CLASSES, MAX_PICTURES
from dasksvd.datasets.reduction import REDUCED_SIDE, reduce_to_bytes
from dasksvd.errors import DataError

#: What the arrays of an npz may be called, capitals or not.
_IMAGES = ("images", "x", "data", "x_train", "train_images", "arr_0")
_LABELS = ("labels", "y", "target", "targets", "y_train", "train_labels", "arr_1")
#: The same of a test part, in pairs.
_TESTS = (("test_images", "test_labels"), ("x_test", "y_test"), ("images_test", "labels_test"))
_NAMES = ("class_names", "names", "classes", "target_names")
#: Words in the name of an idx file of a test part.
_TEST_FILES = ("t10k", "test")
_GREY = np.array([0.299, 0.587, 0.114], np.float32)
IDX, GZIP = b"\x00\x00\x08", b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class Arrays:
    """What files hold.

    Attributes
    ----------
    kind : str
        What the files are, in words.
    images : ndarray of shape (n, h, w), (n, h, w, channels) or (n, h * h)
    labels : ndarray of shape (n,)
        Whole numbers or texts.
    n_test : int
        The last ones are a test part.
    names : list of str
        What the labels 0, 1, … are called; may be empty.
    """

    kind: str
    images: np.ndarray
    labels: np.ndarray
    n_test: int = 0
    names: list[str] = field(default_factory=list)


def read_npz_file(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> tuple[Arrays, list[Problem]]:
    """What an npz file holds, and what is not read of it; never unpickles."""
    by_name = {one.filename.lower().removesuffix(".npy"): one for one in members}
    found = []
    for kind, known in ((say("images"), _IMAGES), (say("labels"), _LABELS), (say("class names"), _NAMES)):
        name = next((name for name in known if name in by_name), None)
        if name is None and known is not _NAMES:  # these need not be there
            raise DataError(say("the npz file has no array with {kind}; call it {known!r}", kind=kind, known=known[0]))
        found.append(None if name is None else _read_array(archive, by_name.pop(name), kind))
    images, labels, names = found
    assert images is not None
    assert labels is not None
    called = [] if names is None or names.ndim != 1 or names.dtype.kind != "U" else names.tolist()
    test = next((pair for pair in _TESTS if by_name.keys() >= {*pair}), ())
    tested = [_read_array(archive, by_name.pop(name), say("test part")) for name in test]
    arrays = Arrays(say("an npz file"), *_joined([(images, labels)], [tuple(tested)] if tested else []), called)
    if not by_name:
        return arrays, []
    left_out = some([shown(name) for name in by_name])
    return arrays, [
        Problem(say("The npz file has other arrays: {left_out}.", left_out=left_out), say("They are left out."))
    ]


def _joined(
    pairs: Sequence[tuple[np.ndarray, ...]], tests: Sequence[tuple[np.ndarray, ...]]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Images and labels of all pairs, those of the test last, and how many these are."""
    found = [*pairs, *tests]
    if any(images.ndim < 2 or labels.ndim < 1 or len(images) != len(labels) for images, labels in found):
        images, labels = pairs[0]
        if tests:
            raise DataError(say("the test part must have as many labels as images"))
        return images, labels, 0  # what is wrong with them is said where they are looked at
    if len({images.shape[1:] for images, _ in found}) > 1:
        raise DataError(say("the files have images of different sizes"))
    n_test = sum(len(images) for images, _ in tests)
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found]), n_test


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, kind: str) -> np.ndarray:
    """An array whose head says that it may be allocated."""
    content = io.BytesIO(read_member(archive, member))
    try:
        version = npy.read_magic(content)
        read_head = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran_order, dtype = read_head(content, max_header_size=1000)
    except Exception as error:  # damaged heads raise many kinds of exceptions
        raise DataError(say("the {kind} of the npz file are damaged", kind=kind)) from error
    if dtype.hasobject or dtype.kind not in "buifU":
        raise DataError(
            say("the {kind} of the npz file must be numbers, got {dtype}", kind=kind, dtype=str(dtype)[:40])
        )
    if not dtype.itemsize or len(shape) > 4 or any(not 0 <= int(length) <= MAX_UNPACKED for length in shape):
        raise DataError(say("the {kind} of the npz file are damaged", kind=kind))
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    rest = content.getbuffer()[content.tell() :]
    if size != len(rest):
        raise DataError(say("the {kind} of the npz file are cut off or too long", kind=kind))
    return np.frombuffer(rest, dtype).reshape([*map(int, shape)], order="F" if fortran_order else "C")


def is_idx(content: bytes) -> bool:
    """Whether a file can be an idx file, by its beginning."""
    return content.startswith((IDX, GZIP))


def is_of_test(name: str) -> bool:
    """Whether an idx file is one of a test part, by its name."""
    return any(word in Path(name).name.lower() for word in _TEST_FILES)


def read_idx_files(files: dict[str, bytes]) -> Arrays:
    """What idx files hold, which may be gzipped; several pairs are joined."""
    arrays = [(name, _parse(name, content)) for name, content in sorted(files.items())]
    images = [(name, array) for name, array in arrays if array.ndim == 3]
    labels = [(name, array) for name, array in arrays if array.ndim == 1]
    if not images or len(images) != len(labels):
        raise DataError(
            say(
                "idx files come in pairs: one with images and one with their labels; there are {count} with images "
                "and {count2} with labels",
                count=len(images),
                count2=len(labels),
            )
        )
    pairs = []
    for name, array in images:
        same = [one for one in labels if len(one[1]) == len(array)]
        if not same:
            raise DataError(
                say("no file has labels for the {count:,} images of {name}", count=len(array), name=Path(name).name)
            )
        labels = [one for one in labels if one is not same[0]]  # both kinds are in the order of their names
        pairs.append((is_of_test(name), array, same[0][1]))
    learned = [(images, numbers) for is_test, images, numbers in pairs if not is_test]
    tested = [(images, numbers) for is_test, images, numbers in pairs if is_test]
    return Arrays(say("idx files"), *(_joined(learned, tested) if learned else _joined(tested, [])))


def _parse(name: str, content: bytes) -> np.ndarray:
    if content.startswith(GZIP):
        try:
            with gzip.open(io.BytesIO(content)) as file:
                content = file.read(MAX_UNPACKED + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(say("{name} is damaged: {error}", name=name, error=error)) from error
        if len(content) > MAX_UNPACKED:
            raise DataError(
                say("{name} unpacks to more than {max_unpacked:,} bytes", name=name, max_unpacked=MAX_UNPACKED)
            )
    try:
        return parse_idx(content, Path(name))
    except ValueError as error:
        raise DataError(say("{name} is damaged", name=name)) from error


def from_arrays(arrays: Arrays, side: int, fit: str, on_progress: OnProgress) -> tuple[Findings, DataSet | None]:
    """What arrays hold, and the data set that they become.

    Parameters
    ----------
    arrays : Arrays
    side : int
    fit : {"pad", "crop"}
    on_progress : callable(done, total)
    """
    images = _as_images(arrays.images)
    texts = _as_texts(arrays.labels, len(images))
    is_test = np.arange(len(images)) >= len(images) - arrays.n_test
    used, numbers = np.unique(texts, return_inverse=True)
    order = sorted(range(len(used)), key=lambda at: naturally(str(used[at]))) if len(used) <= MAX_CLASSES else []
    if len(used) > MAX_CLASSES or len(images) > MAX_PICTURES:
        few = Problem(
            say(
                "There are {labels:,} different labels and {pictures:,} pictures.",
                labels=len(used),
                pictures=len(images),
            ),
            say("At most {classes} classes and {most:,} pictures can be kept.", classes=MAX_CLASSES, most=MAX_PICTURES),
            True,
        )
        return Findings(arrays.kind, side, {}, 0, [few], []), None
    used, numbers = used[order], np.argsort(order)[numbers]
    called = class_names([_called(text, arrays.names) for text in used])
    sizes = dict(zip(called, np.bincount(numbers[~is_test], minlength=len(called)).tolist(), strict=True))
    small = resized(images, side, fit, on_progress)
    examples = []
    for label, name in enumerate(called):
        for at in np.flatnonzero(numbers == label)[: max(1, min(EXAMPLES, MAX_EXAMPLES // len(called)))]:
            examples.append(Example(name, small_copy(Image.fromarray(images[at])), small[at]))
    problems = class_problems(sizes) + picture_problems(small[~is_test], numbers[~is_test], called)
    if images.shape[1] != images.shape[2]:
        problems.append(
            Problem(
                say("The pictures are {shape}×{shape2}.", shape=images.shape[2], shape2=images.shape[1]),
                say("They are made square."),
            )
        )
    findings = Findings(arrays.kind, side, sizes, len(images), problems, examples[:MAX_EXAMPLES], arrays.n_test)
    return findings, parted(small, numbers, is_test, called) if findings.is_ready else None


def _called(text: str, names: list[str]) -> str:
    return names[int(text)] if text.isdecimal() and len(text) < 6 and int(text) < len(names) else text


def _as_images(raw: np.ndarray) -> np.ndarray:
    """Arrays of any form as grey levels; shape (n, h, w), uint8."""
    if raw.dtype.kind == "U" or raw.ndim not in (2, 3, 4) or raw.size == 0:
        raise DataError(
            say(
                "images must be numbers of shape (n, height, width), got {dtype} of shape {shape}",
                dtype=raw.dtype,
                shape=raw.shape,
            )
        )
    if raw.ndim == 2:
        side = round(raw.shape[1] ** 0.5)
        if side**2 != raw.shape[1]:
            raise DataError(say("signals of {shape:,} values are not square pictures", shape=raw.shape[1]))
        raw = raw.reshape(len(raw), side, side)
    if raw.ndim == 4 and raw.shape[3] not in (1, 3, 4):
        raise DataError(say("images must have 1, 3 or 4 channels, got {shape}", shape=raw.shape[3]))
    if raw.shape[1] * raw.shape[2] > MAX_PIXELS:
        raise DataError(
            say("the images have {shape:,} × {shape2:,} pixels, too many", shape=raw.shape[2], shape2=raw.shape[1])
        )
    grey = levels(raw)
    if grey.ndim == 3:
        return grey
    if grey.shape[3] == 1:
        return grey[..., 0]
    flat = np.stack([np.rint(one[..., :3] @ _GREY) for one in grey])
    if grey.shape[3] == 4:
        opacity = grey[..., 3] / np.float32(255)
        flat = np.rint(flat * opacity + 255 * (1 - opacity))
    return flat.astype(np.uint8)


def _as_texts(labels: np.ndarray, n: int) -> np.ndarray:
    """Labels as texts; shape (n,)."""
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n,):
        raise DataError(
            say("there must be one label for each of the {n:,} images, got shape {shape}", n=n, shape=labels.shape)
        )
    if labels.dtype.kind == "f":
        labels = labels.astype(np.float64)
        if (np.abs(labels) < 2**53).all() and (labels == np.rint(labels)).all():
            labels = labels.astype(np.int64)
    if labels.dtype.kind not in "buiU":
        raise DataError(say("labels must be whole numbers or texts, got {dtype}", dtype=labels.dtype))
    return labels.astype(np.int64).astype(str) if labels.dtype.kind == "b" else labels.astype(str)


def resized(images: np.ndarray, side: int, fit: str, on_progress: OnProgress) -> np.ndarray:
    """Grey pictures in the size that is learned from; shape (n, side, side), uint8."""
    if images.shape[1:] == (side, side):
        return np.ascontiguousarray(images)
    if images.shape[1:] == (28, 28) and side == REDUCED_SIDE:
        return reduce_to_bytes(images)
    small = np.empty((len(images), side, side), np.uint8)
    for at, image in enumerate(images):
        small[at] = to_square(Image.fromarray(image), side, fit)
        if at % 500 == 0:
            on_progress(at, len(images))
    return small
