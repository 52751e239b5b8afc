"""The row that shows a drawing as the dictionary grows: what it says, and which moments it shows."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json

import numpy as np
import pytest

import dasksvd
from dasksvd.digit import from_strokes, history
from dasksvd.digit.history import Moment
from tests.ui.harness import home, texts  # noqa: F401
from tests.ui.test_explanations import NUMBER, draw
from tests.ui.test_links import visit
from ui.components import canvas, charts
from ui.panels import time_machine

NAMES = [str(number) for number in range(10)]


def moments(*answers):
    return [
        Moment(count, 10 * count, 5, 0.9 * np.eye(10)[answer] + 0.01, np.ones(256, np.float32), 1 / count)
        for count, answer in enumerate(answers, 1)
    ]


def row(at):
    """The data of the component that shows the row."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return next(data for data in found if data.get("name") == "das-ksvd-time_machine")


def test_the_row_is_the_history_of_the_drawing(home):
    at = draw(visit("draw", explain_view="time", reader_q_100="12"))
    model = dasksvd.load_default_model().trained_for(12).restricted(12, 20)
    signal = dasksvd.reduce_images(from_strokes(canvas.examples()[NUMBER], canvas.SIZE)[None])[0]
    found = history.moments(model, signal)
    shown = row(at)
    assert [name for name, _ in shown["columns"]] == [
        f"{moment.per_class}\n→ {moment.answer}\n{100 * moment.left:.0f} %" for moment in found
    ]
    first = history.readable_from(found)
    assert shown["column"] == first - 1
    assert f"**Readable from iteration {first} on**" in texts(at)


def test_fewer_atoms_are_a_shorter_history(home):
    at = draw(visit("draw", explain_view="time", reader_atoms_20="3"))
    assert row(at)["n_columns"] == 3


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([3, 3, 7, 7], "**Readable from iteration 3 on**: with 30 atoms the answer becomes 7"),
        ([3, 3, 7, 7], "before it was 3"),
        ([7, 7], "**Readable from iteration 1 on**: its 10 atoms already say 7 (91.0 %)"),
        ([7, 7], "Left over: 100.0 % after iteration 1, 50.0 % after 2."),
    ],
)
def test_the_verdict_names_the_iteration_and_its_numbers(answers, said):
    found = moments(*answers)
    assert said in time_machine._verdict(found, history.readable_from(found), True, NAMES)


def test_what_is_no_digit_does_not_become_readable():
    said = time_machine._verdict(moments(3, 7), 2, False, NAMES)
    assert "no digit" in said
    assert "Readable" not in said


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("count", [1, 2, 9, 20, 47])
def test_first_last_and_readable_are_always_shown(monkeypatch, phone, count):
    monkeypatch.setattr(charts, "on_phone", lambda: phone)
    for first in range(1, count + 1):
        shown = time_machine._shown(count, first)
        assert {0, count - 1, first - 1} <= set(shown)
        assert shown == sorted(set(shown))
        assert len(shown) == min(count, time_machine.MOST_ON_PHONE if phone else time_machine.MOST)
