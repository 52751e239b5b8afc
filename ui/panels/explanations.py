"""Six views of why a drawing was read as it was, five of them for pictures, too."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.digit.atom_reader import AtomReader, Explanation
from dasksvd.encoders import ENCODERS
from ui import figures, links, readers, texts
from ui.components import pictures, plots, pursuit, votes, walls
from ui.panels import guess, least_stroke, time_machine
from ui.panels.reader_choice import Choice

N_VOICES = 7
N_NEIGHBOURS = 10


@dataclass(frozen=True)
class Reading:
    """A drawing as a reader has read it.

    Attributes
    ----------
    choice : Choice
        The reader.
    explanation : Explanation
    colors : list
        The colour scale for atoms.
    """

    choice: Choice
    explanation: Explanation
    colors: list

    @property
    def model(self) -> AtomReader:
        """The reader's model."""
        return self.choice.model

    @property
    def names(self) -> list[str]:
        """Class names that are short enough for figures."""
        return self.choice.reader.classes

    @property
    def kinds(self) -> str:
        """What is read, many of them."""
        return say("digits" if self.choice.reader.draws else "pictures")

    @property
    def rebuilt(self) -> str:
        """What the atoms make of it."""
        return say("the rebuilt digit" if self.choice.reader.draws else "the rebuilt picture")


def show(reading: Reading) -> int | None:
    """Let one choose a view, and draw it; an atom that was clicked in it is returned."""
    views = list(VIEWS) if reading.choice.reader.draws else [name for name in VIEWS if name != OF_DRAWINGS]
    with st.container(horizontal=True, vertical_alignment="center"):
        view = links.draw(
            st.segmented_control,
            say("Explanation"),
            views,
            key="explain_view",
            kind=links.named(LINKS),
            default=views[0],
            check=views.__contains__,
            format_func=say,
            required=True,
            width="stretch",
            label_visibility="collapsed",
        )
        guess.on_draw(reading.model, reading.explanation, reading.names, reading.colors)
    with st.container():
        tell_encoder(reading)
        clicked = VIEWS[view](reading)
    links.write("reader")
    return clicked


def tell_encoder(reading: Reading) -> None:
    """One sentence where the network reads other codes than those of the pursuit, or more."""
    model = reading.model
    if model.beside:
        st.caption(
            say(
                "The network reads two codes of {count} non-zeros on the same atoms: that of the pursuit, and "
                "“{title}”. The pursuit, its steps and {rebuilt} explain the first; For and against adds up an atom's "
                "parts in both.",
                count=model.n_nonzero,
                title=say(ENCODERS[model.beside].title).lower(),
                rebuilt=reading.rebuilt,
            )
        )
    elif not model.reads_pursuit:
        level = f", λ = {model.level:g}" if model.level else ""
        st.caption(
            say(
                "The network of this reader reads codes by “{title}”{level}: the answer and For and against come from "
                "them; the pursuit, its atoms and {rebuilt} are OMP's.",
                title=say(ENCODERS[model.encoder].title),
                level=level,
                rebuilt=reading.rebuilt,
            )
        )


def sparse_code(reading: Reading) -> None:
    """The code over the dictionary, and whose atoms carry it."""
    model, explanation = reading.model, reading.explanation
    code = np.zeros(len(model.atoms))
    code[explanation.atoms] = explanation.coefficients
    left, right = st.columns([3, 2])
    plots.show(
        figures.code_stems(
            code,
            model.atom_classes,
            reading.names,
            say("Sparse code: {used} of {count} atoms", used=len(explanation.atoms), count=len(model.atoms)),
        ),
        alt=say("Stem plot of the coefficients over all atoms, grouped and coloured by class."),
        key="code",
        place=left,
    )
    plots.show(
        figures.share_bars(
            explanation.class_energy, reading.names, say("Energy on each class's atoms"), say("share of Σa², %")
        ),
        alt=say("Bars of the share of the squared coefficients on each class's atoms."),
        key="energy",
        place=right,
    )
    told = say(
        "Left: every stem is an atom that OMP used, as high as its coefficient a. Right: the squared coefficients "
        "summed by class."
    )
    whole = say("The network reads the whole code, so the class with the most energy does not always win.")
    st.caption(f"{told} {whole if model.reads_pursuit else ''}")


def step_by_step(reading: Reading) -> int | None:
    """The pursuit: what each step looked at, what it took, and how all coefficients changed."""
    model, explanation = reading.model, reading.explanation
    total = len(explanation.atoms)
    step = min(pursuit.step_of(model.n_nonzero), total)
    labels, opens = reading.choice.reader.labels, reading.choice.opens_atoms
    pursuit.show(model.trace(explanation), model, explanation.signal, reading.colors, labels, step, opens)
    st.caption(
        say(
            "Each step takes the atom most similar to what is left over, then fits all coefficients again. "
            "After {total} steps they are the {code}.",
            total=total,
            code=_read_after(model),
        )
    )
    return pursuit.opened()


def _read_after(model: AtomReader) -> str:
    """What the coefficients of the whole pursuit are."""
    if model.beside:
        return say("first of the two codes that the network reads")
    return say("code that the network reads" if model.reads_pursuit else "sparse code")


def for_and_against(reading: Reading) -> int | None:
    """Which atoms spoke for the winner and which against."""
    model, explanation = reading.model, reading.explanation
    rival, winner = (int(number) for number in np.argsort(explanation.probabilities)[-2:])
    parts, rest = model.lead_parts(explanation, winner, rival)
    learned = model.lead_by_corrections(explanation, winner, rival)
    told = f" {_added(learned)} " + say("(your corrections)") if learned else ""
    best, other = (reading.names[number] for number in (winner, rival))
    order = np.argsort(-parts, kind="stable")
    votes.show(
        [
            _side(reading, parts, order[parts[order] > 0], say("Atoms for {best}", best=best)),
            _side(
                reading,
                parts,
                order[::-1][parts[order[::-1]] < 0],
                say("Atoms against {best}, for {other}", best=best, other=other),
            ),
        ],
        alt=say(
            "Bars of the atoms that add most to the lead of {best} over {other}, and that take most from it.",
            best=best,
            other=other,
        ),
        colors=reading.colors,
        labels=reading.choice.reader.labels,
        opens=reading.choice.opens_atoms,
    )
    steps = say(", with the step in which OMP took them") if model.reads_pursuit else ""
    steps += say("; those without a step are in the second code only") if model.beside else ""
    st.caption(
        say(
            "The lead is the score of {best} minus the score of {other}, before the softmax: "
            "**{lead:.2f}** = {more:.2f} (atoms for) − {less:.2f} (atoms against) {rest} (the network's constant "
            "part){told}. An atom's part is its coefficient times the slope of the lead at this code; the network is "
            "linear as long as no hidden unit switches, so the parts add up. The {count} strongest of each side are "
            "shown{steps}. An atom with a negative coefficient is shown negated, as it was used.",
            best=texts.plain(best),
            other=texts.plain(other),
            lead=parts.sum() + rest + learned,
            more=parts[parts > 0].sum(),
            less=-parts[parts < 0].sum(),
            rest=_added(rest),
            told=told,
            count=N_VOICES,
            steps=steps,
        )
    )
    return votes.opened()


def _added(value: float) -> str:
    """A number as a sum goes on with it."""
    return f"{'−' if value < 0 else '+'} {abs(value):.2f}"


def _side(reading: Reading, parts: np.ndarray, voices: np.ndarray, title: str) -> votes.Side:
    """The strongest of some atoms."""
    model, explanation = reading.model, reading.explanation
    atoms = voices[:N_VOICES]
    code = explanation.code
    if explanation.beside is not None:  # some atoms are in the second code only
        code = np.where(code == 0, explanation.beside, code)
    as_used = model.atoms[atoms] * np.sign(code[atoms])[:, None]
    taken = {atom: step for step, atom in enumerate(explanation.atoms.tolist(), 1)} if model.reads_pursuit else {}
    return votes.Side(
        title,
        tuple(atoms.tolist()),
        tuple(model.atom_classes[atoms].tolist()),
        tuple(taken.get(atom, 0) for atom in atoms.tolist()),
        tuple(np.round(parts[atoms], 3).tolist()),
        pictures.signed_levels(as_used.astype(np.float32)),
    )


def neighbours(reading: Reading) -> None:
    """The training pictures whose codes are most like this one."""
    model, explanation = reading.model, reading.explanation
    codes = readers.training_codes(reading.choice.reader, model.n_nonzero, reading.choice.per_class)
    code = np.zeros(len(model.atoms), np.float32)
    code[explanation.atoms] = explanation.coefficients
    likeness = codes @ (code / max(float(np.linalg.norm(code)), 1e-9))
    nearest = np.argsort(-likeness)[:N_NEIGHBOURS]
    signals, labels = readers.neighbourhood(reading.choice.reader)
    names = [reading.names[label] for label in labels[nearest]]
    walls.show(
        figures.labelled_row(
            signals[nearest],
            labels[nearest],
            names,
            [f"{value:.2f}" for value in likeness[nearest]],
            say("The {count} training {kinds} with the most similar codes", count=N_NEIGHBOURS, kinds=reading.kinds),
            colors=figures.GREY,
        ),
        alt=say(
            "The nearest training {kinds} in code space: classes {names}.",
            kinds=reading.kinds,
            names=", ".join(names),
        ),
        key="nearest",
    )
    st.caption(
        say(
            "Among {count} training {kinds}. Below each its label and the cosine between its code and yours (1 is the "
            "same direction). Codes are compared, not pixels: two {kinds} are near if they use the same atoms.",
            count=len(labels),
            kinds=reading.kinds,
        )
    )


def through_time(reading: Reading) -> None:
    """The same drawing as the dictionary grows."""
    time_machine.show(reading.model, reading.explanation, reading.names)


def smallest_change(reading: Reading) -> None:
    """What would have to be drawn otherwise for another answer."""
    least_stroke.show(reading.model, reading.choice.reader.path, reading.names, reading.colors)


#: What only a drawing has strokes for.
OF_DRAWINGS = phrase("Least stroke")
VIEWS: dict[str, Callable[[Reading], int | None]] = {
    phrase("For and against"): for_and_against,
    phrase("Step by step"): step_by_step,
    phrase("Sparse code"): sparse_code,
    phrase("Neighbours"): neighbours,
    phrase("Time machine"): through_time,
    OF_DRAWINGS: smallest_change,
}
#: What links call them.
LINKS = dict(zip(VIEWS, ("votes", "steps", "code", "neighbours", "time", "least"), strict=True))
