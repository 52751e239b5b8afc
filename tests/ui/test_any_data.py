"""No page says of one data set what is true of another; a run with fine-tuned atoms has them to pick."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import numpy as np
import pytest

from dasksvd.datasets.parts import describe_kept
from dasksvd.parameters import Settings
from tests.datasets.own_sets import own_set
from tests.ui.harness import address, headers, home, own_run, texts  # noqa: F401
from tests.ui.test_links import visit
from ui import cache
from ui.panels import fine_tuned, run_rows

CLOTHES = "reference-clothes"


def all_said(at):
    return " ".join([texts(at), at.title[0].value, *(box.label for box in at.selectbox)])


@pytest.mark.parametrize("page", ["overview", "atoms", "measures", "grid_search"])
def test_nothing_on_a_page_of_clothes_is_called_a_digit(home, page):
    at = visit(page, run=CLOTHES)
    assert at.selectbox(key="run").value == CLOTHES
    assert "digit" not in all_said(at).lower()
    assert "digit" not in " ".join(button.label for button in at.button).lower()


@pytest.mark.parametrize("run_id", ["reference", "reference-small"])
def test_digits_are_called_digits(home, run_id):
    assert visit("overview", run=run_id).title[0].value == "Atoms that tell digits apart"
    assert "Two digits, two sparse codes" in headers(visit("measures", run=run_id))


def test_the_first_door_opens_the_reader_of_the_run(home):
    at = visit("overview", run=CLOTHES)
    at.button(key="to_draw").click().run()
    assert at.title[0].value == "Read a picture"
    assert address(at)["reader"] == "reference_clothes_reader_20"


def test_the_accuracies_of_shipped_runs_say_what_they_were_measured_on(home):
    frame = visit("runs").dataframe[0].value
    told = dict(zip(frame["name"], frame["measured on"], strict=True))
    assert told == {
        "Reference run": "validation images",
        "Reference, clothes": "validation images",
        "Reference, small digits": "held-out images",
    }
    at = visit("accuracy", run=CLOTHES, tab="mistakes")
    assert "Accuracy, test images" in {metric.label for metric in at.metric}


def test_a_fine_tuned_atom_is_picked_by_the_atom_that_it_comes_from(home):
    run = own_run(home, fine_tune=2)
    at = visit("atoms", run=run.id, alpha="1")
    at.session_state[fine_tuned.KEY] = {"picked": [3, 1, 1]}
    at.run()
    assert not at.exception, at.exception
    origin = int(run.trajectory.reselect(0, 0).index[1, 3])
    assert at.header[0].value.startswith(f"Atom {origin} of iteration 2")
    atoms, selected = cache.fine_tuned(run.id)
    cosine = float(atoms[13] @ selected[13])
    shown = [one for one in at.get("bidi_component") if f"fine-tuned, cosine {cosine:.2f}" in one.proto.json]
    assert len(shown) == 1


def test_an_atom_that_was_not_tuned_is_shown_alone(home):
    run = own_run(home, fine_tune=2)
    index = run.trajectory.reselect(0, 0).index[0]
    other = int(np.setdiff1d(np.arange(64), index)[0])
    at = visit("atoms", run=run.id, atom=f"1:{other}")
    assert at.header[0].value.startswith(f"Atom {other} of iteration 1")
    assert not any("fine-tuned, cosine" in one.proto.json for one in at.get("bidi_component"))


def test_runs_on_pictures_of_ones_own_are_told_apart_by_their_names(home):
    """What is kept has a name; the best run is the best on these pictures, whatever was learned from others."""
    kept = [home.library.add(own_set(3, 12, 16, seed=seed), name) for seed, name in ((1, "pets"), (2, "cars"))]
    for one in kept:
        home.create(describe_kept(Settings(t=5, I=1, r_f=0.05), one), f"run on {one.name}")

    def told():
        return {row["name"]: row["data"] for row in run_rows.rows_of(home.listing()).values() if row["own"]}

    assert told() == {"run on pets": "pets", "run on cars": "cars"}
    home.library.rename(kept[0].key, "cats")
    assert told() == {"run on pets": "cats", "run on cars": "cars"}
