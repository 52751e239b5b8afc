"""The overview shows what the run chose and how one iteration came to it, and every part opens its page."""

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from dasksvd.datasets.parts import signals_at
from dasksvd.figures import SIGNED, mosaic
from dasksvd.runs.folder import places_of
from dasksvd.runs.reference import load_reference
from tests.ui.harness import address, open_page, own_run
from ui import cache, figures, frame
from ui.panels import method
from ui.state import View

#: Words that a person reads while a step is played.
MOST_WORDS = 12


def data_of(at, name):
    """The data of the page's component that has an entry of this name."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    (data,) = [data for data in found if name in data]
    return data


def view_of(run_id="reference", alpha=0.0, beta=0.0):
    trajectory = cache.trajectory(run_id)
    return View(run_id, cache.description(run_id), trajectory, alpha, beta, len(trajectory.records), SIGNED)


def tiles(data, name):
    """The images of one of the flow's pictures, as pixels."""
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data[name]))).convert("RGBA"))
    return [pixels[start : start + data["side"]] for start in range(0, len(pixels), data["side"] + 1)]


@pytest.mark.parametrize(("iteration", "alpha"), [(1, 0.0), (4, 0.0), (20, 0.0), (9, 0.7)])
def test_the_flow_ends_with_the_very_atoms_of_its_iteration(home, iteration, alpha):
    """Oracle: the selection of the same weights, drawn by the function that draws the wall."""
    at = open_page()
    at.slider(key="alpha").set_value(alpha)
    at.slider(key="method_step").set_value(iteration).run()
    data = data_of(at, "stages")
    atoms = load_reference().reselect(alpha, 0).atoms.reshape(20, 10, -1)[iteration - 1]
    assert base64.b64decode(data["kept"]) == mosaic(atoms[:, None], colors=SIGNED)
    learned = tiles(data, "learned")
    assert all(np.array_equal(learned[of], kept) for of, kept in zip(data["origins"], tiles(data, "kept"), strict=True))
    assert [name for name, _ in data["names"]] == [str(digit) for digit in range(10)]
    assert f"iteration {iteration} " in data["title"]


def test_the_flow_begins_with_images_that_the_iteration_drew(home):
    """Oracle: the run's own list of drawn signals, class by class."""
    run = own_run(home)
    drawn = method.look_at(view_of(run.id), 2).drawn
    signals = signals_at("digits", places_of(run).learned[run.trajectory.records[1].drawn])
    places = [np.flatnonzero((signals == one).all(axis=1)) for one in drawn]
    assert all(len(found) for found in places)
    assert [int(found[0]) // 30 for found in places] == [*range(10), *range(6)]


@pytest.mark.parametrize("noise", ["std", "variance"])
def test_the_flows_noise_is_as_strong_as_the_runs(home, noise):
    run = own_run(home, noise=noise, tau2=0.3)
    view = view_of(run.id)
    first, second = (method.look_at(view, number) for number in (1, 2))
    assert np.array_equal(first.drawn, first.noisy)
    spread = second.drawn.std(axis=1) if noise == "std" else second.drawn.var(axis=1)
    sizes = (second.noisy - second.drawn).std(axis=1) / spread
    assert sizes.mean() == pytest.approx(0.3, rel=0.1)


def test_the_bars_say_who_uses_the_judged_atom(home):
    data = data_of(open_page(), "stages")
    record, found = load_reference().records[3], method.look_at(view_of(), 4)
    shares = [share for _, share, *_ in data["bars"]]
    assert shares == pytest.approx(record.tables.p[:, found.judged], abs=1e-4)
    marks = {mark: number for number, (*_, mark) in enumerate(data["bars"]) if mark}
    first, second = np.argsort(-np.array(shares), kind="stable")[:2]  # D5: of equal ones the smallest class
    assert marks == {"ℓ⁺": first, "ℓ*": second}
    judged = mosaic(record.atoms[found.judged][None, None], colors=SIGNED)
    assert np.array_equal(
        tiles(data, "learned")[data["judged"]], np.asarray(Image.open(io.BytesIO(judged)).convert("RGBA"))
    )


def test_of_many_classes_those_that_use_the_atom_most_have_bars():
    shares = np.linspace(0.1, 0.9, 30)
    images = np.eye(16)
    names = [f"name {c}" for c in range(30)]
    drawn = figures.flow(
        "",
        images,
        images,
        images,
        judged=0,
        origins=range(16),
        classes=names,
        shares=shares,
        top=29,
        second=28,
        stages=[],
    )
    assert [name for name, *_ in drawn.bars] == [str(c) for c in range(22, 30)]
    assert [mark for *_, mark in drawn.bars[-2:]] == ["ℓ*", "ℓ⁺"]


def test_captions_are_short_and_have_the_runs_numbers(home):
    run = own_run(home, tau1=0.25, tau2=0.3, q=0.25)
    view = view_of(run.id)
    found = method.look_at(view, 2)
    said = method.captions(view, found)
    assert max(len(text.split(" ")) for text in said) <= MOST_WORDS
    for text, numbers in zip(
        said, [("t = 30", "× 0.25"), ("0.3 σ",), ("M = 64", "16"), (), ("10 of 64",)], strict=True
    ):
        assert all(number in text for number in numbers), text
    share = run.trajectory.records[1].tables.p[found.top, found.judged]
    assert f"{100 * share:.0f}\u00a0% of class {found.top}" in said[3]
    assert "No noise" in method.captions(view, method.look_at(view, 1))[1]


def test_every_step_opens_its_page_with_what_it_shows(home, monkeypatch):
    opened = []
    monkeypatch.setattr(frame, "go", lambda page, values=None: opened.append((page, values)))
    at = open_page()
    for step in range(5):
        at.session_state["flow"] = {"picked": [step, step + 1]}
        at.run()
    found = method.look_at(view_of(), 4)
    assert opened == [
        ("train", {}),
        ("train", {}),
        ("atoms", {"atom": f"4:{found.judged}"}),
        ("measures", {"measured": "4", "spot": str(found.judged)}),
        ("atoms", {"atom": f"{found.top}.4"}),
    ]
    names = {"train": "Train", "atoms": "Atoms", "measures": "Measures"}
    assert [opens for *_, opens in data_of(at, "stages")["stages"]] == [names[page] for page, _ in opened]


def test_an_atom_of_the_wall_opens_its_own_page_with_the_same_run(home):
    run = own_run(home)
    at = open_page()
    at.selectbox(key="run").set_value(run.id).run()
    at.session_state["dictionary"] = {"picked": [3, 1, 1]}
    at.run()
    assert not at.exception
    assert at.title[0].value != "Atoms that tell digits apart"
    assert address(at) == {"run": run.id, "atom": "3.2"}
    at.switch_page("pages/overview.py").run()
    assert at.title[0].value == "Atoms that tell digits apart"


@pytest.mark.parametrize(
    ("key", "sent"), [("dictionary", [10, 0, 1]), ("dictionary", [0, 20, 1]), ("flow", [5, 1]), ("flow", ["0", 1])]
)
def test_a_click_beside_everything_opens_nothing(home, key, sent):
    at = open_page()
    at.session_state[key] = {"picked": sent}
    at.run()
    assert not at.exception
    assert at.title[0].value == "Atoms that tell digits apart"


def test_every_atom_tells_its_class_its_iteration_and_its_measure(home):
    hover = data_of(open_page(), "hover")["hover"]
    scores = load_reference().reselect(0, 0).scores
    assert hover[3][6] == f"class 3, iteration 7\nm = {scores[6, 3]:.3f}"
    assert [len(row) for row in hover] == [20] * 10


def test_the_wall_marks_the_column_whose_way_is_shown(home):
    at = open_page()
    at.slider(key="method_step").set_value(7).run()
    assert [name for name, color in data_of(at, "hover")["columns"] if color] == ["7"]


@pytest.mark.parametrize("page", ["draw", "train", "measures", "accuracy"])
def test_what_to_try_first_is_one_click_away(home, page):
    at = open_page()
    at.button(key=f"to_{page}").click().run()
    assert not at.exception
    assert at.title[0].value == open_page(page).title[0].value
