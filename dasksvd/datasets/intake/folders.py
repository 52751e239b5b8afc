"""A zip with one folder of pictures per class."""

import random
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image

from dasksvd.common.language import say, say_count
from dasksvd.datasets.dataset import DataSet
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
from dasksvd.datasets.intake.members import read_member
from dasksvd.datasets.intake.picture import Broken, Decoded, decode, open_head
from dasksvd.datasets.library import MAX_CLASSES, SIDES
from dasksvd.errors import DataError

#: Pictures of each class that are shown as they came.
EXAMPLES = 2
MAX_EXAMPLES = 12
#: More folders than this are no classes.
MAX_FOLDERS = 1000
#: Folders of a path, from the picture upwards, among which the classes are looked for.
MAX_DEPTH = 20
#: Letters of a name that decide its place; a zip can have names of 65,535.
_SORTED = 200
#: Bytes in which a picture's head usually is.
_HEAD = 2**12
#: What a first look decodes at most, in pixels: some seconds.
_LOOK = 50_000_000
#: A JPEG is decoded at a smaller scale.
_JPEG = 0.15
#: What opening a picture takes, in pixels.
_OPENING = 4_000
#: What folders of parts are called, capitals or not.
_TRAIN, _TEST = ("train", "training"), ("test", "testing")
_DIGITS = re.compile(r"(\d+)")
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Place:
    """A picture in the zip: its class number, its member, what decoding it takes, and whether it is for the test."""

    label: int
    member: zipfile.ZipInfo
    cost: float
    is_test: bool


def read_folders(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], side: int, fit: str, whole: bool, on_progress: OnProgress
) -> tuple[Findings, DataSet | None]:
    """What is in a zip of folders, and the data set that it becomes.

    Parameters
    ----------
    archive : zipfile.ZipFile
    members : list of zipfile.ZipInfo
        Those that may be read.
    side : int
    fit : {"pad", "crop"}
    whole : bool
        Whether every picture is decoded; a first look takes some of each class if there are many.
    on_progress : callable(done, total)
    """
    names, labels, problems = _sorted_into_classes(members)
    total, broken = 2 * len(labels), list[tuple[str, str]]()
    places, sizes = _open_all(archive, labels, broken, lambda done: on_progress(done, total))
    chosen = places if whole else some_of_each(places, _LOOK)
    offset = total - len(chosen)
    decoded = _decode_all(archive, chosen, side, fit, broken, lambda done: on_progress(offset + done, total))
    lost = Counter((place.label, place.is_test) for place, one in zip(chosen, decoded, strict=True) if one is None)
    counts = Counter((place.label, place.is_test) for place in places) - lost
    # A class that only the test has is told with its 0 pictures to learn from.
    counted = {
        name: counts[label, False] for label, name in enumerate(names) if counts[label, False] or counts[label, True]
    }
    n_test = sum(count for (_, is_test), count in counts.items() if is_test)
    problems += [*class_problems(counted), *_broken(broken), *_sizes(sizes, side, fit)]
    if len(chosen) == len(places):  # some of each say little of all
        problems += _of_pictures(names, chosen, decoded)
    examples = [
        Example(names[place.label], one.before, one.after)
        for place, one in zip(chosen, decoded, strict=True)
        if one is not None and one.before is not None
    ]
    findings = Findings(
        say("a zip with folders"), side, counted, len(chosen), problems, examples[:MAX_EXAMPLES], n_test
    )
    return findings, _data_set(names, chosen, decoded) if whole and findings.is_ready else None


def _open_all(
    archive: zipfile.ZipFile,
    labels: list[tuple[zipfile.ZipInfo, int, bool]],
    broken: list[tuple[str, str]],
    on_progress: Callable[[int], None],
) -> tuple[list[Place], Counter[tuple[int, int]]]:
    """The pictures whose heads can be read, and how many there are of each size."""
    places, sizes = [], Counter[tuple[int, int]]()
    for done, (member, label, is_test) in enumerate(labels, 1):
        try:
            image = _open_one(archive, member)
        except DataError as error:
            broken.append((member.filename, _reason(error)))
            continue
        sizes[image.size] += 1
        pixels = image.width * image.height
        cost = pixels * (_JPEG if image.format == "JPEG" else 1) + _OPENING
        places.append(Place(label, member, cost, is_test))
        if done % 100 == 0:
            on_progress(done)
    return places, sizes


def _open_one(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Image.Image:
    """The head of a picture, in most cases from its first bytes."""
    try:
        return open_head(read_member(archive, member, _HEAD))
    except Broken:  # cameras put much before the picture
        return open_head(read_member(archive, member))


def _sorted_into_classes(
    members: list[zipfile.ZipInfo],
) -> tuple[list[str], list[tuple[zipfile.ZipInfo, int, bool]], list[Problem]]:
    """Names of the classes, each picture with its class number and whether it is for the test, and what is left out.

    The class is the last folder that not all pictures share.
    """
    paths = [folders_of(one.filename) for one in members]
    paths, for_test = _without_parts(paths)
    deepest = max(map(len, paths), default=0)
    levels = ([parts[-level] if len(parts) >= level else "" for parts in paths] for level in range(1, deepest + 1))
    folders = next((found for found in levels if len({*found} - {""}) > 1), None)
    if folders is None:
        folders = [parts[-1] if parts else "" for parts in paths]
    alone = [shown(one.filename) for one, folder in zip(members, folders, strict=True) if not folder]
    problems = []
    if alone and len(alone) < len(members):
        text = say(
            "{count} outside of the folders: {alone}.",
            count=say_count(len(alone), "{count:,} file", "{count:,} files"),
            alone=some(alone),
        )
        problems.append(Problem(text, say("What is outside is left out; put it into the folder of its class.")))
    elif alone:
        folders = ["pictures"] * len(members)
    raw = sorted({*folders} - {""}, key=naturally)
    if len(raw) > MAX_FOLDERS:
        raise DataError(
            say(
                "the zip has {count:,} folders with pictures, but at most {max_classes} are classes",
                count=len(raw),
                max_classes=MAX_CLASSES,
            )
        )
    number = {folder: label for label, folder in enumerate(raw)}
    lines = zip(members, folders, for_test, strict=True)
    found = [(one, number[folder], is_test) for one, folder, is_test in lines if folder]
    return class_names(raw), sorted(found, key=lambda line: (line[1], naturally(line[0].filename))), problems


def folders_of(name: str) -> tuple[str, ...]:
    """The last folders of a picture's path."""
    folders = name.replace("\\", "/").rsplit("/", MAX_DEPTH + 1)[:-1]
    return tuple(folder for folder in folders[-MAX_DEPTH:] if folder not in ("", "."))


def _without_parts(paths: list[tuple[str, ...]]) -> tuple[list[tuple[str, ...]], list[bool]]:
    """The folders of each picture without one called train or test, and whether it was the latter.

    Only where all pictures have one of them, and folders of classes are left: else "train" is a class like others.
    """
    kinds = [[part.lower() for part in parts if part.lower() in _TRAIN + _TEST] for parts in paths]
    for_test = [kind[0] in _TEST if kind else False for kind in kinds]
    rest = [tuple(part for part in parts if part.lower() not in _TRAIN + _TEST) for parts in paths]
    in_parts = all(len(kind) == 1 for kind in kinds) and {*for_test} == {True, False}
    if in_parts and len({*rest}) > 1 and all(rest):
        return rest, for_test
    return paths, [False] * len(paths)


def naturally(text: str) -> list[tuple[int, int, str]]:
    """A key that puts 2 before 10."""
    parts = _DIGITS.split(text[:_SORTED])
    return [(0, int(part[:18]), part) if part.isdecimal() else (1, 0, part) for part in parts]


def some_of_each(places: list[Place], budget: float) -> list[Place]:
    """All pictures, or so many of each class that decoding them stays within a budget; one at least."""
    if sum(place.cost for place in places) <= budget:
        return places
    order = random.Random(0).sample(range(len(places)), len(places))
    by_class: dict[int, list[int]] = {}
    for at in order:
        by_class.setdefault(places[at].label, []).append(at)
    chosen, spent = [], 0.0
    for turn in range(max(map(len, by_class.values()))):
        for members in by_class.values():
            if turn < len(members) and (not turn or spent + places[members[turn]].cost <= budget):
                chosen.append(members[turn])
                spent += places[members[turn]].cost
        if spent > budget:
            break
    return [places[at] for at in sorted(chosen)]


def _decode_all(
    archive: zipfile.ZipFile,
    places: list[Place],
    side: int,
    fit: str,
    broken: list[tuple[str, str]],
    on_progress: Callable[[int], None],
) -> list[Decoded | None]:
    """Every picture, None for those that turn out to be broken; the first ones of each class with examples."""
    found: list[Decoded | None] = []
    shown_of = Counter[int]()
    wanted = max(1, min(EXAMPLES, MAX_EXAMPLES // max(1, len({place.label for place in places}))))
    for done, place in enumerate(places, 1):
        try:
            example = shown_of[place.label] < wanted
            found.append(decode(read_member(archive, place.member), side, fit, example))
            shown_of[place.label] += 1
        except DataError as error:
            broken.append((place.member.filename, _reason(error)))
            found.append(None)
        if done % 100 == 0:
            on_progress(done)
    return found


def _reason(error: DataError) -> str:
    """Why a picture cannot be read, in words that do not name it once more."""
    return str(error) if isinstance(error, Broken) else say("it cannot be unpacked")


def _broken(broken: list[tuple[str, str]]) -> list[Problem]:
    """What is said of files that cannot be read, by their names."""
    if not broken:
        return []
    reasons = {reason for _, reason in broken}
    if len(reasons) == 1:  # said once
        told = f"{some([shown(name) for name, _ in broken])} ({reasons.pop()})"
    else:
        told = some([f"{shown(name)} ({reason})" for name, reason in broken])
    what = (
        say("1 file is no picture") if len(broken) == 1 else say("{count:,} files are no pictures", count=len(broken))
    )
    return [
        Problem(say("{what} that can be read: {told}.", what=what, told=told), say("What cannot be read is left out."))
    ]


def _sizes(sizes: Counter[tuple[int, int]], side: int, fit: str) -> list[Problem]:
    """What is said of pictures that are not all squares of one size."""
    found = []
    if len(sizes) > 1:
        (least, most) = (f(sizes, key=lambda size: (size[0] * size[1], size)) for f in (min, max))
        text = say(
            "The pictures have {count:,} sizes, from {least}×{least2} to {most}×{most2}.",
            count=len(sizes),
            least=least[0],
            least2=least[1],
            most=most[0],
            most2=most[1],
        )
        found.append(Problem(text, say("All become {side}×{side}.", side=side)))
    if any(width != height for width, height in sizes):
        done = say("padded with the colour of their border") if fit == "pad" else say("cropped to their middle")
        found.append(Problem(say("Not all pictures are square."), say("They are {done}.", done=done)))
    if sizes and all(max(size) < side for size in sizes):
        remedy = say("They are enlarged.") if side == SIDES[0] else say("They are enlarged; choose a smaller size.")
        found.append(Problem(say("All pictures are smaller than {side}×{side}.", side=side), remedy))
    return found


def _of_pictures(names: list[str], places: list[Place], decoded: list[Decoded | None]) -> list[Problem]:
    """What is wrong with the pictures that are learned from."""
    lines = zip(places, decoded, strict=True)
    found = [(place.label, one.after) for place, one in lines if one is not None and not place.is_test]
    if not found:
        return []
    labels, images = zip(*found, strict=True)
    return picture_problems(np.stack(images), np.array(labels), names)


def _data_set(names: list[str], places: list[Place], decoded: list[Decoded | None]) -> DataSet:
    kept = [place for place, one in zip(places, decoded, strict=True) if one is not None]
    images = np.stack([one.after for one in decoded if one is not None])
    used, numbers = np.unique([place.label for place in kept], return_inverse=True)
    return parted(images, numbers, np.array([place.is_test for place in kept]), [names[label] for label in used])
