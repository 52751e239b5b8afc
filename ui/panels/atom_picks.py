"""Which atom is looked at: picked in any wall, or named by a link, on the Atoms page or on the way to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from ui import frame, links
from ui.components import walls
from ui.figures import Wall
from ui.state import View

#: Names in links: of the atom, and of the iteration whose Φ is shown.
ATOM, ITERATION = "atom", "iteration"
_SHOWN, _WALLS = "atom_shown", "atom_walls"


@dataclass(frozen=True)
class Pick:
    """One atom.

    Attributes
    ----------
    column : int
        Its iteration, from 0.
    row : int or None
        The class whose selected atom it is; with other weights that is another atom.
    atom : int
        Its number in the iteration's Φ, if ``row`` is None.
    """

    column: int
    row: int | None = None
    atom: int = 0


FIRST = Pick(0, row=0)


def _parsed(text: str) -> Pick:
    if ":" in text:
        iteration, _, atom = text.partition(":")
        pick = Pick(links.whole(iteration) - 1, atom=links.whole(atom))
    else:
        row, column = walls.PLACE.parse(text)
        pick = Pick(column, row=row)
    if min(pick.column, pick.atom) < 0:
        raise ValueError(text)
    return pick


def _formatted(pick: Pick) -> str:
    return f"{pick.column + 1}:{pick.atom}" if pick.row is None else walls.PLACE.format((pick.row, pick.column))


#: ``C.L``: what iteration L selected for class C. ``L:J``: atom J of the auxiliary dictionary Φ of iteration L.
KIND = links.Kind(_parsed, _formatted)


def open_atom(run_id: str, pick: Pick, values: Mapping[str, str] | None = None) -> None:
    """Open the Atoms page with an atom of a run, and with other controls set."""
    frame.go("atoms", {"run": run_id, ATOM: KIND.format(pick)} | dict(values or {}))


def open_picked(key: str, n_rows: int, n_columns: int, run_id: str) -> None:
    """Open the Atoms page if an atom was picked in a wall with one row per class and one column per iteration."""
    place = walls.newly_picked(key, n_rows, n_columns)
    if place:
        open_atom(run_id, Pick(place[1], row=place[0]))


def current(view: View) -> tuple[Pick, bool]:
    """The atom that the Atoms page shows, and whether it was picked just now.

    A newly chosen atom takes the slider of Φ to its iteration, unless the link that brought it says something else.
    """
    clicked = _clicked()
    pick = _inside(view, clicked or links.look_up(ATOM, KIND, FIRST))
    links.note(ATOM, KIND, pick, FIRST)
    if (clicked or pick != st.session_state.get(_SHOWN)) and not links.is_new(ITERATION):
        links.put(ITERATION, links.WHOLE.format(pick.column + 1))
    st.session_state[_SHOWN] = pick
    return pick, clicked is not None


def number_of(view: View, pick: Pick) -> int:
    """An atom's number in the Φ of its iteration."""
    return pick.atom if pick.row is None else int(view.selection.index[pick.column, pick.row])


def of_dictionary(view: View, column: int, atoms: Iterable[int]) -> list[Pick]:
    """Atoms of an iteration's Φ; those that are selected are called by their class, as in the wall of them."""
    rows = {atom: row for row, atom in enumerate(view.selection.index[column].tolist())}
    return [Pick(column, row=rows[atom]) if atom in rows else Pick(column, atom=atom) for atom in atoms]


def show(view: View, wall: Wall, alt: str, key: str, atoms: Sequence[Sequence[Pick]], pick: Pick) -> None:
    """Show a wall whose pictures are atoms that can be picked.

    Parameters
    ----------
    atoms : nested sequence of Pick
        Which atom each picture shows; the last row may be shorter.
    pick : Pick
        The atom to mark, if the wall has it.
    """
    _shown_walls()[key] = atoms
    looked_at = pick.column, number_of(view, pick)
    places = (
        (row, column)
        for row, line in enumerate(atoms)
        for column, one in enumerate(line)
        if one.column == looked_at[0] and number_of(view, one) == looked_at[1]
    )
    walls.show(wall, alt, key, picked=next(places, None))


def _shown_walls() -> dict[str, Sequence[Sequence[Pick]]]:
    return st.session_state.setdefault(_WALLS, {})


def _clicked() -> Pick | None:
    """The atom of the picture that was clicked since the last run."""
    found = None
    for key, atoms in _shown_walls().items():
        place = walls.newly_picked(key, len(atoms), len(atoms[0]))
        if place and place[1] < len(atoms[place[0]]):
            found = atoms[place[0]][place[1]]
    return found


def _inside(view: View, pick: Pick) -> Pick:
    """The pick itself, or the nearest atom that there is."""
    column = min(pick.column, view.I - 1)
    if pick.row is not None:
        return Pick(column, row=min(pick.row, len(view.classes) - 1))
    return Pick(column, atom=min(pick.atom, len(view.trajectory.records[column].atoms) - 1))
