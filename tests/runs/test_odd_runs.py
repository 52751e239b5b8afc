"""Runs from elsewhere that are odd, but runs all the same: they open on every page."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json

import pytest

from dasksvd.common.files import write_json
from dasksvd.runs.archive import import_zip
from dasksvd.runs.store import Store
from tests.runs.forging import opens_on_every_page, own_pictures, pack
from tests.ui.harness import home  # noqa: F401

ODD = {
    "own pictures": ("own", lambda run: None),
    "all that can belong to a run": ("digits", lambda run: None),
    "a reader": ("mnist", lambda run: None),
    "half of a run": ("digits", lambda run: (run.record_path(1).unlink(), forget(run))),
    "a name of control characters": ("digits", lambda run: about(run, name="a\x00b\n\u202e<b>[x](y)$z$")),
    "a name that is too long": ("digits", lambda run: about(run, name="x" * 500)),
    "a time far away": ("digits", lambda run: about(run, created=9e10)),
    "about of another kind": ("digits", lambda run: about(run, name=7, pinned="yes", created=-1.0)),
}


def about(run, **changes):
    (run.folder / "about.json").write_text(json.dumps(changes))


def forget(run):
    """Leave only what an unfinished run has."""
    for name in ("metrics.json", "classifier.npz", "grid.json", "sweep.json"):
        (run.folder / name).unlink()
    write_json(run.folder / "status.json", {"state": "cancelled"})


@pytest.mark.parametrize("name", ODD)
def test_an_odd_but_sound_run_opens_on_every_page(home, forge, name):
    kind, change = ODD[name]
    run = forge(kind)
    change(run)
    opens_on_every_page(home, import_zip(home, pack(run)))


@pytest.mark.parametrize(("classes", "side"), [(("a", "b"), 2), (tuple("abcdefghijklmnopqrstuvwxyz"), 10)])
def test_own_pictures_of_few_and_many_classes_open_on_every_page(home, tmp_path, classes, side):
    run = own_pictures(Store(tmp_path / "elsewhere"), classes, side)
    opens_on_every_page(home, import_zip(home, pack(run)))
