"""How far a run or a search has come, as numbers and as one line on a terminal."""

import sys
import time
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True)
class RunProgress:
    """Where a run stands: both counts are of finished iterations."""

    iteration: int
    ksvd_iteration: int
    error: float


@dataclass(frozen=True)
class SearchProgress:
    """Where a search stands, in networks; ``seconds_left`` is an estimate."""

    done: int
    total: int
    seconds_left: float


def clock(seconds: float) -> str:
    """Seconds as m:ss or h:mm:ss.

    Examples
    --------
    >>> clock(75), clock(3671)
    ('1:15', '1:01:11')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def bar(share: float) -> str:
    """A bar of 24 characters.

    Examples
    --------
    >>> bar(0.25)
    '[######..................]'
    """
    filled = round(24 * share)
    return f"[{'#' * filled}{'.' * (24 - filled)}]"


class ProgressLine:
    """One line on standard error, redrawn on a terminal and written anew elsewhere."""

    def __init__(self, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self.live = self.stream.isatty()
        self.started = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.started

    def close(self, message: str) -> None:
        """End the line with a summary."""
        self._write(f"done in {clock(self.elapsed)}: {message}", end="\n")

    def _write(self, text: str, end: str | None = None) -> None:
        end = ("" if self.live else "\n") if end is None else end
        self.stream.write(f"\r\x1b[K{text}{end}" if self.live else f"{text}{end}")
        self.stream.flush()


class RunLine(ProgressLine):
    """Outer and inner iteration, error, time left; off a terminal each outer iteration gets a line of its own.

    Parameters
    ----------
    I, ksvd_iter : int
        Iterations of the run, and K-SVD iterations of each.
    stream : file, optional
        Standard error by default.
    """

    def __init__(self, I: int, ksvd_iter: int, stream: TextIO | None = None):
        super().__init__(stream)
        self.I, self.ksvd_iter = I, ksvd_iter
        self.said = ""

    def update(self, progress: RunProgress) -> None:
        """Show where the run stands."""
        if self.live or progress.ksvd_iteration == self.ksvd_iter:
            self._write(self.line(progress, self.elapsed))

    def say(self, text: str) -> None:
        """What is done after the last iteration; off a terminal only what stands before the colon is new."""
        what = text.partition(":")[0]
        if self.live or what != self.said:
            self._write(text)
        self.said = what

    def line(self, progress: RunProgress, elapsed: float) -> str:
        """The text for ``progress`` after ``elapsed`` seconds."""
        share = (progress.iteration * self.ksvd_iter + progress.ksvd_iteration) / (self.I * self.ksvd_iter)
        return (
            f"{bar(share)} {share:4.0%}  iteration {progress.iteration + 1}/{self.I}"
            f"  K-SVD {progress.ksvd_iteration}/{self.ksvd_iter}  error {progress.error:.4f}"
            f"  {clock(elapsed)}, {clock(elapsed * (1 - share) / share)} left"
        )


class SearchLine(ProgressLine):
    """Networks trained and time left."""

    def update(self, progress: SearchProgress) -> None:
        """Show where the search stands."""
        share = progress.done / progress.total if progress.total else 1.0
        text = f"{bar(share)} {share:4.0%}  {progress.done}/{progress.total} networks"
        self._write(f"{text}  {clock(self.elapsed)}, {clock(progress.seconds_left)} left")
