"""What is seen of a run's iterations while they come: atoms, error, odds and a line for each."""

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.common.progress import clock
from dasksvd.datasets.description import Description
from dasksvd.method.trajectory import Record, Trajectory
from dasksvd.runs.status import Status
from ui import components, figures, links, texts
from ui.components import charts, plots, walls
from ui.panels import atom_picks
from ui.panels.atom_picks import Pick

#: Error curves shown at once.
N_CURVES = 3
#: Lines of the log that are shown.
N_LINES = 20
#: Pixels of the window's height beside the wall's pictures, on a phone and elsewhere, and those of a chart.
AROUND, CHART = {True: 640, False: 508}, 178
_WALL = "live_atoms"


def show(run_id: str, what: Description, trajectory: Trajectory, status: Status, colors: list) -> None:
    """The wall that fills up; under it error, odds and log.

    Parameters
    ----------
    trajectory : Trajectory
        The finished iterations; there may be none.
    status : Status
        What is known of the iteration at work.
    """
    _wall(run_id, what, trajectory, colors)
    left, right = st.columns(2, gap="small")
    plots.show(*_errors(trajectory, status), "live_error", place=left)
    plots.show(*_odds(what, trajectory), "live_odds", place=right)
    with st.expander(say("Log"), icon=":material/notes:"):
        st.code("\n".join(log(trajectory, status)[:N_LINES]) or say("Nothing is finished yet."), language=None)


def _wall(run_id: str, what: Description, trajectory: Trajectory, colors: list) -> None:
    settings, done, k = what.settings, len(trajectory.records), len(what.classes)
    chosen = trajectory.reselect(settings.alpha, settings.beta).atoms if done else np.empty((0, what.signal_length))
    so_far = say(" so far: {done} of {I}", done=done, I=settings.I) if done < settings.I else f": {done}"
    ranked_by = texts.ranked_by(settings.ranking, settings.alpha, settings.beta)
    classes = texts.class_labels(what.classes)
    # An atom that is still to come has no text and cannot be picked.
    opened = say("class {label}, iteration {l}: open it")
    hover = [
        [opened.format(label=label, l=l + 1) if l < done else "" for l in range(settings.I)] for label in what.classes
    ]
    walls.show(
        figures.growing_wall(
            chosen.reshape(done, k, what.signal_length).transpose(1, 0, 2),
            settings.I,
            say("Atoms{so_far} per class ({ranked_by})", so_far=so_far, ranked_by=ranked_by),
            colors,
            rows=classes,
            x_title=say("iteration"),
            hover=hover,
            around=AROUND[charts.on_phone()],
        ),
        say("Mosaic of the atoms selected for each class{so_far}.", so_far=so_far),
        _WALL,
    )
    picked = components.newly_picked(_WALL, 2)
    if picked and picked[0] < k and picked[1] < done:
        # With the run's own weights: others would choose another atom.
        weights = {
            "alpha": links.short(settings.alpha),
            "beta": links.short(settings.beta),
            "ranking": settings.ranking,
        }
        atom_picks.open_atom(run_id, Pick(picked[1], row=picked[0]), weights)


def _errors(trajectory: Trajectory, status: Status) -> tuple[figures.Plot, str]:
    """K-SVD's errors in a few iterations: noise cannot be learned, so they grow."""
    done, now = len(trajectory.records), status.errors
    chosen = np.unique(np.linspace(1, done, min(done, N_CURVES - bool(now))).round().astype(int)) if done else []
    curves = {f"l = {number}": trajectory.records[number - 1].errors for number in chosen}
    if now:
        curves[f"l = {done + 1}, now"] = np.array(now)
    plot = figures.error_lines(curves, say("K-SVD error in iteration l"), trajectory.settings.ksvd_iter, CHART)
    which = ", ".join(curves) or say("no iteration yet")
    return plot, say("Error after each K-SVD iteration, for {which}.", which=which)


def _odds(what: Description, trajectory: Trajectory) -> tuple[figures.Plot, str]:
    done = len(trajectory.records)
    odds = trajectory.records[-1].odds if done else np.full(what.n_signals, 1 / what.n_signals)
    when = say("after iteration {done}", done=done) if done else say("before the first draw")
    plot = figures.odds_histogram(odds, say("Odds of the signals {when}", when=when), CHART)
    return plot, say("Histogram of the training signals' sampling odds {when}.", when=when)


def log(trajectory: Trajectory, status: Status) -> list[str]:
    """A line for each finished iteration, the newest one first, and what is done now above them."""
    times = np.diff(status.ended, prepend=0.0).tolist()
    lines = [
        _line(number, record, f", {seconds:.1f} s" if seconds is not None else "")
        for number, (record, seconds) in enumerate(
            zip(trajectory.records, times + [None] * len(trajectory.records), strict=False), 1
        )
    ]
    if status.stage:
        lines.append(
            say("{stage}, {seconds} since the start", stage=texts.stage(status.stage), seconds=clock(status.seconds))
        )
    return lines[::-1]


def _line(number: int, record: Record, seconds: str) -> str:
    restarts = say(", {restarts} restarts", restarts=record.restarts) if record.restarts else ""
    return say(
        "iteration {number}: error {first:.4f} → {last:.4f}{seconds}{restarts}",
        number=number,
        first=record.errors[0],
        last=record.errors[-1],
        seconds=seconds,
        restarts=restarts,
    )
