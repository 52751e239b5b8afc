"""What a run at work shows: progress, time left, error, newest atoms, cancel."""

import time

import numpy as np
import streamlit as st

from dasksvd import figures
from dasksvd.__main__ import clock
from dasksvd.jobs import Job
from dasksvd.run import Run
from dasksvd.store import StoreError
from dasksvd.trajectory import Trajectory
from ui import sources

AT_WORK = ("queued", "running")


def show(run: Run) -> None:
    """The panel of one run, polled once a second while it is at work."""
    every = 1.0 if sources.jobs().job(run).state in AT_WORK else None
    st.fragment(_panel, run_every=every)(run)


def tend() -> None:
    """Start waiting runs; at most once a second, however many visitors look."""
    if time.monotonic() - _last_tended().get("at", 0) > 1:
        _last_tended()["at"] = time.monotonic()
        sources.jobs().tend()


@st.cache_resource
def _last_tended() -> dict[str, float]:
    return {}


def _panel(run: Run) -> None:
    tend()
    job = sources.jobs().job(run)
    settings = run.description.settings
    was_at_work = st.session_state.get("at_work") == run.id
    st.session_state["at_work"] = run.id if job.state in AT_WORK else None
    if was_at_work and job.state not in AT_WORK:
        st.rerun()  # the whole page: the poller stops and the sidebar learns of the run
    st.progress(job.share, text=_headline(job))
    _buttons(job)
    if job.state == "running" and job.status.errors:
        inner = job.status.ksvd_iteration / settings.ksvd_iter
        st.progress(
            inner,
            text=f"Iteration {job.status.iteration + 1}: K-SVD {job.status.ksvd_iteration} of {settings.ksvd_iter}",
        )
        st.plotly_chart(
            figures.error_curve({"": job.status.errors}, f"K-SVD error in iteration {job.status.iteration + 1}"),
            alt="Error after each K-SVD iteration of the iteration at work.",
            key="live_error",
        )
    if job.log:
        st.code(job.log, language=None)
    if run.n_finished():
        _newest_atoms(sources.trajectory(run.id), [str(label) for label in run.description.classes])


def _headline(job: Job) -> str:
    if job.state == "queued":
        return f"Waiting, place {job.position} in the queue"
    if job.state == "running":
        left = f", about {clock(job.seconds_left)} left" if job.seconds_left is not None else ", starting"
        return f"Running: {job.share:.0%}{left}"
    texts = {
        "finished": f"Finished in {clock(job.status.seconds)}",
        "cancelled": "Cancelled; finished iterations are kept",
        "failed": f"Failed: {job.status.message}",
        "died": "Its process has died; resume goes on from the last finished iteration",
    }
    return texts[job.state]


def _buttons(job: Job) -> None:
    if job.state in AT_WORK and st.button("Cancel", key="cancel"):
        sources.jobs().cancel(job.run)
        st.rerun()
    if job.state in ("cancelled", "failed", "died") and st.button("Resume", key="resume"):
        try:
            sources.jobs().resume(job.run)
        except StoreError as error:
            st.error(str(error))
        else:
            st.rerun()


def _newest_atoms(trajectory: Trajectory, classes: list[str]) -> None:
    selection = trajectory.reselect(0, 0)
    done = len(trajectory.records)
    st.plotly_chart(
        figures.mosaic(
            np.ascontiguousarray(selection.atoms.reshape(done, len(classes), -1).transpose(1, 0, 2)),
            classes,
            f"Atoms so far: {done} per class (α = β = 0)",
            "iteration",
        ),
        alt=f"Mosaic of the {done} atoms selected for each class so far.",
        key="live_atoms",
    )
