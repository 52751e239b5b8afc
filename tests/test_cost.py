"""The time model: laws of its growth, and what must be in it."""

from dataclasses import replace

import pytest

from dasksvd import ParameterError, Settings, cost
from dasksvd.cost import MEASURED_ON, Speed, network_seconds, run_cost
from dasksvd.encoders import levels_of
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS, training_cost
from dasksvd.parameters import PAPER, PRESETS
from dasksvd.runs.evaluation import write_plan
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits, plan_cost
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.worker import describe
from dasksvd.search.engine import Engine, expected_seconds
from dasksvd.search.job import check_search
from dasksvd.search.plans import SweepPlan, WeightsPlan

MINUTE = 60.0


@pytest.fixture
def measured_on(monkeypatch):
    """The machine that the model's factors come from, whatever this one is."""
    monkeypatch.setattr(cost, "this_machine", lambda: MEASURED_ON)


def paper_cost(classifier="modern", hidden=0, speed=MEASURED_ON, **changes):
    return run_cost(describe(replace(PAPER, **changes), "mnist"), classifier, hidden, speed)


@pytest.mark.parametrize(
    "larger",
    [{"I": 40}, {"t": 1000}, {"q": 0.4}, {"r_f": 2.0}, {"ksvd_iter": 100}, {"q": 60}, {"hidden": 300}],
    ids=str,
)
def test_more_work_takes_longer(larger):
    assert paper_cost(**larger).total > paper_cost().total


@pytest.mark.parametrize("classifier", NETWORKS)
def test_a_network_takes_longer_with_more_of_anything(classifier):
    size = {"n_signals": 1000, "n_inputs": 100, "hidden": 50, "n_classes": 10}
    before = network_seconds(classifier, **size, speed=MEASURED_ON)
    for name, value in size.items():
        assert network_seconds(classifier, **size | {name: 2 * value}, speed=MEASURED_ON) > before


def test_the_whole_contains_every_part():
    for classifier in ("modern", "scg"):
        parts = paper_cost(classifier)
        assert min(parts.start, parts.atoms, parts.coding, parts.network) > 0
        assert parts.total == parts.start + parts.atoms + parts.coding + parts.network
    alone = paper_cost("")
    assert (alone.coding, alone.network) == (0, 0)


def test_fine_tuning_is_counted_and_grows_with_its_epochs():
    """Oracle: 25 epochs of the paper's 200 atoms took 8.4 s of one core's time, at 1.48e-11 s per multiply-add."""
    best = run_cost(describe(PRESETS["best"], "mnist"), "modern", speed=Speed(1.2e-11, 1.48e-11))
    assert 8.4 / 1.5 < best.tuning < 8.4 * 1.5
    assert best.total == best.start + best.atoms + best.tuning + best.coding + best.network
    assert paper_cost().tuning == 0
    assert paper_cost("", fine_tune=50).tuning == pytest.approx(2 * paper_cost("scg", fine_tune=25).tuning)


def test_a_run_with_too_much_fine_tuning_is_told_what_to_lower(store, measured_on):
    with pytest.raises(ParameterError, match="take fewer epochs of fine-tuning, or use the command line"):
        Jobs(store).limits.check_run(describe(replace(PAPER, fine_tune=100_000), "mnist"))


def test_a_slower_machine_takes_longer_in_proportion():
    slow = Speed(3 * MEASURED_ON.pursuit, 3 * MEASURED_ON.product)
    once, thrice = paper_cost("scg"), paper_cost("scg", speed=slow)
    assert thrice.total - thrice.start == pytest.approx(3 * (once.total - once.start))


def test_the_papers_network_with_2000_units_is_announced_with_its_twenty_minutes():
    """Oracle: a run by hand that took about 20 minutes."""
    assert 10 * MINUTE < paper_cost("scg", 2000).network < 30 * MINUTE
    assert paper_cost("scg", 2000).network > 5 * paper_cost("scg", 200).network


@pytest.mark.parametrize(
    ("kind", "epochs", "seconds"), [("scg", 889, 70.5), ("modern", 34, 12.9)], ids=["scg", "modern"]
)
def test_networks_vs_the_measured_times(kind, epochs, seconds):
    """Oracle: benchmarks/networks.json, MLP-200-200-10 on 40,000 codes."""
    expected = network_seconds(kind, 40000, 200, 200, 10, MEASURED_ON) * epochs / training_cost(kind).epochs
    assert seconds / 2 < expected < 2 * seconds


@pytest.mark.parametrize(("preset", "seconds"), [("quick", 8.5), ("classroom", 52.5), ("paper", 106.8)])
def test_atoms_vs_the_measured_times(preset, seconds):
    """Oracle: benchmarks/results.json, whole trajectories on two cores; the factor of K-SVD was set by the last."""
    assert seconds / 2 < run_cost(describe(PRESETS[preset], "mnist"), speed=MEASURED_ON).atoms < 2 * seconds


def test_this_machine_is_measured_in_sane_numbers():
    speed = cost.this_machine()
    assert 2e-12 < speed.pursuit < 2e-9  # one multiply-add or so
    assert 2e-13 < speed.product < 2e-9
    assert cost.this_machine() is speed


def test_the_limits_count_the_classifier(store, measured_on):
    jobs = Jobs(store, places=0, limits=Limits(max_run_seconds=5 * MINUTE))
    description = describe(PAPER, "mnist")
    jobs.limits.check_run(description, Plan("modern"))
    message = r"would take about \d\d minutes, this server accepts 5 minutes; take fewer hidden units"
    with pytest.raises(ParameterError, match=message):
        jobs.limits.check_run(description, Plan("scg", 2000))
    with pytest.raises(ParameterError, match="take fewer hidden units"):
        jobs.submit(description, plan=Plan("scg", 2000))
    assert list(store) == []


def test_a_plan_that_is_too_large_cannot_slip_in_by_resuming(store, measured_on):
    run = store.create(describe(PAPER, "mnist"))
    write_plan(run, Plan("scg", 2000))
    with pytest.raises(ParameterError, match="this run would take about"):
        Jobs(store, places=0, limits=Limits(max_run_seconds=5 * MINUTE)).resume(run)


def test_a_visitor_may_do_what_the_paper_does(store, measured_on):
    """Every preset with both classifiers, the widest network, and the search with today's network."""
    jobs = Jobs(store)
    for settings in PRESETS.values():
        for plan in (Plan("modern"), Plan("scg"), Plan("scg", 2000)):
            jobs.limits.check_run(describe(settings, "mnist"), plan)
    check_search(jobs.limits, ReferenceRun(store.root), WeightsPlan())


def test_a_visitor_cannot_hold_the_place_for_hours(store, measured_on):
    jobs, base = Jobs(store), ReferenceRun(store.root)
    assert jobs.limits.max_search_seconds <= 3600
    with pytest.raises(ParameterError, match=r"about \d+ hours, this server accepts 60 minutes; take fewer points"):
        check_search(jobs.limits, base, WeightsPlan(step=30, classifier="scg"))
    with pytest.raises(ParameterError, match="lower I, t, q, r_f or the K-SVD iterations"):
        jobs.limits.check_run(describe(Settings(I=100, ksvd_iter=200), "mnist"))


def test_a_search_counts_by_the_same_model(store, measured_on):
    """Oracle: one point of a sweep is a run of its own whose codes are read by one network."""
    base, engine = ReferenceRun(store.root), Engine(n_jobs=1)
    for classifier, kind in (("modern", "fixed"), ("scg", "scg")):
        alone = run_cost(base.description, kind, speed=MEASURED_ON)
        found = expected_seconds(base, SweepPlan({"tau1": (0.3,)}, classifier=classifier), engine)
        assert found == pytest.approx(alone.total - alone.start)


def test_each_level_to_choose_from_has_its_codes_and_its_network():
    what = describe(PAPER, "mnist")
    once = plan_cost(what, Plan(encoder="soft", level=0.3))
    chosen = plan_cost(what, Plan(encoder="soft"))
    n = len(levels_of("soft"))
    assert (chosen.atoms, chosen.start) == (once.atoms, once.start)
    assert chosen.network == pytest.approx(n * once.network)
    assert chosen.coding == pytest.approx(n * once.coding)
    assert plan_cost(what, None).network == 0
