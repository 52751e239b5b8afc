"""The method as one picture: an iteration from its sample to the atoms it keeps."""

import numpy as np
import streamlit as st

from dasksvd.method.sampling import degrade
from ui import cache, figures, links
from ui.components import plots, walls
from ui.sidebar import View

#: Pictures along each side of a panel.
SIDE = 4


def show(view: View) -> None:
    """Five panels with the current run's own data."""
    iteration = _pick(view)
    record = view.trajectory.records[iteration - 1]
    chosen = view.selection.index[iteration - 1]
    signals, labels = cache.signals(view.run_id, iteration - 1)
    some = np.concatenate([np.flatnonzero(labels == c)[:2] for c in range(len(view.classes))])[: SIDE * SIDE]
    settings = view.description.settings
    noise = (iteration - 1) * settings.tau2
    # As strong as the run's own noise, which is not kept.
    noisy = degrade(signals[some], iteration - 1, settings.tau2, settings.noise, np.random.default_rng(iteration))
    around = np.concatenate([chosen, np.setdiff1d(np.arange(len(record.atoms)), chosen)])[: SIDE * SIDE]
    panels = st.columns(5)
    _wall(panels[0], signals[some], f"1. Draw {settings.t} per class", figures.GREY, "drawn digits", "drawn")
    panels[0].caption(r"by their odds; then $p \leftarrow \tau_1 p$")
    _wall(panels[1], noisy, f"2. Add noise, {noise:.1f} σ", figures.GREY, "the same digits with noise", "noisy")
    panels[1].caption(r"of size $(l-1)\,\tau_2\,\sigma_i$")
    _wall(
        panels[2], record.atoms[np.sort(around)], f"3. Learn {len(record.atoms)} atoms", view.colors, "atoms", "learned"
    )
    panels[2].caption(r"by K-SVD: $\min \|X - A\Phi\|_F^2$, $\|a_i\|_0 \le qM$")
    atom = int(chosen[np.argmax(record.measures.af[chosen])])
    top = int(record.measures.top[atom])
    rival = int(record.measures.second[atom])
    plots.show(
        figures.class_bars(record.tables.p[:, atom], view.classes, top, rival, "4. Who uses atom j?", "p", height=240),
        f"Activation probabilities of atom {atom}; class {view.classes[top]} uses it most.",
        "step_bars",
        place=panels[3],
    )
    panels[3].caption(r"$m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$")
    _wall(panels[4], record.atoms[chosen][: SIDE * SIDE], "5. Keep one per class", view.colors, "kept atoms", "kept")
    panels[4].caption("and stack them: the structured dictionary grows")


def _pick(view: View) -> int:
    if view.I == 1:
        return 1
    return links.draw(
        st.slider,
        "Iteration l",
        1,
        view.I,
        key="method_step",
        kind=links.WHOLE,
        default=min(4, view.I),
        check=lambda step: 1 <= step <= view.I,
        help="Every iteration goes through these steps.",
    )


def _wall(place, images: np.ndarray, title: str, colors: list, what: str, key: str) -> None:
    wall = figures.wall(figures.in_rows(images, SIDE, SIDE), title, colors)
    walls.show(wall, f"{title}: {len(images)} {what}.", f"step_{key}", place=place)
