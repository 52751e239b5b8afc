"""Everything about one atom: who uses it, its measures, its rank, its like in the other iterations."""

from dataclasses import replace

import numpy as np
import streamlit as st

from dasksvd.common.language import say
from dasksvd.figures import class_color
from dasksvd.method.selection import owned
from dasksvd.method.trajectory import Record
from ui import cache, figures, links, texts
from ui.components import charts, plots, walls
from ui.panels import atom_picks, fine_tuned, formulas
from ui.panels.atom_picks import Pick
from ui.state import View

#: Images shown that use the atom most, and iterations in its strip.
N_USERS, N_LIFE = 12, 24
#: Letters of a class's name for which all of them have room.
SHORT = 7


def show(view: View, pick: Pick) -> None:
    """Picture, classes, rank, measures with their numbers, and who uses it."""
    atom = atom_picks.number_of(view, pick)
    record = view.trajectory.records[pick.column]
    top, second = int(record.measures.top[atom]), int(record.measures.second[atom])
    chosen = np.flatnonzero(view.selection.index[pick.column] == atom)
    links.tell("atom_iteration", pick.column + 1)
    links.tell("atom_chosen", len(chosen))
    fate = (
        say("chosen for class {classe}", classe=texts.plain(view.classes[chosen[0]]))
        if len(chosen)
        else say("not chosen")
    )
    st.header(
        say("Atom {atom} of iteration {column}: {fate}", atom=atom, column=pick.column + 1, fate=fate), anchor=False
    )
    tuned = fine_tuned.of(view, pick.column, atom)
    pictures = [record.atoms[atom]] if tuned is None else [record.atoms[atom], tuned[0]]
    wall = figures.wall(
        np.stack(pictures)[None],
        say("Class {classe} against {classe2}", classe=view.classes[top], classe2=view.classes[second]),
        view.colors,
        columns=None if tuned is None else ["learned", say("fine-tuned, cosine {tuned:.2f}", tuned=tuned[1])],
        cell=260 if tuned is None else 130,
    )
    notes = [
        (say("ℓ⁺ = {class_name} uses it most", class_name=view.class_names[top]), class_color(top)),
        (say("ℓ* = {class_name} comes second", class_name=view.class_names[second]), class_color(second)),
        (rank_text(view, pick.column, atom), ""),
    ]
    alt = say("Atom {atom} enlarged. {value}.", atom=atom, value=". ".join((text for text, _ in notes)))
    walls.show(replace(wall, notes=notes), alt, "atom")
    with st.container(key="atom_measures"):
        st.markdown(f"${_measures(view, record, atom)}$")
    plots.show(
        figures.class_bars(
            record.tables.p[:, atom],
            view.classes,
            top,
            second,
            say("Activation probability p by class"),
            say("share of signals"),
            height=225,
        ),
        say(
            "Bars of the activation probability of atom {atom} for each class; class {classe} uses it most, class "
            "{classe2} comes second.",
            atom=atom,
            classe=view.classes[top],
            classe2=view.classes[second],
        ),
        "bars",
    )


def _measures(view: View, record: Record, atom: int) -> str:
    """The three measures and their sum, one below the other."""
    sign = view.description.settings.re_sign
    leads = [formulas.lead(record, atom, name, sign) for name in formulas.TABLES]
    lines = [formulas.filled(one) for one in leads]
    lines.append(formulas.combined(record.measures, atom, view.alpha, view.beta))
    return formulas.stacked(lines)


def rank_text(view: View, column: int, atom: int) -> str:
    """An atom's place among those that its class uses most."""
    measures = view.trajectory.records[column].measures
    top = measures.top[atom]
    mine = owned(measures, len(view.classes))[top]
    if not mine[atom]:
        return say("No class uses it more than all others: no rank")
    scores = view.trajectory.scores(column, view.alpha, view.beta, view.ranking)
    rank = 1 + int(np.sum(scores[mine] > scores[atom]))
    return say(
        "Rank {rank} of {sum} atoms that class {classe} uses most", rank=rank, sum=mine.sum(), classe=view.classes[top]
    )


def life(view: View, pick: Pick) -> None:
    """The most similar atom of each iteration, as a strip."""
    if view.I == 1:
        return
    atom = atom_picks.number_of(view, pick)
    index, cosine = (values[: view.I] for values in cache.closest(view.run_id, pick.column, atom))
    shown = np.unique([*np.linspace(0, view.I - 1, min(N_LIFE, view.I)).round().astype(int), pick.column])
    atoms = np.stack([view.trajectory.records[l].atoms[index[l]] for l in shown])
    names = [f"{cosine[l]:z.2f}".replace("-", "−") for l in shown]
    wall = figures.wall(
        atoms[None],
        say("Its life: the most similar atom of each iteration, and its cosine"),
        view.colors,
        columns=names,
        hover=[
            [
                say("iteration {l}, atom {index}\ncosine {name} to the picked atom", l=l + 1, index=index[l], name=name)
                for l, name in zip(shown, names, strict=True)
            ]
        ],
    )
    top = int(view.trajectory.records[pick.column].measures.top[atom])
    atom_picks.show(
        view,
        # A row of its own class's name: so its pictures stand below the columns of the structured dictionary.
        replace(wall, rows=[(view.classes[top], class_color(top))]),
        say(
            "The atom of each iteration that is most similar to atom {atom} of iteration {column}: cosines ",
            atom=atom,
            column=pick.column + 1,
        )
        + ", ".join(names),
        "life",
        [[atom_picks.of_dictionary(view, int(l), [int(index[l])])[0] for l in shown]],
        pick,
    )


def users(view: View, pick: Pick) -> None:
    """The training images with the largest coefficient."""
    atom = atom_picks.number_of(view, pick)
    signals, labels, codes = cache.sample(view.run_id, pick.column)
    strength = np.abs(codes[:, atom])
    narrow = charts.on_phone() + (max(map(len, view.classes)) > SHORT)
    order = np.argsort(-strength, kind="stable")[: N_USERS // (1 + narrow)]
    order = order[strength[order] > 0]
    if not len(order):
        st.info(say("None of the sampled training signals uses this atom once their noise is removed."))
        return
    captions = [f"{view.classes[labels[i]]} : {texts.signed(codes[i, atom])}" for i in order]
    walls.show(
        figures.wall(
            signals[order][None],
            say("Training images that use it most (class : coefficient a)"),
            figures.GREY,
            columns=captions,
            cell=100,
        ),
        say(
            "The {count} sampled signals with the largest coefficient: {captions}.",
            count=len(order),
            captions=", ".join(captions),
        ),
        "users",
    )
