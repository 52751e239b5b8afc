"""The networks of the shipped reader on Draw, what it learns from corrections, and the least stroke."""

import numpy as np

import dasksvd
from dasksvd.digit import from_strokes
from tests.ui.test_page_draw import draw, headings, own_store, page  # noqa: F401
from ui.components import canvas

# ruff: noqa: F811 (``page`` is a fixture that is imported)


def test_q_swaps_in_the_network_trained_for_it_unless_it_is_to_stay(page):
    draw(page, canvas.examples()[8])
    model = dasksvd.load_default_model()
    image = from_strokes(canvas.examples()[8], canvas.SIZE)[None]
    page.slider(key="reader_q_100").set_value(6).run()
    swapped = page.session_state["read_by"].model
    np.testing.assert_array_equal(
        swapped.predict_proba(image), model.trained_for(5).restricted(6, 20).predict_proba(image)
    )
    told = " ".join(caption.value for caption in page.caption)
    share = next(network.accuracy for network in model.networks if network.n_nonzero == 5)
    assert f"Network for q = 5: {100 * share:.1f} % of held-out images" in told
    page.toggle(key="reader_keeps").set_value(True).run()
    kept = page.session_state["read_by"].model
    np.testing.assert_array_equal(kept.predict_proba(image), model.restricted(6, 20).predict_proba(image))


def test_a_correction_is_learned_at_once_and_can_be_taken_back(page):
    draw(page, canvas.examples()[7])
    before = page.session_state["read_by"].model
    assert before.corrections is None
    page.pills(key="really").set_value(1).run()
    learned = page.session_state["read_by"].model
    np.testing.assert_array_equal(learned.corrections.labels, [1])
    assert headings(page)[-1] == "Why 1?"
    page.pills(key="really").set_value(2).run()  # the same drawing, named otherwise
    np.testing.assert_array_equal(page.session_state["read_by"].model.corrections.labels, [2])
    page.button(key="unlearn").click().run()
    assert page.session_state["read_by"].model.corrections is None
    assert headings(page)[-1] == "Why 7?"


def test_a_right_answer_teaches_nothing(page):
    draw(page, canvas.examples()[7])
    page.button(key="right").click().run()
    assert page.session_state["read_by"].model.corrections is None


def test_the_least_stroke_is_looked_for_when_asked(page):
    draw(page, canvas.examples()[7])
    page.segmented_control(key="explain_view").set_value("Least stroke").run()
    page.button(key="find_least").click().run()
    assert not page.exception
    said = " ".join(caption.value for caption in page.caption)
    assert "The atom on the right switched" in said or page.info
