"""A search at work: its progress, cancel and resume, and its results drawn anew while it computes."""

from collections.abc import Callable

import streamlit as st

from dasksvd.common.progress import clock
from dasksvd.errors import DamagedFile
from dasksvd.runs.jobs import JobView
from dasksvd.search.job import Search, resume_search
from ui import cache, links, sidebar, texts, visitor
from ui.controls import run_actions
from ui.panels import jobs_panel
from ui.sidebar import View


def live(view: View, draw: Callable[[], None]) -> None:
    """Draw results, again every two seconds while a search on the run is at work."""
    job = Search(cache.base_run(view.run_id))
    busy = cache.jobs().job(job).state in jobs_panel.AT_WORK

    def all_of_it() -> None:
        if sidebar.is_due():
            st.rerun()  # a click while the search runs: the whole page, for the sidebar
        if job.has_plan():
            trouble = jobs_panel.start_waiting()
            now = cache.jobs().job(job)
            if busy and now.state not in jobs_panel.AT_WORK:
                st.rerun()
            _job_line(now)
            jobs_panel.explain(now, trouble)
        try:
            draw()
        except DamagedFile as error:  # the page itself is not there to catch it when only this part is drawn
            st.error(
                f"The scores of this run cannot be read: {texts.reason(error)}. The next search starts from scratch."
            )
        links.write("search")

    (st.fragment(all_of_it, run_every=2.0) if busy else all_of_it)()


def _job_line(job: JobView) -> None:
    if job.state == "finished":
        return
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(job.share, text=_headline(job))
    if job.state in jobs_panel.AT_WORK:
        if right.button("Cancel", key="search_cancel", width="stretch"):
            run_actions.attempt(cache.jobs().cancel, job.run)
    elif right.button("Resume", key="search_resume", width="stretch"):
        run_actions.attempt(resume_search, cache.jobs(), job.run, owner=visitor.name())


def _headline(job: JobView) -> str:
    if job.state == "queued":
        return f"Waiting, place {job.position} in the queue"
    if job.state == "running":
        left = f", about {clock(job.seconds_left)} left" if job.seconds_left is not None else ", starting"
        return f"Searching: {job.status.iteration} of {job.status.total} networks{left}"
    headlines = {
        "new": "Not started yet",
        "cancelled": "Cancelled; every finished score is kept",
        "failed": f"Failed: {texts.reason(job.status.message)}",
        "died": "Its process ended unexpectedly; Resume continues from the last score",
    }
    return headlines[job.state]
