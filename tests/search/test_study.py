"""A study: its numbers are those of independent runs, and nothing is computed twice, whenever it is stopped."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import studies
from dasksvd.__main__ import main
from dasksvd.datasets.parts import describe
from dasksvd.errors import ParameterError
from dasksvd.evaluate import Plan
from dasksvd.parameters import QUICK
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import create_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import Limits
from dasksvd.runs.records import record_name
from dasksvd.runs.worker import compute
from dasksvd.search import shared, study_tasks
from dasksvd.search.engine import expected_seconds, search
from dasksvd.search.job import Search, submit_search
from dasksvd.search.outcomes import PRICES, best_of, front, history, outcomes, rows
from dasksvd.search.study import (
    findings,
    groups_of,
    independent_seconds,
    missing,
    points_of,
    scores,
    shared_cost,
    trajectories,
)
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.trial import Finding, Findings
from tests.search.small import HERE
from tests.search.studies import TINY, accuracies, new_run

PLAN = StudyPlan({"I": (1, 3), "alpha": (0.0, 0.5), "tau2": (0.1, 0.3)}, seeds=2)


@pytest.fixture
def run(tmp_path):
    return new_run(tmp_path / "run")


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    run = new_run(tmp_path_factory.mktemp("studied") / "run")
    search(run, PLAN, HERE)
    return run


def counted(monkeypatch):
    """The networks that are trained from now on, and the trajectories that are begun."""
    trained, begun = [], []
    evaluate, iterate = study_tasks.evaluate, shared.iterate
    monkeypatch.setattr(study_tasks, "evaluate", lambda *a, **o: trained.append(1) or evaluate(*a, **o))
    monkeypatch.setattr(shared, "iterate", lambda *a, **o: begun.append(len(o["done"])) or iterate(*a, **o))
    return trained, begun


@pytest.mark.parametrize(("I", "alpha", "tau2", "seed"), [(1, 0.0, 0.1, 0), (3, 0.5, 0.3, 1)])
def test_a_trial_has_the_number_of_a_run_of_its_own(studied, tmp_path, I, alpha, tau2, seed):
    """Oracle: the same settings trained and evaluated as an independent run."""
    alone = create_run(tmp_path / "alone", describe(replace(TINY, I=I, alpha=alpha, tau2=tau2, seed=seed), "digits"))
    compute(alone)
    found = scores(studied, PLAN, points_of(studied, PLAN))
    assert found[I, alpha, tau2][seed] == evaluate_run(alone, Plan("fixed")).accuracy


def test_trials_that_learn_alike_share_one_trajectory(run, monkeypatch):
    trained, begun = counted(monkeypatch)
    search(run, PLAN, HERE)
    assert begun == [0] * 4  # τ2 × seed
    assert len(list(trajectories(run).iterdir())) == 4
    assert len(trained) <= 16
    assert len(findings(run).read()) == 16


def test_encoders_codes_and_networks_learn_nothing_again(run, monkeypatch):
    plan = StudyPlan({"encoder": ("omp", "threshold"), "code_q": (0.1, 0.3), "hidden": (5, 10)}, seeds=1)
    trained, begun = counted(monkeypatch)
    coded = []
    encode = study_tasks.encode_by
    monkeypatch.setattr(study_tasks, "encode_by", lambda *a: coded.append(a[0]) or encode(*a))
    search(run, plan, HERE)
    assert (len(trained), begun) == (8, [0])
    assert len(coded) == 2 * 4  # two parts, each coded once for both networks
    by_hidden = {one.point[2]: one.weights for one in outcomes(run, plan)}
    assert by_hidden[10] > by_hidden[5]


def test_points_that_choose_the_same_atoms_are_scored_once(run, monkeypatch):
    trained, _ = counted(monkeypatch)
    plan = StudyPlan({"alpha": (0.0, 1e-9)}, seeds=1)
    search(run, plan, HERE)
    found = findings(run).read().values()
    assert (len(trained), len(found)) == (1, 2)
    assert len({one.accuracy for one in found}) == 1
    assert sorted(one.seconds > 0 for one in found) == [False, True]


def test_a_finished_study_computes_nothing(studied, monkeypatch):
    trained, begun = counted(monkeypatch)
    search(studied, PLAN, HERE)
    assert (trained, begun) == ([], [])
    assert expected_seconds(studied, PLAN, HERE) == 0


def test_an_extended_study_goes_on_with_its_trajectories(studied, tmp_path, monkeypatch):
    """More I grows what there is, other weights learn nothing."""
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(studied.folder, folder)
    run = type(studied)(folder)
    before = accuracies(run)
    _, begun = counted(monkeypatch)
    wider = replace(PLAN, axes=dict(PLAN.axes) | {"I": (1, 3, 4), "alpha": (0.0, 0.5, 0.25)})
    search(run, wider, HERE)
    assert begun == [3] * 4
    assert len(findings(run).read()) == 3 * 3 * 2 * 2
    assert before.items() <= accuracies(run).items()


def test_a_study_that_is_killed_at_any_moment_goes_on_and_ends_alike(studied, tmp_path):
    """Killed twice, the second time a little later; nothing that was kept is computed again."""
    run = create_run(tmp_path / "killed", describe(TINY, "digits"))
    Search(run).set_plan(PLAN)
    script = (
        "import sys; from pathlib import Path; from dasksvd.runs.folder import Run;"
        "from dasksvd.search.job import Search;"
        "from dasksvd.search.engine import Engine, search; run = Run(Path(sys.argv[1]));"
        "search(run, Search(run).plan, Engine(n_jobs=1))"
    )
    kept = [0, 0]
    for _ in range(2):
        child = subprocess.Popen(
            [sys.executable, "-c", script, str(run.folder)], cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL
        )
        while child.poll() is None and _amount(run) <= kept:
            time.sleep(0.01)
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
        now = _amount(run)
        assert now[0] >= kept[0]
        kept = now
    search(run, PLAN, HERE)
    assert accuracies(run) == accuracies(studied)


def _amount(run):
    place = trajectories(run)
    return [len(findings(run).read()), len(list(place.glob("*/iteration_*.npz"))) if place.is_dir() else 0]


def test_half_a_line_and_odd_lines_count_as_nothing(tmp_path):
    file = Findings(tmp_path / "study.jsonl")
    file.add([Finding("a", 0.5, at=1.0)])
    good = file.path.read_bytes()
    odd = [b"[1]", b'{"key": 3}', b'{"key": "x", "accuracy": 7}', b'{"key": "y", "evil": 1}', b"\xff\xfe", b"[" * 10**5]
    file.path.write_bytes(good + b"\n".join(odd) + b'\n{"key": "b", "acc')
    file.add([Finding("c", 0.25)])
    assert {key: one.accuracy for key, one in file.read().items()} == {"a": 0.5, "c": 0.25}


def test_a_damaged_iteration_is_learned_again_and_nothing_else(studied, tmp_path, monkeypatch):
    import shutil

    shutil.copytree(studied.folder, tmp_path / "copy")
    run = type(studied)(tmp_path / "copy")
    one = next(trajectories(run).iterdir())
    (one / record_name(1)).write_bytes(b"nothing")
    findings(run).path.unlink()
    _, begun = counted(monkeypatch)
    search(run, PLAN, HERE)
    assert sorted(begun) == [1, 3, 3, 3]
    assert accuracies(run) == accuracies(studied)


def test_a_trajectory_of_other_data_or_settings_is_not_taken(studied):
    what = studied.description
    for other in (replace(what, n_signals=9), replace(what, settings=replace(what.settings, q=0.3))):
        one = shared.of_settings(Path("x"), other, other.settings)
        assert one.folder != shared.of_settings(Path("x"), what, what.settings).folder
        assert one.digest.tolist() != shared.of_settings(Path("x"), what, what.settings).digest.tolist()


def test_what_was_used_longest_ago_makes_room(tmp_path):
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "file").write_bytes(bytes(100))
        os.utime(folder, (number, number))
    shared.make_room(tmp_path, most=250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2"]
    shared.make_room(tmp_path, most=10)
    assert [path.name for path in tmp_path.iterdir()] == ["2"]  # the last one is at work


def test_no_time_left_begins_nothing_but_the_first_group(run):
    plan = replace(PLAN, minutes=1e-6)
    search(run, plan, HERE)
    assert len(findings(run).read()) == 4
    search(run, plan, HERE)
    assert len(findings(run).read()) == 8
    assert expected_seconds(run, plan, HERE) <= 60e-6


def test_every_point_has_its_first_seed_before_any_second_one(run):
    groups = missing(run, PLAN, points_of(run, PLAN))
    assert [group[0].settings.seed for group in groups] == [0, 0, 1, 1]


def test_the_estimate_knows_what_is_shared(run):
    together, alone = expected_seconds(run, PLAN, HERE), independent_seconds(run, PLAN)
    assert 0 < together < alone
    learned = StudyPlan({"tau1": (0.2, 0.5), "tau2": (0.1, 0.3)}, seeds=2)
    assert expected_seconds(run, learned, HERE) == pytest.approx(independent_seconds(run, learned))


def test_the_share_of_independent_runs_is_expected_and_printed(run, capsys):
    """That of the benchmark, whose measured share must be at most 0.6, is expected to be so, too."""
    whole = create_run(run.folder.parent / "quick", describe(QUICK, "mnist"))
    plan = StudyPlan(studies.AXES, seeds=studies.SEEDS)
    assert 0.1 < shared_cost(whole, plan) <= studies.WANTED
    learned = StudyPlan({"tau1": (0.2, 0.5), "tau2": (0.1, 0.3)}, seeds=2)
    assert shared_cost(run, learned) == pytest.approx(1)
    before = shared_cost(run, PLAN)
    search(run, replace(PLAN, seeds=1), HERE)
    assert shared_cost(run, PLAN) == pytest.approx(before)  # whatever is there already
    assert shared_cost(run, replace(PLAN, design="optuna")) is None
    words = ["study", str(run.folder), "--vary", "I=1,3", "--vary", "alpha=0,0.5", "--vary", "tau2=0.1,0.3"]
    assert main([*words, "--seeds", "2", "--estimate"]) == 0
    assert f"{before:.2f} of what as many independent runs would cost" in capsys.readouterr().out


def test_a_point_that_fails_says_why_and_the_others_have_scores(run, monkeypatch):
    plan = StudyPlan({"q": (1, 0.2), "code_q": (5, 25)}, seeds=1)  # 25 non-zeros on 30 atoms, 40 on too few
    search(run, replace(plan, axes={"q": (0.2,), "code_q": (5, 31)}), HERE)
    found = {one.point[1]: one for one in outcomes(run, replace(plan, axes={"q": (0.2,), "code_q": (5, 31)}))}
    assert found[5].summary
    assert "q must be at most the number of atoms" in found[31].problem


def test_best_history_and_front_follow_from_the_scores(studied):
    found = outcomes(studied, PLAN)
    table = rows(studied, PLAN)
    assert len(table) == 16
    means = {one.point: one.summary.mean for one in found}
    assert best_of(found).summary.mean == max(means.values())
    steps = [best for _, best in history(found)]
    assert steps == sorted(steps)
    assert steps[-1] == max(means.values())
    for price in PRICES.values():
        worth = front(found, price)
        for one in found:  # the definition: nobody outside is as cheap and better
            beaten = any(
                price.of(other) <= price.of(one)
                and other.summary.mean >= one.summary.mean
                and (price.of(other), -other.summary.mean) != (price.of(one), -one.summary.mean)
                for other in found
            )
            assert not (one in worth and beaten)
            assert (
                one in worth
                or beaten
                or any((price.of(one), one.summary.mean) == (price.of(other), other.summary.mean) for other in worth)
            )


def test_a_study_is_a_job_with_limits(home_store, monkeypatch):
    jobs, run = home_store
    jobs.places = 0
    submitted = submit_search(jobs, run, PLAN)
    assert submitted.status.state == "queued"
    assert submitted.plan == PLAN
    jobs.cancel(submitted)
    jobs.limits = Limits(max_ksvd_iter=1)
    with pytest.raises(ParameterError, match="at most 1 K-SVD iterations"):
        submit_search(jobs, run, PLAN)


@pytest.fixture
def home_store(store):
    run = store.create(describe(TINY, "digits"), "base")
    compute(run)
    return Jobs(store), run


def test_more_points_than_a_study_may_have_are_refused(run):
    values = tuple(range(1, 31))
    with pytest.raises(ParameterError, match="at most 500 points"):
        StudyPlan({"I": values, "t": values[9:], "hidden": (1, 2)}).designed(run.description)


def test_groups_hold_all_trials_once(run):
    trials = list(PLAN.trials(run.description, points_of(run, PLAN)).values())
    groups = groups_of(trials)
    assert sorted(trial.key for group in groups for trial in group) == sorted(trial.key for trial in trials)
    assert all(len({trial.trajectory for trial in group}) == 1 for group in groups)
    assert len({group[0].trajectory for group in groups}) == len(groups) == 4
