"""Find out what a file is, and read it; called in a process of its own, see :mod:`.reader`."""

from collections.abc import Callable
from pathlib import Path

from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.intake.arrays import Arrays, from_arrays, is_idx, read_idx_files, read_npz_file
from dasksvd.datasets.intake.findings import MAX_PICTURE, Example, Findings, Problem, check_wish
from dasksvd.datasets.intake.folders import read_folders
from dasksvd.datasets.intake.members import check_size, checked_members, open_members, read_member
from dasksvd.datasets.intake.picture import Broken, decode
from dasksvd.errors import DataError

_ZIP = b"PK"


def examine_picture(path: Path, side: int, fit: str) -> Findings:
    """One picture as it came and as it would be learned from; DataError if it cannot be read."""
    check_size(path, MAX_PICTURE)
    try:
        found = decode(path.read_bytes(), side, fit, keep_before=True)
    except Broken as error:
        raise DataError(say("the picture cannot be read: {error}; try a PNG or JPEG file", error=error)) from error
    assert found.before is not None
    return Findings(say("one picture"), side, {}, 1, [], [Example("", found.before, found.after)])


def examine(
    path: Path,
    labels: Path | None = None,
    *,
    side: int = 16,
    fit: str = "pad",
    whole: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Findings, DataSet | None]:
    """What is in a file, and the data set that it becomes if all of it was read and nothing is in the way.

    Parameters
    ----------
    path : Path
        A zip with one folder per class, an npz with ``images`` and ``labels``, or an idx file of images.
    labels : Path, optional
        The idx file of its labels.
    side : int
        Pixels along a side of what is made of it.
    fit : {"pad", "crop"}
    whole : bool
        Whether every picture is decoded.
    on_progress : callable(done, total)

    Raises
    ------
    DataError
        If nothing can be said of it.
    """
    check_wish(side, fit)
    for one in filter(None, (path, labels)):
        check_size(one)
    with open(path, "rb") as file:
        start = file.read(4)
    if is_idx(start):
        return _examine_idx(path, labels, side, fit, on_progress)
    if not start.startswith(_ZIP):
        raise DataError(
            say(
                "{name} is none of what can be read: a zip with one folder of pictures per class, an npz file with "
                "images and labels, or idx files",
                name=path.name,
            )
        )
    return _examine_zip(path, side, fit, whole, on_progress)


def _examine_idx(
    path: Path, labels: Path | None, side: int, fit: str, on_progress: Callable[[int, int], None]
) -> tuple[Findings, DataSet | None]:
    if labels is None:
        raise DataError(
            say("{name} is an idx file; its labels are in another one: give both, or both in a zip", name=path.name)
        )
    return from_arrays(read_idx_files({one.name: one.read_bytes() for one in (path, labels)}), side, fit, on_progress)


def _examine_zip(
    path: Path, side: int, fit: str, whole: bool, on_progress: Callable[[int, int], None]
) -> tuple[Findings, DataSet | None]:
    with open(path, "rb") as file, open_members(file, path.name) as archive:
        members, problems = checked_members(archive)
        arrays: Arrays | None = None
        if members and all(one.filename.endswith(".npy") for one in members):
            arrays, left_out = read_npz_file(archive, members)
            problems += left_out
        elif members and len(members) <= 8:
            heads = [read_member(archive, one, 4) for one in members]
            if all(map(is_idx, heads)):
                arrays = read_idx_files({one.filename: read_member(archive, one) for one in members})
        if arrays is not None:
            findings, data = from_arrays(arrays, side, fit, on_progress)
        else:
            findings, data = read_folders(archive, members, side, fit, whole, on_progress)
        return _with(problems, findings), data


def _with(problems: list[Problem], findings: Findings) -> Findings:
    findings.problems.extend(problems)
    return findings
