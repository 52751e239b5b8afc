"""Garbage collection now and then, instead of after every answer."""

import gc
import threading
import time

#: Seconds between two collections while the server is in use; each stops all visitors for some hundredths of one.
EVERY = 10.0

_started = threading.Event()


def start() -> None:
    """Start the thread that collects now and then; once for the whole server."""
    if not _started.is_set():
        _started.set()
        threading.Thread(target=_collect_forever, name="garbage", daemon=True).start()


def keep_loaded() -> None:
    """Treat everything loaded so far as permanent, so that collections skip it and are short."""
    gc.collect()
    gc.freeze()


def _collect_forever() -> None:
    seen = -1
    while True:
        time.sleep(EVERY)
        seen = _collect_if_used(seen)


def _collect_if_used(seen: int) -> int:
    """Collect if objects were made since ``seen``; return what to compare with the next time."""
    if _new_objects() != seen:
        gc.collect()
    return _new_objects()


def _new_objects() -> int:
    """A number that grows whenever many objects are made; an idle server makes none."""
    return gc.get_stats()[0]["collections"]
