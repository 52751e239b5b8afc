"""The visitor's language: chosen by the link, else by the browser."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dasksvd.common import language
from dasksvd.common.language import ENGLISH, languages
from ui import kinds, links

#: In links.
KEY = "lang"
#: What the visitor speaks, for the threads in which pieces of a page run by themselves.
_STATE = "language"


def begin() -> None:
    """Begin a run of the whole script: everything from here on is said in the visitor's language."""
    text = links.coming(KEY)
    _speak(text if text in languages() else of_browser())


def settle() -> None:
    """Keep the language in the address; say everything again if a link to another page has changed it."""
    kind = kinds.one_of(list(languages()))
    chosen = links.take(KEY, kind, of_browser())
    links.note(KEY, kind, chosen, of_browser(), everywhere=True)
    if chosen != language.current():
        _speak(chosen)
        st.rerun()


def of_browser() -> str:
    """The language that the browser asks for, English if it is none of ours."""
    code = (st.context.locale or "").partition("-")[0].lower()
    return code if code in languages() else ENGLISH


def switch() -> None:
    """Buttons for the other languages, each called what it calls itself."""
    with st.container(key="languages", horizontal=True, gap="xsmall", width="content"):
        for code, name in languages().items():
            if code != language.current():
                st.button(name, key=f"{KEY}_{code}", type="tertiary", on_click=links.put, args=(KEY, code))


def _speak(code: str) -> None:
    st.session_state[_STATE] = code
    language.choose(code)


def _of_session() -> str | None:
    return st.session_state.get(_STATE) if get_script_run_ctx(suppress_warning=True) else None


language.ask(_of_session)
