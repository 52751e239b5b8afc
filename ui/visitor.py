"""A name for each visitor's browser; the queue needs nothing else."""

import binascii
import hashlib
import secrets

import streamlit as st

#: The server's own cookie against forged requests: one secret per browser, the same in all of its tabs.
COOKIE = "_streamlit_xsrf"


def name() -> str:
    """A name made from the browser's secret, which it does not reveal; without a secret, the tab's name."""
    secret = _secret(st.context.cookies.get(COOKIE, ""))
    if secret:
        return hashlib.sha256(b"visitor of the queue: " + secret).hexdigest()[:16]
    # Made up once; ``st.session_state`` is the tab's own.
    return st.session_state.setdefault("visitor", secrets.token_hex(8))


def _secret(cookie: str) -> bytes:
    """The secret in a cookie ``2|mask|masked secret|time``; the cookie's text differs in every answer."""
    try:
        version, mask, masked, _ = cookie.strip("\"'").split("|")
        mask, masked = binascii.a2b_hex(mask), binascii.a2b_hex(masked)
    except ValueError:
        return b""
    if version != "2" or not mask:
        return b""
    return bytes(byte ^ mask[place % len(mask)] for place, byte in enumerate(masked))
