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
def knot():
    """A weak reference to garbage that Python's own collector leaves alone."""
    gc.disable()
    yield weakref.ref(Knot())
    gc.enable()


def test_garbage_that_refers_to_itself_is_gone_once_the_server_was_used(knot, monkeypatch):
    monkeypatch.setattr(memory, "_new_objects", lambda: 5)
    assert knot() is not None
    assert memory._collect_if_used(seen=4) == 5
    assert knot() is None


def test_an_idle_server_is_left_alone(knot, monkeypatch):
    monkeypatch.setattr(memory, "_new_objects", lambda: 5)
    assert memory._collect_if_used(seen=5) == 5
    assert knot() is not None


def test_making_objects_is_noticed():
    before = memory._new_objects()
    kept = [[] for _ in range(50_000)]
    assert memory._new_objects() > before
    assert len(kept) == 50_000


def test_one_collector_serves_the_whole_server(monkeypatch):
    begun = []
    monkeypatch.setattr(memory, "_started", threading.Event())
    monkeypatch.setattr(memory, "_collect_forever", lambda: begun.append(threading.current_thread()))
    for _ in range(5):
        memory.start()
    until = time.monotonic() + 10
    while not begun and time.monotonic() < until:
        time.sleep(0.01)
    (thread,) = begun
    assert thread.daemon
    assert thread is not threading.current_thread()


def test_the_collector_looks_again_and_again(monkeypatch):
    """Each look begins with what the last one has seen."""
    looks = []

    def look(seen):
        looks.append(seen)
        if len(looks) == 3:
            raise StopIteration
        return len(looks)

    monkeypatch.setattr(memory, "EVERY", 0)
    monkeypatch.setattr(memory, "_collect_if_used", look)
    with pytest.raises(StopIteration):
        memory._collect_forever()
    assert looks == [-1, 1, 2]
