"""The level of an encoder in a search: given, that of the run's evaluation, or chosen once on X_val and kept."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dasksvd import encoders
from dasksvd.__main__ import main
from dasksvd.encoders import levels_of
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.soundness import check_sound
from dasksvd.search import tasks
from dasksvd.search.engine import Engine, expected_seconds, search
from dasksvd.search.job import Search, compute_search
from dasksvd.search.lattice import Point
from dasksvd.search.levels import settled
from dasksvd.search.plans import SweepPlan, WeightsPlan, plan_from_dict, plan_title
from dasksvd.search.sweep import sweep_key, sweep_scores
from dasksvd.search.weights import Choices
from tests.search.small import HERE, TINY, accuracies, score_by_hand

LEVELS = levels_of("soft")
OPEN = WeightsPlan(step=1, sizes=(2,), zoomed=(), seeds=1, encoder="soft")
SWEEP = SweepPlan({"tau1": (0.3,)}, encoder="soft")


def by_hand(atoms, level):
    return score_by_hand(atoms, TINY.q, 0, lambda signals, atoms, count: encoders.soft(signals, atoms, level))


@pytest.fixture
def counted(monkeypatch):
    """The keys of the dictionaries that were scored."""
    keys, whole = [], tasks.score_dictionary

    def score(key, *rest):
        keys.append(key)
        return whole(key, *rest)

    monkeypatch.setattr(tasks, "score_dictionary", score)
    return keys


def test_it_is_the_one_that_reads_the_runs_own_dictionary_best(run):
    """Oracle: the encoder and the network of a search, level by level."""
    search(run, OPEN, HERE)
    own = run.trajectory.reselect(TINY.alpha, TINY.beta).atoms
    read_right = [by_hand(own, level) for level in LEVELS]
    chosen = settled(run, OPEN)
    assert chosen.level == max(zip(read_right, LEVELS, strict=True))[1]
    assert len(set(read_right)) > 1
    atoms = run.trajectory.reselect(1, 0, 2).atoms
    key = Choices(run.trajectory).key(Point(1, 0, 1), 2, chosen.scored_by)
    assert accuracies(run)[key] == {0: by_hand(atoms, chosen.level)}


def test_a_given_level_is_taken(run, counted):
    plan = replace(OPEN, level=0.25)
    search(run, plan, HERE)
    assert settled(run, plan) == plan
    assert {key.partition("/")[0] for key in counted} == {"modern+soft=0.25"}
    assert not (run.folder / "search" / "levels.json").exists()


def test_a_run_evaluated_by_the_encoder_has_its_level_and_no_other_network_decides(run, counted):
    evaluate_run(run, Plan(hidden=12, encoder="soft", level=0.15))
    assert settled(run, OPEN).level == settled(run, SWEEP).level == 0.15
    search(run, OPEN, HERE)
    assert {key.partition("/")[0] for key in counted} == {"modern+soft=0.15"}


def test_a_run_evaluated_by_another_encoder_has_none(run):
    evaluate_run(run, Plan(hidden=12, encoder="threshold"))
    assert settled(run, OPEN) == OPEN


def test_once_chosen_it_stays_whatever_the_run_is_evaluated_by(run, counted):
    search(run, OPEN, HERE)
    chosen, scored = settled(run, OPEN).level, len(counted)
    assert settled(run, SWEEP).level == chosen
    other = next(level for level in LEVELS if level != chosen)
    evaluate_run(run, Plan(hidden=12, encoder="soft", level=other))
    assert settled(run, OPEN).level == chosen
    search(run, OPEN, HERE)
    assert len(counted) == scored
    assert settled(run, replace(OPEN, classifier="scg")).level == other  # another network has another choice


def test_stopped_while_it_is_chosen_a_search_goes_on_level_by_level(run, counted):
    class Stop(Exception):
        pass

    def stop(progress):
        if progress.done == 2:
            raise Stop

    with pytest.raises(Stop):
        search(run, OPEN, HERE, stop)
    assert settled(run, OPEN) == OPEN
    assert len(counted) == 2
    search(run, OPEN, HERE)
    assert len(set(counted)) == len(counted)


@pytest.mark.parametrize("text", ["{", '{"modern+soft": "<b>"}', '{"modern+soft": 7}', '{"modern+soft": true}'])
def test_a_damaged_choice_is_made_again_from_the_scores(run, counted, text):
    search(run, OPEN, HERE)
    before, scored = settled(run, OPEN), len(counted)
    (run.folder / "search" / "levels.json").write_text(text)
    search(run, OPEN, HERE)
    assert settled(run, OPEN) == before
    assert len(counted) == scored


def test_a_sweep_has_it_too(run):
    search(run, SWEEP, HERE)
    chosen = settled(run, SWEEP)
    assert chosen.level in LEVELS
    (entry,) = sweep_scores(run).entries.items()
    assert entry[0] == sweep_key(replace(TINY, tau1=0.3), chosen)
    assert entry[0].startswith(f"modern+soft={chosen.level:g}/0,0/q=")
    assert 0 < entry[1].accuracies[0] < 1


def test_the_time_for_the_choice_is_part_of_the_estimate(run):
    whole = expected_seconds(run, OPEN, HERE)
    given = expected_seconds(run, replace(OPEN, level=0.3), HERE)
    levels = len(LEVELS) * tasks.dictionary_seconds("modern", 40, 1, run.description)
    assert whole == pytest.approx(given + levels)
    search(run, OPEN, HERE)
    assert expected_seconds(run, OPEN, HERE) == 0


def test_progress_grows_to_the_end(run):
    seen = []
    search(run, OPEN, HERE, seen.append)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[-1].done == seen[-1].total == len(LEVELS) + 3
    assert all(progress.done < progress.total for progress in seen[:-1])


def test_two_processes_choose_what_one_does(run):
    search(run, OPEN, Engine(n_jobs=2))
    own = run.trajectory.reselect(TINY.alpha, TINY.beta).atoms
    chosen = settled(run, OPEN).level
    assert by_hand(own, chosen) == max(by_hand(own, level) for level in LEVELS)


def test_plans_and_names_of_scores_say_it():
    assert replace(OPEN, level=0.3).scored_by == "modern+soft=0.3"
    assert OPEN.scored_by == "modern+soft"
    assert plan_title(OPEN).endswith("Soft threshold of unit signals, λ chosen on X_val")
    assert plan_title(replace(OPEN, level=0.3)).endswith("Soft threshold of unit signals, λ = 0.3")
    assert plan_from_dict({"kind": "weights", "encoder": "threshold"}).level == 0


def test_a_run_with_such_scores_is_sound(run):
    """Also those of other encoders and rankings, in a sweep."""
    for plan in (OPEN, SWEEP, replace(OPEN, encoder="threshold"), replace(SWEEP, encoder="threshold", ranking="mdcs")):
        search(run, plan, HERE)
    evaluate_run(run, Plan(hidden=12))
    check_sound(run)


def test_the_command_line_gives_it_or_tells_the_choice(run, capsys):
    options = ["--step", "1", "--stage", "1", "--sizes", "2", "--seeds", "1", "--jobs", "1", "--encoder", "soft"]
    assert main(["grid", str(run.folder), *options]) == 0
    chosen = settled(run, OPEN).level
    told = capsys.readouterr().out
    assert f"level chosen on validation data: {chosen:g}\n" in told
    assert "2 atoms per class: R1 " in told
    assert main(["grid", str(run.folder), *options, "--level", "0.45"]) == 0
    assert any(key.startswith("modern+soft=0.45/2-") for key in accuracies(run))
    assert main(["sweep", str(run.folder), "--vary", "tau1=0.3", "--jobs", "1", *options[-2:], "--level", "0.45"]) == 0
    assert [key.partition("/")[0] for key in sweep_scores(run).entries] == ["modern+soft=0.45"]
    assert main(["grid", str(run.folder), "--level", "0.3"]) == 2
    assert "the encoder omp has no level" in capsys.readouterr().err


def test_the_command_line_evaluates_with_it(run, capsys):
    assert main(["evaluate", str(run.folder), "--hidden", "12", "--encoder", "soft"]) == 0
    told = capsys.readouterr().out
    assert told.count("  level ") == len(LEVELS)
    metrics = json.loads((run.folder / "metrics.json").read_text())
    assert f"codes: soft, level {metrics['level']:g}, {100 * metrics['nonzeros']:.1f} % non-zeros" in told
    assert main(["evaluate", str(run.folder), "--hidden", "12", "--encoder", "soft", "--level", "0.3"]) == 0
    assert "codes: soft, level 0.3" in capsys.readouterr().out
    assert np.isclose(json.loads((run.folder / "metrics.json").read_text())["level"], 0.3)


def test_a_search_job_keeps_its_open_plan(run):
    job = Search(run)
    job.set_plan(OPEN)
    compute_search(job, HERE)
    assert job.plan == OPEN
    assert list(job.plans().values()) == [OPEN]
