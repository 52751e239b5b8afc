"""The draw page under Streamlit's test harness; what is drawn arrives as the canvas would send it."""

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

import dasksvd
from dasksvd.digit import from_strokes
from tests.ui.harness import APP
from ui import readers
from ui.components import canvas, way
from ui.components.canvas import Drawing
from ui.panels import collection, reader

VIEWS = ("For and against", "Step by step", "Sparse code", "Neighbours", "Time machine", "Least stroke")


@pytest.fixture(autouse=True)
def own_store(home):
    """Every page looks at an empty store of the server's own."""


@pytest.fixture
def page():
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    at.switch_page("pages/draw.py").run()
    assert not at.exception, at.exception
    return at


def draw(at, strokes=(), photo=None, number=1):
    at.session_state["canvas"] = {"drawing": {"id": number, "strokes": list(strokes), "photo": photo, "brush": 20}}
    at.run()
    assert not at.exception, at.exception
    return at


def headings(at):
    return [heading.value for heading in at.header]


def answer(strokes, **restricted):
    """What the sheet is told about a drawing."""
    model = dasksvd.load_default_model()
    if restricted:
        model = model.trained_for(restricted["n_nonzero"]).restricted(**restricted)
    image = from_strokes(strokes, canvas.SIZE)
    return canvas._answer(image, model.explain(image), model)


def answer_of(strokes):
    return int(dasksvd.load_default_model().predict(from_strokes(strokes, canvas.SIZE)[None])[0])


def test_an_empty_sheet_invites(page):
    assert "Draw something above" in page.info[0].value
    assert page.button(key="right").disabled
    assert "Why" not in " ".join(headings(page))


@pytest.mark.parametrize("number", range(10))
def test_examples_are_read_as_what_they_are(number):
    assert answer_of(canvas.examples()[number]) == number


def test_a_drawing_is_answered_and_every_view_explains_it(page):
    draw(page, canvas.examples()[7])
    assert headings(page)[-1] == "Why 7?"
    for view in VIEWS:
        page.segmented_control(key="explain_view").set_value(view).run()
        assert not page.exception, (view, page.exception)
        assert headings(page)[-1] == "Why 7?"


def test_two_atoms_are_too_few_and_the_page_says_what_it_reads_then(page):
    draw(page, canvas.examples()[8])
    model = dasksvd.load_default_model()
    page.slider(key=f"reader_q_{model.longest}").set_value(2).run()
    image = from_strokes(canvas.examples()[8], canvas.SIZE)
    expected = int(model.trained_for(2).restricted(2, 20).predict(image[None])[0])
    assert headings(page)[-1] == f"Why {expected}?"
    assert "q = **2** of 200 atoms, 1.0 %" in " ".join(caption.value for caption in page.caption)
    for q in (2, 1):
        page.slider(key=f"reader_q_{model.longest}").set_value(q).run()
        for view in VIEWS:
            page.segmented_control(key="explain_view").set_value(view).run()
            assert not page.exception, (q, view)


def test_fewer_atoms_per_class_are_used_at_once(page):
    draw(page, canvas.examples()[3])
    page.slider(key="reader_atoms_20").set_value(4).run()
    assert not page.exception
    page.segmented_control(key="explain_view").set_value("Neighbours").run()
    assert not page.exception


def test_a_damaged_model_is_replaced_by_the_shipped_one(tmp_path):
    (tmp_path / "classifier.npz").write_bytes(b"nothing")
    for path in (tmp_path / "classifier.npz", tmp_path / "missing.npz"):
        np.testing.assert_array_equal(readers.load(path).weights[0], dasksvd.load_default_model().weights[0])


def test_the_drawing_survives_a_page_switch(page):
    draw(page, canvas.examples()[4], number=9)
    page.switch_page("pages/overview.py").run()
    page.switch_page("pages/draw.py").run()
    assert headings(page)[-1] == "Why 4?"
    assert page.session_state[canvas.KEPT].id == 9


def test_charts_wait_while_the_pen_moves_and_follow_when_it_is_lifted(page):
    draw(page, canvas.examples()[2], number=1)
    sent = {"id": 2, "strokes": canvas.examples()[7], "photo": None, "brush": 20, "live": True}
    shown_at, reading = page.session_state["explained"]
    page.session_state["explained"] = (shown_at + 1000, reading)  # just shown
    page.session_state["canvas"] = {"drawing": sent}
    page.run()
    assert headings(page)[-1] == "Why 2?"
    page.session_state["canvas"] = {"drawing": sent | {"id": 3, "live": False}}
    page.run()
    assert headings(page)[-1] == "Why 7?"


def test_an_older_message_does_not_undo_a_newer_drawing(page):
    draw(page, canvas.examples()[2], number=5)
    draw(page, canvas.examples()[6], number=4)
    assert headings(page)[-1] == "Why 2?"


LETTER_A = [[[60, 250], [140, 30], [220, 250]], [[95, 170], [185, 170]]]
NO_DIGITS = {
    "dot": ([[[140, 140]]], "a dot"),
    "all over": (
        [[[x, y] for y in range(0, 280, 8) for x in ((0, 280), (280, 0))[y // 8 % 2]]],
        "more ink than a digit has",
    ),
    "two lines": ([[[20, 60], [20, 220]], [[200, 60], [200, 220]]], "two digits"),
    "twelve": (
        [[[40, 60], [40, 220]], *([[0.5 * x + 110, 0.6 * y + 50] for x, y in part] for part in canvas.examples()[2])],
        "two digits",
    ),
    "A": (LETTER_A, "does not look like a digit"),
}


@pytest.mark.parametrize("kind", NO_DIGITS)
def test_what_is_no_digit_gets_a_sentence_and_no_digit(page, kind):
    strokes, words = NO_DIGITS[kind]
    explanation = dasksvd.load_default_model().explain(from_strokes(strokes, canvas.SIZE))
    sentence = reader._sentence(explanation)
    assert words in sentence
    assert "sure" not in sentence
    assert answer(strokes)["digit"] is None
    draw(page, strokes)
    assert headings(page)[-1] == reader.NO_DIGIT
    assert page.button(key="right").disabled


def test_a_line_is_a_one_and_sure():
    explanation = dasksvd.load_default_model().explain(from_strokes([[[140, 20], [140, 260]]], canvas.SIZE))
    assert re.fullmatch(r"9\d\.\d % sure\.|More than 99.9 % sure\.", reader._sentence(explanation))
    assert answer([[[140, 20], [140, 260]]])["digit"] == 1


def test_a_moving_pen_is_not_told_that_half_a_digit_is_none():
    explanation = dasksvd.load_default_model().explain(from_strokes(LETTER_A, canvas.SIZE))
    assert "Keep drawing" in reader._sentence(explanation, live=True)


def test_fewer_atoms_make_a_digit_harder_to_read_and_no_less_a_digit():
    """What is refused is a matter of the drawing, not of the controls that make reading it fail."""
    image = from_strokes(canvas.examples()[8], canvas.SIZE)
    assert dasksvd.load_default_model().restricted(1, 1).explain(image).doubt is None


def test_a_digit_that_was_refused_can_still_be_named(page):
    draw(page, LETTER_A)
    page.pills(key="really").set_value(4).run()
    assert [(sample.label, sample.answer) for sample in page.session_state[collection.KEY]] == [(4, collection.NONE)]


NUMBERS = [0, -1, 1.5]
JUNK = [True, False, None, "x", "", float("nan"), float("inf"), -float("inf"), 10**400, 2**53, [], {}, [[]]]
FORGED = [
    *JUNK,
    *NUMBERS,
    [1, 2],
    {"id": 1},
    {"strokes": [[[1, 2]]]},
    *({"id": junk, "strokes": [[[1, 2]]]} for junk in (*JUNK, -1, 1.5)),
    *({"id": 7, "strokes": junk} for junk in (*JUNK[:-1], *NUMBERS, {"0": 1}, "no", [5], [True], ["ab"], [None])),
    *({"id": 7, "strokes": [[junk, [3, 4]]]} for junk in (*JUNK, *NUMBERS, [1], [1, 2, 3], [[1, 2]], {"x": 1, "y": 2})),
    *({"id": 7, "strokes": [[[junk, 2], [3, 4]]]} for junk in (*JUNK, 1e9, [1], {"x": 1})),
    *({"id": 7, "photo": junk} for junk in (*JUNK, *NUMBERS) if junk != "x"),
    {"id": 7, "photo": "data:image/png;base64," + "A" * 10**6},
    {"id": 7, "strokes": [[[1, 2]]] * (canvas.MAX_STROKES + 1)},
    {"id": 7, "strokes": [[[1, 2]] * (canvas.MAX_POINTS + 1)]},
]


def test_a_hundred_forged_states_are_an_empty_sheet(page):
    assert len(FORGED) >= 100
    for number, sent in enumerate(FORGED, start=10):
        if isinstance(sent, dict) and sent.get("id") == 7:
            sent = sent | {"id": number}  # an older id would be ignored for its age alone
        page.session_state["canvas"] = {"drawing": sent}
        page.run()
        assert not page.exception, sent
        assert "Draw something above" in page.info[0].value, sent
        assert page.session_state[canvas.KEPT].is_empty, sent


@pytest.mark.parametrize("brush", [*JUNK, *NUMBERS, 10**9])
def test_a_forged_brush_is_a_brush(brush):
    assert 1 <= canvas._checked({"id": 1, "brush": brush}).brush <= 60


@pytest.mark.parametrize("state", [5, True, "drawing", ["drawing"], float("inf")])
def test_a_forged_state_of_the_sheet_is_an_empty_sheet(page, state):
    page.session_state["canvas"] = state
    page.run()
    assert not page.exception
    assert "Draw something above" in page.info[0].value


def test_a_drawing_is_not_sent_back_to_the_sheet_it_was_drawn_on(page, monkeypatch):
    shown = []
    monkeypatch.setattr(canvas, "_component", lambda **options: shown.append(options["data"]))
    draw(page, canvas.examples()[4], number=9)
    assert {"strokes", "photo"}.isdisjoint(shown[-1])
    page.switch_page("pages/overview.py").run()
    page.switch_page("pages/draw.py").run()
    assert shown[-1]["strokes"] == canvas.examples()[4]


def url(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def test_a_photo_is_read(page):
    large = Image.fromarray(255 - from_strokes(canvas.examples()[5], 280)).resize((300, 300))
    draw(page, photo=url(large))
    assert headings(page)[-1] == "Why 5?"


@pytest.mark.parametrize("photo", ["data:image/png;base64,AAAA", "nothing", "data:,%%%", url(Image.new("L", (1, 1)))])
def test_a_broken_photo_is_no_crash(page, photo):
    draw(page, photo=photo)
    assert "Draw something above" in page.info[0].value


def test_a_yes_keeps_drawing_and_explanation_and_says_thanks(page):
    draw(page, canvas.examples()[7])
    page.button(key="right").click().run()
    assert not page.exception
    assert headings(page)[-1] == "Why 7?"
    assert page.session_state[canvas.KEPT].strokes == tuple(canvas.examples()[7])
    assert "Thanks" in " ".join(text.value for text in page.markdown)
    page.button(key="next_sheet").click().run()
    assert page.session_state[canvas.KEPT].is_empty
    assert "Draw something above" in page.info[0].value
    assert "Was I right?" in " ".join(text.value for text in page.markdown)


def test_a_drawing_is_judged_once_and_the_last_word_counts(page):
    draw(page, canvas.examples()[7])
    page.button(key="right").click().run()
    page.pills(key="really").set_value(1).run()
    assert [(sample.label, sample.answer) for sample in page.session_state[collection.KEY]] == [(1, 7)]


def test_right_and_wrong_answers_are_kept_and_scored(page):
    draw(page, canvas.examples()[7], number=1)
    page.button(key="right").click().run()
    assert not page.exception
    assert "**1 of 1** right" in " ".join(caption.value for caption in page.caption)
    draw(page, canvas.examples()[0], number=2)
    page.pills(key="really").set_value(6).run()
    assert not page.exception
    assert "**1 of 2** right" in " ".join(caption.value for caption in page.caption)
    kept = page.session_state[collection.KEY]
    assert [(sample.label, sample.answer) for sample in kept] == [(7, 7), (6, 0)]
    np.testing.assert_array_equal(kept[0].image, from_strokes(canvas.examples()[7], 280))


def test_kept_drawings_come_back_through_load_pair(tmp_path):
    images = np.stack([from_strokes(strokes, 280) for strokes in canvas.examples()])
    kept = [collection.Sample(image, number, (number + 1) % 10) for number, image in enumerate(images)]
    (tmp_path / "drawings.npz").write_bytes(collection.as_npz(kept))
    loaded, labels = dasksvd.load_pair(tmp_path / "drawings.npz")
    np.testing.assert_array_equal(loaded, images)
    np.testing.assert_array_equal(labels, np.arange(10))


def test_nothing_is_kept_without_being_asked(page):
    draw(page, canvas.examples()[7])
    assert page.session_state[collection.KEY] == []


def test_a_drawing_of_the_canvas_is_the_image_of_its_strokes():
    strokes = canvas.examples()[3]
    np.testing.assert_array_equal(Drawing(1, tuple(strokes)).image(), from_strokes(strokes, canvas.SIZE))


def levels(text, kind=np.int8):
    return np.frombuffer(base64.b64decode(text), kind)


def test_the_way_has_the_first_atoms_of_the_code_and_little_more():
    model = dasksvd.load_default_model()
    explained = model.explain(from_strokes(canvas.examples()[8], canvas.SIZE))
    sent = answer(canvas.examples()[8])
    assert sent["atoms"] == explained.atoms[: way.N_ATOMS].tolist()
    assert sent["classes"] == model.atom_classes[sent["atoms"]].tolist()
    np.testing.assert_allclose(sent["coefficients"], explained.coefficients[: way.N_ATOMS], atol=6e-4)
    atoms = model.atoms[sent["atoms"]]
    shown = levels(sent["pictures"]).reshape(atoms.shape)
    np.testing.assert_allclose(shown / 127, atoms / np.abs(atoms).max(axis=1, keepdims=True), atol=0.005)
    assert sent["left"] == pytest.approx(explained.residuals[-1] / explained.residuals[0], abs=1e-4)
    assert len(json.dumps(sent)) < 6000


def test_the_way_of_a_short_code_is_short():
    sent = answer(canvas.examples()[8], n_nonzero=3, per_class=20)
    assert (len(sent["atoms"]), sent["n_atoms"], len(levels(sent["pictures"]))) == (3, 3, 3 * 256)


def test_the_nearest_training_digit_of_a_training_digit_is_itself():
    model = dasksvd.load_default_model()
    codes = readers.training_codes(readers.offered()[readers.SHIPPED], model.n_nonzero, 20)
    np.testing.assert_array_equal((codes[:50] @ codes.T).argmax(axis=1), np.arange(50))
