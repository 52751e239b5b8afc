"""The frame of the pages: a page shows the controls that act on it, and the others keep what they say."""

import pytest

from tests.ui.harness import address, home, open_page  # noqa: F401
from ui import navigation, sidebar
from ui.components import charts

PHONE = "Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36"


def keys(block):
    """Keys of the controls in a part of the page."""
    return {control.key for kind in ("slider", "selectbox", "segmented_control") for control in getattr(block, kind)}


def test_a_page_without_the_controls_keeps_what_they_say(home):  # noqa: F811
    at = open_page("atoms")
    at.slider(key="alpha").set_value(0.3)
    at.slider(key="I").set_value(7).run()
    at.switch_page("pages/accuracy.py").run()
    assert not {"alpha", "beta", "I"} & keys(at.sidebar)
    assert address(at) == {"alpha": "0.3", "I": "7"}
    at.switch_page("pages/measures.py").run()
    assert (at.slider(key="alpha").value, at.slider(key="I").value) == (0.3, 7)


def test_a_link_to_a_page_without_the_controls_is_for_the_next_page_too(home):  # noqa: F811
    at = open_page("overview")
    at.query_params["alpha"] = "0.25"
    at.switch_page("pages/accuracy.py").run()
    at.switch_page("pages/atoms.py").run()
    assert at.slider(key="alpha").value == 0.25


@pytest.mark.parametrize("agent", ["", PHONE])
def test_on_a_phone_the_weights_stand_on_the_page(home, monkeypatch, agent):  # noqa: F811
    monkeypatch.setattr(charts, "on_phone", lambda: "Mobi" in agent)
    at = open_page("atoms")
    assert ("alpha" in keys(at.main), "alpha" in keys(at.sidebar)) == (bool(agent), not agent)
    at.slider(key="alpha").set_value(0.4).run()
    assert address(at)["alpha"] == "0.4"


@pytest.mark.parametrize(
    ("controls", "label"),
    [
        (sidebar.ALL, "Ranking, colours"),
        ((sidebar.LOOK,), "Colours"),
        ((sidebar.RUN, sidebar.WEIGHTS), "Ranking"),
        ((), ""),
    ],
)
def test_a_popover_is_called_by_what_is_in_it(controls, label):
    assert sidebar._called(controls, {sidebar.WEIGHTS: "ranking", sidebar.LOOK: "colours"}) == label


def test_one_weight_pushes_the_other_down(home):  # noqa: F811
    at = open_page("atoms")
    at.slider(key="beta").set_value(0.8).run()
    at.slider(key="alpha").set_value(0.5).run()
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.5, 0.5)


def test_the_controls_have_names_of_their_own():
    assert len(set(sidebar.ALL)) == len(sidebar.ALL) == 4


def test_names_of_icons_and_groups_are_words_and_nothing_that_css_could_read():
    odd = 'x"; } body { display: none'
    navigation.register("odd", title="Odd", icon=odd, group=odd)(print)
    try:
        assert navigation.rules().count("{") == navigation.rules().count("}") == len(navigation.PAGES) + 4
        assert "display:" not in navigation.rules()
    finally:
        navigation.PAGES.unregister("odd")


@pytest.mark.parametrize("name", ["draw", "train"])
def test_colours_alone_take_no_line_of_a_phones_page(home, monkeypatch, name):  # noqa: F811
    monkeypatch.setattr(charts, "on_phone", lambda: True)
    at = open_page(name)
    assert "look" in keys(at.sidebar)
    assert "look" not in keys(at.main)
