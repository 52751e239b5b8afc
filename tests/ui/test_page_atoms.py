"""Atoms and measures show the numbers of the atom that was picked."""

import numpy as np

from dasksvd.runs.reference import load_reference
from tests.ui.harness import metrics, open_page, own_run, texts
from ui import cache


def test_atoms_shows_the_numbers_of_the_chosen_atom(home):
    at = open_page("atoms")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    measures = run.records[0].measures
    assert at.header[0].value == f"Atom {atom} of iteration 1: chosen for class 0"
    mine = np.flatnonzero((measures.top == 0) & (measures.af > 0))
    assert measures.re[atom] == measures.re[mine].max()
    assert metrics(at) == {
        "$m$": f"{measures.re[atom]:.3f}",
        "$m_{af}$": f"{measures.af[atom]:.3f}",
        "$m_{cm}$": f"{measures.cm[atom]:.3f}",
        "$m_{re}$": f"{measures.re[atom]:.3f}",
        "Rank in its class": f"1 of {len(mine)}",
        "ℓ⁺ against ℓ*": f"0 : {measures.second[atom]}",
    }


def test_measures_fills_in_the_formula(home):
    at = open_page("measures")
    run = load_reference()
    atom = int(run.reselect(0, 0).index[0, 0])
    record = run.records[0]
    plus, star = (record.tables.p[getattr(record.measures, which)[atom], atom] for which in ("top", "second"))
    assert at.latex[1].value.count(f"{plus:.3f}") == 2
    assert f"{star:.3f}" in at.latex[1].value
    assert f"{record.measures.af[atom]:.3f}" in at.latex[1].value


def test_measures_shows_the_sign_that_the_run_was_started_with(home):
    run = own_run(home, re_sign="code")
    at = open_page("measures")
    at.selectbox(key="run").set_value(run.id).run()
    at.switch_page("pages/measures.py").run()
    record = run.trajectory.records[0]
    atom = int(run.trajectory.reselect(0, 0).index[0, 0])
    mine, theirs = (float(record.tables.r[c[atom], atom]) for c in (record.measures.top, record.measures.second))
    shown = at.latex[3].value
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


def test_a_replay_goes_from_iteration_to_iteration(home):
    at = open_page("atoms")
    at.toggle(key="replay").set_value(True).run()
    shown = [at.slider(key="iteration").value]
    for _ in range(3):
        at.run()
        shown.append(at.slider(key="iteration").value)
    assert shown == sorted(shown)
    assert shown[-1] > shown[0]
    assert "times σ of each signal" in texts(at)
