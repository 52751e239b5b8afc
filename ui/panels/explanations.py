"""Four views of why a drawing was read as it was."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from dasksvd.digit.reader import DigitModel, Explanation
from ui import figures, links, readers, texts
from ui.components import charts, plots, walls

CLASSES = [str(number) for number in range(10)]
N_VOICES = 7
N_NEIGHBOURS = 10


@dataclass(frozen=True)
class Reading:
    """A drawing as a model has read it.

    Attributes
    ----------
    model : DigitModel
    explanation : Explanation
    path : Path
        The model's file.
    per_class : int
        Atoms of each class that could be used.
    colors : list
        The colour scale for atoms.
    """

    model: DigitModel
    explanation: Explanation
    path: Path
    per_class: int
    colors: list


def show(reading: Reading) -> None:
    """Let one choose a view, and draw it."""
    view = links.draw(
        st.segmented_control,
        "Explanation",
        list(VIEWS),
        key="explain_view",
        kind=links.named(LINKS),
        default=next(iter(VIEWS)),
        check=VIEWS.__contains__,
        required=True,
        width="stretch",
        label_visibility="collapsed",
    )
    with st.container():
        VIEWS[view](reading)
    links.write("reader")


def sparse_code(reading: Reading) -> None:
    """The code over the dictionary, and whose atoms carry it."""
    model, explanation = reading.model, reading.explanation
    code = np.zeros(len(model.atoms))
    code[explanation.atoms] = explanation.coefficients
    left, right = st.columns([3, 2])
    plots.show(
        figures.code_stems(
            code, model.atom_classes, CLASSES, f"Sparse code: {len(explanation.atoms)} of {len(model.atoms)} atoms"
        ),
        alt="Stem plot of the coefficients over all atoms, grouped and coloured by class.",
        key="code",
        place=left,
    )
    plots.show(
        figures.share_bars(explanation.class_energy, CLASSES, "Energy on each class's atoms", "share of Σa², %"),
        alt="Bars of the share of the squared coefficients on each class's atoms.",
        key="energy",
        place=right,
    )
    st.caption(
        "Left: every stem is an atom that OMP used, as high as its coefficient a. Right: the squared coefficients "
        "summed by class. The network reads the whole code, so the class with the most energy does not always win."
    )


def step_by_step(reading: Reading) -> None:
    """The pursuit: pictures, what is left, and the atoms in their order."""
    model, explanation = reading.model, reading.explanation
    total, limit = len(explanation.atoms), model.n_nonzero
    chosen = _pick_step(limit) if limit > 1 else 1
    step = min(chosen, total)
    rebuilt = explanation.steps[step - 1]
    left, right = st.columns([3, 2])
    walls.show(
        figures.picture_row(
            np.stack([explanation.signal, rebuilt, explanation.signal - rebuilt]).astype(np.float32),
            ["the digit x", f"built from {step} atom{'s' * (step > 1)}", "left over"],
            "The digit builds up, the residual falls",
            colors=reading.colors,
        ),
        alt=f"The digit, its approximation by the first {step} atoms, and the difference.",
        key="built",
        place=left,
    )
    plots.show(
        figures.residual_curve(explanation.residuals, step),
        alt="Curve of the residual's length after each step of the pursuit.",
        key="residual",
        place=right,
    )
    walls.show(
        figures.pursuit_wall(
            model.atoms[explanation.atoms],
            explanation.coefficients,
            model.atom_classes[explanation.atoms],
            step,
            "The atoms in the order OMP took them: class, coefficient, picture",
            columns=6 if charts.on_phone() else 14,
            colors=reading.colors,
        ),
        alt=f"{total} atoms in the order of the pursuit, with class and coefficient above each.",
        key="order",
    )
    st.caption(
        "Each step takes the atom most similar to what is left over, then fits all coefficients again. "
        "The coefficients shown are those of the finished code."
    )


def _pick_step(limit: int) -> int:
    return links.draw(
        st.slider,
        "Step",
        1,
        limit,
        key=f"step_{limit}",
        kind=links.WHOLE,
        default=min(8, limit),
        check=lambda step: 1 <= step <= limit,
    )


def for_and_against(reading: Reading) -> None:
    """Which atoms spoke for the winner and which against."""
    model, explanation = reading.model, reading.explanation
    rival, winner = (int(number) for number in np.argsort(explanation.probabilities)[-2:])
    parts, rest = model.lead_parts(explanation, winner, rival)
    order = np.argsort(-parts)
    voices = order if len(order) <= 2 * N_VOICES else np.concatenate([order[:N_VOICES], order[-N_VOICES:]])
    names = [f"{place + 1}. of class {model.atom_classes[explanation.atoms[place]]}" for place in voices]
    left, right = st.columns([3, 2])
    charts.show(
        figures.vote_bars(parts[voices], names, f"Atoms for {winner} (right) and for {rival} (left)"),
        alt=f"Bars of the atoms that add most to the lead of {winner} over {rival}, and that take most from it.",
        key="votes",
        place=left,
    )
    with right:
        for title, chosen in ((f"Spoke for {winner}", voices[:N_VOICES]), (f"Spoke against {winner}", voices[::-1])):
            sign = 1 if title.startswith("Spoke for") else -1
            some = [place for place in chosen[:N_VOICES] if sign * parts[place] > 0]
            if some:
                walls.show(
                    figures.labelled_row(
                        model.atoms[explanation.atoms[some]] * np.sign(explanation.coefficients[some])[:, None],
                        model.atom_classes[explanation.atoms[some]],
                        [texts.signed(parts[place]) for place in some],
                        title,
                        colors=reading.colors,
                    ),
                    alt=f"{title}: pictures of {len(some)} atoms with their class and their part of the lead.",
                    key=f"voices_{sign}",
                )
    st.caption(
        f"The lead is the score of {winner} minus the score of {rival}, before the softmax: "
        f"**{texts.signed(parts.sum() + rest)}** = {texts.signed(parts[parts > 0].sum())} (atoms for) "
        f"{texts.signed(parts[parts < 0].sum())} (atoms against) {texts.signed(rest)} (the network's constant "
        "part). An atom's part is its coefficient times the slope of the lead at this code; the network is linear as "
        "long as no hidden unit switches, so the parts add up. "
        "The numbers are the order of OMP; an atom with a negative coefficient is shown negated, as it was used."
    )


def neighbours(reading: Reading) -> None:
    """The training digits whose codes are most like this one."""
    model, explanation = reading.model, reading.explanation
    codes = readers.training_codes(reading.path, model.n_nonzero, reading.per_class)
    code = np.zeros(len(model.atoms), np.float32)
    code[explanation.atoms] = explanation.coefficients
    likeness = codes @ (code / max(float(np.linalg.norm(code)), 1e-9))
    nearest = np.argsort(-likeness)[:N_NEIGHBOURS]
    signals, labels = readers.training_digits()
    walls.show(
        figures.labelled_row(
            signals[nearest],
            labels[nearest],
            [f"{value:.2f}" for value in likeness[nearest]],
            f"The {N_NEIGHBOURS} training digits with the most similar codes",
            colors=figures.GREY,
        ),
        alt=f"The nearest training digits in code space: labels {', '.join(map(str, labels[nearest]))}.",
        key="nearest",
    )
    st.caption(
        f"Among {len(labels)} training digits. Below each its label and the cosine between its code and yours "
        "(1 is the same direction). Codes are compared, not pictures: two digits are near if they use the same atoms."
    )


VIEWS = {
    "Sparse code": sparse_code,
    "Step by step": step_by_step,
    "For and against": for_and_against,
    "Neighbours": neighbours,
}
#: What links call them.
LINKS = dict(zip(VIEWS, ("code", "steps", "votes", "neighbours"), strict=True))
