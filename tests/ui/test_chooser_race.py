"""The race of choosers on a server: one process at a time."""

import time

import numpy as np
import pytest

from dasksvd.search import chooser_race
from ui.chooser_race import Race


class Process:
    """Stands for one that is at work until it is told to end."""

    ended = None

    def poll(self):
        return self.ended


@pytest.fixture
def started(monkeypatch):
    found = []

    def start(words, log, **environment):
        found.append((words, Process()))
        assert environment["OMP_NUM_THREADS"] == "1"
        return found[-1][1]

    monkeypatch.setattr("ui.chooser_race.processes.start", start)
    return found


def test_whoever_asks_while_seeds_are_on_their_way_gets_those(started, tmp_path):
    race = Race(tmp_path / "race")
    assert not race.is_running
    race.go_on()
    race.go_on()
    assert race.is_running
    ((words, process),) = started
    assert words == ["dasksvd.search.chooser_race", str(tmp_path / "race")]
    process.ended = 0
    assert not race.is_running
    race.go_on()
    assert len(started) == 2


def test_there_is_an_end_to_seeds(started, tmp_path, monkeypatch):
    monkeypatch.setattr(chooser_race, "scores", lambda folder: np.zeros((chooser_race.MOST, 3)))
    Race(tmp_path / "race").go_on()
    assert started == []


def test_a_real_process_brings_seeds(tmp_path):
    race = Race(tmp_path / "race")
    race.go_on()
    try:
        end = time.monotonic() + 120
        while not len(race.scores()) and time.monotonic() < end:
            assert race.is_running, (tmp_path / "race" / "log.txt").read_text()
            time.sleep(0.2)
        assert len(race.scores())
    finally:
        race._process.kill()
        race._process.wait()
