"""Predict, then reveal, under Streamlit's test harness: the dialog, its score, and that it asks about the page."""

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.ui.harness import open_page, own_run
from tests.ui.harness import texts as said
from tests.ui.test_links import visit
from ui import texts
from ui.panels import guess

pytestmark = pytest.mark.usefixtures("home")
PAGES = ("draw", "measures", "atoms")


def ask(at, page):
    at.button(key=f"guess_{page}").click().run()
    assert not at.exception, at.exception
    return at.session_state["guess"]


def answer(at, choice):
    at.button(key=f"guess_{choice}").click().run()
    assert not at.exception, at.exception
    return at.session_state["guess"]


def verdicts(at):
    return [*at.success, *at.warning]


@pytest.fixture(params=PAGES)
def asked(request):
    """A page whose dialog is open, and then the dialog alone: the harness runs all of a page again at every click."""
    at = open_page(request.param)
    at.session_state["guess_rng"] = np.random.default_rng(3)
    game = ask(at, request.param)
    assert f"**{texts.plain(game.question.text)}**" in said(at)
    return alone(at), game


def alone(at):
    """The dialog with the state of a page whose dialog was just opened."""

    def script():
        import streamlit as st

        from ui import cache, figures, questions
        from ui.panels import guess

        run = cache.reference().reselect(0, 0, 20)
        if st.session_state["guess"].question.pictures is None:
            pool = questions.which_iterations(run, [str(label) for label in range(10)], 0.1)
        else:
            from dasksvd.method.trace import trace

            signal = run.atoms[0] + run.atoms[11]
            pool = questions.next_atoms(trace(signal, run.atoms, 5), run.atoms, run.classes.tolist(), signal)
        guess._dialog(pool, figures.SIGNED)

    dialog = AppTest.from_function(script, default_timeout=60)
    for name in ("guess", "guess_rng"):
        dialog.session_state[name] = at.session_state[name]
    return dialog.run()


def test_a_right_and_a_wrong_answer_are_counted_and_explained(asked):
    at, game = asked
    assert not verdicts(at)
    assert at.button(key="guess_next").disabled
    game = answer(at, game.question.right)
    assert (game.right, game.asked) == (1, 1)
    assert at.success[0].value == f"Right. {texts.plain(game.question.why)}"
    first = game.question.name
    at.button(key="guess_next").click().run()
    game = at.session_state["guess"]
    assert game.question.name != first
    assert not verdicts(at)
    game = answer(at, (game.question.right + 1) % len(game.question.choices))
    assert (game.right, game.asked) == (1, 2)
    assert at.warning[0].value.startswith(f"It is {game.question.choices[game.question.right]}. ")
    assert "Score: **1 of 2** right" in said(at)


def test_only_the_first_answer_to_a_question_counts(asked, monkeypatch):
    at, game = asked
    wrong = (game.question.right + 1) % len(game.question.choices)
    answer(at, wrong)
    assert all(at.button(key=f"guess_{number}").disabled for number in range(len(game.question.choices)))
    game = at.session_state["guess"]
    monkeypatch.setattr(st, "session_state", {"guess": game})
    for late in (game.question.right, -1, 99):  # as two quick keys or a forged message say
        guess._answer(late)
        assert (game.given, game.right, game.asked) == (wrong, 0, 1)


def test_the_score_is_that_of_the_visit():
    at = open_page("measures")
    game = ask(at, "measures")
    answer(at, game.question.right)
    at.switch_page("pages/atoms.py").run()
    game = ask(at, "atoms")
    assert (game.right, game.asked, game.given) == (1, 1, None)
    assert "Score: **1 of 1** right" in said(at)


def test_where_nothing_can_be_asked_it_says_so():
    at = visit("atoms", I="1")
    game = ask(at, "atoms")
    assert game.question is None
    assert any(line.value == guess.NONE for line in at.info)


def test_names_of_classes_are_no_markup(home, monkeypatch):
    run = own_run(home, I=2, tau2=0.3)
    monkeypatch.setattr("ui.state.View.classes", [f"![{label}](x)" for label in range(10)])
    at = visit("atoms", run=run.id)
    game = ask(at, "atoms")
    assert "![" in game.question.text
    assert "![" not in said(at)


def test_a_film_stops_for_a_question():
    at = open_page("atoms")
    at.button(key="film_play").click().run()
    ask(at, "atoms")
    assert at.session_state["film_plays"] is False
