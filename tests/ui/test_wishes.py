"""What a lecturer's link hides and fixes, and the links that the dialog makes."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.harness import address, home, open_page  # noqa: F401
from tests.ui.test_links import send, visit
from ui import navigation, wishes
from ui.panels import share
from ui.wishes import Wishes


def rules(at):
    return " ".join(one.proto.body for one in at.get("html"))


def test_what_is_fixed_keeps_its_value_whatever_happens(home):
    at = visit("measures", alpha="0.3", fix="alpha")
    assert at.slider(key="alpha").disabled
    assert not at.slider(key="beta").disabled
    send(at, "alpha", double_array_value=[0.9])  # as only a forged message can
    assert at.slider(key="alpha").value == 0.3
    at.switch_page("pages/grid_search.py").run()
    assert at.slider(key="alpha").value == 0.3
    assert at.slider(key="alpha").disabled
    assert address(at) == {"alpha": "0.3", "fix": "alpha"}


def test_what_is_hidden_is_hidden_on_every_page_that_is_opened_from_there(home):
    at = visit("measures", hide="/train~run~share")
    for page in ("measures", "overview"):
        at.switch_page(f"pages/{page}.py").run()
        assert ".stApp .st-key-run { display: none !important; }" in rules(at)
        assert 'li:has(a[href$="/train"])' in rules(at)
        assert address(at)["hide"] == "/train~run~share"
    assert not [one for one in at.button if one.key == "to_train"], "a door to a hidden page"
    assert [one for one in at.button if one.key == "to_draw"]


def test_a_page_without_wishes_has_no_rules_of_them(home):
    at = open_page("measures")
    assert "display: none !important" not in rules(at).split("</style>")[-1]
    assert wishes.rules_for(Wishes()) == ""


def test_the_presenter_view_has_its_controls_on_the_page_and_can_be_ended(home):
    at = visit("measures", present="1")
    assert not at.sidebar.slider
    assert at.slider(key="alpha")
    next(one for one in at.button if one.key == "share_end").click().run()
    assert address(at) == {}
    assert at.sidebar.slider(key="alpha")


@given(st.text(max_size=60))
def test_nothing_but_names_gets_into_the_rules(text):
    try:
        names = wishes.NAMES.parse(text)
    except ValueError:
        return
    for rule in wishes.rules_for(Wishes(hidden=tuple(names))).splitlines():
        assert rule.count("{") == rule.count("}") == 1
        assert "<" not in rule
        assert ";" not in rule.replace("display: none !important;", "")


@pytest.mark.parametrize("text", ["a{}", "</style>", "a b", "a;b", "//", "a~<b>", "~".join(100 * ["a"])])
def test_wishes_that_are_no_names_are_not_heard(home, text):
    at = visit("measures", hide=text, fix=text)
    assert not at.exception
    assert address(at) == {}


def test_a_shared_link_says_what_the_page_says_and_what_is_wished(monkeypatch):
    monkeypatch.setattr(share, "here", lambda: "http://here/measures")
    link = share.link_to({"alpha": "0.3", "hide": "run"}, Wishes(("/train", "share"), ("alpha",), True))
    said = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert said == {"alpha": "0.3", "hide": "/train~share", "fix": "alpha", "present": "1"}
    assert share.link_to({}, Wishes()) == "http://here/measures"


@pytest.mark.parametrize(
    ("came", "page", "found"),
    [
        ("http://host:8501/", "measures", "http://host:8501/measures"),
        ("http://host:8501/draw", "measures", "http://host:8501/measures"),
        ("https://host/demo/draw", "draw", "https://host/demo/draw"),
        ("https://host/demo", "overview", "https://host/demo/"),
        ("https://host/demo/grid_search", "overview", "https://host/demo/"),
    ],
)
def test_the_address_of_a_page_is_that_of_the_visitors_browser(monkeypatch, came, page, found):
    monkeypatch.setattr(share.st, "context", type("Context", (), {"url": came}))
    monkeypatch.setattr(share.links, "page", lambda: page)
    assert share.here() == found


def test_every_page_can_be_hidden():
    for name in navigation.PAGES:
        assert f"/{navigation.path(name)}" in wishes.rules_for(Wishes(hidden=(f"/{name}",)))
