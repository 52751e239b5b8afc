"""The front page under Streamlit's own test harness."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.reference import load_reference

APP = Path(__file__).parent.parent / "app.py"


@pytest.fixture
def app():
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not at.exception
    return at


def metrics(at):
    return {metric.label: metric.value for metric in at.metric}


def test_first_screen_is_full(app):
    assert app.title[0].value == "Atoms that tell digits apart"
    assert metrics(app) == {
        "Atoms selected": "200",
        "Other atoms than at α = β = 0": "0",
        "Atoms to choose from": "5,120",
    }
    assert any("seed 0" in caption.value for caption in app.caption)
    assert not app.warning


def test_weights_choose_again(app):
    app.slider[0].set_value(0.6).run()
    run = load_reference()
    changed = np.sum(run.reselect(0.6, 0).index != run.reselect(0, 0).index)
    assert changed > 0
    assert metrics(app)["Other atoms than at α = β = 0"] == str(changed)


def test_fewer_atoms_per_digit(app):
    app.slider[2].set_value(5).run()
    assert metrics(app)["Atoms selected"] == "50"
    assert metrics(app)["Atoms to choose from"] == "1,280"


def test_weights_outside_the_triangle_are_explained_not_raised(app):
    app.slider[0].set_value(0.75)
    app.slider[1].set_value(0.5).run()
    assert not app.exception
    assert "alpha + beta must be at most 1, got 0.75 + 0.5 = 1.25. Shown is β = 0.25" in app.warning[0].value
