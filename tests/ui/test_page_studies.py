"""What makes it work, robustness and curves on the Accuracy page, with few rounds, many and none."""

import json
import shutil

import numpy as np
import pytest

from reproduce import lines, pictures, results, weights
from tests import measured
from tests.ui.harness import address, open_page, texts

TABS = {"What makes it work?": "ablation", "Robustness": "robustness", "Curves": "curves"}


@pytest.fixture
def folder(home, tmp_path, monkeypatch):
    """An empty folder of results beside the stored tables."""
    kept = tmp_path / "results"
    shutil.copytree(results.RESULTS, kept, ignore=shutil.ignore_patterns(*(f"{study}.json" for study in TABS.values())))
    monkeypatch.setattr(results, "RESULTS", kept)
    return kept


@pytest.fixture(params=[1, 3])
def rounds(request, folder):
    measured.write_all(folder, request.param)
    return request.param


def open_tab(name, **state):
    at = open_page("accuracy")
    at.session_state["tab"] = name
    for key, value in state.items():
        at.session_state[key] = value
    at.run()
    assert not at.exception, at.exception
    return at


def charts(at):
    """The data of the page's charts of series by their files' names."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return {data["name"].removeprefix("das-ksvd-"): data for data in found if "pickable" in data and "levels" in data}


def pick(at, key, number, name="picked"):
    """Click on a point or a name of a chart."""
    at.session_state[key] = {name: [number, 1_700_000_000_000]}
    at.run()
    assert not at.exception, at.exception
    return at


@pytest.mark.parametrize(("tab", "study"), TABS.items())
def test_without_results_a_sentence_says_what_measures_them(folder, tab, study):
    at = open_tab(tab)
    assert charts(at) == {}
    assert f"python -m reproduce {study} --rounds" in texts(at)


def test_results_without_coherence_say_what_measures_it(home):
    """The stored ones may be from before it was kept; then there is no picture but the forest plot."""
    at = open_tab("What makes it work?")
    known = any(one.mean_coherence is not None and not one.is_raw for one in pictures.dictionaries())
    assert ("what_works" in charts(at)) == known
    assert known or "python -m reproduce ablation" in texts(at)


@pytest.mark.parametrize("encoder", ["omp", "soft"])
def test_every_dictionary_is_a_dot_at_its_coherence_and_accuracy(rounds, encoder):
    at = open_tab("What makes it work?")
    at.segmented_control(key="codes_by").set_value(encoder).run()
    chart = charts(at)["what_works"]
    dots = {point["label"]: point for one in chart["series"] for point in one["points"]}
    found = pictures.dictionaries(encoder)
    assert len(dots) == len(found)
    for one in found:
        names = {"raw-16/158": "raw pixels, 158 hidden", "das-ksvd": "DAS-KSVD", "mod": "MOD", "gaussian": "Gaussian"}
        if one.key in names:
            point = dots[names[one.key]]
            drawn = [point[name] for name in ("at", "value", "low", "high")]
            accuracy = one.accuracy
            expected = [one.mean_coherence, *(100 * end for end in (accuracy.value, accuracy.low, accuracy.high))]
            assert drawn == pytest.approx(expected)
    assert address(at).get("codes_by") == (None if encoder == "omp" else encoder)


def test_clothes_have_a_picture_of_their_own_where_they_are_measured(rounds, folder):
    (folder / results.FILES["fashion"]).unlink(missing_ok=True)
    at = open_tab("What makes it work?", learned_on="fashion")
    digits = charts(at)["what_works"]
    assert "learned_on" not in {control.key for control in at.segmented_control}
    labels = {"das-ksvd": "DAS-KSVD", "ksvd": "K-SVD", "mod": "MOD", "gaussian": "Gaussian"}
    some = [one for one in measured.ablation(2, np.random.default_rng(5)) if one["method"] in labels]
    measured.write(folder, "fashion", [one for one in some if one["method"] != "mod"], 2)
    assert "learned_on" not in {control.key for control in open_tab("What makes it work?").segmented_control}
    measured.write(folder, "fashion", some, 2)
    at = open_tab("What makes it work?")
    assert charts(at)["what_works"]["title"] == digits["title"]
    at.segmented_control(key="learned_on").set_value("fashion").run()
    chart = charts(at)["what_works"]
    assert (digits["title"][:7], chart["title"][:8]) == ("Digits:", "Clothes:")
    dots = {point["label"]: point["value"] for one in chart["series"] for point in one["points"]}
    found = {labels[one.method]: 100 * one.accuracy.value for one in pictures.dictionaries("omp", "fashion")}
    assert dots == pytest.approx(found)
    assert address(at)["learned_on"] == "fashion"
    assert "python -m reproduce fashion --rounds 2" in [code.value for code in at.code]


def test_a_picked_dot_shows_its_numbers_and_stands_in_the_link(rounds):
    at = open_tab("What makes it work?")
    assert "**DAS-KSVD**" in texts(at)
    names = [point["label"] for one in charts(at)["what_works"]["series"] for point in one["points"]]
    pick(at, "what_works", names.index("MOD"))
    (one,) = (one for one in pictures.dictionaries() if one.method == "mod")
    shown = texts(at)
    assert all(text in shown for text in ("**MOD**", one.difference.text, one.difference.verdict, one.accuracy.text))
    assert f"**{one.mean_coherence:.3f}**" in shown
    assert address(at)["dictionary"] == "mod"


def test_one_kind_of_change_has_a_line_for_each_reader_and_a_row_in_the_table(rounds):
    at = open_tab("Robustness")
    at.segmented_control(key="change").set_value("rotation").run()
    found = lines.readers("rotation")
    drawn = charts(at)["robustness"]["series"]
    assert [one["name"] for one in drawn] == [one.name for one in found]
    assert [one["strong"] for one in drawn] == [one.method == "raw-16" for one in found]
    for one, line in zip(found, drawn, strict=True):
        means = [100 * mean.value for mean in one.accuracies.values()]
        assert [point["value"] for point in line["points"]] == pytest.approx(means)
    table = at.table[0].value
    gaps = [[100 * gap.mean for gap in one.to_pixels.values()] for one in found if one.to_pixels]
    assert table.iloc[:, 1:].to_numpy(float).tolist() == [pytest.approx(row) for row in gaps]
    assert address(at)["change"] == "rotation"


def test_a_reader_is_shown_alone_and_all_again(rounds):
    at = open_tab("Robustness")
    found = lines.readers("noise")
    pick(at, "robustness", 1, "alone")
    assert charts(at)["robustness"]["alone"] == 1
    assert len(at.table[0].value) == 1
    assert lines.reader_words(found[1]) in texts(at)
    assert address(at)["reader"] == found[1].key
    at.session_state["robustness"] = {"alone": [len(found), 1_700_000_000_001]}
    at.run()
    assert charts(at)["robustness"]["alone"] is None
    assert "reader" not in address(at)


def test_raw_pixels_alone_have_no_table(rounds):
    at = pick(open_tab("Robustness"), "robustness", 0, "alone")
    assert not at.table


@pytest.mark.parametrize("parameter", ["tau2", "ksvd_iter", "hidden", "omp", "threshold", "soft"])
def test_a_parameter_has_its_curves_with_the_papers_value_marked(rounds, parameter):
    at = open_tab("Curves")
    at.selectbox(key="curve_of").set_value(parameter).run()
    assert not at.exception
    found = charts(at)
    assert set(found) == {f"curve_{parameter}", *(f"curve_{parameter}_{field}" for field in lines.FIELDS)}
    paper = lines.papers_value(parameter)
    for chart in found.values():
        assert chart["current"] == (None if paper is None else [paper, "the paper's"])
    assert lines.curve_words(lines.curve(parameter)) in texts(at)


def test_a_picked_point_shows_its_rounds(rounds):
    at = open_tab("Curves")
    at.selectbox(key="curve_of").set_value("tau2").run()
    pick(at, "curve_tau2", 2)
    point = lines.curve("tau2")[2]
    table = at.table[0].value
    assert len(table) == rounds
    assert list(table.iloc[:, 1]) == pytest.approx([100 * value for value in point.accuracy.rounds.values()])
    assert address(at)["point"] == "0.2"


def test_three_encoders_stand_in_one_chart_over_their_non_zeros(rounds):
    at = open_tab("Curves")
    at.segmented_control(key="curves").set_value("encoders").run()
    drawn = charts(at)["curve_encoders"]["series"]
    assert [one["name"] for one in drawn] == ["OMP", "largest correlations", "soft threshold"]
    for name, line in zip(("omp", "threshold", "soft"), drawn, strict=True):
        shares = [100 * one.more["nonzeros"].value for one in lines.curve(name)]
        assert [point["at"] for point in line["points"]] == pytest.approx(shares)


def test_codes_and_pixels_are_compared_where_their_networks_are_equally_large(rounds):
    at = open_tab("Curves")
    at.segmented_control(key="curves").set_value("weights").run()
    assert len(charts(at)["curve_weights"]["series"]) == 2
    ((_, _, gap),) = lines.equal_weights(lines.curve("hidden"), lines.curve("raw-16"))
    assert f"**{gap.text}** points over" in texts(at)


def test_a_study_that_has_just_begun_shows_what_there_is(folder):
    """One network of each study: no interval, no difference, nothing to compare with."""
    for study in TABS.values():
        all_ = {"ablation": measured.ablation, "robustness": measured.robustness, "curves": measured.curves}[study]
        measured.write(folder, study, all_(1, np.random.default_rng(0))[:1], 1)
    for tab in TABS:
        assert charts(open_tab(tab))
    at = open_tab("Curves")
    for view in ("encoders", "weights"):
        at.segmented_control(key="curves").set_value(view).run()
        assert not at.exception
        assert "python -m reproduce curves" in texts(at)


def test_the_noise_floor_says_what_one_split_cannot_see(home, tmp_path, monkeypatch):
    def meant():
        (found,) = (element.help for element in open_page("grid_search").markdown if "Noise floor" in element.value)
        return found

    spread = weights.chance().between_trajectories
    assert f"differ by {100 * spread:.2f} more; a search on one split cannot see that" in meant()
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    assert "one split" not in meant()
