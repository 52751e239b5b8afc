"""What the pages about searches say of themselves: a title for a sweep, and "What am I looking at?"."""

import streamlit as st

from dasksvd import rankings
from dasksvd.common.language import say
from dasksvd.parameters import TABLE
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan
from ui import frame, texts
from ui.controls import search_form
from ui.panels import weight_maps

#: What is told of each kind of search, piece by piece.
ABOUT = {
    search_form.WEIGHTS: ("search_weights", "search_scoring"),
    search_form.OTHERS: ("search_others", "search_scoring", "search_one_seed"),
    search_form.STUDY: ("search_study",),
}


def introduce(plan: SearchPlan) -> None:
    """What a sweep asks; the search over the weights is what the page's title asks, unless they do not matter."""
    if isinstance(plan, SweepPlan):
        names = [f"{TABLE[name].symbol} ({say(TABLE[name].title)})" for name in plan.axes]
        which = say(" and ").join(names)
        st.header(say("What does {which} change?" if len(names) == 1 else "What do {which} change?", which=which))
    elif isinstance(plan, WeightsPlan) and not rankings.uses_weights(plan.ranking):
        title = say(rankings.RANKINGS[plan.ranking].title)
        st.info(say("The ranking *{title}* does not use α and β: every point selects the same atoms.", title=title))


def about(over: str) -> None:
    """What one is looking at."""
    if over == search_form.WEIGHTS:
        with st.expander(say("The lattice of stage 1 at three steps")):
            weight_maps.lattice_examples()
    frame.about("\n".join(map(texts.whole, ABOUT[over])))
