"""What a classifier gets wrong."""

import numpy as np
import streamlit as st

from dasksvd import load_mnist
from dasksvd.evaluate import Metrics
from dasksvd.runs.evaluation import scored_images
from dasksvd.runs.reference import load_metrics
from ui import cache, figures, links, texts
from ui.components import charts, walls
from ui.sidebar import View

#: Misread digits shown at once.
N_WRONG = 20


def show(view: View) -> None:
    """Confusion matrix and misread digits of the current run."""
    metrics, images = _current(view)
    if metrics is None:
        st.info(
            "This run has not been evaluated. Runs started on the Train page are evaluated; for others, use "
            "`python -m dasksvd evaluate RUN`."
        )
        return
    _show_confusions(metrics, view.classes)
    st.header("The most confident mistakes")
    if metrics.wrong:
        wrong = metrics.wrong[:N_WRONG]
        _show_wrong(wrong, images(np.array([line[0] for line in wrong])), view.classes)
    else:
        st.success("Nothing was misread.")


def _show_confusions(metrics: Metrics, classes: list[str]) -> None:
    """The confusion matrix with the network's numbers beside it."""
    left, right = st.columns([3, 2])
    charts.show(
        figures.confusion(
            metrics.confusion,
            classes,
            f"{texts.percent(metrics.accuracy)} of {metrics.n_scored:,} {metrics.part} read right",
        ),
        f"Confusion matrix of {metrics.n_scored} {metrics.part}, true classes in rows, read classes in columns.",
        "confusion",
        place=left,
    )
    right.metric("Accuracy", texts.percent(metrics.accuracy), help=f"On {metrics.n_scored:,} {metrics.part}.")
    right.metric("Network", f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(classes)}")
    right.metric("Weights", f"{metrics.weights:,}")
    right.metric(
        "Energy left unexplained",
        texts.percent(metrics.error),
        help="Share of the images' energy that the sparse codes leave, averaged over the images.",
    )
    right.markdown(_commonest(metrics, classes))


def _show_wrong(wrong: list, pictures: np.ndarray, classes: list[str]) -> None:
    """Misread digits as a wall, each with its true and its read class."""
    columns = 5 if charts.on_phone() else 10
    images = figures.in_rows(pictures, columns)
    told = [f"true {classes[line[1]]}, read {classes[line[2]]} ({texts.percent(line[4], 0)})" for line in wrong]
    hover = told + [""] * (images.shape[0] * columns - len(told))
    wall = figures.wall(
        images,
        f"The {len(wrong)} misread digits the network was most confident about; hover for the classes",
        figures.GREY,
        hover=[hover[start : start + columns] for start in range(0, len(hover), columns)],
        cell=110,
    )
    wall.marks.extend(
        figures.Mark(*divmod(i, columns), "rgb(214, 104, 36)", f"{classes[line[1]]} → {classes[line[2]]}", framed=False)
        for i, line in enumerate(wrong)
    )
    walls.show(wall, "Misread digits: " + "; ".join(told) + ".", "wrong")


def _current(view: View):
    """Metrics of the current run and a function that fetches its pictures."""
    if view.run_id != cache.REFERENCE:
        run = cache.store().run(view.run_id)
        found = cache.metrics(view.run_id)
        return found, lambda places: scored_images(run, places, found.part)
    kept = load_metrics()
    size = links.draw(
        st.segmented_control,
        "Atoms per class",
        list(kept),
        key="size",
        kind=links.WHOLE,
        default=max(kept),
        check=kept.__contains__,
        required=True,
        help="The reference run has a classifier for each of the paper's sizes.",
    )
    images = load_mnist().test_images
    metrics = Metrics(**kept[size]["test"])
    return metrics, lambda places: images[places].reshape(len(places), -1).astype(np.float32) / 255


def _commonest(metrics: Metrics, classes: list[str]) -> str:
    """The three commonest confusions in words."""
    matrix = np.array(metrics.confusion)
    np.fill_diagonal(matrix, 0)
    order = np.argsort(-matrix, axis=None, kind="stable")[:3]
    pairs = [divmod(int(cell), len(classes)) for cell in order if matrix.flat[cell]]
    return "\n".join(
        [
            "**Most common confusions**",
            *(f"- {classes[i]} read as {classes[j]}: {matrix[i, j]} times" for i, j in pairs),
        ]
    )
