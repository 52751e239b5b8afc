"""Read somebody's files in a process of its own, with limits of time and memory.

The child leaves what it has found in a folder as plain JSON and arrays, and writes its progress
as lines.  Whatever happens to it, the caller gets an answer.
"""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common.files import read_json, read_npz
from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.intake.child import ARRAYS, FOUND, environment
from dasksvd.datasets.intake.findings import Example, Findings, Problem, check_wish
from dasksvd.datasets.intake.members import check_size
from dasksvd.datasets.library import SIDES, data_set, specs_of
from dasksvd.errors import DamagedFile, DataError

#: Seconds that a first look may take, and that reading everything may take.
LOOK_SECONDS, TAKE_SECONDS = 60, 600
#: Seconds that one picture may take.
PICTURE_SECONDS = 20
MEMORY = 3 * 2**30
OnProgress = Callable[[float], None]


def look(
    path: Path,
    labels: Path | None = None,
    *,
    side: int = 16,
    fit: str = "pad",
    on_progress: OnProgress | None = None,
    seconds: float = LOOK_SECONDS,
) -> Findings:
    """What is in a file, before anything is done with it.

    Parameters
    ----------
    path : Path
        A zip with one folder per class, an npz with ``images`` and ``labels``, or an idx file of images.
    labels : Path, optional
        The idx file of its labels.
    side : {8, 16, 28, 32}
        Pixels along a side of what will be made of it.
    fit : {"pad", "crop"}
        How a picture that is not square becomes one.
    on_progress : callable(share), optional
    seconds : float
        How long it may take.

    Raises
    ------
    DataError
        If nothing can be said of it; the message says why and what to do.
    """
    return _read(path, labels, side, fit, False, on_progress, seconds)[0]


def take(
    path: Path,
    labels: Path | None = None,
    *,
    side: int = 16,
    fit: str = "pad",
    on_progress: OnProgress | None = None,
    seconds: float = TAKE_SECONDS,
) -> tuple[Findings, DataSet | None]:
    """All that :func:`look` finds, of every picture, and the data set; None if something is in the way."""
    return _read(path, labels, side, fit, True, on_progress, seconds)


def look_at_picture(path: Path, *, side: int, fit: str = "pad", seconds: float = PICTURE_SECONDS) -> Example:
    """One picture in a file of its own, as it came and as it would be learned from.

    Parameters
    ----------
    path : Path
        A picture file.
    side : int
        Pixels along a side.
    fit : {"pad", "crop"}
    seconds : float
        How long it may take.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    check_wish(side if side in SIDES else SIDES[0], fit)  # readers of registered data have sides of any length
    return _in_child(Path(path), None, side, fit, "alone", None, seconds)[0].examples[0]


def _read(
    path: Path,
    labels: Path | None,
    side: int,
    fit: str,
    whole: bool,
    on_progress: OnProgress | None,
    seconds: float,
) -> tuple[Findings, DataSet | None]:
    check_wish(side, fit)
    for one in filter(None, (path, labels)):
        check_size(Path(one))
    return _in_child(path, labels, side, fit, "whole" if whole else "", on_progress, seconds)


def _in_child(
    path: Path,
    labels: Path | None,
    side: int,
    fit: str,
    how: str,
    on_progress: OnProgress | None,
    seconds: float,
) -> tuple[Findings, DataSet | None]:
    """Have a process of its own read "whole" files, a picture "alone", or as much as a first look needs."""
    wish = {
        "path": str(Path(path).absolute()),
        "labels": str(Path(labels).absolute()) if labels else None,
        "side": side,
        "fit": fit,
        "whole": how == "whole",
        "alone": how == "alone",
        "seconds": seconds,
        "memory": MEMORY,
    }
    with tempfile.TemporaryDirectory(prefix="dasksvd-") as folder:
        _run(wish, Path(folder), on_progress, seconds)
        try:
            return _found(Path(folder))
        except (DamagedFile, KeyError, TypeError, ValueError) as error:
            raise _gave_up() from error


def _gave_up() -> DataError:
    return DataError(
        say(
            "reading this file took too long or too much memory, or it is damaged in a way that stops the reader; "
            "take large or odd files out of it, or use fewer and smaller pictures"
        )
    )


def _run(wish: dict[str, Any], folder: Path, on_progress: OnProgress | None, seconds: float) -> None:
    """Run the child to its end, or to that of its time."""
    command = [sys.executable, "-m", "dasksvd.datasets.intake.child", json.dumps(wish), str(folder)]
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()
    )
    clock = threading.Timer(seconds, child.kill)
    clock.start()
    try:
        assert child.stdout is not None
        for line in child.stdout:
            with suppress(ValueError):
                if on_progress is not None:
                    on_progress(min(1.0, float(line)))
        child.wait()
    finally:
        clock.cancel()
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()


def _found(folder: Path) -> tuple[Findings, DataSet | None]:
    values = read_json(folder / FOUND)
    if "error" in values:
        raise DataError(str(values["error"]))
    shapes = [tuple(map(int, one["shape"])) for one in values["examples"]]
    side, total = int(values["side"]), int(values["n"])
    specs: dict[str, Any] = {f"before{at}": (np.uint8, shape) for at, shape in enumerate(shapes)}
    specs["after"] = (np.uint8, (len(shapes), side, side))
    if total:
        specs |= specs_of(side, total, int(values["n_test"]))
    arrays = read_npz(folder / ARRAYS, specs)
    examples = [
        Example(str(one["class_name"]), arrays[f"before{at}"], arrays["after"][at])
        for at, one in enumerate(values["examples"])
    ]
    problems = [Problem(**one) for one in values["problems"]]
    findings = Findings(
        values["kind"], side, values["sizes"], int(values["checked"]), problems, examples, int(values["n_test"])
    )
    if not total:
        return findings, None
    return findings, data_set(arrays, list(values["sizes"]))
