"""The reproduction's scorer and its results' files, on what needs no trajectory."""

import json
from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy import stats

from dasksvd.common.files import read_json
from dasksvd.runs.reference import REFERENCE_GRID, ReferenceRun
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import plan_as_dict
from dasksvd.search.weights import Choices, weight_rows, weight_scores, zoomed_points
from reproduce import (
    grid,
    page,
    paper,
    report,
    results,
    scoring,
    studies,
    weights,
)
from reproduce.dictionaries import FAMILIES, FINE_TUNED, FIXED, atoms_of
from reproduce.rounds import Round
from reproduce.scoring import Task, features, score


@pytest.fixture(scope="module")
def result():
    return score(Task(round=0, method="random images", I=5, hidden=50, classifier="modern"))


def test_a_score_tells_of_network_and_codes(result):
    assert result["test_accuracy"] * 10000 == pytest.approx(round(result["test_accuracy"] * 10000))
    assert result["nonzeros"] <= 0.2
    assert 0.5 < result["mean_coherence"] <= result["coherence"] <= 1
    assert result["weights"] == 3060  # MLP-50-50-10, as in the paper's Table 1
    assert 0.8 < result["test_accuracy"] < 0.97
    assert abs(result["test_accuracy"] - result["val_accuracy"]) < 0.03


def test_raw_pixels_are_the_split_of_the_round():
    small, large = (features(Task(0, method, 20, 200, "modern"), Round(0)) for method in ("raw-16", "raw-28"))
    assert small.train.shape == (40000, 256)
    assert large.train.shape == (40000, 784)
    assert large.test.shape == (10000, 784)
    # Mean brightness survives the reduction, so both must be the same images in the same order.
    correlation = np.corrcoef(small.val.mean(axis=1), large.val.mean(axis=1))[0, 1]
    assert correlation > 0.99


def test_a_prefix_of_the_atoms_is_a_smaller_dictionary():
    np.testing.assert_array_equal(atoms_of(Round(3), "gaussian"), atoms_of(Round(3), "gaussian"))
    assert features(Task(3, "gaussian", 5, 50, "modern"), Round(3)).test.shape == (10000, 50)


def test_rows_of_clothes_are_measured_one_after_the_other():
    tasks = studies.fashion_tasks(3)
    assert tuple(dict.fromkeys(task.method for task in tasks)) == studies.ROWS_OF_CLOTHES
    assert set(studies.MAIN_ROWS) <= set(studies.ROWS_OF_CLOTHES)
    for row in studies.ROWS_OF_CLOTHES:
        rounds = [task.round for task in tasks if task.method == row]
        assert rounds == sorted(rounds)
        assert set(rounds) == {0, 1, 2}


def test_networks_in_a_row_share_their_codes(monkeypatch):
    made = []
    monkeypatch.setattr(
        scoring, "codes", lambda signals, atoms, encoder, *rest: made.append((encoder, len(atoms))) or signals
    )
    round_, other = Round(3), Round(3)
    asked = [
        (round_, Task(3, "gaussian", 20, 50, "modern")),
        (round_, Task(3, "gaussian", 20, 300, "scg")),
        (round_, Task(3, "gaussian", 20, 300, "scg", "threshold")),
        (round_, Task(3, "gaussian", 5, 300, "scg", "threshold")),
        (other, Task(3, "gaussian", 5, 300, "scg", "threshold")),
    ]
    seen = [features(task, one) for one, task in asked]
    assert made[::3] == [("omp", 200), ("threshold", 200), ("threshold", 50), ("threshold", 50)]
    assert seen[0] is seen[1]
    assert len({id(one) for one in seen}) == 4


def test_tables_have_the_networks_of_the_paper():
    assert {(task.I, task.hidden) for task in studies.size_tasks(10)} == {(5, 50), (10, 100), (15, 150), (20, 200)}
    assert len(studies.size_tasks(10)) == 10 * 4 * 2
    by_method = {task.method for task in studies.method_tasks(3)}
    assert by_method == {*paper.METHODS, "raw-16"}
    keys = {task.key for task in studies.method_tasks(10)}
    assert len(keys) == 2 * (10 * (3 * 2 + 2) + 5 * (3 * 3 + 2))  # all rounds at 200 and 300 units, half at the others
    tasks = studies.ablation_tasks(3)
    assert len({task.key for task in tasks}) == len(tasks)
    for method in (*FIXED, *FAMILIES):
        assert {task.encoder for task in tasks if task.method == method} == set(studies.ENCODERS)
    assert Counter(task.round for task in tasks if task.method not in studies.ASIDE)[2] > len(FIXED)


def test_later_rounds_begin_with_the_rows_that_the_story_is_told_by():
    modern = [task for task in studies.ablation_tasks(4) if task.classifier != "scg"]
    rounds = [task.round for task in modern if task.method not in studies.ASIDE]
    assert rounds == sorted(rounds[: rounds.index(3)]) + rounds[rounds.index(3) :]
    for number in (2, 3):
        methods = [task.method for task in modern if task.round == number]
        last = max(methods.index(name) for name in (*studies.MAIN_ROWS, "raw-16", *FINE_TUNED))
        assert last < min(methods.index(name) for name in FIXED if name not in (*studies.MAIN_ROWS, *studies.ASIDE))


def test_clothes_have_the_same_tables_by_one_network():
    sizes, methods = studies.fashion_size_tasks(5), studies.fashion_method_tasks(5)
    assert {(task.I, task.hidden) for task in sizes} == {(task.I, task.hidden) for task in studies.size_tasks(1)}
    assert {task.hidden for task in methods} == set(report.WIDTHS)
    assert {task.method for task in methods} >= {"das-ksvd", "ksvd", "lc-ksvd2", "raw-16"}
    assert {(task.data, task.classifier) for task in sizes + methods} == {("fashion_mnist", "modern")}


def test_results_are_saved_after_every_network_and_not_computed_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    monkeypatch.setattr(studies, "TABLES", {"table1": lambda rounds: studies.size_tasks(rounds)[:3]})
    computed = []

    def pretend(task):
        computed.append(task)
        return vars(task) | {"test_accuracy": 0.9, "seconds": 1.0, "hidden": task.hidden}

    monkeypatch.setattr(studies, "score", pretend)
    monkeypatch.setattr(studies, "learn", lambda number, data, method: (number, method))  # minutes of work
    first = studies.reproduce("table1", rounds=1)
    next(first)
    first.close()
    stored = read_json(tmp_path / "sizes.json")
    assert stored["command"] == "python -m reproduce table1 --rounds 1"
    assert len(stored["results"]) == 1
    assert [done for done, _, _ in studies.reproduce("table1", rounds=1)] == [2, 3]
    assert len(results.load_results("table1")) == 3
    assert not list(studies.reproduce("table1", rounds=1))


def one_result(classifier, number=0):
    return {"method": "ksvd", "classifier": classifier, "round": number, "test_accuracy": 0.9}


def test_earlier_results_stay_until_their_network_is_measured_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    old, today = (
        {
            f"{classifier}/{number}": one_result(classifier, number)
            for classifier in ("scg", "modern")
            for number in when
        }
        for when in ((0, 1), (1, 2))
    )
    monkeypatch.setattr(results, "PROTOCOL", {"it": "was so"})
    results.save_results("table2", old)
    monkeypatch.setattr(results, "PROTOCOL", {"it": "is so"})
    assert results.load_comparable("table2") == {}
    assert results.load_results("table2") == old
    assert results.measured_earlier("table2") == {"scg", "modern"}
    half = {"modern/1": today["modern/1"]}
    results.save_results("table2", half)
    results.save_results("table2", half)  # what was earlier stays so
    assert results.load_comparable("table2") == half
    assert results.load_results("table2") == old  # one round does not replace two, and protocols do not mix
    modern = {key: one for key, one in today.items() if "modern" in key}
    results.save_results("table2", modern)
    assert results.load_results("table2") == modern | {key: one for key, one in old.items() if "scg" in key}
    assert results.measured_earlier("table2") == {"scg"}
    assert "SCG" in report.earlier_words("table2")
    assert "ReLU" not in report.earlier_words("table2")
    results.save_results("table2", today)
    assert results.load_results("table2") == today
    assert results.measured_earlier("table2") == set()
    assert report.earlier_words("table2") == ""


def test_a_row_of_which_a_network_used_up_its_epochs_is_marked(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    shared = {"encoder": "omp", "I": 20, "hidden": 200, "weights": 42210, "seconds": 1.0}
    stopped = {"scg": (False, False), "modern": (False, True)}  # at the limit, by round
    found = {
        f"{name}/{number}": one_result(name, number) | shared | {"at_limit": at_limit}
        for name, limits in stopped.items()
        for number, at_limit in enumerate(limits)
    }
    results.save_results("table2", found)
    marked = {row.classifier: report.spread(row).endswith(report.CUT_SHORT) for row in report.rows("table2")}
    assert marked == {"scg": False, "modern": True}
    assert report.ABOUT_CUT_SHORT.startswith(report.CUT_SHORT.strip())


def test_a_table_says_how_many_rounds_it_has(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    assert report.rounds_words("table2") == ""
    assert report.methods_markdown()[-1] == "``"
    shared = {"encoder": "omp", "I": 20, "weights": 1, "seconds": 1.0, "at_limit": False}
    rounds = {("scg", 50): 2, ("scg", 200): 2, ("modern", 50): 2, ("modern", 200): 4, ("modern", 300): 4}
    found = {
        f"{name}/{hidden}/{number}": one_result(name, number) | shared | {"hidden": hidden}
        for (name, hidden), count in rounds.items()
        for number in range(count)
    }
    results.save_results("table2", found)
    told = "SCG, MSE: 2 rounds. ReLU, Adam: 2 rounds at 50 hidden units; 4 rounds at 200, 300 hidden units."
    assert report.rounds_words("table2") == told
    assert report.methods_markdown()[-1] == f"{told} `python -m reproduce table2 --rounds 4`"
    found["more"] = one_result("modern", 4) | shared | {"hidden": 300, "method": "raw-16"}
    found["less"] = one_result("modern", 3) | shared | {"hidden": 300, "method": "raw-16"}
    results.save_results("table2", found)
    assert "2 to 4 rounds at 300 hidden units" in report.rounds_words("table2")


def test_differences_are_paired_over_rounds_and_keep_their_sign():
    """SCG with 200 units reads DAS-KSVD's and K-SVD's codes alike, with other signs in other rounds."""
    ours, theirs = (
        [result["test_accuracy"] for _, result in sorted(results.load_results("table2").items())
         if (result["method"], result["hidden"], result["classifier"]) == (method, 200, "scg")]
        for method in ("das-ksvd", "ksvd")
    )  # fmt: skip
    found = report.compare("table2", "das-ksvd", "ksvd", 200, "scg")
    expected = stats.ttest_rel(ours, theirs)
    assert found.difference.p == pytest.approx(expected.pvalue)
    assert found.difference.mean == pytest.approx(np.mean(ours) - np.mean(theirs))
    assert found.difference.verdict == "cannot be told apart"
    assert found.accuracies == pytest.approx((np.mean(ours), np.mean(theirs)))


def test_an_ablation_without_noise_is_worse_and_says_so():
    (found,) = [one for row, one in report.ablation().items() if row.method == "no noise"]
    assert found.mean < -0.01
    assert found.verdict == "worse"
    table = page.PLACES["ablation"]("omp")
    assert any(line.startswith("| no noise") and f"| {found.text} | worse |" in line for line in table.splitlines())


def test_a_variant_is_better_or_worse_only_as_one_of_all_variants():
    """Oracle: scipy's paired t-test, and Holm's rule by ranks: the p-value of rank r counts n + 1 - r times."""
    rounds = defaultdict(dict)
    for result in results.load_results("ablation").values():
        if (result["classifier"], result["encoder"]) == ("modern", "omp"):
            rounds[result["method"], result["hidden"]][result["round"]] = result["test_accuracy"]
    ours = rounds.pop(("das-ksvd", 200))
    p = {
        key: stats.ttest_rel(list(found.values()), [ours[number] for number in found]).pvalue
        for key, found in rounds.items()
        if len(found) > 1
    }
    order = sorted(p, key=p.get)
    passed = [p[method] * (len(order) - rank) < 0.05 for rank, method in enumerate(order)]
    clear = set(order[: [*passed, False].index(False)])
    assert 0 < len(clear) < sum(value < 0.05 for value in p.values())  # so the correction matters
    found = report.ablation()
    told = {(row.method, row.hidden) for row, one in found.items() if one and one.verdict in ("better", "worse")}
    assert told == clear
    assert [row.method for row, one in found.items() if one is None] == ["das-ksvd"]
    means = [one.mean if one else 0.0 for one in found.values()]
    assert means == sorted(means, reverse=True)


def test_the_shipped_search_holds_what_its_command_computes_and_no_more(tmp_path):
    stored = read_json(REFERENCE_GRID)
    assert stored["command"] == "python -m reproduce grid"
    assert stored["plans"] == json.loads(json.dumps([plan_as_dict(plan) for plan in grid.STEPS]))
    base = ReferenceRun(tmp_path)
    choices, scores = Choices(base.trajectory), weight_scores(base)
    asked = Counter()
    for plan in grid.STEPS:
        stage_1 = coarse(plan.step)
        rows = weight_rows(choices, scores, stage_1, plan.sizes, plan.classifier)
        points = {size: list(stage_1) for size in plan.sizes}
        for size in plan.zoomed:
            points[size] += zoomed_points(rows, size, plan)
        for size, chosen in points.items():
            for point in chosen:
                key = choices.key(point, size, plan.classifier)
                asked[key] = max(asked[key], plan.seeds)
    assert {key: len(entry.accuracies) for key, entry in scores.entries.items()} == dict(asked)


def test_leads_of_weights_follow_from_the_stored_accuracies():
    """Oracle: scipy's paired t-test over the rounds."""
    found = weights.differences()
    assert found
    assert weights.PAPERS not in found
    for place, difference in found.items():
        ours, papers = (
            [means[weights.name(one)] for means in weights.stored_accuracies().values()]
            for one in (place, weights.PAPERS)
        )
        interval = stats.ttest_rel(ours, papers).confidence_interval(0.95)
        assert difference.mean == pytest.approx((interval.low + interval.high) / 2)
        assert difference.half_width == pytest.approx((interval.high - interval.low) / 2)


def test_chance_vs_the_classical_analysis_of_variance():
    groups = [one["validation_accuracy"]["0,0"] for one in results.load_results("weights").values()]
    within = np.mean([np.var(group, ddof=1) for group in groups])
    between = np.var([np.mean(group) for group in groups], ddof=1) - within / 3
    found = weights.chance()
    assert found.between_networks == pytest.approx(np.sqrt(within))
    assert found.between_trajectories == pytest.approx(np.sqrt(between))
    told = weights.chance_words(4)
    gap = stats.t.ppf(0.975, found.noise(1).freedom) * np.sqrt((within + between) / 2)
    assert f"{100 * np.sqrt(within):.2f} points" in told
    assert f"{100 * np.sqrt(between):.2f} more" in told
    assert f"over 4 rounds each would need a gap of {100 * gap:.2f} points" in told


def test_nothing_is_said_of_chance_that_was_not_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    assert weights.chance() is None
    assert weights.chance_words() == ""


def test_table_2_by_width_has_every_measured_network():
    cells = [cell for line in report.methods_by_width() for cell in line[2:]]
    rows = report.rows("table2")
    assert all(row.ours.rounds >= 3 for row in rows)
    marks = {True: report.CUT_SHORT, False: ""}
    expected = [f"{100 * row.ours.mean:.2f} ± {100 * row.ours.sd:.2f}{marks[row.cut_short > 0]}" for row in rows]
    expected += [f"{number:.1f}" for numbers in paper.METHODS.values() for number in numbers.values()]
    assert sorted(cell for cell in cells if cell != "–") == sorted(expected)
