"""Messages that no browser of ours sends, through a real websocket."""

import json

import pytest
from websockets.exceptions import ConnectionClosedError

from benchmarks.visitor import Visitor
from ui.components.canvas import examples

SHEET = "digit_canvas"


@pytest.fixture
def visitor(server):
    found = Visitor(server, "draw")
    found.run(timeout=120)
    assert found.errors == []
    yield found
    found.close()


def drawing(**parts):
    return json.dumps({"drawing": {"id": 1, "strokes": [], "photo": None, "brush": 20} | parts})


def test_a_drawing_is_answered_and_not_sent_back(visitor):
    visitor.run([visitor.state(SHEET, drawing(strokes=examples()[7]))])
    shown = visitor.components[SHEET]
    assert shown["answer"]["digit"] == 7
    assert shown["seen"] == 1
    assert "strokes" not in shown


FORGED = {
    "number of 5000 digits": '{"drawing": {"id": 1' + "0" * 5000 + "}}",
    "a hundred thousand lists": "[" * 100_000,
    "nested state": '{"drawing": ' + "[" * 900 + "]" * 900 + "}",
    "no JSON": "{{{",
    "no object": "5",
    "infinity": '{"drawing": {"id": Infinity, "strokes": [[[NaN, 1]]]}}',
    "truth": '{"drawing": true}',
    "many points": drawing(strokes=[[[1, 2]] * 30_000]),
}


def test_forged_states_are_an_empty_sheet(visitor):
    for name, text in FORGED.items():
        visitor.run([visitor.state(SHEET, text)])
        assert visitor.errors == [], name
        assert visitor.components[SHEET]["answer"] is None, name


def test_a_message_too_large_is_dropped_unread_and_the_next_visitor_is_served(visitor, server):
    large = '{"drawing": [' + ",".join(["1"] * 600_000) + "]}"
    with pytest.raises(ConnectionClosedError, match="1009"):
        visitor.run([visitor.state(SHEET, large)])
    other = Visitor(server, "draw")
    other.run()
    other.run([other.state(SHEET, drawing(strokes=examples()[3]))])
    assert other.components[SHEET]["answer"]["digit"] == 3
    other.close()
