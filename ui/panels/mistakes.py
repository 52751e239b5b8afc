"""What a classifier gets wrong."""

from typing import Any

import numpy as np
import streamlit as st

from dasksvd.common.language import say, say_count
from dasksvd.datasets import load
from dasksvd.datasets.dataset import as_signals
from dasksvd.encoders import ENCODERS
from dasksvd.evaluate import Metrics
from dasksvd.runs.evaluation import scored_images
from dasksvd.runs.reference import load_metrics
from ui import cache, figures, links, state, texts
from ui.components import charts, walls
from ui.controls import run_names
from ui.state import View

#: Letters of a class's name of which two fit on a small picture.
SHORT = 2
#: Misread images shown at once.
N_WRONG = 20


def show(view: View) -> None:
    """Confusion matrix and misread digits of a run."""
    left, right = st.columns(2, vertical_alignment="bottom")
    _pick_run(view, left)
    metrics, images = _current(view, right)
    if metrics is None:
        st.info(
            say(
                "This run has not been evaluated. Runs started on the Train page are evaluated; for others, use "
                "`python -m dasksvd evaluate RUN`."
            )
        )
        return
    _show_confusions(metrics, view)
    st.header(say("The most confident mistakes"))
    if metrics.wrong:
        wrong = metrics.wrong[:N_WRONG]
        _show_wrong(wrong, images(np.array([line[0] for line in wrong])), view)
    else:
        st.success(say("Nothing was misread."))


def _show_confusions(metrics: Metrics, view: View) -> None:
    """The confusion matrix with the network's numbers beside it."""
    left, right = st.columns([3, 2])
    charts.show(
        figures.confusion(
            metrics.confusion,
            view.classes,
            say(
                "{accuracy} of {n_scored:,} {part} read right",
                accuracy=texts.percent(metrics.accuracy),
                n_scored=metrics.n_scored,
                part=say(metrics.part),
            ),
        ),
        say(
            "Confusion matrix of {n_scored} {part}, true classes in rows, read classes in columns.",
            n_scored=metrics.n_scored,
            part=say(metrics.part),
        ),
        "confusion",
        place=left,
    )
    right.metric(
        say("Accuracy, {part}", part=say(metrics.part)),
        texts.percent(metrics.accuracy),
        help=say("Of {n_scored:,} images.", n_scored=metrics.n_scored),
    )
    if metrics.n_tested:
        tested = say(
            "Of {n_tested:,} images that nothing else has used. The mistakes below are not among them.",
            n_tested=metrics.n_tested,
        )
        right.metric(say("Accuracy, test images"), texts.percent(metrics.test_accuracy), help=tested)
    right.metric(say("Network"), f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(view.classes)}")
    right.metric(say("Weights"), f"{metrics.weights:,}")
    if metrics.level:  # features of unit signals do not rebuild an image
        right.metric(
            say("Non-zeros of a code"),
            texts.percent(metrics.nonzeros),
            help=say(
                "{title}, λ = {level:g}; averaged over the images.",
                title=say(ENCODERS[metrics.encoder].title),
                level=metrics.level,
            ),
        )
    else:
        right.metric(
            say("Energy left unexplained"),
            texts.percent(metrics.error),
            help=say("Share of the images' energy that the sparse codes leave, averaged over the images."),
        )
    right.markdown(_commonest(metrics, view.class_names))


def _show_wrong(wrong: list, pictures: np.ndarray, view: View) -> None:
    """Misread digits as a wall, each with its true and its read class."""
    long = max(map(len, view.classes)) > SHORT
    columns = (2 if long else 5) if charts.on_phone() else (5 if long else 10)
    images = figures.in_rows(pictures, columns)
    classes, names = view.classes, view.class_names
    told = [
        say(
            "true {name}, read {name2} ({line})",
            name=names[line[1]],
            name2=names[line[2]],
            line=texts.percent(line[4], 0),
        )
        for line in wrong
    ]
    hover = told + [""] * (images.shape[0] * columns - len(told))
    wall = figures.wall(
        images,
        say("The {count} misread images the network was most confident about; hover for the classes", count=len(wrong)),
        figures.GREY,
        hover=[hover[start : start + columns] for start in range(0, len(hover), columns)],
        cell=190 if long else 110,
    )
    wall.marks.extend(
        figures.Mark(*divmod(i, columns), "rgb(214, 104, 36)", f"{classes[line[1]]} → {classes[line[2]]}", framed=False)
        for i, line in enumerate(wrong)
    )
    walls.show(wall, say("Misread images: ") + "; ".join(told) + ".", "wrong")


def keep() -> None:
    """Keep the chosen size in links."""
    _pick_size(None)


def _pick_run(view: View, place: Any) -> None:
    """A box for the run that all pages look at; no other part of this page depends on it."""
    names, key = cache.run_names(), "mistakes_run"

    def look() -> None:
        if st.session_state[key] in names:
            state.look_at(st.session_state[key])

    run_names.choose(view.run_id, key)
    run_names.pick(say("Run"), names, key=key, place=place, on_change=look, help=say("The run that the pages show."))


def _pick_size(place: Any) -> int:
    kept = load_metrics()
    return links.draw(
        place and place.segmented_control,
        say("Atoms per class"),
        list(kept),
        key="size",
        kind=links.WHOLE,
        default=max(kept),
        check=kept.__contains__,
        required=True,
        help=say("A reference run has a classifier for each of the paper's sizes."),
    )


def _current(view: View, place: Any):
    """Metrics of the current run and a function that fetches its pictures."""
    if view.run_id not in cache.SHIPPED_NAMES:
        _pick_size(None)
        run = cache.store().run(view.run_id)
        found = cache.metrics(view.run_id)
        return found, lambda places: scored_images(run, places, found.part)
    size = _pick_size(place)
    images = load(view.description.data).test_images
    metrics = Metrics(**load_metrics(view.run_id)[size]["test"])
    return metrics, lambda places: as_signals(images[places])


def _commonest(metrics: Metrics, classes: list[str]) -> str:
    """The three commonest confusions in words."""
    matrix = np.array(metrics.confusion)
    np.fill_diagonal(matrix, 0)
    order = np.argsort(-matrix, axis=None, kind="stable")[:3]
    pairs = [divmod(int(cell), len(classes)) for cell in order if matrix.flat[cell]]
    return "\n".join(
        [
            say("**Most common confusions**"),
            *(
                say_count(
                    matrix[i, j],
                    "- {classe} read as {classe2}: once",
                    "- {classe} read as {classe2}: {count} times",
                    classe=texts.plain(classes[i]),
                    classe2=texts.plain(classes[j]),
                )
                for i, j in pairs
            ),
        ]
    )
