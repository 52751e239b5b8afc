"""The app under Streamlit's own test harness, and what its pages say."""

import json
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from dasksvd.parameters import Settings
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from ui import cache, navigation

APP = Path(__file__).parents[2] / "app.py"
PAGES = tuple(navigation.PAGES)


class SettledPagesManager(PagesManager):
    """A server that has run the app before; the harness pretends a fresh one in every run."""

    def __init__(self, *args, **kwargs):
        PagesManager.uses_pages_directory = False
        super().__init__(*args, **kwargs)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty store of the server's own."""
    monkeypatch.setattr(app_test, "PagesManager", SettledPagesManager)
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path / "home"))
    for cached in (cache.store, cache.jobs, cache._trajectory):
        cached.clear()
    yield Store(tmp_path / "home")
    for child in cache.jobs()._children:
        child.wait(timeout=60)
    for cached in (cache.store, cache.jobs, cache._trajectory):
        cached.clear()


def open_page(name="overview"):
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception, at.exception
    return at


def own_run(home, name="mine", seed=3, **changes):
    run = home.create(describe(Settings(**{"t": 30, "I": 2, "ksvd_iter": 2, "seed": seed} | changes), "digits"), name)
    compute(run)
    return run


def twins(home):
    """Two runs of one name, made in the same minute, the later one first in lists."""
    runs = [own_run(home, "twin", seed=seed) for seed in (3, 4)]
    for number, run in enumerate(runs):
        run.set_about(created=1_700_000_000.0 + number)
    return runs


def metrics(at):
    return {metric.label: metric.value for metric in at.metric}


def texts(at):
    return " ".join(element.value for kind in (at.markdown, at.caption, at.header, at.info) for element in kind)


def headers(at):
    return [line.value for line in at.header]


def address(at):
    """What the address says after a run: the data of the component that writes it."""
    found = [element for element in at.get("bidi_component") if "stamp" in element.proto.json]
    newest = max((json.loads(element.proto.json) for element in found), key=lambda data: data["stamp"])
    return {name: values[-1] for name, values in parse_qs(newest["search"], keep_blank_values=True).items()}


def shown_by(at, name):
    """The data that a component was shown with."""
    found = [element.proto for element in at.get("bidi_component")]
    return next(json.loads(proto.json) for proto in found if proto.component_name == name)


def button(at, label):
    return next(found for found in at.button if found.label == label)
