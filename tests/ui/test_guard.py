"""Values that no page has sent: whatever Streamlit cannot read is as if not sent."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from ui import guard


@pytest.fixture
def states():
    """A function that gives all values after the browser has sent some text for a component."""
    guard.install()
    guard.install()  # as every run of the app does

    def read(text):
        found = WStates()
        found.set_widget_metadata(
            WidgetMetadata("one", lambda value: {} if value is None else value, lambda value: value, "json_value")
        )
        found.set_widget_from_proto(WidgetState(id="one", json_value=text))
        return dict(found)

    return read


def test_what_can_be_read_is_read(states):
    assert states('{"picked": [1, 2]}') == {"one": {"picked": [1, 2]}}
    full = '{"strokes": [' + ",".join(["[1,2]"] * 5000) + "]}"
    assert len(states(full)["one"]["strokes"]) == 5000


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, '{"id": 1' + "0" * 5000 + "}", '{"drawing": [' + ",".join(["[]"] * 20_000) + "]}"],
    ids=["nothing", "half", "deep", "long number", "many"],
)
def test_what_cannot_be_read_is_as_if_not_sent(states, text):
    assert states(text) == {}


@pytest.mark.parametrize("error", [KeyError, IndexError, TypeError, ValueError, RecursionError])
def test_a_value_that_a_widget_does_not_know_is_as_if_not_sent(states, error):
    def read(value):
        if value is not None:
            raise error
        return "first"

    found = WStates()
    found.set_widget_metadata(WidgetMetadata("one", read, str, "int_value"))
    found.set_widget_from_proto(WidgetState(id="one", int_value=99))
    assert "one" not in found


def test_a_value_of_another_kind_is_as_if_not_sent_also_if_its_widget_comes_later(states):
    found = WStates()
    found.set_widget_from_proto(WidgetState(id="one", string_value="12"))
    found.set_widget_metadata(WidgetMetadata("one", lambda value: value, str, "int_value"))
    assert "one" not in found


def test_a_value_without_a_widget_is_still_missing(states):
    found = WStates()
    found.set_widget_from_proto(WidgetState(id="one", int_value=1))
    assert found.get("one") is None
    with pytest.raises(KeyError):
        found["two"]
