"""Atoms and measures show the numbers of the atom that was picked."""

import itertools
import json
import re

import numpy as np
import pytest

from dasksvd.figures import class_color
from dasksvd.runs.reference import load_reference
from tests.ui.harness import address, open_page, own_run, texts
from tests.ui.test_links import visit
from ui import cache
from ui.panels import formulas, replay

#: Of clicks, no two the same.
TIMES = itertools.count(1)


def shown(at, key):
    """What a wall or a plot of the page was given."""
    found = [one for one in at.get("bidi_component") if one.proto.id.endswith(f"-{key}")]
    return json.loads(found[0].proto.json)


def click(at, key, row, column):
    at.session_state[key] = {"picked": [row, column, next(TIMES)]}
    return at.run()


def frame_of(at, key):
    """The picture that a wall marks as picked."""
    picked = shown(at, key)["picked"]
    return picked and tuple(picked)


def test_atoms_shows_the_numbers_of_the_chosen_atom(home):
    at = open_page("atoms")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    record = run.records[0]
    measures = record.measures
    assert at.header[0].value == f"Atom {atom} of iteration 1: chosen for class 0"
    mine = np.flatnonzero((measures.top == 0) & (measures.af > 0))
    assert measures.re[atom] == measures.re[mine].max()
    said = texts(at)
    for name in formulas.TABLES:
        assert formulas.filled(formulas.lead(record, atom, name, "paper")) in said
        assert f"{getattr(measures, name)[atom]:.3f}" in said
    assert formulas.combined(measures, atom, 0, 0) in said
    picture = shown(at, "atom")
    second = measures.second[atom]
    assert picture["title"] == f"Class 0 against {second}"
    assert picture["notes"] == [
        ["ℓ⁺ = 0 uses it most", class_color(0)],
        [f"ℓ* = {second} comes second", class_color(second)],
        [f"Rank 1 of {len(mine)} atoms that class 0 uses most", ""],
    ]


def test_an_atom_that_was_not_selected_can_be_looked_at(home):
    at = open_page("atoms")
    run = load_reference()
    chosen = set(run.reselect(0, 0).index[0].tolist())
    atom = next(atom for atom in range(256) if atom not in chosen and run.records[0].measures.af[atom] > 0)
    click(at, "auxiliary", *divmod(atom, 32))
    assert at.header[0].value == f"Atom {atom} of iteration 1: not chosen"
    assert address(at) == {"atom": f"1:{atom}"}
    assert frame_of(at, "auxiliary") == divmod(atom, 32)
    assert frame_of(at, "structured") is None
    measures = run.records[0].measures
    mine = np.flatnonzero((measures.top == measures.top[atom]) & (measures.af > 0))
    rank = 1 + int(np.sum(run.scores(0, 0, 0)[mine] > run.scores(0, 0, 0)[atom]))
    assert shown(at, "atom")["notes"][2][0].startswith(f"Rank {rank} of {len(mine)} atoms")


def test_a_selected_atom_of_the_dictionary_is_called_by_its_class(home):
    at = open_page("atoms")
    atom = int(load_reference().reselect(0, 0).index[0, 6])
    click(at, "auxiliary", *divmod(atom, 32))
    assert address(at) == {"atom": "6.1"}
    assert (frame_of(at, "structured"), frame_of(at, "auxiliary")) == ((6, 0), divmod(atom, 32))


def test_the_dictionary_follows_the_picked_atom_and_the_wall_its_slider(home):
    at = open_page("atoms")
    click(at, "structured", 3, 6)
    assert at.slider(key="iteration").value == 7
    assert (shown(at, "structured")["column"], frame_of(at, "structured")) == (6, (3, 6))
    assert address(at) == {"atom": "3.7"}
    at.slider(key="iteration").set_value(12).run()
    assert "chosen for class 3" in at.header[0].value
    assert (shown(at, "structured")["column"], frame_of(at, "structured")) == (11, (3, 6))
    assert address(at) == {"atom": "3.7", "iteration": "12"}
    click(at, "structured", 3, 6)
    assert (at.slider(key="iteration").value, address(at)) == (7, {"atom": "3.7"})


def test_the_strip_shows_the_most_similar_atoms_and_picks_them(home):
    at = open_page("atoms")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    others = run.records[8].atoms
    cosines = others @ run.records[0].atoms[atom] / np.linalg.norm(others, axis=1)
    best = int(np.abs(cosines).argmax())
    strip = shown(at, "life")
    assert (strip["n_rows"], strip["n_columns"], frame_of(at, "life")) == (1, 20, (0, 0))
    assert strip["columns"][8][0] == f"{cosines[best]:.2f}"
    assert strip["hover"][0][8].startswith(f"iteration 9, atom {best}")
    click(at, "life", 0, 8)
    assert at.header[0].value.startswith(f"Atom {best} of iteration 9:")
    assert (frame_of(at, "life"), at.slider(key="iteration").value) == ((0, 8), 9)


@pytest.mark.parametrize("junk", ["9:", ":3", "0:3", "2:-1", "1:1:1", "a.b", "-1.2", "3.0", "1e9:1e9"])
def test_a_link_to_no_atom_shows_some_atom(home, junk):
    at = visit("atoms", atom=junk)
    assert not at.exception
    assert re.match(r"Atom \d+ of iteration \d+: ", at.header[0].value)


def test_other_weights_leave_an_atom_of_the_dictionary_where_it_is(home):
    at = visit("atoms", atom="3:57")
    before = at.header[0].value
    at.slider(key="alpha").set_value(0.8).run()
    assert at.header[0].value.partition(":")[0] == before.partition(":")[0] == "Atom 57 of iteration 3"
    assert address(at) == {"atom": "3:57", "alpha": "0.8"}


def test_a_door_to_an_atom_shows_its_dictionary(home):
    """Also where another iteration was looked at before."""
    at = open_page("atoms")
    at.slider(key="iteration").set_value(4).run()
    at.switch_page("pages/overview.py").run()
    at.session_state["address"].kept["atom"] = "5.11"
    at.switch_page("pages/atoms.py").run()
    assert "iteration 11: chosen for class 5" in at.header[0].value
    assert at.slider(key="iteration").value == 11


def test_measures_fills_in_the_formula(home):
    at = open_page("measures")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    record = run.records[0]
    plus, star = (record.tables.p[getattr(record.measures, which)[atom], atom] for which in ("top", "second"))
    assert at.latex[0].value.count(f"{plus:.3f}") == 2
    assert f"{star:.3f}" in at.latex[0].value
    assert f"{record.measures.af[atom]:.3f}" in at.latex[0].value


def test_measures_shows_the_sign_that_the_run_was_started_with(home):
    run = own_run(home, re_sign="code")
    at = open_page("measures")
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page("pages/measures.py").run()
    record = run.trajectory.records[0]
    atom = int(run.trajectory.reselect(0, 0).index[0, 0])
    mine, theirs = (float(record.tables.r[c[atom], atom]) for c in (record.measures.top, record.measures.second))
    shown = at.latex[2].value
    assert rf"\frac{{{theirs:.3f} - {mine:.3f}}}{{{theirs:.3f}}}" in shown
    assert f"{(theirs - mine) / theirs:.3f}" in shown


def test_the_size_is_kept_within_the_run(home):
    run = own_run(home)
    at = open_page("atoms")
    at.slider(key="I").set_value(7).run()
    at.selectbox(key="run").set_value(run.id).run()
    assert not at.exception
    assert at.slider(key="I").value == 2
    at.selectbox(key="run").set_value(cache.REFERENCE).run()
    assert at.slider(key="I").value == 20


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(replay, "time", clock)
    return clock


def test_the_film_goes_from_iteration_to_iteration_and_ends(home, clock):
    at = visit("atoms", I="4")
    at.button(key="film_play").click().run()
    assert (at.button(key="film_play").label, at.slider(key="iteration").value) == ("Pause", 1)
    seen = []
    for _ in range(3):
        at.run()  # not a tick: somebody moved something
        clock.now += replay.PAUSE
        at.run()
        seen.append((at.slider(key="iteration").value, shown(at, "structured")["column"]))
    assert seen == [(2, 1), (3, 2), (4, 3)]
    assert at.button(key="film_play").label == "Play"
    at.button(key="film_play").click().run()
    assert at.slider(key="iteration").value == 1  # from the start again
    assert "times σ of each signal" in texts(at)


def test_a_step_and_a_pick_stop_the_film(home, clock):
    at = visit("atoms", I="5")
    at.button(key="film_next").click().run()
    at.button(key="film_next").click().run()
    at.button(key="film_back").click().run()
    assert (at.slider(key="iteration").value, at.button(key="film_play").label) == (2, "Play")
    for stop in (lambda: at.button(key="film_next").click().run(), lambda: click(at, "structured", 2, 1)):
        at.button(key="film_play").click().run()
        assert at.button(key="film_play").label == "Pause"
        stop()
        assert at.button(key="film_play").label == "Play"
    assert (at.slider(key="iteration").value, address(at)["atom"]) == (2, "2.2")


def test_there_is_nothing_to_play_in_a_single_iteration(home):
    at = visit("atoms", I="1")
    assert not [one for one in at.button if one.key == "film_play"]
    assert "Φ of iteration 1" in shown(at, "auxiliary")["title"]
