"""What is registered is found under its name, in order, and nothing else is."""

import pytest

from dasksvd.common.registry import Registry
from dasksvd.errors import ParameterError


@pytest.fixture
def colours():
    registry = Registry("colour")
    registry.register("red", title="Red", hue=0)("#f00")
    registry.register("blue", title="Blue")("#00f")
    return registry


def test_entries_come_in_order_with_all_that_was_said(colours):
    assert list(colours) == ["red", "blue"]
    assert [(entry.name, entry.title, entry.value, entry.facts) for entry in colours.entries()] == [
        ("red", "Red", "#f00", {"hue": 0}),
        ("blue", "Blue", "#00f", {}),
    ]
    assert "red" in colours
    assert "green" not in colours
    assert len(colours) == 2


@pytest.mark.parametrize("name", ["green", "", None, 3, ["red"]])
def test_an_unknown_name_lists_the_known_ones(colours, name):
    with pytest.raises(ParameterError, match=r"unknown colour .*; known are red, blue"):
        colours[name]


def test_the_same_name_again_replaces_and_keeps_its_place(colours):
    colours.register("red", title="Dark red")("#800")
    assert [entry.title for entry in colours.entries()] == ["Dark red", "Blue"]


def test_a_name_is_checked(colours):
    assert colours.check("red") == "red"
    for name in ("green", None, 3):
        with pytest.raises(ParameterError, match=r"unknown colour .*; known are red, blue"):
            colours.check(name)


def test_an_entry_can_be_taken_over_from_another_registry(colours):
    other = Registry("paint")
    other.add(colours["red"])
    assert other["red"] is colours["red"]


def test_an_entry_can_be_taken_out(colours):
    colours.unregister("red")
    assert list(colours) == ["blue"]
    with pytest.raises(ParameterError, match="unknown colour"):
        colours.unregister("red")


@pytest.mark.parametrize("name", ["two words", "a/b", "", "1st", "../x"])
def test_a_name_can_stand_in_files_and_links(colours, name):
    with pytest.raises(ParameterError, match="name of a colour"):
        colours.register(name, title="?")("#000")


def test_a_declared_entry_is_loaded_when_it_is_asked_for(colours):
    colours.declare("zen", "colorsys:rgb_to_hsv", title="Zen")
    import colorsys

    assert colours["zen"].value is colorsys.rgb_to_hsv
