"""All atoms of an iteration by two measures, and the numbers of the one that was picked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dasksvd.common.language import phrase, say, say_count
from dasksvd.method.measures import Measures
from dasksvd.reports.tables import as_csv, measure_rows
from ui import figures, frame, links, texts
from ui.components import charts, plots, triangle, walls
from ui.panels import formulas, guess
from ui.state import View

#: Link names of the iteration and of the atom that the page looks at.
ITERATION, ATOM = "measured", "spot"
#: Pixels of the window's height that other things than the scatter, or than a bar chart, need.
AROUND_SCATTER, AROUND_BARS = 204, 456
#: What the bars of each table are called, in as few words as fit above a small chart.
BARS: dict[formulas.Name, str] = {
    "af": phrase("p · how often used"),
    "cm": phrase("q · how strongly"),
    "re": phrase("r · error without it"),
}


@dataclass(frozen=True)
class Axis:
    """What an axis of the scatter can show.

    Attributes
    ----------
    title : str
    values, lead : callable
        The measure of all atoms, and what it was before values below 0 were cut (D6).
    larger : str
        What is larger at the rival where it was cut.
    """

    title: str
    values: Callable[[Measures], np.ndarray]
    lead: Callable[[Measures], np.ndarray]
    larger: str = ""


AXES = {
    "af": Axis(phrase("activation frequency m_af"), lambda m: m.af, lambda m: m.af),
    "cm": Axis(phrase("coefficient magnitude m_cm"), lambda m: m.cm, lambda m: m.cm_lead, phrase("mean coefficient")),
    "re": Axis(phrase("representation error m_re"), lambda m: m.re, lambda m: m.re_lead, phrase("error")),
}


def pick(view: View) -> tuple[int, Axis, Axis]:
    """The iteration (from 1) and what the scatter's axes show; seldom used controls are in a popover."""
    left, right = st.columns(2, vertical_alignment="bottom", wrap=False)
    iteration = 1 if view.I == 1 else _pick_iteration(view, left)
    with right.container(horizontal=True, gap="xsmall"):
        more = frame.more(say("Axes"), key="scatter_more", width="content")
        guess.on_measures(view, iteration)
    across, up = (_pick_axis(more, *side) for side in ((say("Across"), "x", "af"), (say("Up"), "y", "re")))
    download_measures(view, iteration, more)
    return iteration, across, up


def _band(count: int, axis: Axis, turned: bool) -> str:
    """Why atoms stand in the band below the axis."""
    if turned:
        return say_count(
            count,
            "1 atom cut to 0: the rival's {what} is smaller.",
            "{count} atoms cut to 0: the rival's {what} is smaller.",
            what=say(axis.larger),
        )
    return say_count(
        count,
        "1 atom cut to 0: the rival's {what} is larger.",
        "{count} atoms cut to 0: the rival's {what} is larger.",
        what=say(axis.larger),
    )


def _pick_iteration(view: View, place: Any) -> int:
    return links.draw(
        place.slider,
        say("Iteration l"),
        1,
        view.I,
        key=ITERATION,
        kind=links.WHOLE,
        default=1,
        check=lambda value: 1 <= value <= view.I,
        help=say("The iteration whose atoms are shown: all of its auxiliary dictionary."),
    )


def _pick_axis(place: Any, label: str, key: str, usual: str) -> Axis:
    titles = {name: axis.title for name, axis in AXES.items()}
    return AXES[links.choose(place.selectbox, label, titles, key=key, default=usual)]


def show_scatter(view: View, iteration: int, across: Axis, up: Axis) -> int:
    """All atoms of the iteration; returns the picked one."""
    measures, chosen = view.trajectory.records[iteration - 1].measures, view.selection.index[iteration - 1]
    picked = plots.picked_in("scatter", len(measures.af), link=ATOM)
    atom = int(chosen[0]) if picked is None else picked
    cut = up.lead(measures) < 0
    turned = up is AXES["re"] and view.description.settings.re_sign == "code"  # D7
    phone = charts.on_phone()
    plots.show(
        figures.measure_dots(
            across.values(measures),
            up.values(measures),
            measures.top,
            chosen,
            view.classes,
            (say(across.title), say(up.title)),
            title=say("{count} atoms by class; ringed: selected", count=len(measures.af)),
            cut=cut,
            band=_band(int(cut.sum()), up, turned),
            height=395 if phone else 500,
            around=0 if phone else AROUND_SCATTER,
        ),
        say(
            "Scatter of {title} against {title2} of all atoms of iteration {iteration}, each with its class. {sum} "
            "atoms whose value was cut to 0 stand in a band below the axis.",
            title=say(across.title),
            title2=say(up.title),
            iteration=iteration,
            sum=int(cut.sum()),
        ),
        "scatter",
        picked=atom,
    )
    return atom


def download_measures(view: View, iteration: int, place: Any) -> None:
    """The measures of every atom of an iteration, and whether it is selected, as a file."""

    def table() -> str:
        weights = {"alpha": view.alpha, "beta": view.beta, "ranking": view.ranking}
        return as_csv(measure_rows(view.trajectory, iteration, **weights))

    place.download_button(
        say("All atoms · CSV"),
        table,
        f"das-ksvd-{view.run_id}-iteration{iteration}.csv",
        "text/csv",
        on_click="ignore",
        help=say("p, q, r, the three measures and m of every atom of this iteration."),
    )


def show_atom(view: View, iteration: int, atom: int) -> None:
    """An atom with the weights beside it, its three tables as bars, and each formula with its numbers."""
    record = view.trajectory.records[iteration - 1]
    with st.container(key="atom_numbers", gap="xsmall"):
        picture, words, weights = _places()
        alt = say("Atom {atom} of iteration {iteration} enlarged.", atom=atom, iteration=iteration)
        title = say("The atom") if charts.on_phone() else ""  # there its buttons stand beside the title
        walls.show_one(record.atoms[atom], title, alt, "measured_atom", view.colors, place=picture, cell=136)
        with words:
            _describe(view, iteration, atom)
        triangle.show(view, place=weights)
        for place, name in zip(st.columns(3, gap="xsmall"), BARS, strict=True):
            _show_bars(view, iteration, atom, name, place.container(gap=None, key=f"measure_{name}"))
        (column,) = st.columns(1)
        column.container(key="atom_formula").latex(
            _below(formulas.combined(record.measures, atom, view.alpha, view.beta))
        )


def _places() -> tuple[Any, Any, Any]:
    """Where the atom's picture, the words about it and the weights stand: side by side, or the words first."""
    if charts.on_phone():
        words = st.container(key="atom_words", gap="xsmall")
        picture, weights = st.columns([2, 3], wrap=False, vertical_alignment="center")
    else:
        picture, words, weights = st.columns([26, 42, 32], vertical_alignment="center", gap="small")
        words = words.container(key="atom_words", gap="xsmall")
    return picture, words, weights


def _describe(view: View, iteration: int, atom: int) -> None:
    """Whose atom it is, and whether it was selected."""
    measures, chosen = view.trajectory.records[iteration - 1].measures, view.selection.index[iteration - 1]
    top, rival = int(measures.top[atom]), int(measures.second[atom])
    _tell(measures, atom, chosen[top] == atom)
    own, other = texts.plain(view.classes[top]), texts.plain(view.classes[rival])
    st.header(say("Atom {atom}: class {own} against {other}", atom=atom, own=own, other=other), anchor=False)
    own, other = texts.plain(view.class_names[top]), texts.plain(view.class_names[rival])
    selected = (
        say("It is selected.")
        if chosen[top] == atom
        else say("Class {own} selects atom {chosen}.", own=own, chosen=chosen[top])
    )
    st.caption(
        say("{own} uses it most (ℓ⁺), {other} comes second (ℓ*). {selected}", own=own, other=other, selected=selected)
    )
    frame.door(
        say("Open in Atoms"),
        "atoms",
        key="to_atom",
        values={"run": view.run_id, "atom": f"{iteration}:{atom}"},
        type="tertiary",
        icon=":material/open_in_new:",
        help=say("Who uses it, its rank, its life over the iterations."),
    )


def _tell(measures: Measures, atom: int, is_selected: bool) -> None:
    """Say what lessons ask about the atom."""
    links.tell("spot_class", int(measures.top[atom]))
    links.tell("spot_af", float(measures.af[atom]))
    links.tell("spot_re", float(measures.re_lead[atom]))
    links.tell("spot_selected", int(is_selected))


def _show_bars(view: View, iteration: int, atom: int, name: formulas.Name, place: Any) -> None:
    record = view.trajectory.records[iteration - 1]
    symbol, meaning = formulas.TABLES[name]
    top, rival = int(record.measures.top[atom]), int(record.measures.second[atom])
    phone = charts.on_phone()
    plots.show(
        figures.class_bars(
            formulas.table_of(record.tables, name)[:, atom],
            view.classes,
            top,
            rival,
            say(BARS[name]),
            "",
            height=200 if phone else 260,
            around=0 if phone else AROUND_BARS,
        ),
        say(
            "Bars of the {meaning} {symbol} of atom {atom} for each class.",
            meaning=say(meaning),
            symbol=symbol,
            atom=atom,
        ),
        f"bars_{symbol}",
        place=place,
    )
    lead = formulas.lead(record, atom, name, view.description.settings.re_sign)
    place.latex(_formula(lead))


def _formula(lead: formulas.Lead) -> str:
    """A measure in two lines: one would be wider than its chart."""
    fraction = formulas.numbers(lead, 3 if max(lead.plus, lead.star) < 10 else 2)
    return _below(f"{lead.symbol} = {fraction} = {formulas.result(lead)}")


def _below(equation: str) -> str:
    """An equation a = b = c in two lines, its last part below.

    Streamlit cuts a formula at its box, which is a little lower and narrower than a fraction.
    """
    name, middle, result = equation.split(" = ")
    height = r"\rule{0pt}{1.9em}" if r"\frac" in middle else ""
    return rf"\small\begin{{aligned}} {height}{name} &= {middle} \\ &= {result} \end{{aligned}}\;"
