"""One name for all tabs of a browser."""

import secrets

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from ui import visitor


class Context:
    """What Streamlit tells of a tab."""

    def __init__(self, cookie=None):
        self.cookies = {} if cookie is None else {visitor.COOKIE: cookie}


@pytest.fixture
def named(monkeypatch):
    """A function: the name of a visitor with that cookie, in a tab of its own."""

    def name(cookie=None):
        monkeypatch.setattr(st, "context", Context(cookie))
        monkeypatch.setattr(st, "session_state", {})
        return visitor.name()

    return name


def test_all_tabs_of_a_browser_have_one_name(named):
    """The oracle is the server, which writes one secret differently into every answer."""
    secret = secrets.token_bytes(16)
    cookies = {generate_xsrf_token_string(secret, 1_700_000_000 + second) for second in range(5)}
    assert len(cookies) == 5
    assert len({named(cookie) for cookie in cookies}) == 1


def test_browsers_have_different_names_that_do_not_show_their_secrets(named):
    found = [secrets.token_bytes(16) for _ in range(5)]
    names = [named(generate_xsrf_token_string(secret)) for secret in found]
    assert len(set(names)) == 5
    assert not any(secret.hex()[:8] in name for secret, name in zip(found, names, strict=True))


@pytest.mark.parametrize("cookie", [None, "", "2|", "2|zz|zz|1", "2||abcd|1", "2|00|00", "3|00|abcd|1", "é|1|2|3"])
def test_a_tab_without_a_proper_cookie_has_a_name_of_its_own(named, cookie):
    names = {named(cookie) for _ in range(3)}
    assert len(names) == 3
    assert visitor.name() == visitor.name()
