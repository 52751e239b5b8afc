"""A search at work: its progress, cancel and resume, and its results drawn anew while it computes."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Protocol

import streamlit as st

from dasksvd.common.language import say
from dasksvd.common.progress import clock
from dasksvd.errors import DamagedFile
from dasksvd.runs.jobs import JobView
from dasksvd.search.job import Search, resume_search
from dasksvd.search.levels import settled
from dasksvd.search.plans import SearchPlan, plan_id, plan_title
from ui import cache, links, state, texts, visitor
from ui.controls import known_searches, run_actions, search_form
from ui.panels import jobs_panel
from ui.state import View


class Panel(Protocol):
    """What shows the results of one kind of search."""

    def scored(self, view: View, plan: Any) -> tuple[int, int]:
        """How many points have scores, and how many there are."""

    def show(self, view: View, plan: Any) -> None:
        """Draw what there is."""


def show(view: View, plan: SearchPlan, panel: Panel, popover: Any) -> None:
    """The button that starts a search and its results, or the button alone while there are none.

    The button stands on the page as long as something of the shown search is missing, later beside the controls.
    """
    done, total, damaged = 0, 1, False

    def scored_plan() -> SearchPlan:
        """The level of its encoder may be chosen while the search is at work."""
        return settled(cache.base_run(view.run_id), plan)

    try:
        done, total = panel.scored(view, scored_plan())
    except DamagedFile:  # told where the results would be
        damaged = True
    working = known_searches.at_work(view)
    with popover if working or done == total else nullcontext():
        search_form.start_button(view, plan, done, total)
    _live(view, plan, lambda: panel.show(view, scored_plan()) if done or working or damaged else None)


def _live(view: View, plan: SearchPlan, draw: Callable[[], None]) -> None:
    """Draw results, again every two seconds while a search on the run is at work."""
    job = Search(cache.base_run(view.run_id))
    busy = cache.jobs().job(job).state in jobs_panel.AT_WORK

    def all_of_it() -> None:
        if state.is_due():
            st.rerun()  # a click while the search runs: the whole page, for the sidebar
        if job.has_plan():
            trouble = jobs_panel.start_waiting()
            now = cache.jobs().job(job)
            if busy and now.state not in jobs_panel.AT_WORK:
                st.rerun()
            _job_line(now, plan)
            jobs_panel.explain(now, trouble)
        try:
            draw()
        except DamagedFile as error:  # the page itself is not there to catch it when only this part is drawn
            st.error(
                say(
                    "The scores of this run cannot be read: {error}. The next search starts from scratch.",
                    error=texts.reason(error),
                )
            )
        links.write("search")

    (st.fragment(all_of_it, run_every=2.0) if busy else all_of_it)()


def _job_line(job: JobView, shown: SearchPlan) -> None:
    """Where the run's search stands, whichever one is shown."""
    if job.state == "finished":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(job.share, text=_headline(job) + _which(job.run, shown))
    if job.state in jobs_panel.AT_WORK:
        if right.button(say("Cancel"), key="search_cancel", width="stretch"):
            run_actions.attempt(cache.jobs().cancel, job.run)
    elif right.button(say("Resume"), key="search_resume", width="stretch"):
        run_actions.attempt(resume_search, cache.jobs(), job.run, owner=visitor.name())


def _which(search: Search, shown: SearchPlan) -> str:
    """The name of a search, if it is another one than that shown."""
    try:
        return "" if plan_id(search.plan) == plan_id(shown) else f" · {plan_title(search.plan)}"
    except DamagedFile:
        return ""


def _headline(job: JobView) -> str:
    if job.state == "queued":
        return say("Waiting, place {position} in the queue", position=job.position)
    if job.state == "running":
        left = (
            say(", about {value} left", value=clock(max(1, job.seconds_left)))
            if job.seconds_left is not None
            else say(", starting")
        )
        return say(
            "Searching: {iteration} of {total} networks{left}",
            iteration=job.status.iteration,
            total=job.status.total,
            left=left,
        )
    headlines = {
        "new": say("Not started yet"),
        "cancelled": say("Cancelled; every finished score is kept"),
        "failed": say("Failed: {why}", why=texts.reason(job.status.message)),
        "died": say("Its process ended unexpectedly; Resume continues from the last score"),
    }
    return headlines[job.state]
