"""Garbage is collected outside of answers."""

import gc
import threading
import time
import weakref

import pytest

from ui import memory


class Knot:
    """An object that refers to itself, so that only the collector can free it."""

    def __init__(self):
        self.self = self


@pytest.fixture
def quick(monkeypatch):
    """A collector that looks ten times a second, while Python's own is off."""
    monkeypatch.setattr(memory, "EVERY", 0.1)
    monkeypatch.setattr(memory, "_started", threading.Event())
    gc.disable()
    yield
    gc.enable()
    monkeypatch.setattr(memory, "EVERY", 1e6)  # the thread goes to sleep for good


def gone(reference, seconds=10.0):
    until = time.monotonic() + seconds
    while reference() is not None and time.monotonic() < until:
        time.sleep(0.02)
    return reference() is None


def test_garbage_that_refers_to_itself_is_gone_after_a_while(quick, monkeypatch):
    busy = iter(range(10**9))
    monkeypatch.setattr(memory, "_new_objects", lambda: next(busy))
    reference = weakref.ref(Knot())
    assert reference() is not None
    memory.start()
    assert gone(reference)


def test_an_idle_server_is_left_alone(quick, monkeypatch):
    collected = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    monkeypatch.setattr(memory, "_new_objects", lambda: 5)
    memory.start()
    time.sleep(0.7)
    assert len(collected) == 1


def test_making_objects_is_noticed():
    before = memory._new_objects()
    kept = [[] for _ in range(50_000)]
    assert memory._new_objects() > before
    assert len(kept) == 50_000


def test_one_collector_serves_the_whole_server(quick):
    before = threading.active_count()
    for _ in range(5):
        memory.start()
    assert threading.active_count() == before + 1
