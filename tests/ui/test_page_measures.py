"""The page Measures: the numbers of an atom, the weights as a triangle, what they exchange, what m_re measures."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json
from types import SimpleNamespace

import numpy as np
import pytest

from dasksvd.method.measures import own_residual
from dasksvd.method.selection import owned
from dasksvd.runs.reference import load_reference
from tests.ui.harness import address, home, open_page, own_run, texts  # noqa: F401
from tests.ui.test_links import send, visit
from ui.panels import error_measure, exchanges


def data_of(at, *fields):
    """What the components of a page show that have some fields."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component") if element.proto.json]
    return [data for data in found if set(fields) <= set(data)]


def formulas(at):
    return [line.value for line in at.latex]


@pytest.mark.parametrize("spot", [3, 170])
def test_every_formula_has_the_numbers_of_the_picked_atom(home, spot):
    at = visit("measures", measured="7", spot=str(spot), alpha="0.3", beta="0.2")
    record = load_reference().records[6]
    top, rival = record.measures.top[spot], record.measures.second[spot]
    leads = record.measures.af[spot], record.measures.cm_lead[spot], record.measures.re_lead[spot]
    *shown, whole = formulas(at)
    for text, table, lead in zip(shown, (record.tables.p, record.tables.q, record.tables.r), leads, strict=True):
        plus, star = table[top, spot], table[rival, spot]
        assert rf"\frac{{{plus:.3f} - {star:.3f}}}{{{plus:.3f}}}" in text
        assert (f"= {lead:.3f} " if lead >= 0 else rf"= {lead:.3f} \;\to\; 0 ") in text
    assert f"= {record.measures.combined(0.3, 0.2)[spot]:.3f} " in whole


def test_atoms_whose_measure_was_cut_stand_in_the_band_and_are_counted(home):
    at = visit("measures", measured="20")
    (scatter,) = [data for data in data_of(at, "band") if data["kind"] == "dots"]
    measures = load_reference().records[19].measures
    assert [spot["cut"] for spot in scatter["spots"]] == (measures.re_lead < 0).tolist()
    assert scatter["band"] == f"{np.sum(measures.re_lead < 0)} atoms cut to 0: the rival's error is larger."
    at.selectbox(key="y").set_value("af").run()
    (scatter,) = [data for data in data_of(at, "band") if data["kind"] == "dots"]
    assert not scatter["band"]
    assert not any(spot["cut"] for spot in scatter["spots"])


def move(at, *weights, time=1):
    """Drag the point of the triangle."""
    return send(at, "weight_triangle", json_value=json.dumps({"weights": [*weights, time]}))


def test_the_triangle_sets_the_weights_of_the_whole_app(home):
    at = open_page("measures")
    move(at, 30, 20, time=5)
    assert not at.exception
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.3, 0.2)
    assert address(at) == {"alpha": "0.3", "beta": "0.2"}
    (triangle,) = data_of(at, "unused", "seen")
    assert (triangle["alpha"], triangle["beta"], triangle["seen"]) == (0.3, 0.2, 5)
    assert "At α = 0.30, β = 0.20" in texts(at)
    at.switch_page("pages/overview.py").run()
    assert at.slider(key="beta").value == 0.2


def test_the_triangle_follows_the_sliders_also_after_it_was_moved(home):
    at = open_page("measures")
    move(at, 100, 0)
    at.slider(key="beta").set_value(0.75).run()
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.25, 0.75)
    (triangle,) = data_of(at, "unused", "seen")
    assert (triangle["alpha"], triangle["beta"]) == (0.25, 0.75)
    move(at, 0, 0, time=2)
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0, 0)


@pytest.mark.parametrize(
    "weights", [[60, 41], [-1, 3], [101, 0], [0.5, 0.5], [True, 1], ["3", 4], [3], [1, 2, 3], [10**400, 0]]
)
def test_weights_outside_the_triangle_change_nothing(home, weights):
    at = open_page("measures")
    move(at, 30, 20)
    move(at, *weights, time=2)
    assert not at.exception
    assert (at.slider(key="alpha").value, at.slider(key="beta").value) == (0.3, 0.2)


def test_a_ranking_without_weights_says_so_in_the_triangle(home):
    assert data_of(visit("measures", ranking="mdcs"), "unused")[0]["unused"]
    assert not data_of(visit("measures"), "unused")[0]["unused"]


def walls_of_pairs(at):
    return [data for data in data_of(at, "picture", "rows") if [name for name, _ in data["rows"]] == ["old", "new"]]


def test_exchanged_atoms_are_shown_as_pairs(home):
    """Oracle: the two selections, compared place by place."""
    run = load_reference()
    old, new = run.reselect(0, 0).index, run.reselect(0.01, 0).index
    places = [(l, c) for l in range(20) for c in range(10) if old[l, c] != new[l, c]]
    assert 0 < len(places) <= exchanges.MOST
    at = visit("measures", alpha="0.01")
    (wall,) = walls_of_pairs(at)
    m = [record.measures.combined(0.01, 0) for record in run.records]
    names = [f"{c}·{l + 1}\n{m[l][old[l, c]]:.2f}\n{m[l][new[l, c]]:.2f}" for l, c in places]
    assert [name for name, _ in wall["columns"]] == names
    assert f"**{len(places)} of 200** selected atoms" in texts(at)


def test_of_many_classes_those_are_told_that_exchange_the_most():
    view = SimpleNamespace(classes=[f"kind {c}" for c in range(30)])
    counts = np.arange(30)
    told = exchanges._by_class(view, counts)
    assert told.startswith(" Class kind 20: 20. Class kind 21: 21.")
    assert told.endswith(f" Class kind 29: 29. In other classes: {counts[:20].sum()}.")
    assert exchanges._by_class(view, np.eye(30, dtype=int)[3]) == " Class kind 3: 1."


def test_without_weights_nothing_is_exchanged_and_the_page_says_what_to_do(home):
    at = open_page("measures")
    assert walls_of_pairs(at) == []
    assert "Move the point in the triangle" in texts(at)


def test_every_one_of_many_pairs_is_reached_by_its_class(home):
    run = load_reference()
    changed = run.reselect(1, 0).index != run.reselect(0, 0).index
    at = visit("measures", alpha="1")
    assert changed.sum() > exchanges.MOST
    assert f"And {changed.sum() - exchanges.MOST} more" in texts(at)
    seen = 0
    for c in range(10):
        at.selectbox(key="exchanged").set_value(str(c)).run()
        names = [name for wall in walls_of_pairs(at) for name, _ in wall["columns"]]
        assert [name.split("\n")[0] for name in names] == [f"{c}·{l + 1}" for l in np.flatnonzero(changed[:, c])]
        seen += len(names)
    assert seen == changed.sum()


def test_a_click_on_a_pair_shows_the_numbers_of_that_atom(home):
    run = load_reference()
    old, new = run.reselect(0, 0).index, run.reselect(1, 0).index
    l, c = np.argwhere(old != new)[5]
    at = visit("measures", alpha="1")
    for line, atoms in enumerate((old, new)):
        send(at, "pairs_0", json_value=json.dumps({"picked": [line, 5, 7 + line]}))
        assert at.slider(key="measured").value == l + 1
        assert at.header[0].value.startswith(f"Atom {atoms[l, c]}: class {c} against")
    send(at, "pairs_0", json_value=json.dumps({"picked": [1, 500, 9]}))
    assert not at.exception


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0), (0.5, 0.5)])
def test_the_rivals_of_the_chosen_atoms_are_counted(home, alpha, beta):
    """Oracle: a plain count over the selection."""
    run = load_reference()
    index = run.reselect(alpha, beta).index
    rivals = [int(run.records[l].measures.second[atom]) for l in range(20) for atom in index[l]]
    most = max(range(10), key=rivals.count)
    everywhere = [second for record in run.records for second in record.measures.second[record.measures.af > 0]]
    at = visit("measures", alpha=str(alpha), beta=str(beta))
    assert f"**{rivals.count(most)} of 200** atoms chosen" in texts(at)
    assert f"have rival **{most}** (of all owned atoms {100 * np.mean(np.equal(everywhere, most)):.1f} %)" in texts(at)
    bars = next(data for data in data_of(at, "spots") if data["title"].startswith("Rivals ℓ* of the 200 chosen"))
    assert [spot["value"] for spot in bars["spots"]] == pytest.approx([rivals.count(c) / 2 for c in range(10)])
    if (alpha, beta) == (0, 0):
        assert rivals.count(1) > 100
        assert "and class **1** has the smallest residual" in texts(at)


def test_the_residuals_share_of_r_grows_to_nearly_all_of_it(home):
    """Oracle: the shares atom by atom; and K-SVD's own last error, which is the mean residual of all classes."""
    run = load_reference()
    facts = error_measure.facts_of(run)
    for l in (0, 9, 19):
        record = run.records[l]
        residual = own_residual(record.tables)
        atoms = [j for j in range(256) if owned(record.measures, 10)[:, j].any()]
        shares = [residual[record.measures.top[j]] / record.tables.r[record.measures.top[j], j] for j in atoms]
        assert facts.shares[1, l] == pytest.approx(np.median(shares))
        assert facts.residuals[l].mean() == pytest.approx(256 * record.errors[-1] ** 2, rel=0.04)
    assert facts.shares[1, 0] < 0.5 < 0.97 < facts.shares[1, 19] < 0.99
    at = open_page("measures")
    assert f"**{100 * facts.shares[1, 19]:.1f} %** of r is residual" in texts(at)


def test_a_run_of_one_iteration_is_shown(home):
    run = own_run(home)
    at = visit("measures", run=run.id, I="1")
    assert not at.exception
    assert "In iteration 1," in texts(at)
