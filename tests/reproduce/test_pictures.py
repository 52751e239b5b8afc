"""The numbers behind the pictures follow from the rounds, whatever these are."""

import numpy as np
import pytest
from scipy import stats

from reproduce import descriptions, dictionaries, lines, means, pictures, report, results
from reproduce.curves import CURVES
from reproduce.robustness import READERS, TO_IMAGES, TO_SIGNALS
from tests import measured
from ui.panels import robustness as panel


@pytest.fixture(params=[1, 2, 7])
def rounds(request, tmp_path, monkeypatch):
    """How many rounds the stored results have."""
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    measured.write_all(tmp_path, request.param)
    return request.param


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)


def stored(study, **wanted):
    """The rounds' results with some fields, straight from the file."""
    found = results.load_results(study).values()
    return sorted(
        (one for one in found if all(one[name] == value for name, value in wanted.items())),
        key=lambda one: one["round"],
    )


def check_interval(mean, values):
    assert list(mean.rounds.values()) == values
    assert mean.value == pytest.approx(np.mean(values))
    if len(values) == 1:
        assert mean.half is None
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert (mean.low, mean.high) == pytest.approx((low, high))


def check_difference(found, first, second):
    assert found.mean == pytest.approx(np.mean(first) - np.mean(second))
    if len(first) > 1:
        test = stats.ttest_rel(first, second)
        interval = test.confidence_interval(0.95)
        assert found.p == pytest.approx(test.pvalue)
        assert found.half_width == pytest.approx((interval.high - interval.low) / 2)


# Every dictionary a dot


@pytest.mark.parametrize("encoder", report.ENCODER_NAMES)
def test_every_dot_is_the_mean_of_its_rounds_and_differs_from_das_as_scipy_says(rounds, encoder):
    found = pictures.dictionaries(encoder)
    assert {one.key for one in found} == {*descriptions.DESCRIPTIONS, "raw-16/158", "raw-16/200"} - {"raw-16"}
    ours = [one["test_accuracy"] for one in stored("ablation", method="das-ksvd", encoder=encoder, classifier="modern")]
    for one in found:
        by = "omp" if one.is_raw else encoder
        rows = stored("ablation", method=one.method, hidden=one.hidden, encoder=by, classifier="modern")
        values = [row["test_accuracy"] for row in rows]
        check_interval(one.accuracy, values)
        if one.method == "das-ksvd":
            assert one.difference is None
        else:
            check_difference(one.difference, values, ours)
        if not one.is_raw:
            assert one.mean_coherence == pytest.approx(np.mean([row["mean_coherence"] for row in rows]))


def test_results_from_before_coherence_was_kept_have_none(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    old = measured.ablation(2, np.random.default_rng(0))
    for one in old:
        for name in ("mean_coherence", "coherence", "nonzeros", "psnr"):
            one.pop(name, None)
    measured.write(tmp_path, "ablation", old, 2)
    found = [one for one in pictures.dictionaries() if not one.is_raw]
    assert found
    assert all(one.mean_coherence is None and one.psnr is None for one in found)
    assert pictures.coherence_relation(found) is None


def test_only_rounds_that_both_have_are_compared():
    gap = means.difference({0: 0.9, 1: 0.8, 5: 0.1}, {1: 0.7, 0: 0.85, 7: 0.9})
    check_difference(gap, [0.9, 0.8], [0.85, 0.7])
    assert means.difference({0: 0.9}, {1: 0.9}) is None


def test_rank_correlation_vs_scipy():
    rng = np.random.default_rng(3)
    for _ in range(20):
        first, second = rng.integers(0, 6, size=(2, 9)).astype(float)  # with ties
        expected = stats.spearmanr(first, second)
        found = pictures.relation(list(first), list(second))
        assert (found.rho, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_too_few_or_equal_values_have_no_relation():
    assert pictures.relation([1, 2, 3], [1, 2, 3]) is None
    assert pictures.relation([1, 1, 1, 1], [1, 2, 3, 4]) is None
    assert pictures.relation([1, 2, 3, 4], [1, 2, 3, 4]).p == 0


@pytest.mark.parametrize(
    ("rho", "p", "words"),
    [(-0.8, 0.01, "each other less"), (0.8, 0.01, "each other more"), (-0.3, 0.2, "does not tell")],
)
def test_the_words_follow_from_the_correlation(rho, p, words):
    assert words in pictures.coherence_words(pictures.Relation(rho, p, 24))


def test_the_sentence_counts_the_verdicts(rounds):
    found = [one for one in pictures.dictionaries() if not one.is_raw and one.method != "das-ksvd"]
    verdicts = [one.difference.verdict for one in found]
    words = pictures.against_das_words(pictures.dictionaries())
    if rounds == 1:
        assert "one round cannot tell" in words
    else:
        assert f"{verdicts.count('better')} read clearly more" in words
        assert f"{verdicts.count('worse')} fewer" in words


def test_every_dictionary_is_described_in_a_sentence_and_a_short_name():
    assert {*dictionaries.METHODS, "raw-16"} <= set(descriptions.DESCRIPTIONS)
    names = [one.short for one in descriptions.DESCRIPTIONS.values()]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 20
    for one in descriptions.DESCRIPTIONS.values():
        assert one.family in descriptions.FAMILIES
        assert one.sentence.endswith(".")
    assert descriptions.short("something new") == "something new"


# Readers of changed images


@pytest.mark.parametrize("kind", measured.KINDS)
def test_readers_differ_from_raw_pixels_at_each_size_as_scipy_says(rounds, kind):
    found = lines.readers(kind)
    assert {(one.method, one.encoder) for one in found} == set(measured.READERS)
    assert found[0].method == "raw-16"
    assert found[0].to_pixels == {}
    pixels = stored("robustness", method="raw-16")
    for one in found:
        rows = stored("robustness", method=one.method, encoder=one.encoder)
        assert list(one.accuracies) == [0.0, *map(float, measured.KINDS[kind])]
        for size in measured.KINDS[kind]:
            values = [row["changed"][kind][size] for row in rows]
            check_interval(one.accuracies[float(size)], values)
            if one.method != "raw-16":
                check_difference(one.to_pixels[float(size)], values, [row["changed"][kind][size] for row in pixels])
        check_interval(one.accuracies[0.0], [row["clean"] for row in rows])


def test_words_about_a_reader_leave_out_unchanged_images():
    better = lines.Difference(0.1, 0.01, 0.001, 5)
    worse, even = lines.Difference(-0.1, 0.01, 0.001, 5), lines.Difference(0.0, 0.1, 0.9, 5)
    told = lines.reader_words(lines.Reader("das-ksvd", "omp", {}, {0.0: better, 1.0: worse, 2.0: even}))
    assert told == "DAS-KSVD · OMP reads clearly fewer at 1 of 2 sizes, compared with raw pixels."
    told = lines.reader_words(lines.Reader("das-ksvd", "omp", {}, {1.0: worse, 2.0: better, 3.0: better}))
    assert "more at 2 and fewer at 1 of 3" in told
    assert "cannot be told apart" in lines.reader_words(lines.Reader("das-ksvd", "omp", {}, {1.0: even}))


def test_every_kind_of_the_study_says_what_its_sizes_are():
    assert set(panel.SIZES) == {*TO_SIGNALS, *TO_IMAGES}
    assert set(panel.DASHES) == {encoder for _, encoder in READERS}


# One parameter at a time


@pytest.mark.parametrize("parameter", measured.VALUES)
def test_points_of_a_curve_differ_from_the_papers_value_as_scipy_says(rounds, parameter):
    points = lines.curve(parameter)
    assert [one.value for one in points] == sorted(measured.VALUES[parameter])
    papers = lines.papers_value(parameter)
    there = [one["test_accuracy"] for one in stored("curves", parameter=parameter, value=papers)]
    for one in points:
        rows = stored("curves", parameter=parameter, value=one.value)
        values = [row["test_accuracy"] for row in rows]
        check_interval(one.accuracy, values)
        if one.value == papers or papers is None:
            assert one.to_paper is None
        else:
            check_difference(one.to_paper, values, there)
        if parameter != "raw-16":
            check_interval(one.more["psnr"], [row["psnr"] for row in rows])


def test_every_parameter_of_the_study_has_a_title_and_the_papers_value_among_its_values():
    for parameter, values in CURVES.items():
        assert lines.title(parameter)
        paper = lines.papers_value(parameter)
        assert paper is None or paper in values


def test_codes_and_pixels_are_paired_where_their_networks_are_equally_large(rounds):
    ((ours, theirs, gap),) = lines.equal_weights(lines.curve("hidden"), lines.curve("raw-16"))
    assert (ours.value, theirs.value) == (200, 158)
    check_difference(gap, list(ours.accuracy.rounds.values()), list(theirs.accuracy.rounds.values()))


def test_the_words_of_a_curve_name_every_value_but_the_papers(rounds):
    words = lines.curve_words(lines.curve("tau2"))
    assert words.startswith("Against the paper's 0.1, ")
    if rounds > 1:
        assert all(word in words for word in ("0", "0.2"))


def test_without_results_there_is_nothing(nothing):
    assert pictures.dictionaries() == lines.kinds() == lines.measured() == lines.curve("tau2") == []
    assert lines.readers("noise") == []
    assert pictures.against_das_words([]) == lines.curve_words([]) == ""
    assert "too few" in pictures.coherence_words(pictures.coherence_relation([]))
