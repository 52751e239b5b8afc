"""What a run at work shows: progress, time left and cancel in one row; atoms, error and odds; what to do at its end."""

import time

import streamlit as st

from dasksvd.common.language import say
from dasksvd.common.progress import clock
from dasksvd.encoders import ENCODERS
from dasksvd.errors import Busy, StoreError
from dasksvd.evaluate import Metrics
from dasksvd.method.trajectory import Trajectory
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import JobView
from dasksvd.runs.status import Status
from dasksvd.statistics import share_text
from ui import cache, frame, links, texts, visitor
from ui.components import charts
from ui.controls import run_actions, run_names
from ui.panels import compare, run_figures

AT_WORK = ("queued", "running")
#: States from which a job can be put into the queue.
AT_REST = ("new", "cancelled", "failed", "died")
#: How far a run at work can have come.
MOST_AT_WORK = 0.99
#: Seconds that a page waits for the store's lock when it only looks.
LOOK = 0.1
#: Seconds between two looks at a run at work.
EVERY = 0.8


def watch(colors: list) -> str:
    """Choose a run and look at it; before there is one of one's own, at the shipped one.  Returns its id."""
    _tell("", "")
    recent = [line for line in cache.store().listing() if line.description is not None]
    names = cache.run_names_of(recent) | {run_id: cache.shipped_name(run_id) for run_id in cache.SHIPPED_NAMES}
    box = st.container(horizontal=True, vertical_alignment="center", gap="small")
    box.markdown(say("Watch"), width="content")
    chosen = run_names.pick(say("Watch"), names, key="watched", place=box, linked=True, label_visibility="collapsed")
    if chosen in cache.SHIPPED_NAMES:
        _show_shipped(chosen, colors)
    else:
        show(cache.store().run(chosen), colors)
    return chosen


def show(run: Run, colors: list) -> None:
    """The panel of one run, polled while it is at work."""
    every = EVERY if cache.jobs().job(run).state in AT_WORK else None
    st.fragment(_panel, run_every=every)(run, colors)


def _tell(state: str, name: str) -> None:
    """Say what lessons ask about a run of one's own: its state, and which one has finished."""
    links.tell("run_state", state)
    links.tell("finished_run", name if state == "finished" else "")


def _show_shipped(run_id: str, colors: list) -> None:
    st.markdown(say("**What you will see**, by the example of a shipped run:"))
    run_figures.show(run_id, cache.description(run_id), cache.trajectory(run_id), Status(), colors)


@st.cache_data(ttl=1.0, show_spinner=False)
def _expected_wait(root: str) -> float:
    from dasksvd.search.waiting import expected_wait

    return expected_wait(cache.jobs())


def expected_wait() -> float:
    """Seconds that a new run would have to wait, looked up at most once a second."""
    return _expected_wait(str(cache.store().root))


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
            last["trouble"] = say("No run can be started now. {error}", error=texts.sentence(error))
    return last["trouble"]


@st.cache_resource
def _last_start() -> dict:
    return {"at": -1.0, "trouble": ""}


def explain(job: JobView, trouble: str) -> None:
    """What holds a job up, and where its owner finds what it wrote; that is not for every visitor."""
    if job.state == "queued" and trouble:
        st.warning(trouble)
    if job.log:
        st.caption(say("Its log is on the server, in {id}/log.txt.", id=texts.plain(job.run.id)))


def _panel(run: Run, colors: list) -> None:
    trouble = start_waiting()
    if not run.folder.is_dir():
        st.rerun()  # deleted while it was watched
    job = cache.jobs().job(run)
    _tell(job.state, run.id)
    was_at_work = st.session_state.get("at_work") == run.id
    st.session_state["at_work"] = run.id if job.state in AT_WORK else None
    if was_at_work and job.state not in AT_WORK:
        st.rerun()  # the whole page: the poller stops and the other boxes learn of the run
    if job.state == "finished":
        _result(job)
    else:
        _progress(job)
    explain(job, trouble)
    done = run.n_finished()
    at_rest = done and job.state not in AT_WORK
    if at_rest and not charts.on_phone():
        _doors(run.id)
    problem = cache.why_unreadable(run.id) if done else ""
    if problem:
        st.info(say("Its atoms cannot be shown: {problem}.", problem=problem))
    elif run.description.is_square:
        what = run.description
        trajectory = cache.trajectory(run.id) if done else Trajectory(what.settings, what.classes)
        run_figures.show(run.id, what, trajectory, job.status, colors)
    if at_rest and charts.on_phone():
        _doors(run.id)  # three rows there: the atoms come first


def _progress(job: JobView) -> None:
    """How far a run has come, and the one thing to do about it."""
    left, right = st.columns([4, 1], vertical_alignment="center", wrap=False)
    seconds = job.status.seconds
    # By time: the classifier at the end takes its share, too.
    share = job.share
    if job.seconds_left is not None:  # at work: never 100 %, even if the classifier takes longer than expected
        share = min(seconds / max(seconds + job.seconds_left, 1e-9), MOST_AT_WORK)
    left.progress(share, text=_headline(job, share))
    if job.state in AT_WORK and right.button(say("Cancel"), key=f"cancel_{job.run.id}", width="stretch"):
        run_actions.attempt(cache.jobs().cancel, job.run)
    verb = say("Start") if job.state == "new" else say("Resume")
    if job.state in AT_REST and right.button(verb, key=f"resume_{job.run.id}", width="stretch"):
        run_actions.attempt(cache.jobs().resume, job.run, owner=visitor.name())


def _headline(job: JobView, share: float) -> str:
    if job.state == "queued":
        return say("Waiting, place {position} in the queue", position=job.position)
    if job.state == "running":
        # Of a search for the best network nobody knows the end: it stops when nothing gets better.
        left = say(" · about {seconds_left} left", seconds_left=clock(job.seconds_left)) if job.seconds_left else ""
        return say("Running: {share} · {job}{left}", share=texts.percent(share, 0), job=_doing(job), left=left)
    headlines = {
        "new": say("Not started yet"),
        "cancelled": say("Cancelled; finished iterations are kept"),
        "failed": say("Failed: {why}", why=texts.reason(job.status.message)),
        "died": say("Its process ended unexpectedly; everything that was finished is kept"),
    }
    return headlines[job.state]


def _doing(job: JobView) -> str:
    status, I = job.status, job.run.description.settings.I
    if status.stage:
        stage = texts.stage(status.stage)
        return f"{stage[:1].lower()}{stage[1:]}"
    return (
        say("iteration {iteration} of {I}", iteration=min(status.iteration + 1, I), I=I)
        if status.errors or status.iteration
        else say("starting")
    )


def _result(job: JobView) -> None:
    """The accuracy of a finished run, and what it was measured on."""
    metrics = cache.metrics(job.run.id)
    took = say("Finished in {seconds}.", seconds=clock(job.status.seconds))
    if metrics is None:
        st.markdown(say("**{took}** Not evaluated.", took=took))
        return
    tuned = say(", read with fine-tuned atoms") if job.run.description.settings.fine_tune else ""
    st.markdown(
        say(
            "**Accuracy {accuracy}** on {n_scored:,} {part}{tuned}{metrics}. {took}",
            accuracy=share_text(metrics.accuracy, metrics.n_scored),
            n_scored=metrics.n_scored,
            part=say(metrics.part),
            tuned=tuned,
            metrics=compare.test_text(metrics),
            took=took,
        ),
        help=say(
            "Read by MLP-{n_atoms}-{hidden}-{count} ({classifier}, {epochs} epochs, {seconds:.0f} s){metrics}. "
            "Behind ±: 95 % interval for so many images.",
            n_atoms=metrics.n_atoms,
            hidden=metrics.hidden,
            count=len(metrics.confusion),
            classifier=metrics.classifier,
            epochs=metrics.epochs,
            seconds=metrics.seconds,
            metrics=_codes(metrics),
        ),
    )


def _codes(metrics: Metrics) -> str:
    """What made the codes that the network has read, and how many of their values are not zero."""
    level = f", λ = {metrics.level:g}" if metrics.level else ""
    chosen = say(", the best of {count}", count=len(metrics.tried)) if metrics.tried else ""
    nonzeros = say(", {nonzeros} non-zeros", nonzeros=texts.percent(metrics.nonzeros)) if metrics.nonzeros else ""
    return say(
        " from codes by “{title}”{level}{chosen}{nonzeros}",
        title=say(ENCODERS[metrics.encoder].title),
        level=level,
        chosen=chosen,
        nonzeros=nonzeros,
    )


def _doors(run_id: str) -> None:
    """What to do with a run that has atoms."""
    with st.container(horizontal=True, gap="small", key="doors"):
        run_actions.show_doors(run_id)
        frame.door(
            say("Its grid search"),
            "grid_search",
            key="to_grid_search",
            values={"run": run_id},
            icon=":material/grid_on:",
            help=say("Which weights and sizes read best?"),
        )
