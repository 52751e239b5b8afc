"""When a claim holds, on made-up numbers; and that the page's claims follow from the stored results."""

import json
import shutil

import pytest
from scipy import stats

from dasksvd.statistics import Difference
from reproduce import claims, paper, report, results
from reproduce.verdicts import Evidence, Verdict, common, judge, verdict, weigh

BETTER, WORSE = Difference(0.01, 0.004, 0.01, 3), Difference(-0.01, 0.004, 0.01, 3)
ALIKE, ALONE = Difference(0.01, 0.02, 0.4, 3), Difference(0.05, None, None, 1)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([BETTER, BETTER], Verdict.HOLDS),
        ([BETTER, ALIKE], Verdict.PARTLY),
        ([BETTER, WORSE], Verdict.PARTLY),
        ([WORSE, ALIKE], Verdict.FAILS),
        ([WORSE], Verdict.FAILS),
        ([ALIKE, ALIKE], Verdict.NOT_SHOWN),
        ([ALONE], Verdict.NOT_SHOWN),
    ],
)
def test_one_network_is_judged_by_its_intervals(differences, expected):
    assert judge(differences) == expected
    assert judge(differences[::-1]) == expected


def test_places_are_judged_together():
    """Five tests of p = 0.03 say nothing, though each alone is clear; one of p = 0.009 among them says something."""
    weak, strong = Difference(0.01, 0.009, 0.03, 3), Difference(0.01, 0.006, 0.009, 3)
    assert judge([weak]) == Verdict.HOLDS
    assert judge([weak] * 5) == Verdict.NOT_SHOWN
    assert judge([weak] * 4 + [strong]) == Verdict.PARTLY
    places = {str(number): weak for number in range(4)} | {"strong": strong}
    evidence = Evidence("a network", places, weak)
    assert (evidence.count("better"), evidence.count("cannot be told apart")) == (1, 4)
    assert [place for place, one in evidence.judged.items() if one.verdict == "better"] == ["strong"]


@pytest.mark.parametrize(
    ("networks", "expected"),
    [
        ([], Verdict.NOT_MEASURED),
        ([[BETTER]], Verdict.HOLDS),
        ([[BETTER], [BETTER, BETTER]], Verdict.HOLDS),
        ([[BETTER, ALIKE], [BETTER, WORSE]], Verdict.PARTLY),
        ([[BETTER], [WORSE]], Verdict.DEPENDS),
        ([[BETTER], [ALIKE]], Verdict.DEPENDS),
        ([[BETTER], [BETTER, ALIKE]], Verdict.DEPENDS),
        ([[WORSE], [ALIKE]], Verdict.FAILS),
        ([[WORSE], [WORSE, ALIKE]], Verdict.FAILS),
        ([[ALIKE], [ALIKE]], Verdict.NOT_SHOWN),
    ],
)
def test_networks_agree_or_it_depends(networks, expected):
    evidence = [
        Evidence(str(number), {str(place): test for place, test in enumerate(tests)}, tests[0])
        for number, tests in enumerate(networks)
    ]
    assert verdict(evidence) == verdict(evidence[::-1]) == expected


def test_evidence_is_paired_over_the_rounds_that_both_have():
    """Oracle: scipy's paired t-test; the whole is the mean over the places, round by round."""
    first = common({0: 0.95, 1: 0.96, 2: 0.94, 7: 0.1}, {0: 0.94, 1: 0.94, 2: 0.935})
    second = common({0: 0.90, 1: 0.92, 2: 0.91}, {2: 0.91, 1: 0.91, 0: 0.92})
    (found,) = weigh("a network", {"narrow": first, "wide": second, "empty": {}})
    assert list(found.tests) == ["narrow", "wide"]
    narrow = stats.ttest_rel([0.95, 0.96, 0.94], [0.94, 0.94, 0.935])
    assert found.tests["narrow"].p == pytest.approx(narrow.pvalue)
    whole = stats.ttest_rel([0.925, 0.94, 0.925], [0.93, 0.925, 0.9225])
    assert (found.whole.p, found.whole.rounds) == (pytest.approx(whole.pvalue), 3)
    assert weigh("a network", {"empty": {}}) == []


def test_places_without_a_common_round_have_a_whole_that_cannot_tell():
    (found,) = weigh("a network", {"narrow": {0: (0.9, 0.8)}, "wide": {1: (0.9, 0.6)}})
    assert found.whole.mean == pytest.approx(0.2)
    assert found.whole.half_width is None


def test_table_2_is_compared_as_the_report_compares_it():
    by_key = {claim.key: claim for claim in claims.CLAIMS}
    for key, method in (("ksvd", "ksvd"), ("lcksvd2", "lc-ksvd2"), ("raw", "raw-28")):
        for one, classifier in zip(by_key[key].find(), report.CLASSIFIER_NAMES, strict=True):
            assert len(one.tests) == len(paper.METHODS[method])
            for hidden in paper.METHODS[method]:
                expected = report.compare("table2", "das-ksvd", method, hidden, classifier)
                assert one.tests[f"{hidden} hidden units"] == expected.difference


def test_sizes_are_compared_with_the_papers_means_and_spread():
    """Oracle: scipy's t-test from means and standard deviations."""
    claim = claims.CLAIMS[0]
    rows = {(row.I, row.classifier): row.ours for row in report.rows("table1")}
    for one, classifier in zip(claim.find(), report.CLASSIFIER_NAMES, strict=True):
        for I, (mean, sd, _) in paper.SIZES.items():
            ours = rows[I, classifier]
            expected = stats.ttest_ind_from_stats(
                ours.mean, ours.sd, ours.rounds, mean / 100, sd / 100, 10, equal_var=False
            )
            assert one.tests[f"{I} atoms per class"].p == pytest.approx(expected.pvalue, rel=1e-6)


def test_every_claim_has_evidence_a_sentence_and_a_command():
    for claim in claims.CLAIMS:
        evidence = claim.find()
        assert verdict(evidence) != Verdict.NOT_MEASURED, claim.key
        assert 20 < len(claim.tell(evidence)) < 95, claim.key
        assert claims.command(claim).startswith("python -m reproduce "), claim.key
    assert len({claim.key for claim in claims.CLAIMS}) == len(claims.CLAIMS)


def change(folder, name, of, by):
    """Move test accuracies of some stored networks, also of those that were measured earlier."""
    stored = json.loads((folder / name).read_text(encoding="utf-8"))
    earlier = stored.get("earlier", {}).get("results", {})
    for result in (*stored["results"].values(), *earlier.values()):
        if of(result):
            result["test_accuracy"] = min(1.0, max(0.0, by(result)))
    (folder / name).write_text(json.dumps(stored), encoding="utf-8")


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """The results in a folder of their own, to be changed."""
    for path in results.RESULTS.glob("*.json"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("key", "file", "method", "accuracy", "expected"),
    [
        ("ksvd", "methods.json", "ksvd", 0.5, Verdict.HOLDS),
        ("ksvd", "methods.json", "ksvd", 0.99, Verdict.FAILS),
        ("measure", "ablation.json", "random own atom", 0.9, Verdict.HOLDS),
        ("measure", "ablation.json", "random own atom", 0.99, Verdict.FAILS),
        ("sizes", "sizes.json", "das-ksvd", 0.5, Verdict.FAILS),
    ],
)
def test_new_results_change_the_verdict_by_themselves(stored, key, file, method, accuracy, expected):
    change(stored, file, lambda result: result["method"] == method, lambda result: accuracy + 1e-4 * result["round"])
    (claim,) = [claim for claim in claims.CLAIMS if claim.key == key]
    assert verdict(claim.find()) == expected


def test_a_claim_without_results_is_not_measured(stored):
    for name in set(results.FILES.values()):
        (stored / name).unlink(missing_ok=True)
    found = {claim.key: verdict(claim.find()) for claim in claims.CLAIMS}
    assert {key for key, word in found.items() if word != Verdict.NOT_MEASURED} == {"weights"}  # in a file of its own


def test_a_sentence_counts_clear_differences_only():
    evidence = [
        Evidence("one", {"a": BETTER, "b": ALIKE, "c": WORSE}, ALIKE),
        Evidence("two", {"a": BETTER, "b": BETTER}, BETTER),
    ]
    expected = "Clearly better at 1, worse at 1 of 3 widths with one; better at 2 of 2 widths with two."
    assert claims.counted(evidence, "widths") == expected
    assert claims.counted(evidence[1:], "sizes", "above") == "Clearly above at 2 of 2 sizes with two."
