"""Parallel coordinates: axes through values, ranges from the browser and from links, and what they hide."""

import pytest
import streamlit as st

from ui import links
from ui.components import parallel
from ui.components.parallel import KIND, axis_of, brushed, keeps

NUMBERS = axis_of("q", "q (%)", [10, 40, None, 20])
NAMES = axis_of("data", "data", ["mnist", "digits", None])
AXES = [NUMBERS, NAMES]


def test_an_axis_goes_through_its_values_and_gives_them_back():
    assert (NUMBERS.low, NUMBERS.high, NAMES.names) == (10, 40, ("digits", "mnist"))
    assert [NUMBERS.share(value) for value in (10, 25, 40, None, "x")] == [0, 0.5, 1, None, None]
    assert [NAMES.share(value) for value in ("digits", "mnist", "pear", 3, None)] == [0, 1, None, None, None]
    for value in (10, 20, 40):
        assert NUMBERS.value(NUMBERS.share(value), up=True) == pytest.approx(value, rel=1e-3)
    three = axis_of("data", "data", ["a", "b", "c"])
    assert [three.value(share, up=False) for share in (0, 0.2, 0.5, 1)] == ["a", "b", "b", "c"]
    assert [three.value(share, up=True) for share in (0, 0.2, 0.5, 1)] == ["a", "a", "b", "c"]


def test_what_does_not_differ_has_no_axis():
    assert axis_of("q", "q", [1, 1, None]) is None
    assert axis_of("q", "q", []) is None


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ({"q": 20}, True),
        ({"q": 10}, True),
        ({"q": 30.1}, False),
        ({"q": None}, False),
        ({}, False),
        ({"q": "20"}, False),
    ],
)
def test_a_range_keeps_what_lies_within_it(row, kept):
    assert keeps({"q": (10, 30)}, row) == kept
    assert keeps({}, row)


@pytest.mark.parametrize(
    "brush", [{"q": (10.0, 30.5)}, {"data": ("a:b~c", "ü %"), "q": (-1.0, 2.0)}, {"K-SVD iterations": (1.0, 1.0)}]
)
def test_ranges_come_back_from_a_link(brush):
    assert KIND.parse(KIND.format(brush)) == brush


@pytest.mark.parametrize("text", ["q", "q:1", "q:1:2:3", "q:nan:1", "q:x:y", "~"])
def test_a_link_that_is_no_range_is_refused(text):
    with pytest.raises(ValueError, match=r"unpack|convert|nan"):
        KIND.parse(text)


@pytest.fixture
def sent(monkeypatch):
    """Pretend that the browser has sent something; nothing stands in the address."""
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(links, "look_up", lambda link, kind, default: state.get("link", default))
    monkeypatch.setattr(links, "note", lambda link, kind, value, default: state.update(link=value))

    def send(value):
        state["chart"] = {"brush": value}
        return brushed("chart", AXES, "brush")

    return send


def test_a_range_from_the_browser_counts_once_and_stays(sent):
    assert sent([[[0, 0.0, 0.5]], 1]) == {"q": (10, 25.0)}
    st.session_state["link"] = {"q": (30.0, 40.0)}  # a link since then
    assert sent([[[0, 0.0, 0.5]], 1]) == {"q": (30.0, 40.0)}
    assert sent([[[1, 1.0, 1.0], [0, 0.5, 1.0]], 2]) == {"data": ("mnist", "mnist"), "q": (25.0, 40)}
    assert sent([[], 3]) == {}


def test_ranges_of_axes_that_are_not_shown_stay(sent):
    st.session_state["link"] = {"t": (1.0, 5.0)}
    assert sent([[[0, 0.0, 0.5]], 1]) == {"t": (1.0, 5.0), "q": (10, 25.0)}


JUNK = [None, 5, "brush", [], [[]], [[[0, 0, 1]], "now"], [[5], 1], [[[0, 0, 1]] * 3, 1], {"brush": 1}]
RANGES = [[2, 0, 1], [-1, 0, 1], [0, 0.6, 0.5], [0, -1, 1], [0, 0, 2], [0, float("nan"), 1], [True, 0, 1], [0, 0]]


@pytest.mark.parametrize("junk", [*JUNK, *([[one], 1] for one in RANGES)])
def test_junk_from_the_browser_changes_nothing(sent, junk):
    assert sent(junk) == {}


def test_an_axis_tells_its_ends_in_few_characters():
    assert [parallel.short_text(value) for value in (0.125, 42210.4, 1000, 96.03)] == ["0.125", "42,210", "1,000", "96"]
