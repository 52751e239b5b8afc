"""The race of choosers on this server: one process at a time, whose seeds all visitors share."""

import subprocess
import threading
from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd.runs import processes
from dasksvd.search import chooser_race
from ui import cache

_FOLDER = ".chooser_race"
#: A process gets one thread: more of them would only wait for each other.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Race:
    """Seeds in a folder, and the process that adds some.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._process: subprocess.Popen | None = None
        self._lock = threading.Lock()

    @property
    def is_running(self) -> bool:
        """Whether seeds are on their way."""
        return self._process is not None and self._process.poll() is None

    def scores(self) -> np.ndarray:
        """Accuracies so far, shape (n_seeds, n_choosers)."""
        return chooser_race.scores(self.folder)

    def go_on(self) -> None:
        """Add seeds; whoever asks while some are on their way gets those."""
        with self._lock:
            if self.is_running or len(self.scores()) >= chooser_race.MOST:
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            words = [chooser_race.__name__, str(self.folder)]
            self._process = processes.start(words, self.folder / "log.txt", **_ONE_THREAD)


@st.cache_resource
def race() -> Race:
    """The one of this server."""
    return Race(cache.store().root / _FOLDER)
