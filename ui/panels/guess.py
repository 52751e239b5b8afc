"""Predict, then reveal: a question in a dialog, its answer with the numbers, and the score of the visit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.digit.atom_reader import AtomReader, Explanation
from ui import figures, questions, texts
from ui.components import charts, walls
from ui.figures import Mark, Wall
from ui.panels import replay
from ui.questions import Pool, Question
from ui.state import View

_STATE = "guess"
_WALL = "guess_choices"
NONE = phrase(
    "There is nothing clear enough to ask here. Choose something else on the page, such as another drawing or run."
)
NO_OTHER = phrase("That was the only question here. Choose something else on the page for others.")
RIGHT_COLOR, WRONG_COLOR = "#0b7285", "#c2410c"


@dataclass
class _Game:
    """Where a visit's guessing stands."""

    question: Question | None = None
    given: int | None = None
    right: int = 0
    asked: int = 0
    last: str = ""
    wanted: str = ""


def on_draw(model: AtomReader, explanation: Explanation, names: Sequence[str], colors: list) -> None:
    """Which atom does OMP take next?"""
    _button(
        "draw",
        say("Guess which atom OMP takes next, before you see it."),
        lambda: questions.next_atoms(
            model.trace(explanation), model.atoms, [names[label] for label in model.atom_classes], explanation.signal
        ),
        colors,
    )


def on_measures(view: View, iteration: int) -> None:
    """Whose class is this atom?"""
    record = view.trajectory.records[iteration - 1]
    _button(
        "measures",
        say("Guess whose atom it is, before you see its bars."),
        lambda: questions.whose_atoms(record, iteration, view.classes),
        view.colors,
    )


def on_atoms(view: View) -> None:
    """Which iteration is this from?"""
    tau2 = view.description.settings.tau2
    _button(
        "atoms",
        say("Guess from which iteration an atom is."),
        lambda: questions.which_iterations(view.selection, view.classes, tau2),
        view.colors,
    )


def _button(name: str, meaning: str, pool: Callable[[], Pool], colors: list) -> None:
    st.button(
        say("Guess first"),
        key=f"guess_{name}",
        icon=":material/quiz:",
        type="tertiary",
        help=meaning,
        on_click=_open,
        args=(name,),
    )
    game = _game()
    if game.wanted == name:
        game.wanted = ""
        found = pool()
        _ask(found)
        st.dialog(say("Guess first"), width="medium", icon=":material/quiz:")(_dialog)(found, colors)


def _open(name: str) -> None:
    """Want the dialog of a page; a film that goes on would close it."""
    replay.stop()
    _game().wanted = name


def _game() -> _Game:
    return st.session_state.setdefault(_STATE, _Game())


def _rng() -> np.random.Generator:
    """A visit's own random numbers: two visitors are asked different things."""
    return st.session_state.setdefault("guess_rng", np.random.default_rng())


def _ask(pool: Pool) -> None:
    """Go on to another question."""
    game = _game()
    game.question, game.given = questions.pick(pool, game.last, _rng()), None
    if game.question is not None:
        game.last = game.question.name


def _answer(choice: int) -> None:
    """Count an answer; only the first one to a question."""
    game = _game()
    if game.question is None or game.given is not None or not 0 <= choice < len(game.question.choices):
        return
    game.given = choice
    game.asked += 1
    game.right += choice == game.question.right


def _dialog(pool: Pool, colors: list) -> None:
    game = _game()
    question = game.question
    if question is None:
        st.info(say(NO_OTHER if pool else NONE))
        return
    picked = walls.newly_picked(_WALL, 1, len(question.choices)) if question.pictures is not None else None
    if picked:
        _answer(picked[1])
    st.markdown(f"**{texts.plain(question.text)}**")
    _show_pictures(question, game.given, colors)
    _show_choices(question, game.given)
    _show_answer(game)
    _show_end(game, pool)


def _show_pictures(question: Question, given: int | None, colors: list) -> None:
    """What is asked about, and the choices if they are pictures."""
    title = say("Left over") if question.pictures is not None else say("The atom")
    alone = figures.wall(question.picture[None, None], title, colors, cell=150)
    walls.show(alone, title, "guess_about")
    if question.pictures is not None:
        walls.show(_marked(question, given, colors), say("The atoms to choose from."), _WALL)


def _marked(question: Question, given: int | None, colors: list) -> Wall:
    """The choices in a row; once one was given, the right one and the given one are framed."""
    wall = figures.wall(
        question.pictures[None],
        say("The choices"),
        colors,
        columns=question.choices,
        hover=[list(question.choices)] if given is None else None,
        cell=120,
    )
    if given is None:
        return wall
    marks = [Mark(0, question.right, RIGHT_COLOR, "✓")]
    if given != question.right:
        marks.append(Mark(0, given, WRONG_COLOR, "✗"))
    return replace(wall, marks=marks)


def _show_choices(question: Question, given: int | None) -> None:
    with st.container(horizontal=True, key="guess_buttons"):
        for number, label in enumerate(question.choices):
            mark = "" if given is None else "✓ " if number == question.right else "✗ " if number == given else ""
            st.button(
                f"{mark}{texts.plain(label)}",
                key=f"guess_{number}",
                on_click=_answer,
                args=(number,),
                disabled=given is not None,
                shortcut=None if charts.on_phone() else str(number + 1),
            )


def _show_answer(game: _Game) -> None:
    """Whether it was right, and why, in one sentence with its numbers; an empty place before."""
    question = game.question
    if question is None:
        return
    why = texts.plain(question.why)
    if game.given is None:
        last = len(question.choices)
        st.caption(
            say("Choose one.") if charts.on_phone() else say("Choose one, or press a key 1 … {last}.", last=last)
        )
    elif game.given == question.right:
        st.success(f"{say('Right.')} {why}", icon=":material/check:")
    else:
        right = texts.plain(question.choices[question.right])
        st.warning(f"{say('It is {right}.', right=right)} {why}", icon=":material/close:")


def _show_end(game: _Game, pool: Pool) -> None:
    """The score and the next question."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say("Score: **{right} of {asked}** right", right=game.right, asked=game.asked), width="content")
        st.button(
            say("Next question"),
            key="guess_next",
            type="primary",
            on_click=_ask,
            args=(pool,),
            disabled=game.given is None,
            shortcut=None if charts.on_phone() else "Enter",
        )
