"""What atoms are ranked by: a ranking and the weights α and β, wherever they are set."""

from typing import Any

import streamlit as st

from dasksvd import rankings
from dasksvd.common.language import say
from ui import links, texts

#: Lattice points may round above 1.
ROUNDING = 1e-9
#: What a control can show, in the words of its help.
RANGE = "0 … 1, α + β ≤ 1."


def pick_ranking(key: str, default: str, place: Any = st, everywhere: bool = False) -> str:
    """A box with all rankings there are; without a place, what it would show."""
    titles = texts.titles(rankings.RANKINGS)
    return links.choose(
        place and place.selectbox,
        say("Rank atoms by"),
        titles,
        key=key,
        default=default,
        everywhere=everywhere,
        help=say("Of the atoms that a class uses most often, the one with the largest score is selected."),
    )


def pick_weights(alpha_place: Any = st, beta_place: Any = st, disabled: bool = False) -> tuple[float, float]:
    """Two sliders; both start at 0, together they are at most 1, so the one that is moved pushes the other down."""
    alpha = _slider(
        alpha_place,
        ("alpha", say("α · activation frequency"), "beta"),
        say("Weight of $m_{af} = (p^+ - p^*)/p^+$: how much more often the class uses the atom than its rival."),
        1.0,
        disabled,
    )
    beta = _slider(
        beta_place,
        ("beta", say("β · coefficient magnitude"), "alpha"),
        say("Weight of $m_{cm} = (q^+ - q^*)/q^+$: how much larger its mean coefficient $|a|$ is."),
        _rest(alpha),
        disabled,
    )
    pushed = st.session_state.pop("pushed", None)
    if pushed and beta_place:
        symbol, value = {"alpha": ("α", alpha), "beta": ("β", beta)}[pushed]
        beta_place.caption(
            say("The three weights add up to 1, so {symbol} went down to {value:.2f}.", symbol=symbol, value=value)
        )
    return alpha, beta


def formula(ranking: str, alpha: float, beta: float) -> str:
    """A ranking's formula with the weights filled in."""
    numbers = {r"(1-\alpha-\beta)": max(0, 1 - alpha - beta), r"\alpha": alpha, r"\beta": beta}
    text = rankings.formula_of(ranking)
    for symbol, value in numbers.items():
        text = text.replace(symbol, f"{value:.2f}")
    shown = f"${text}$" if text else say(rankings.RANKINGS[ranking].title)
    return shown if rankings.uses_weights(ranking) else say("{shown}: α and β are not used.", shown=shown)


def _slider(place: Any, names: tuple[str, str, str], meaning: str, room: float, disabled: bool) -> float:
    key, label, other = names
    return links.draw(
        place and place.slider,
        label,
        0.0,
        1.0,
        key=key,
        kind=links.Kind(lambda text: min(links.number(text), room), links.short),
        default=0.0,
        check=lambda value: 0 <= value <= room + ROUNDING,
        everywhere=True,
        step=0.01,
        disabled=disabled,
        on_change=_make_room,
        args=(key, other),
        help=f"{meaning} {RANGE}",
    )


def _make_room(moved: str, other: str) -> None:
    """A weight was moved: the other one leaves what is left."""
    room = _rest(st.session_state[moved])
    if st.session_state[other] > room + ROUNDING:
        st.session_state[other] = room
        st.session_state["pushed"] = other


def _rest(weight: float) -> float:
    return round(1 - weight, 10)
