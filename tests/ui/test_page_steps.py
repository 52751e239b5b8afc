"""The page that steps through K-SVD, under Streamlit's test harness; steps arrive as the browser would send them."""

import numpy as np
import pytest

from dasksvd.datasets import registry
from dasksvd.datasets.dataset import DataSet
from tests.ui.harness import address, open_page, shown_by, texts
from ui import taken_apart
from ui.components import half_steps
from ui.panels import sample_choice

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def page():
    return open_page("steps")


def film(n=200, n_atoms=16, q=3, seed=0):
    return taken_apart.take_apart(taken_apart.draw(registry.load("mnist"), "mnist", n, seed), n_atoms, q, seed)


def go(at, step, number=1):
    at.session_state[half_steps.KEY] = {"picked": [step, number]}
    at.run()
    assert not at.exception, at.exception
    return at


def test_the_page_opens_with_the_usual_sample_at_its_beginning(page):
    data = shown_by(page, "half_steps")
    assert (data["step"], data["first"], len(data["updates"]), len(data["labels"])) == (0, 0, 16, 200)
    assert data["last"] == film().last
    assert "**200** signals of MNIST" in texts(page)
    assert "q = **3** atoms a code, 18.8 %" in texts(page)
    assert "step" not in address(page)


def test_a_step_is_in_the_address_and_brings_its_iteration(page):
    starts = film().starts
    for number, step in enumerate((7, starts[1] - 1, starts[1], starts[5] + 40), 1):
        go(page, step, number)
        data = shown_by(page, "half_steps")
        assert data["first"] <= step < data["first"] + film().iterations[data["iteration"] - 1].n_steps + 1
        assert address(page)["step"] == str(step)


def test_another_sample_begins_at_its_beginning_and_is_in_the_address(page):
    go(page, 30)
    page.slider(key="sample_atoms").set_value(8).run()
    page.number_input(key="sample_seed").set_value(4).run()
    page.slider(key="sample_q").set_value(2).run()
    data = shown_by(page, "half_steps")
    assert (data["step"], len(data["updates"])) == (0, 8)
    assert data["last"] == film(n_atoms=8, q=2, seed=4).last
    assert address(page) == {"sample_atoms": "8", "sample_seed": "4", "sample_q": "2"}


@pytest.mark.parametrize("step", ["99999999", "-3", "nonsense", "1e400"])
def test_a_link_to_no_step_shows_the_nearest_one(home, step):
    at = open_page()
    at.query_params["step"] = step
    at.switch_page("pages/steps.py").run()
    assert not at.exception, at.exception
    assert shown_by(at, "half_steps")["step"] == (film().last if step.startswith("9") else 0)


def test_pictures_of_ones_own_can_be_stepped_through(home, rng):
    images = rng.integers(0, 256, (90, 16, 16)).astype(np.uint8)
    kept = home.library.add(DataSet(images, np.arange(90) % 3, class_names=["up", "down", "left"]), "mine")
    at = open_page("steps")
    at.selectbox(key="sample_of").set_value(kept.key).run()
    assert not at.exception, at.exception
    data = shown_by(at, "half_steps")
    assert len(data["labels"]) == 90
    assert "**90** signals of mine" in texts(at)
    assert data["classes"] == ["up", "down", "left"]


def test_a_data_set_that_cannot_be_read_is_said_with_what_to_do(page, monkeypatch):
    def broken(source):
        raise registry.DataError("the file is gone")

    monkeypatch.setattr(sample_choice, "data_of", broken)
    page.selectbox(key="sample_of").set_value("fashion_mnist").run()
    assert not page.exception, page.exception
    assert "The file is gone" in page.error[0].value
    assert "another data set" in page.error[0].value


def test_no_two_choices_share_a_film():
    one = sample_choice.Choice("mnist", 1, 200, 16, 3, False)
    others = [
        sample_choice.Choice("digits", 1, 200, 16, 3, False),
        sample_choice.Choice("mnist", 12, 200, 16, 3, False),
        sample_choice.Choice("mnist", 1, 200, 16, 3, True),
    ]
    assert len({one.name, *(other.name for other in others)}) == 4
