"""What m_re really measures: how much of r is the class's own residual, and which rivals that selects."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.figures import ACCENT
from dasksvd.method.measures import own_residual
from dasksvd.method.selection import owned
from dasksvd.method.trajectory import Record, Trajectory
from ui import cache, figures, texts
from ui.components import plots
from ui.state import View

#: Of the owned atoms of an iteration: the lowest tenth, the middle, the highest tenth.
PARTS = (10, 50, 90)


@dataclass(frozen=True)
class Facts:
    """What a run says about m_re, apart from weights.

    Attributes
    ----------
    shares : ndarray of shape (3, n_iterations)
        Residual's share of r of an atom's class ℓ⁺, at :data:`PARTS` of the owned atoms.
    residuals : ndarray of shape (n_iterations, n_classes)
        ‖R_ℓ‖²/n_ℓ.
    rivals : ndarray of shape (n_iterations, n_classes), int
        How many owned atoms have each class as their rival ℓ*.
    """

    shares: np.ndarray
    residuals: np.ndarray
    rivals: np.ndarray


def facts_of(trajectory: Trajectory) -> Facts:
    """The facts of all iterations of a run."""
    k = len(trajectory.classes)
    residuals = np.stack([own_residual(record.tables) for record in trajectory.records])
    pairs = list(zip(trajectory.records, residuals, strict=True))
    shares = [np.percentile(residual_share(record, residual), PARTS) for record, residual in pairs]
    rivals = [np.bincount(record.measures.second[_owned(record, k)], minlength=k) for record in trajectory.records]
    return Facts(np.transpose(shares), residuals, np.stack(rivals))


def residual_share(record: Record, residual: np.ndarray) -> np.ndarray:
    """Which share of r of its own class is that class's residual, for every owned atom; shape (n_owned,)."""
    mine = _owned(record, len(residual))
    top = record.measures.top[mine]
    return residual[top] / record.tables.r[top, mine]


def _owned(record: Record, n_classes: int) -> np.ndarray:
    """The atoms that some class uses strictly more often than all others."""
    return np.flatnonzero(owned(record.measures, n_classes).any(axis=0))


@st.cache_resource(max_entries=8)
def _facts(run_id: str, n_finished: int) -> Facts:
    return facts_of(cache.trajectory(run_id))


def show(view: View) -> None:
    """The share of the residual over the iterations, the rivals of the chosen atoms, and what follows."""
    facts = _facts(view.run_id, len(view.trajectory.records))
    records = view.trajectory.records[: view.I]
    pairs = zip(records, view.selection.index, strict=True)
    chosen = np.concatenate([record.measures.second[index] for record, index in pairs])
    counts = np.bincount(chosen, minlength=len(view.classes))
    everywhere = facts.rivals[: view.I].sum(axis=0)
    st.header(say("What $m_{re}$ really measures"), anchor="error-measure")
    st.markdown(
        say(
            r"$r_\ell = \dfrac{\lVert R_\ell\rVert^2}{n_\ell} + \overline{a_j^2}$: the error of class $\ell$ without "
            r"atom $j$ is what **all** atoms together leave of its signals, plus the little that atom $j$ explains."
        )
    )
    left, middle, right = st.columns([4, 3, 3], gap="medium")
    _show_shares(facts.shares[:, : view.I], left)
    top = 105 * max(_parts(counts).max(), _parts(everywhere).max())
    title = say("Rivals ℓ* of the {sum} chosen atoms", sum=counts.sum())
    _show_rivals(view, counts, title, "chosen_rivals", middle, top)
    title = say("Rivals ℓ* of all {sum:,} owned atoms", sum=everywhere.sum())
    _show_rivals(view, everywhere, title, "owned_rivals", right, top)
    st.markdown(_follows(view, facts, counts, everywhere))


def _show_shares(shares: np.ndarray, place) -> None:
    along = np.arange(1, shares.shape[1] + 1)
    names = (say("lowest 10 %"), say("middle atom"), say("highest 10 %"))
    plots.show(
        figures.named_lines(
            {name: (along, 100 * line) for name, line in reversed(list(zip(names, shares, strict=True)))},
            say("Share of r that is the class's own residual"),
            (say("iteration l"), say("% of r of the atom's class")),
            colors=[ACCENT] * 3,
            weights=["pale", "strong", "pale"],
            hover=say("iteration {x:g}, {name}: {y:.1f} %"),
            top=100,
        ),
        say(
            "Lines over {count} iterations: for the middle atom, the residual's share of r goes from {share} to "
            "{share2}.",
            count=len(along),
            share=texts.percent(shares[1, 0]),
            share2=texts.percent(shares[1, -1]),
        ),
        "residual_share",
        place=place,
    )


def _show_rivals(view: View, counts: np.ndarray, title: str, key: str, place, top: float) -> None:
    pairs = zip(view.classes, counts, strict=True)
    told = ", ".join(say("{count} have {name}", count=count, name=name) for name, count in pairs)
    plots.show(
        figures.share_bars(_parts(counts), view.classes, title, say("% of the atoms"), top=top),
        f"{title}: {told}.",
        key,
        place=place,
    )


def _parts(counts: np.ndarray) -> np.ndarray:
    return counts / max(1, counts.sum())


def _follows(view: View, facts: Facts, counts: np.ndarray, everywhere: np.ndarray) -> str:
    """Two sentences with the run's own numbers."""
    last, rival = view.I - 1, int(np.argmax(counts))
    lowest = int(np.argmin(facts.residuals[last]))
    others = np.delete(facts.residuals[last], lowest).mean()
    name = texts.plain(view.classes[lowest])
    small = say(
        "class **{name}** has the smallest residual ({residual:.3g}, the others {others:.3g} on average)",
        name=name,
        residual=facts.residuals[last, lowest],
        others=others,
    )
    reason = say("and {small}", small=small) if rival == lowest else say("while {small}", small=small)
    return say(
        "In iteration {I}, **{share}** of r is residual for the middle atom: r says how well the class is "
        "rebuilt at all, and hardly what this atom does for it.\n\nSo $m_{{re}}$ mostly asks which rival has a "
        "small residual: **{count} of {sum}** atoms chosen at {weights_text} have rival **{classe}** (of all "
        "owned atoms {everywhere}), {reason}.",
        I=view.I,
        share=texts.percent(facts.shares[1, last]),
        count=counts[rival],
        sum=counts.sum(),
        weights_text=view.weights_text,
        classe=texts.plain(view.classes[rival]),
        everywhere=texts.percent(_parts(everywhere)[rival]),
        reason=reason,
    )
