"""The process that reads somebody's files: ``python -m dasksvd.datasets.intake.child WISH FOLDER``."""

import json
import math
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from dasksvd.common import language
from dasksvd.common.files import write_json, write_npz
from dasksvd.common.language import say
from dasksvd.datasets.dataset import DataSet
from dasksvd.datasets.intake.examine import examine, examine_picture
from dasksvd.datasets.intake.findings import Findings
from dasksvd.datasets.library import arrays_of
from dasksvd.errors import DasksvdError

#: What the child leaves in the folder.
FOUND, ARRAYS = "found.json", "found.npz"
#: Of the variables, the one that says in which language problems are told.
LANGUAGE = "DASKSVD_INTAKE_LANGUAGE"
#: Bytes of the largest file that the child may write.
_MAX_FILE = 2**30


def environment() -> dict[str, str]:
    """The variables of the child: one thread, because each reserves memory, and whose language it speaks."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return os.environ | threads | {LANGUAGE: language.current()}


def set_limits(seconds: float, memory: int) -> None:
    """Limit the time, memory and files of this process, where the system can."""
    try:
        import resource
    except ImportError:  # Windows; the parent's clock is at work all the same
        return
    limits = {"RLIMIT_CPU": math.ceil(seconds) + 1, "RLIMIT_AS": memory, "RLIMIT_FSIZE": _MAX_FILE, "RLIMIT_CORE": 0}
    for name, limit in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))
    with suppress(OSError):  # Linux only: where memory runs out all the same, this process is ended, not the server
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def main(wish: dict[str, Any], folder: Path) -> None:
    """Read what is wished for and leave what was found."""
    set_limits(wish["seconds"], wish["memory"])
    language.choose(os.environ.get(LANGUAGE, language.ENGLISH))
    labels = wish["labels"]
    try:
        if wish["alone"]:
            _leave(folder, examine_picture(Path(wish["path"]), wish["side"], wish["fit"]), None)
            return
        findings, data = examine(
            Path(wish["path"]),
            Path(labels) if labels else None,
            side=wish["side"],
            fit=wish["fit"],
            whole=wish["whole"],
            on_progress=_tell,
        )
        _leave(folder, findings, data if wish["whole"] else None)
    except MemoryError:
        write_json(
            folder / FOUND, {"error": say("reading this file takes too much memory; use fewer or smaller pictures")}
        )
    except DasksvdError as error:
        write_json(folder / FOUND, {"error": str(error)})


def _tell(done: int, total: int) -> None:
    with suppress(BrokenPipeError):
        print(f"{done / max(1, total):.3f}", flush=True)


def _leave(folder: Path, findings: Findings, data: DataSet | None) -> None:
    examples = findings.examples
    arrays = {f"before{at}": one.before for at, one in enumerate(examples)}
    arrays["after"] = np.array([one.after for one in examples], np.uint8).reshape(-1, findings.side, findings.side)
    if data is not None:
        arrays |= arrays_of(data)
    write_npz(folder / ARRAYS, arrays)
    # Last, because it says that all is there.
    write_json(folder / FOUND, findings.as_dict() | {"n": 0 if data is None else len(data.train_labels)})


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), Path(sys.argv[2]))
