"""What a run at work shows: progress, time left, error, newest atoms, cancel."""

import time

import numpy as np
import streamlit as st

from dasksvd.common.progress import clock
from dasksvd.errors import Busy, StoreError
from dasksvd.method.trajectory import Trajectory
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import JobView
from ui import cache, figures, sidebar, texts, visitor
from ui.components import charts, walls
from ui.controls import run_actions

AT_WORK = ("queued", "running")
#: States from which a job can be put into the queue.
AT_REST = ("new", "cancelled", "failed", "died")
#: Seconds that a page waits for the store's lock when it only looks.
LOOK = 0.1
#: Error curves of a run shown at once.
N_CURVES = 4


def show(run: Run, colors: list) -> None:
    """The panel of one run, polled once a second while it is at work."""
    every = 1.0 if cache.jobs().job(run).state in AT_WORK else None
    st.fragment(_panel, run_every=every)(run, colors)


def show_reference(colors: list) -> None:
    """What the panel will show, by the example of the shipped run."""
    trajectory = cache.trajectory(cache.REFERENCE)
    _newest_atoms(trajectory, [str(label) for label in cache.description(cache.REFERENCE).classes], colors)
    _errors(trajectory)


def start_waiting() -> str:
    """Start waiting runs, at most once a second, however many visitors look; why they cannot be, or nothing.

    Whoever only looks waits for nothing and fails at nothing: the queue has a keeper of its own.
    """
    last = _last_start()
    if time.monotonic() - last["at"] > 1:
        last["at"] = time.monotonic()
        try:
            cache.jobs().start_waiting(patience=LOOK)
            last["trouble"] = ""
        except Busy:
            pass  # who holds the lock is starting what waits
        except StoreError as error:
            last["trouble"] = f"No run can be started now. {texts.sentence(error)}"
    return last["trouble"]


@st.cache_resource
def _last_start() -> dict:
    return {"at": -1.0, "trouble": ""}


def explain(job: JobView, trouble: str) -> None:
    """What holds a job up, and where its owner finds what it wrote; that is not for every visitor."""
    if job.state == "queued" and trouble:
        st.warning(trouble)
    if job.log:
        st.caption(f"Its log is on the server, in {texts.plain(job.run.id)}/log.txt.")


def _panel(run: Run, colors: list) -> None:
    trouble = start_waiting()
    if not run.folder.is_dir():
        st.rerun()  # deleted while it was watched
    job = cache.jobs().job(run)
    settings = run.description.settings
    was_at_work = st.session_state.get("at_work") == run.id
    st.session_state["at_work"] = run.id if job.state in AT_WORK else None
    if was_at_work and job.state not in AT_WORK:
        st.rerun()  # the whole page: the poller stops and the sidebar learns of the run
    st.progress(job.share, text=_headline(job))
    _buttons(job)
    if job.state == "running" and job.status.errors and not job.status.stage:
        inner = job.status.ksvd_iteration / settings.ksvd_iter
        st.progress(
            inner,
            text=f"Iteration {job.status.iteration + 1}: K-SVD {job.status.ksvd_iteration} of {settings.ksvd_iter}",
        )
        charts.show(
            figures.error_curve({"": job.status.errors}, f"K-SVD error in iteration {job.status.iteration + 1}"),
            "Error after each K-SVD iteration of the iteration at work.",
            "live_error",
        )
    explain(job, trouble)
    if job.state == "finished":
        _result(run)
    problem = cache.why_unreadable(run.id) if run.n_finished() else ""
    if problem:
        st.info(f"Its atoms cannot be shown: {problem}.")
    elif run.n_finished():
        trajectory = cache.trajectory(run.id)
        _newest_atoms(trajectory, [str(label) for label in run.description.classes], colors)
        if job.state not in AT_WORK:
            _errors(trajectory)


def _headline(job: JobView) -> str:
    if job.state == "queued":
        return f"Waiting, place {job.position} in the queue"
    if job.state == "running":
        if job.status.stage:
            return f"{job.status.stage} …"
        left = f", about {clock(job.seconds_left)} left" if job.seconds_left is not None else ", starting"
        return f"Running: {texts.percent(job.share, 0)}{left}"
    headlines = {
        "finished": f"Finished in {clock(job.status.seconds)}",
        "new": "Not started yet",
        "cancelled": "Cancelled; finished iterations are kept",
        "failed": f"Failed: {texts.reason(job.status.message)}",
        "died": "Its process ended unexpectedly; everything that was finished is kept",
    }
    return headlines[job.state]


def _buttons(job: JobView) -> None:
    if job.state in AT_WORK and st.button("Cancel", key=f"cancel_{job.run.id}"):
        run_actions.attempt(cache.jobs().cancel, job.run)
    verb = "Start" if job.state == "new" else "Resume"
    if job.state in AT_REST and st.button(verb, key=f"resume_{job.run.id}"):
        run_actions.attempt(cache.jobs().resume, job.run, owner=visitor.name())


def _result(run: Run) -> None:
    """The accuracy of a finished run, and the way to look at it on the other pages."""
    metrics = cache.metrics(run.id)
    left, middle, right = st.columns([1, 2, 2], vertical_alignment="center")
    if metrics is None:
        left.caption("Not evaluated.")
    else:
        left.metric("Accuracy", texts.percent(metrics.accuracy))
        middle.caption(
            f"on {metrics.n_scored:,} {metrics.part}, read by MLP-{metrics.n_atoms}-{metrics.hidden}-"
            f"{len(run.description.classes)} ({metrics.classifier}, {metrics.epochs} epochs, {metrics.seconds:.0f} s)"
        )
    if right.button(
        "Look at this run on every page",
        type="primary",
        key="look_at",
        on_click=sidebar.look_at,
        args=(run.id,),
        help="Makes it the current run in the sidebar.",
    ):
        st.rerun()  # the whole page: the sidebar stands outside of this panel


def _newest_atoms(trajectory: Trajectory, classes: list[str], colors: list) -> None:
    settings = trajectory.settings
    selection = trajectory.reselect(settings.alpha, settings.beta)
    done = len(trajectory.records)
    so_far = " so far" if done < settings.I else ""
    ranked_by = texts.ranked_by(settings.ranking, settings.alpha, settings.beta)
    walls.show(
        figures.wall(
            selection.atoms.reshape(done, len(classes), -1).transpose(1, 0, 2),
            f"Atoms{so_far}: {done} per class ({ranked_by})",
            colors,
            rows=classes,
            x_title="iteration",
        ),
        f"Mosaic of the {done} atoms selected for each class{so_far}.",
        "live_atoms",
    )
    charts.show(
        figures.odds_histogram(trajectory.records[-1].odds, f"Sampling odds after iteration {done}"),
        f"Histogram of the training signals' sampling odds after iteration {done}.",
        "live_odds",
    )


def _errors(trajectory: Trajectory) -> None:
    """K-SVD's errors in a few of the finished iterations: noise cannot be learned, so they grow."""
    done = len(trajectory.records)
    chosen = np.unique(np.linspace(1, done, min(done, N_CURVES)).round().astype(int))
    charts.show(
        figures.error_curve(
            {f"l = {number}": trajectory.records[number - 1].errors for number in chosen}, "K-SVD error in iteration l"
        ),
        f"Error after each K-SVD iteration, for the iterations {', '.join(map(str, chosen))} of the run.",
        "errors",
    )
