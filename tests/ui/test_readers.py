"""Who reads a drawing: readers by name, links to them, and the way from their atoms to the Atoms page."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import math
import shutil
from dataclasses import replace

import numpy as np
import pytest

from dasksvd.digit.reader import load_model
from tests.runs.forging import with_reader
from tests.ui.harness import address, home, open_page, own_run, shown_by  # noqa: F401
from tests.ui.test_links import visit
from ui import readers
from ui.components import canvas
from ui.controls import run_names

SHIPPED = [
    "default_model",
    *(f"reference_reader_{size}" for size in ("20", "15", "10", "05")),
    "reference_clothes_reader_20",
    "reference_small_reader_20",
]


@pytest.fixture
def run(home):
    return with_reader(home)


def draw(at, number=7):
    at.session_state["canvas"] = {"drawing": {"id": 1, "strokes": canvas.examples()[number], "brush": 20}}
    at.run()
    assert not at.exception, at.exception
    return at


def warnings(at):
    return " ".join(line.value for line in at.warning)


def test_every_run_with_a_reader_is_offered_by_name_and_all_names_differ(home, run):
    own_run(home, "without a reader")
    twin = home.root / "20200101-000000-ffffff"
    shutil.copytree(run.folder, twin)
    offered = readers.offered()
    assert list(offered)[: len(SHIPPED)] == SHIPPED
    assert set(offered) - set(SHIPPED) == {run.id, twin.name}
    names = [reader.name for reader in offered.values()]
    assert len(set(names)) == len(names)
    assert names[:2] == ["Shipped reader", "Reference run, 200 atoms"]
    assert offered[run.id].name.startswith("mnist · 10 atoms")


def test_every_reader_reads_the_drawing(home, run):
    at = draw(open_page("draw"), 1)
    for name in (name for name, reader in readers.offered().items() if reader.draws):
        at.selectbox(key="reader").set_value(name).run()
        assert not at.exception, (name, at.exception)
        assert at.header[-1].value.startswith(("Why ", "How the atoms"))
        assert address(at).get("reader", SHIPPED[0]) == name


def test_the_page_reads_with_the_same_reader_whatever_run_is_looked_at(home, run):
    at = open_page("overview")
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page("pages/draw.py").run()
    assert at.selectbox(key="reader").value == "default_model"
    assert [box.key for box in at.selectbox] == ["reader"]


def test_a_link_names_a_runs_reader_by_the_runs_id(home, run):
    at = visit("draw", reader=run.id)
    assert at.selectbox(key="reader").value == run.id
    assert address(at)["reader"] == run.id
    assert not at.warning


def test_an_old_link_means_the_reader_of_the_run_it_names(home, run):
    at = visit("draw", reader="classifier", run=run.id)
    assert at.selectbox(key="reader").value == run.id
    assert visit("draw", reader="reference_reader_05").selectbox(key="reader").value == "reference_reader_05"


def test_a_run_without_a_reader_is_explained_where_a_link_names_it(home):
    run = own_run(home)
    at = visit("draw", reader=run.id)
    assert "it is not evaluated yet" in warnings(at)
    assert at.selectbox(key="reader").value == "default_model"
    at.selectbox(key="reader").set_value("reference_reader_20").run()
    assert not at.warning
    at.selectbox(key="reader").set_value("default_model").run()
    assert not at.warning


def test_a_run_that_is_not_evaluated_yet_is_explained(home, run):
    (run.folder / readers.OWN_FILE).unlink()
    assert "not evaluated yet" in warnings(visit("draw", reader=run.id))


def test_a_reader_that_nobody_knows_is_said_to_be_gone(home):
    for name in ("20200101-000000-ffffff", "..", "classifier/../x", "no reader"):
        at = visit("draw", reader=name)
        assert run_names.GONE in warnings(at), name
        assert not at.exception


def test_a_damaged_reader_is_named_and_the_shipped_one_reads(home, run):
    (run.folder / readers.OWN_FILE).write_bytes(b"nothing")
    at = draw(visit("draw", reader=run.id))
    assert "damaged" in at.error[0].value
    assert at.header[-1].value == "Why 7?"


def test_all_readers_atoms_have_a_place_in_their_run(home, run):
    for name, reader in readers.offered().items():
        assert readers.knows_places(reader), name


def test_atoms_in_another_order_have_no_place(home, run):
    path = run.folder / readers.OWN_FILE
    model = load_model(path)
    for other in (
        replace(model, atoms=model.atoms[::-1].copy()),
        replace(model, atom_classes=model.atom_classes[::-1].copy()),
    ):
        other.save(path)
        assert not readers.knows_places(readers.offered()[run.id])
    path.unlink()
    assert not readers.knows_places(readers.Reader("gone", path, run.id))


@pytest.mark.parametrize("name", ["default_model", "reference_reader_05"])
def test_a_clicked_atom_opens_on_the_atoms_page(home, name):
    at = draw(visit("draw", reader=name, alpha="0.5", I="3"))
    atom = 34
    at.session_state["way"] = {"picked": [atom, 1]}
    at.run()
    assert not at.exception
    said = address(at)
    assert at.title[0].value != "Draw a digit"
    assert said["atom"] == "4.4"
    # The atom is the reader's own: the weights that selected it are set too.
    assert {"run", "alpha", "beta", "I"}.isdisjoint(said)
    reader = readers.offered()[name]
    selected = readers.cache.reference().reselect(0, 0)
    np.testing.assert_allclose(selected.atoms[atom], load_model(reader.path).atoms[atom], atol=1e-3)


@pytest.mark.parametrize("picked", [[200, 1], [-1, 1], [True, 1], [math.inf, 1], "ab", [3.5, 1], [1], {}])
def test_a_forged_click_opens_nothing(home, picked):
    at = draw(open_page("draw"))
    at.session_state["way"] = {"picked": picked}
    at.run()
    assert not at.exception
    assert at.title[0].value == "Draw a digit"


def test_the_strip_knows_whether_atoms_can_be_opened(home, run):
    assert shown_by(open_page("draw"), "digit_way")["opens"] is True
    path = run.folder / readers.OWN_FILE
    model = load_model(path)
    replace(model, atoms=model.atoms[::-1].copy()).save(path)
    at = visit("draw", reader=run.id)
    assert shown_by(at, "digit_way")["opens"] is False
    at = draw(at)
    at.session_state["way"] = {"picked": [1, 1]}
    at.run()
    assert at.title[0].value == "Draw a digit"
