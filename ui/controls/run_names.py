"""Runs in lists: labels that all differ, and boxes that pick by id.

A browser sends back the label that was chosen, so equal labels would be one run, and a label
that has changed since it was drawn would be none.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.runs.store import Listed
from ui import links

GONE = phrase("The run in this link was not found. It was deleted, or it is on another server.")
_BETWEEN = " · "
#: Labels that are remembered for a box.
_REMEMBERED = 2000


class _Before(NamedTuple):
    """What a box showed before: the runs of its labels, the chosen run and its label."""

    ids: dict[str, str]
    chosen: str
    label: str


def labels(lines: Iterable[Listed], state: Callable[[Listed], str]) -> dict[str, str]:
    """Ids and labels of runs: name, state and date, and the end of the id where these are the same."""
    lines = list(lines)
    found = {line.run.id: _BETWEEN.join((name(line), state(line), date(line))) for line in lines}
    for tail in (6, 64):  # the whole id if even its end is the same
        often = Counter(found.values())
        found = {i: label if often[label] == 1 else f"{label}{_BETWEEN}{i[-tail:]}" for i, label in found.items()}
    return found


def name(line: Listed) -> str:
    """What a run is called."""
    return line.about.name or line.run.id


def date(line: Listed) -> str:
    """When a run was made, in the server's time."""
    if not line.about.created:
        return say("no date")
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(line.about.created))


def pick(
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    usual: int = 0,
    place: Any = st,
    linked: bool = False,
    everywhere: bool = False,
    instead: str = "",
    **options: Any,
) -> str:
    """A box to choose a run of ``names`` (id -> label); returns the chosen id.

    The choice stays with the run when labels change, when other runs come or go, and when the
    visitor comes back from another page.  At first the run at place ``usual`` is chosen.

    Parameters
    ----------
    linked : bool
        Whether links carry the choice, by its id.
    everywhere : bool
        Whether the box stands on every page.
    place : container or None
        None draws no box and keeps what was chosen on another page.
    instead : str
        What to say behind :data:`GONE` if a link names a run that is not here.
    """
    before = st.session_state.get(f"{key}_before", _Before({}, "", ""))
    # Old links name a run by what it was called.
    kind = links.one_of(names, {run_id: text.rsplit(_BETWEEN, 2)[0] for run_id, text in names.items()})
    gone = f"{key}_gone"
    if linked and links.is_new(key):
        st.session_state[gone] = links.look_up(key, kind, None) is None
        links.mark_due(key)
    if not (linked and links.is_due(key)):
        _keep_choice(names, key, usual, before)
    if linked:
        chosen = links.draw(
            place and place.selectbox,
            label,
            list(names),
            key=key,
            kind=kind,
            default=list(names)[usual],
            check=names.__contains__,
            everywhere=everywhere,
            format_func=names.get,
            **options,
        )
    else:
        chosen = place.selectbox(label, list(names), format_func=names.get, key=key, **options)
    if before.chosen not in ("", chosen):  # the visitor has chosen since
        st.session_state.pop(gone, None)
    if st.session_state.get(gone):
        st.warning(f"{say(GONE)} {instead}")
    ids = before.ids if len(before.ids) < _REMEMBERED else {}
    ids = ids | {text: run_id for run_id, text in names.items()}
    st.session_state[f"{key}_before"] = _Before(ids, chosen, names[chosen])
    return chosen


def _keep_choice(names: Mapping[str, str], key: str, usual: int, before: _Before) -> None:
    """Keep the chosen run of a box even if the run's label has changed since."""
    value = st.session_state.pop(f"{key}_next", None) or st.session_state.get(key, before.chosen)
    chosen = value if value in names else before.ids.get(value)
    if chosen not in names:
        st.session_state.pop(key, None)
        if usual:  # not as the box's own default, which would contradict a value that is set
            st.session_state[key] = list(names)[usual]
    elif chosen != st.session_state.get(key) or names[chosen] != before.label:
        st.session_state[key] = chosen  # tells the browser the label that the run has now


def choose(run_id: str, key: str) -> None:
    """Make a box choose a run when it is drawn next."""
    st.session_state[f"{key}_next"] = run_id
