"""Where a job stands, and what a person says of a run: the two small files that change often."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from dasksvd.errors import DamagedFile

#: Seconds since 1970; tables cannot show every later time.
_YEAR_2100 = 4_102_444_800
#: ``new`` was made and never put into a queue; a job ends in one of the last three.
STATES = ("new", "queued", "running", "finished", "failed", "cancelled")


@dataclass(frozen=True)
class Status:
    """Where a job stands; times are seconds since 1970.

    Attributes
    ----------
    state : str
        One of ``STATES``.
    iteration, ksvd_iteration : int
        The iteration at work (from 0) and its finished K-SVD iterations.
    errors : tuple of float
        K-SVD errors of the iteration at work.
    ended : tuple of float
        The ``seconds`` at which each finished iteration ended; empty in runs that were made before or imported.
    seconds : float
        Time spent computing, over all attempts.
    queued_at, updated_at : float
    owner : str
        Who put it into the queue.
    pid, process_mark : int, str
        The process at work; both, because process numbers are used again.
    process_started : float
        When it was started, by which a status without a mark names it.
    message : str
        Why it failed.
    stage : str
        What is being done after the last iteration.
    total : int
        Of a search: networks to train, of which ``iteration`` are trained.
    seconds_left : float
        Of a search: its own estimate.
    """

    state: str = "queued"
    iteration: int = 0
    ksvd_iteration: int = 0
    errors: tuple[float, ...] = ()
    ended: tuple[float, ...] = ()
    seconds: float = 0.0
    queued_at: float = 0.0
    updated_at: float = 0.0
    owner: str = ""
    pid: int = 0
    process_started: float = 0.0
    process_mark: str = ""
    message: str = ""
    stage: str = ""
    total: int = 0
    seconds_left: float = 0.0

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Status":
        """The status in plain values; anything odd is damage."""
        for name, value in values.items():
            if not isinstance(value, _STATUS_TYPES.get(name, ())) or not _is_sane(value):
                raise DamagedFile(f"status.json: {name[:40]} = {str(value)[:40]} is not expected")
        if values.get("state") not in STATES:
            raise DamagedFile(f"status.json: {str(values.get('state'))[:40]} is no state")
        return cls(**values | {name: tuple(values.get(name, ())) for name in ("errors", "ended")})


#: Types of the status's values in JSON.
_STATUS_TYPES = {
    field.name: {float: (int, float), tuple: (list,)}.get(type(field.default), (type(field.default),))
    for field in fields(Status)
}


def _is_sane(value: Any) -> bool:
    """Whether a value of the status is text, a list of sane values, or a number one can compute with."""
    if isinstance(value, list):
        return all(isinstance(item, int | float) and _is_sane(item) for item in value)
    return isinstance(value, str) or (math.isfinite(value) and 0 <= value < 2**53)


@dataclass(frozen=True)
class About:
    """What a person says of a run, and when it was made.

    Attributes
    ----------
    name, group : str
    pinned : bool
        Whether it must not be deleted.
    created : float
        In seconds since 1970.
    tags : tuple of str
    note : str
        Plain text.
    """

    name: str = ""
    pinned: bool = False
    created: float = 0.0
    group: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "About":
        """From plain values; unknown or odd ones are ignored, they decide nothing."""
        types = {"name": str, "pinned": bool, "created": float, "group": str, "note": str}
        known = {name: values[name] for name, kind in types.items() if isinstance(values.get(name), kind)}
        tags = values.get("tags")
        if isinstance(tags, list):
            known["tags"] = tuple(tag for tag in tags if isinstance(tag, str))
        about = cls(**known)
        return about if 0 <= about.created < _YEAR_2100 else replace(about, created=0.0)
