"""What the browser says about a click is checked before it is used."""

import json
from dataclasses import asdict

import numpy as np
import pytest
import streamlit as st

from ui import figures, frame
from ui.components import as_data, maps, plots, walls
from ui.panels import atom_picks

#: None of these is a place on a wall or a spot of a plot.
JUNK = (
    [float("inf"), 1],
    [1, float("nan")],
    [True, 1],
    [1.5, 2],
    ["3", "7"],
    [[1], [2]],
    [1, 2, 3, 4],
    [10**400, 1],
    {"0": 1},
    {3: 1, 7: 2},
    "37",
    True,
    False,
    2.0,
    float("inf"),
    10**400,
)


@pytest.fixture
def sent(monkeypatch):
    """A function that pretends that the browser has sent something."""

    def send(value):
        monkeypatch.setattr(st, "session_state", {"chart": {"picked": value}})

    return send


@pytest.mark.parametrize(
    ("value", "place"),
    [([3, 7, 9], (3, 7)), ([30, 7, 9], None), ([3, 70, 9], None), ([-1, 2, 9], None), (None, None)]
    + [([3, 7], None), ([3, 7, "9"], None), ([3, 7, 9, 9], None), ([True, 7, 9], None), ("abc", None)]
    + [(junk, None) for junk in JUNK],
)
def test_a_picked_picture_is_inside_its_wall(sent, value, place):
    sent(value)
    assert walls.newly_picked("chart", 10, 20) == place


@pytest.mark.parametrize(
    ("value", "spot"),
    [([5, 9], 5), ([0, 9], 0), ([10, 9], None), ([-1, 9], None), ("5", None), (5, None), (None, None), ([], None)]
    + [(junk, None) for junk in JUNK],
)
def test_a_picked_spot_is_one_of_the_plot(sent, value, spot):
    sent(value)
    assert plots.picked_in("chart", 10) == spot


@pytest.mark.parametrize("state", [5, True, "picked", ["picked"], float("nan")])
def test_a_state_that_is_none_picks_nothing(monkeypatch, state):
    monkeypatch.setattr(st, "session_state", {"chart": state})
    assert walls.newly_picked("chart", 10, 20) is None
    assert plots.picked_in("chart", 10) is None


@pytest.mark.parametrize(("value", "cell"), [(5, 5), (10, None), (-1, None), ("5", None), (True, None), (1.0, None)])
def test_a_picked_cell_is_one_of_the_map(sent, value, cell):
    sent(value)
    assert maps.picked_in("chart", 10) == cell


def test_nothing_is_picked_before_the_first_click(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    assert walls.newly_picked("chart", 10, 20) is None
    assert plots.picked_in("chart", 10) is None
    assert walls.newly_picked("chart", 10, 20) is None


@pytest.mark.parametrize(
    ("value", "opened"),
    [([3, 6, 9], "3.7"), ([30, 6, 9], None), ([3, 20, 9], None), ([9, 19, 9], "9.20"), (None, None), ("abc", None)]
    + [(junk, None) for junk in JUNK],
)
def test_an_atom_picked_on_any_page_opens_the_atoms_page(sent, monkeypatch, value, opened):
    gone = []
    monkeypatch.setattr(frame, "go", lambda page, values: gone.append((page, values)))
    sent(value)
    for _ in range(2):  # once: a wall goes on sending what was picked last
        atom_picks.open_picked("chart", 10, 20, "some-run")
    assert gone == ([("atoms", {"run": "some-run", "atom": opened})] if opened else [])


@pytest.mark.parametrize("text", ["3.7", "0.1", "7:0", "20:255"])
def test_the_name_of_an_atom_comes_back_from_a_link(text):
    assert atom_picks.KIND.format(atom_picks.KIND.parse(text)) == text


def test_a_figure_goes_to_the_browser_as_a_copy_of_it_would():
    bars = figures.class_bars(np.array([0.1, 0.4, 0.2]), "abc", 1, 2, "bars", "share")
    sent = as_data({"figure": bars, "places": [(0, [1, 2.5])], "none": None, "on": True})
    assert json.dumps(sent) == json.dumps({"figure": asdict(bars), "places": [[0, [1, 2.5]]], "none": None, "on": True})


def test_no_list_goes_to_the_browser_because_streamlit_would_load_pandas():
    def lists(value):
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        return isinstance(value, list) or any(map(lists, inside))

    spots = [figures.Spot(0, 1, "red", "one")]
    assert not lists(as_data({"plot": figures.Plot("dots", "", "", "", spots, [(0, "zero")], (0, 1)), "list": [[1]]}))
