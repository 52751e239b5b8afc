"""One trial of a study, what it has found, and the file that all findings of a run's studies are added to.

The file has one line of JSON for each finding.  A line is added in one go, so that whatever is killed leaves whole
lines, and at most half a one at the end, which counts as nothing.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import filelock

from dasksvd.errors import DamagedFile
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.parameters.checks import is_between
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING

#: Bytes of the file that are read.
MAX_BYTES = 2**25


@dataclass(frozen=True)
class Trial:
    """What is learned, how it is coded, and what reads the codes.

    Attributes
    ----------
    settings : Settings
        With the seed of everything.
    plan : Plan
    code_q : int, float or None
        Non-zeros of the codes that are read; None means q of the settings.
    """

    settings: Settings
    plan: Plan
    code_q: int | float | None = None

    @cached_property
    def key(self) -> str:
        """A name: equal trials, equal name."""
        values = [self.settings.as_dict(), asdict(self.plan), repr(self.code_q)]
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:24]

    @property
    def trajectory(self) -> Settings:
        """The settings of the trajectory that it is taken from: those of all trials that share it."""
        return replace(self.settings, I=1, alpha=0.0, beta=0.0, ranking=DEFAULT_RANKING, fine_tune=0)


@dataclass(frozen=True)
class Finding:
    """What one trial came to.

    Attributes
    ----------
    key : str
    accuracy : float
        Share of the held-out images that were read right.
    n_scored, n_atoms, hidden, weights : int
    nonzeros : float
        Mean share of non-zeros in the codes.
    seconds : float
        For coding and for the network; what several trials share counts for the first of them.
    at : float
        When it was found, in seconds since 1970.
    problem : str
        Why there is nothing to score.
    """

    key: str
    accuracy: float = 0.0
    n_scored: int = 0
    n_atoms: int = 0
    hidden: int = 0
    weights: int = 0
    nonzeros: float = 0.0
    seconds: float = 0.0
    at: float = 0.0
    problem: str = ""


class Findings:
    """The findings of all studies on a run.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path):
        self.path = Path(path)

    def read(self) -> dict[str, Finding]:
        """All findings by the names of their trials, in the order in which they came; odd lines are left out."""
        try:
            with open(self.path, "rb") as file:
                content = file.read(MAX_BYTES)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise DamagedFile(f"{self.path.name} cannot be read ({error.strerror})") from error
        found: dict[str, Finding] = {}
        for line in content.split(b"\n"):
            finding = _parsed(line)
            if finding is not None:
                found.setdefault(finding.key, finding)
        return found

    def add(self, findings: Iterable[Finding]) -> None:
        """Add lines; processes that do so at once take turns."""
        lines = "".join(f"{json.dumps(asdict(one))}\n" for one in findings).encode()
        if not lines:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(f"{self.path}.lock"), open(self.path, "ab+") as file:
            if file.tell() and not _ends_a_line(file):
                lines = b"\n" + lines  # half a line that somebody was killed in
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())


def _ends_a_line(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")


def _parsed(line: bytes) -> Finding | None:
    """The finding in a line, None if it is none that could have been written here."""
    try:
        finding = Finding(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None
    counts = (finding.n_scored, finding.n_atoms, finding.hidden, finding.weights)
    texts = isinstance(finding.key, str) and isinstance(finding.problem, str)
    sane = (
        texts
        and all(is_between(share, 0, 1) for share in (finding.accuracy, finding.nonzeros))
        and all(is_between(number, 0, 2**53) for number in (*counts, finding.seconds, finding.at))
    )
    return replace(finding, problem=finding.problem[:400]) if sane else None
