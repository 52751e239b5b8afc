"""What the weights change: the atoms that they exchange, as pairs of old and new."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from ui import components, figures, links
from ui.components import MANY, charts, walls
from ui.panels import measures_panel
from ui.state import View

#: Pairs shown at most, and side by side on a phone.
MOST, ON_PHONE = 24, 8
ALL = "all"
_SHOWN = "pairs_shown"


@dataclass(frozen=True)
class Pair:
    """An exchanged atom: its class and iteration (both from 0), the atom chosen at α = β = 0 and the one chosen now."""

    row: int
    iteration: int
    old: int
    new: int


def pairs_of(view: View) -> list[Pair]:
    """All atoms that weights and ranking have exchanged, by iteration and class."""
    old, new = view.papers_selection.index, view.selection.index
    return [Pair(int(c), int(l), int(old[l, c]), int(new[l, c])) for l, c in zip(*np.nonzero(old != new), strict=True)]


def show(view: View) -> None:
    """How many atoms are exchanged, and each with its successor."""
    pairs = pairs_of(view)
    st.header(say("What the weights change"))
    counts = np.bincount([pair.row for pair in pairs], minlength=len(view.classes))
    st.markdown(
        say(
            "At {weights_text}, **{count} of {size}** selected atoms differ from those that the paper's m selects at "
            "α = β = 0.",
            weights_text=view.weights_text,
            count=len(pairs),
            size=view.selection.index.size,
        )
        + "".join(
            say(" Class {classe}: {count}.", classe=view.classes[c], count=count)
            for c, count in enumerate(counts)
            if count
        )
        + ("" if pairs else say(" Move the point in the triangle, or α and β: each exchanged atom is shown here."))
    )
    row = _pick_class(view, len(pairs))
    chosen = [pair for pair in pairs if row in (ALL, str(pair.row))]
    shown = chosen[:MOST] if row == ALL else chosen
    st.session_state[_SHOWN] = shown
    width = ON_PHONE if charts.on_phone() else MOST
    for first in range(0, len(shown), width):
        _wall(view, shown[first : first + width], first)
    if len(shown) < len(chosen):
        st.caption(say("And {count} more: choose a class to see all of its pairs.", count=len(chosen) - len(shown)))


def _pick_class(view: View, count: int) -> str:
    """Whose pairs are shown; a box only where there are too many for one wall."""
    if count <= MOST:
        return ALL
    names = {ALL: say("all classes")} | {str(c): say("class {name}", name=name) for c, name in enumerate(view.classes)}
    return links.choose(st.selectbox, say("Show the pairs of"), names, key="exchanged", width=220)


def _wall(view: View, pairs: Sequence[Pair], first: int) -> None:
    records = view.trajectory.records
    images = np.stack(
        [
            [records[pair.iteration].atoms[pair.old] for pair in pairs],
            [records[pair.iteration].atoms[pair.new] for pair in pairs],
        ]
    )
    scores = [_scores(view, pair) for pair in pairs]
    wall = figures.wall(
        images,
        say(
            "Above: chosen at α = β = 0. Below: chosen now. Then class · iteration, and {score_name} old, new",
            score_name=view.score_name,
        )
        if first == 0
        else say("Pairs {first} to {first2}", first=first + 1, first2=first + len(pairs)),
        view.colors,
        columns=[
            f"{view.classes[pair.row]}·{pair.iteration + 1}\n{old:.2f}\n{new:.2f}"
            for pair, (old, new) in zip(pairs, scores, strict=True)
        ],
        column_classes=[pair.row for pair in pairs],
        hover=[
            [
                say(
                    "class {classe}, iteration {iteration}: atom {pair}, chosen {when}\n{score_name} = {score:.3f} at "
                    "{weights_text}",
                    classe=view.classes[pair.row],
                    iteration=pair.iteration + 1,
                    pair=getattr(pair, which),
                    when=when,
                    score_name=view.score_name,
                    score=score[place],
                    weights_text=view.weights_text,
                )
                for pair, score in zip(pairs, scores, strict=True)
            ]
            for place, (which, when) in enumerate((("old", say("at α = β = 0")), ("new", say("now"))))
        ],
        cell=64,
    )
    walls.show(
        replace(wall, rows=[(say("old"), ""), (say("new"), "")]),
        say("{count} pairs of pictures: the atom chosen at α = β = 0 above the atom chosen now.", count=len(pairs)),
        f"pairs_{first}",
    )


def _scores(view: View, pair: Pair) -> tuple[float, float]:
    """What the current ranking and weights give the old atom and the new one."""
    scores = view.trajectory.scores(pair.iteration, view.alpha, view.beta, view.ranking)
    return float(scores[pair.old]), float(scores[pair.new])


def follow_click() -> None:
    """Look at an atom that was clicked in a pair; before the controls that name it are drawn."""
    shown: list[Pair] = st.session_state.get(_SHOWN, [])
    for first in range(0, len(shown), ON_PHONE):
        line, column = components.newly_picked(f"pairs_{first}", 2) or (MANY, MANY)
        if line < 2 and first + column < len(shown):
            pair = shown[first + column]
            links.put(measures_panel.ITERATION, str(pair.iteration + 1))
            links.put(measures_panel.ATOM, str(pair.new if line else pair.old))
