"""A run with fine-tuned atoms in the dashboard: asked for on Train, shown on Atoms, read with on Draw."""

import base64
import json

import numpy as np
import pytest

from dasksvd.evaluate import Plan
from dasksvd.parameters import PRESETS
from dasksvd.runs.evaluation import evaluate_run, read_plan
from dasksvd.runs.records import FINE_TUNED
from dasksvd.runs.worker import compute
from tests.runs import forging
from tests.ui.harness import open_page, own_run, texts
from ui import cache, figures, readers
from ui.panels import fine_tuned

TITLE = "Fine-tuned: the atoms that this run's classifier reads"


@pytest.fixture
def run(home):
    return own_run(home, fine_tune=2)


def wall(at):
    """What the wall of fine-tuned atoms was given, None if it is not there."""
    found = [json.loads(one.proto.json) for one in at.get("bidi_component") if one.proto.id.endswith(fine_tuned.KEY)]
    return found[0] if found else None


def look_at(run_id):
    at = open_page("atoms")
    at.selectbox(key="run").set_value(run_id).run()
    assert not at.exception, at.exception
    return at


def test_the_preset_is_on_the_train_page_and_says_what_it_is_and_is_not(home):
    at = open_page("train")
    control = at.segmented_control(key="preset")
    assert "Best" in control.options
    assert "the gain is the fine-tuning's" in control.help
    control.set_value("best").run()
    assert at.number_input(key="best_fine_tune").value == 25
    assert at.selectbox(key="best_encoder_tuned").value == "threshold"
    (told,) = [line for line in at.caption if "Estimated time" in line.value]
    assert "fine-tuning 0:" in told.help


def test_the_form_starts_such_a_run_with_its_encoder(home):
    cache.jobs().places = 0
    at = open_page("train")
    at.segmented_control(key="preset").set_value("best").run()
    at.button(key="run_button").click().run()
    assert not at.exception
    (run,) = home
    assert run.description.settings == PRESETS["best"]
    assert read_plan(run) == Plan(encoder="threshold")


def test_epochs_on_another_preset_bring_the_encoder_and_none_take_it_away(home):
    at = open_page("train")
    assert at.selectbox(key="quick_encoder").value == "omp"
    at.number_input(key="quick_fine_tune").set_value(5).run()
    assert at.selectbox(key="quick_encoder_tuned").value == "threshold"
    at.number_input(key="quick_fine_tune").set_value(0).run()
    assert at.selectbox(key="quick_encoder").value == "omp"


def test_atoms_shows_them_in_the_places_of_the_selected_ones(run):
    """Oracle: the atoms in the run's file."""
    at = look_at(run.id)
    found = wall(at)
    assert found["title"] == TITLE
    in_places = run.atoms.reshape(2, 10, -1).transpose(1, 0, 2)
    expected = figures.wall(in_places, "", rows=[str(digit) for digit in range(10)]).picture
    assert base64.b64decode(found["picture"].removeprefix("data:image/png;base64,")) == expected
    cosine = float(run.atoms[13] @ run.selected_atoms[13])
    assert found["hover"][3][1] == f"class 3, iteration 2\ncosine with the selected atom {cosine:.2f}"
    assert "in 2 epochs. Random images as a start do just as well" in texts(at)


def test_other_weights_and_sizes_leave_them_as_they_are(run):
    at = look_at(run.id)
    before = wall(at)
    at.slider(key="alpha").set_value(1.0).run()
    at.slider(key="I").set_value(1).run()
    assert not at.exception
    assert wall(at)["picture"] == before["picture"]


@pytest.mark.parametrize("how", ["none asked for", "gone", "damaged", "the shipped run"])
def test_no_wall_where_there_are_none_to_show(home, how):
    run = own_run(home, fine_tune=0 if how == "none asked for" else 1)
    if how == "gone":
        (run.folder / FINE_TUNED).unlink()
    elif how == "damaged":
        (run.folder / FINE_TUNED).write_bytes(b"x")
    assert wall(look_at(cache.REFERENCE if how == "the shipped run" else run.id)) is None


def test_train_says_what_the_classifier_has_read(run):
    evaluate_run(run, Plan(encoder="threshold", hidden=5))
    at = open_page("train")
    at.selectbox(key="watched").set_value(run.id).run()
    assert "read with fine-tuned atoms" in texts(at)


def test_draw_says_it_too_and_its_atoms_open_at_their_places(home):
    tuned, plain = forging.with_reader(home, fine_tune=1, **forging.TUNED), forging.with_reader(home)
    offered = readers.offered()
    assert "10 fine-tuned atoms" in offered[tuned.id].name
    assert "10 atoms" in offered[plain.id].name
    assert readers.knows_places(offered[tuned.id])
    assert readers.knows_places(offered[plain.id])
    np.testing.assert_array_equal(readers.load(offered[tuned.id].path).atoms, tuned.atoms)
    at = open_page("draw")
    at.selectbox(key="reader").set_value(tuned.id).run()
    assert "q = **2** of 10 fine-tuned atoms" in texts(at)
    at.selectbox(key="reader").set_value(plain.id).run()
    assert "q = **2** of 10 atoms" in texts(at)


def test_a_reader_with_the_selected_atoms_does_not_pass_for_one_of_a_fine_tuned_run(home):
    run = forging.with_reader(home, fine_tune=1, **forging.TUNED)
    forging.reader_changed(run, atoms=lambda _: run.selected_atoms)
    assert not readers.knows_places(readers.offered()[run.id])


def test_a_repaired_file_is_read_again(run):
    before = cache.fine_tuned(run.id)
    (run.folder / FINE_TUNED).unlink()
    assert cache.fine_tuned(run.id) is None
    compute(run)
    np.testing.assert_array_equal(cache.fine_tuned(run.id)[0], before[0])
