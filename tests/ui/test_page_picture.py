"""Reading pictures that are no drawings: held-out ones and a visitor's own."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import numpy as np
import pytest
from PIL import Image

from dasksvd.datasets import load
from dasksvd.datasets.parts import signals_of
from dasksvd.digit.reader import load_reader
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import places_of
from tests.datasets.intake.made import encoded
from tests.ui.harness import address, button, headers, home, own_run, shown_by, texts  # noqa: F401
from tests.ui.test_links import visit
from ui import cache, pictures, readers
from ui.components import canvas
from ui.panels import picture_choice

CLOTHES, RUN = "reference_clothes_reader_20", "reference-clothes"


@pytest.fixture
def page(home):
    return visit("draw", reader=CLOTHES)


def pick(at, place, columns=7):
    at.session_state[picture_choice.KEY] = {"picked": [*divmod(place, columns), 1 + place]}
    at.run()
    assert not at.exception, at.exception
    return at


def drop(at, content, name="a.png"):
    (uploader,) = at.file_uploader
    uploader.set_value([(name, content, "")]).run()
    assert not at.exception, at.exception
    return at


def answer(at):
    return headers(at)[0]


def read(at):
    """What the strip was told."""
    return shown_by(at, "digit_way")["read"]


def test_the_page_is_full_on_the_first_visit(page):
    assert page.title[0].value == "Read a picture"
    assert headers(page)[1] == f"Why {answer(page)}?"
    assert len(read(page)["answer"]["atoms"]) == 8
    assert address(page)["reader"] == CLOTHES


def test_each_held_out_picture_gets_the_readers_own_answer(page):
    """Oracle: the shipped file, asked without the page."""
    model, names = load_reader(readers.offered()[CLOTHES].path), cache.description(RUN).classes
    signals, labels, _ = pictures.held_out(RUN, 0)
    expected = model.classify(signals).argmax(axis=1)
    for place in (3, 12, 19):
        pick(page, place)
        assert answer(page).replace("\\", "") == names[expected[place]]
        told = "Right." if expected[place] == labels[place] else f"Wrong: it is {names[labels[place]]}."
        assert told in texts(page).replace("\\", "")


def test_a_link_shows_the_same_picture_and_an_unknown_one_the_first(page):
    pick(page, 14)
    link = address(page)
    assert answer(visit("draw", **link)) == answer(page)
    assert read(visit("draw", **link)) == read(page)
    assert "picture_place" not in address(visit("draw", reader=CLOTHES, picture_place="-7"))


def test_others_are_others_and_none_was_learned_from(page):
    before = read(page)
    page.button(key="other_pictures").click().run()
    assert address(page)["handful"] == "1"
    assert read(page) != before
    places = places_of(cache.base_run(RUN))
    for number in range(3):
        signals, labels, offered = pictures.held_out(RUN, number)
        assert len(set(offered) & set(places.learned)) == 0
        assert set(labels) == set(range(10))
        data = load("fashion_mnist")
        np.testing.assert_array_equal(signals, signals_of("fashion_mnist", data.train_images[offered]))


def test_a_dropped_picture_is_read_as_it_would_be_learned_from(page):
    image = load("fashion_mnist").test_images[3]
    drop(page, encoded(image))
    signal = image.reshape(-1).astype(np.float32) / 255
    best = load_reader(readers.offered()[CLOTHES].path).classify(signal[None]).argmax()
    assert answer(page) == cache.description(RUN).classes[best]
    assert "something else is read as one of the classes" in texts(page)
    page.button(key="no_picture").click().run()
    assert "Right." in texts(page) or "Wrong" in texts(page)


def test_a_picture_is_read_that_is_dropped_after_another_was_picked(page):
    """A pick takes a dropped picture away, and with it the control that it was dropped on."""
    for place in (3, 5):
        pick(page, place)
        before = read(page)
        drop(page, encoded(load("fashion_mnist").test_images[3]))
        assert "something else is read as one of the classes" in texts(page)
        assert read(page) != before


def test_dark_things_on_white_are_exchanged_unless_one_says_otherwise(page):
    image = load("fashion_mnist").test_images[3]
    drop(page, encoded(255 - image))
    assert page.toggle[0].value is True
    exchanged = read(page)["answer"]
    fresh = drop(visit("draw", reader=CLOTHES), encoded(image))
    assert fresh.toggle[0].value is False
    assert read(fresh)["answer"] == exchanged
    page.toggle[0].set_value(False).run()
    assert read(page)["answer"] != exchanged


BROKEN = (b"nothing", b"\x89PNG\r\n\x1a\n" + bytes(40), encoded(Image.new("1", (9000, 9000))))


@pytest.mark.parametrize("content", BROKEN, ids=["text", "head", "too large"])
def test_what_cannot_be_read_is_said_and_the_held_out_picture_stays(page, content):
    before = read(page)
    drop(page, content)
    assert "The picture cannot be read" in page.error[0].value
    assert read(page) == before


def test_a_black_picture_has_a_sentence_in_place_of_an_answer(page):
    drop(page, encoded(np.zeros((20, 20), np.uint8)))
    assert "all black" in page.warning[0].value
    assert not headers(page)


def test_every_explanation_of_a_picture_is_shown(page):
    said = {"Step by step": "Each step takes", "Sparse code": "every stem is", "Neighbours": "training pictures"}
    for view, words in (said | {"For and against": "The lead is the score of"}).items():
        page.segmented_control(key="explain_view").set_value(view).run()
        assert not page.exception, (view, page.exception)
        assert words in texts(page)
        assert "digit" not in texts(page)


def test_what_needs_strokes_is_offered_for_drawings_only(home):
    at = visit("draw", explain_view="least", reader=CLOTHES)
    assert at.segmented_control(key="explain_view").value == "For and against"
    assert "Least stroke" not in at.segmented_control(key="explain_view").options
    assert "sheet" not in texts(at)
    at.session_state["canvas"] = {"drawing": {"id": 1, "strokes": canvas.examples()[7], "brush": 20}}
    at.selectbox(key="reader").set_value("default_model").run()
    at.segmented_control(key="explain_view").set_value("Least stroke").run()
    at.selectbox(key="reader").set_value(CLOTHES).run()
    assert not at.exception, at.exception
    assert at.segmented_control(key="explain_view").value == "For and against"


def test_another_reader_changes_the_page_to_drawings_and_back(page):
    page.selectbox(key="reader").set_value("default_model").run()
    assert page.title[0].value == "Draw a digit"
    page.selectbox(key="reader").set_value("reference_small_reader_20").run()
    assert page.title[0].value == "Read a picture"
    assert len(shown_by(page, "digit_way")["labels"]) == 10


def test_an_evaluated_run_of_ones_own_reads_pictures(home):
    run = own_run(home)
    evaluate_run(run, Plan(hidden=12))
    at = visit("draw", reader=run.id)
    assert at.title[0].value == "Read a picture"
    assert at.selectbox(key="reader").value == run.id
    runs = visit("runs", picked=run.id)
    door = button(runs, "Read a picture")
    assert not door.disabled
