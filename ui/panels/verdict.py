"""Which of the paper's claims hold: a row for each, with its verdict, its numbers and the evidence behind a button."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from dasksvd.common.language import say
from reproduce import claims
from reproduce.verdicts import Evidence, Verdict, verdict
from ui import figures, frame, stored
from ui.components import charts, forest

#: Icon and colour of each verdict; its word always stands beside them.
CHIPS = {
    Verdict.HOLDS: (":material/check_circle:", "green"),
    Verdict.PARTLY: (":material/contrast:", "orange"),
    Verdict.DEPENDS: (":material/alt_route:", "violet"),
    Verdict.FAILS: (":material/cancel:", "red"),
    Verdict.NOT_SHOWN: (":material/help:", "gray"),
    Verdict.NOT_MEASURED: (":material/hourglass_empty:", "gray"),
}
#: Widths of chip, claim, numbers and button.
WIDTHS = (1.25, 5.6, 1.75, 1.1)


class Judged(NamedTuple):
    """A claim with what was found."""

    claim: claims.Claim
    evidence: Sequence[Evidence]
    verdict: Verdict


def judged() -> list[Judged]:
    """All claims with their evidence."""
    found = [(claim, claim.find()) for claim in claims.CLAIMS]
    return [Judged(claim, evidence, verdict(evidence)) for claim, evidence in found]


def show() -> None:
    """One row for each claim."""
    draw = _stacked if charts.on_phone() else _row
    with st.container(key="claims", gap="xxsmall"):
        if not charts.on_phone():
            _heads()
        for one in stored.computed_from_all(judged):
            with st.container(key=f"claim_{one.claim.key}", gap=None):
                draw(one)


def _heads() -> None:
    heads = (say("verdict"), say("what the paper says, and what we find"), say("points on test images"), "")
    for place, text in zip(st.columns(WIDTHS, vertical_alignment="bottom"), heads, strict=True):
        place.caption(text)


def _row(one: Judged) -> None:
    chip, words, numbers, button = st.columns(WIDTHS, vertical_alignment="center")
    _chip(one, chip)
    words.markdown(_words(one))
    numbers.markdown("  \n".join(_numbers(one)))
    _evidence(one, button, "stretch")


def _stacked(one: Judged) -> None:
    """For a phone: chip and button in one line, words and numbers below."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        _chip(one, st)
        _evidence(one, st, "content")
    st.markdown(_words(one) + "  \n" + " · ".join(_numbers(one)))


def _chip(one: Judged, place: Any) -> None:
    icon, color = CHIPS[one.verdict]
    place.badge(say(one.verdict.value), icon=icon, color=color)


def _words(one: Judged) -> str:
    claim = one.claim
    found = claim.tell(one.evidence) if one.evidence else say("Nothing is stored yet.")
    part = "" if claim.part == claims.TEST else say(" · on {part}", part=say(claim.part))
    return f"**{say(claim.said)}** :small[· {say(claim.source)}{part}]  \n:small[{found}]"


def _numbers(one: Judged) -> list[str]:
    glued = [evidence.whole.text.replace(" ", "\N{NO-BREAK SPACE}") for evidence in one.evidence]
    return [f"{say(evidence.by)} **{text}**" for evidence, text in zip(one.evidence, glued, strict=True)]


def _evidence(one: Judged, place: Any, width: str) -> None:
    """Every difference behind a verdict as a forest plot, with the command that measures it."""
    claim = one.claim
    with place.popover(say("Evidence"), key=f"evidence_{claim.key}", disabled=not one.evidence, width=width):
        if not one.evidence:
            return
        judged = {evidence.by: evidence.judged for evidence in one.evidence}
        places = dict.fromkeys(place for tests in judged.values() for place in tests)
        rows = {say(place): {by: tests[place] for by, tests in judged.items() if place in tests} for place in places}
        kinds = [evidence.by for evidence in one.evidence]
        told = "; ".join(
            f"{place}: " + ", ".join(f"{by} {difference.text}" for by, difference in found.items())
            for place, found in rows.items()
        )
        forest.show(
            figures.forest({"": rows}, say(claim.said), (say(claim.sides[0]), say(claim.sides[1])), kinds),
            say("Differences in points on {part}, with 95 % intervals. {told}.", part=say(claim.part), told=told),
            f"forest_{claim.key}",
        )
        st.caption(
            say(
                "Accuracy on {part}; means of {one}. Solid: clear also as one of {one2} (Holm's correction); dashed: "
                "not.",
                part=say(claim.part),
                one=_rounds(one),
                one2=_tests(one),
            )
        )
        st.code(claims.command(claim), language=None)
        if claim.part == claims.VALIDATION:
            frame.door(say("Open Grid search"), "grid_search", key="open_grid_search", icon=":material/grid_on:")


def _tests(one: Judged) -> str:
    """How many tests each network has."""
    counts = sorted({len(evidence.tests) for evidence in one.evidence})
    return say("{count} test" if counts == [1] else "{count} tests", count=say(" or ").join(map(str, counts)))


def _rounds(one: Judged) -> str:
    counts = (f"{evidence.whole.rounds} ({evidence.by})" for evidence in one.evidence)
    return say("{count} rounds", count=say(" and ").join(counts))
