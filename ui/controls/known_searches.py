"""The searches that a run has: each has a name, which links carry, and can be opened again."""

from collections.abc import Callable, Sequence

import streamlit as st

from dasksvd.common.language import say
from dasksvd.errors import DamagedFile
from dasksvd.search.job import Search
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan, plan_id, plan_title
from dasksvd.search.study_plan import StudyPlan
from ui import cache, links, state
from ui.controls import study_form
from ui.controls.numbers import SPANS
from ui.controls.search_form import MOST, OTHERS, STUDY, WEIGHTS
from ui.panels import jobs_panel
from ui.state import View

#: In links: the id of a search.
SEARCH = "search"
#: In the box: what the controls say, if nobody has searched it yet.
UNKNOWN = ""
_BOXES = "known_search_boxes"


def follow(view: View) -> None:
    """Show the search that a link names, else the one at work, unless the link or the visitor says otherwise."""
    if links.is_new(SEARCH) or links.is_due(SEARCH):
        links.prepare(SEARCH, links.WORD, UNKNOWN, lambda text: True)
        named = st.session_state[SEARCH]
        plan = _search(view).plans().get(named)
        if plan is not None:
            open_plan(view, plan, unless=links.is_new)
        elif named:
            st.info(
                say("This run has no search of the name in this link; its settings are shown as far as it has them.")
            )
        return
    _show_search_at_work(view)


def _show_search_at_work(view: View) -> None:
    job = _search(view)
    if not job.has_plan() or cache.jobs().job(job).state not in jobs_panel.AT_WORK:
        return
    mark = f"{job.id} {job.status.queued_at}"
    if st.session_state.get("shown_search") == mark:
        return
    st.session_state["shown_search"] = mark
    if any(map(links.knows, ("search_over", "coarse_step", "fine_step", "sizes", "sweep_x", *as_texts(job.plan)))):
        return
    open_plan(view, job.plan, unless=links.knows)


def open_plan(view: View, plan: SearchPlan, unless: Callable[[str], bool] = lambda key: False) -> None:
    """Make the controls describe a plan, but for those that were told otherwise; a sweep has its own weights."""
    for key, text in as_texts(plan).items():
        if not unless(key):
            links.put(key, text)
    if isinstance(plan, SweepPlan) and not unless("alpha") and not unless("beta"):
        weights = (round(view.alpha, 4), round(view.beta, 4))
        if weights != (plan.alpha, plan.beta):
            state.choose(plan.alpha, plan.beta, view.I, view.ranking)
            st.rerun()


def pick(view: View, plan: SearchPlan, place) -> None:
    """A box with all searches of the run, the shown one chosen; its name goes into the address."""
    plans = _search(view).plans()
    mine = as_texts(plan)
    shown = next((name for name, known in plans.items() if _is_same(known, plan, mine)), UNKNOWN)
    titles = {name: plan_title(known) for name, known in plans.items()}
    if shown == UNKNOWN:
        titles = {UNKNOWN: say("New: {plan}", plan=plan_title(plan))} | titles
    box = _box(shown)
    st.session_state[box] = shown
    place.selectbox(
        say("Search of this run"),
        list(titles),
        format_func=titles.get,
        key=box,
        label_visibility="collapsed",
        on_change=lambda: _open_picked(view, plans, box),
    )
    # The name of what is shown anyway is not needed.
    links.note(SEARCH, links.WORD, shown if any(map(links.knows, mine)) else UNKNOWN, UNKNOWN)


def _box(shown: str) -> str:
    """The key of the box: a new one if another search is to be shown than was picked in it.

    Until the browser has heard of that, each of its messages still names the old search. Under the same
    key this would look as if the old one had been picked again, and undo the click before.
    """
    if st.session_state.get(_newest_box(), shown) != shown:
        st.session_state[_BOXES] = st.session_state.get(_BOXES, 0) + 1
    return _newest_box()


def _newest_box() -> str:
    return f"known_search{st.session_state.get(_BOXES) or ''}"


def _open_picked(view: View, plans: dict[str, SearchPlan], box: str) -> None:
    plan = plans.get(st.session_state.get(box))
    if plan is None or box != _newest_box():
        return
    for key, text in as_texts(plan).items():
        links.put(key, text)
    if isinstance(plan, SweepPlan):
        state.choose(plan.alpha, plan.beta, view.I, view.ranking)


def _is_same(known: SearchPlan, plan: SearchPlan, texts: dict[str, str]) -> bool:
    """Whether the controls, which cannot say everything that a plan can, would describe both alike."""
    if type(known) is not type(plan) or as_texts(known) != texts:
        return False
    if isinstance(known, StudyPlan):
        return known == plan
    return isinstance(known, WeightsPlan) or (known.alpha, known.beta) == (plan.alpha, plan.beta)


def _search(view: View) -> Search:
    return Search(cache.base_run(view.run_id))


def at_work(view: View) -> str:
    """The id of the plan that is being searched or waits for it; empty if none is."""
    job = _search(view)
    if not job.has_plan() or cache.jobs().job(job).state not in jobs_panel.AT_WORK:
        return ""
    try:
        return plan_id(job.plan)
    except DamagedFile:
        return ""


def as_texts(plan: SearchPlan) -> dict[str, str]:
    """What a link to a plan says."""
    if isinstance(plan, StudyPlan):
        return {"search_over": STUDY} | study_form.as_texts(plan)
    scoring = {"network": plan.classifier, "search_ranking": plan.ranking, "encoder": plan.encoder}
    scoring |= _texts({"level": plan.level})
    if isinstance(plan, WeightsPlan):
        numbers = {"coarse_step": plan.step, "fine_step": plan.fine_step, "seeds": min(plan.seeds, SPANS["seeds"].high)}
        zoomed = {"zoomed": str(plan.zoomed[-1])} if plan.zoomed else {}
        return {"search_over": WEIGHTS, "sizes": _many_numbers(plan.sizes)} | scoring | zoomed | _texts(numbers)
    told = {"search_over": OTHERS, "sweep_seeds": str(min(plan.seeds, SPANS["seeds"].high))} | scoring
    for side, (name, values) in zip(("x", "y"), plan.axes.items(), strict=False):
        told |= {f"sweep_{side}": name, f"values_{name}_{side}": _many_numbers(values)}
    return told


def _many_numbers(values: Sequence[float]) -> str:
    return links.many(links.NUMBER, MOST).format(values)


def _texts(numbers: dict[str, float]) -> dict[str, str]:
    return {key: links.short(value) for key, value in numbers.items()}
