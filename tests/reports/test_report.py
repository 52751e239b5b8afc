"""A report is whole, asks for nothing from outside, and is checked by computing it again."""

import json
import re
from dataclasses import replace

import pytest

from dasksvd.__main__ import main
from dasksvd.errors import DamagedFile
from dasksvd.reports import verify as checking
from dasksvd.reports.drawings import Dot, curves, dots, triangle
from dasksvd.reports.facts import Facts, as_json, read_facts, run_facts, search_facts
from dasksvd.reports.machine import machine, unlike
from dasksvd.reports.report import report
from dasksvd.reports.verify import verify
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.reference import SHIPPED, ReferenceRun, load_metrics
from dasksvd.search.engine import search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_scores
from dasksvd.statistics import pooled_noise, share_text, summarise
from tests.reports.reported import HERE, NASTY, checked, written

WEIGHTS = WeightsPlan(step=2, sizes=(1, 2), zoomed=(), seeds=2)
STUDY = StudyPlan({"I": (1, 2), "encoder": ("omp", "threshold")}, seeds=2, minutes=1e-6)


@pytest.fixture(scope="module", autouse=True)
def searched(runs):
    search(runs[0], WEIGHTS, HERE)


def test_a_report_says_what_the_run_says_and_escapes_what_people_wrote(runs):
    text, metrics = report(runs[:1]), read_metrics(runs[0])
    assert share_text(metrics.accuracy, metrics.n_scored) in text
    assert NASTY not in text
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text
    assert text.count("<script") == 1
    assert text.count("</script>") == 1
    assert 'src="data:image/png;base64,' in text
    for count in metrics.confusion[3]:
        assert f'<td class="n">{count}</td>' in text


def test_a_report_asks_for_nothing_from_outside(runs):
    text = report(runs, None)
    assert "default-src 'none'" in text
    addresses = re.findall(r"""(?:src|href|action|url)\s*[=(]\s*["']?([^"'\s>)]+)""", text)
    assert addresses
    assert all(one.startswith(("data:", "x")) for one in addresses)  # x: the nasty name's, escaped
    assert not re.search(r"https?://", text.replace("http://www.w3.org/2000/svg", ""))


def test_a_comparison_has_intervals_and_what_differs(runs):
    text = report(runs)
    assert "2 runs compared" in text
    assert re.search(r"[+-]\d+\.\d\d ± \d+\.\d\d points", text)
    assert "<tr><td>seed</td><td>3</td><td>4</td></tr>" in text


def test_the_same_run_gives_the_same_report(runs):
    assert report(runs[:1], made=0.0) == report(runs[:1], made=0.0)


def test_facts_are_read_back_as_they_were_written(runs, tmp_path):
    facts = Facts(machine(), [run_facts(runs[0])], WEIGHTS, *search_facts(runs[0], WEIGHTS))
    assert facts.scores
    assert read_facts(written(tmp_path, runs[:1], WEIGHTS)) == facts
    assert json.loads(as_json(facts))["runs"][0]["name"] == NASTY


def test_a_true_report_is_identical(runs, tmp_path):
    found = checked(written(tmp_path, runs))
    assert (found.differences, found.elsewhere, found.words, found.notes) == ([], [], "identical", [])


def test_a_true_search_is_identical_and_a_better_score_is_noticed(runs, tmp_path):
    path = written(tmp_path, runs[:1], WEIGHTS)
    facts = read_facts(path)
    assert checked(path).words == "identical"
    key = next(iter(facts.scores))
    forged = replace(facts, scores=facts.scores | {key: dict.fromkeys(facts.scores[key], 1.0)})
    found = verify(forged, engine=HERE)
    assert found.words.startswith("different")
    assert key in found.differences[0]


def test_a_sweep_is_reported_with_its_curve(runs, tmp_path):
    plan = SweepPlan({"q": (0.15, 0.3)}, seeds=2)
    search(runs[1], plan, HERE)
    text = report(runs[1:], plan)
    assert text.count("<svg") == 2
    summaries = [summarise(list(one.accuracies.values())) for one in sweep_scores(runs[1]).entries.values()]
    half = 100 * pooled_noise(summaries).half_width(2)
    for one in summaries:
        assert f"{100 * one.mean:.2f} ± {half:.2f}" in text
    assert "q × " not in text
    assert checked(written(tmp_path, runs[1:], plan)).words == "identical"


def test_a_study_that_has_not_ended_is_true_as_far_as_it_goes(runs, tmp_path):
    """Each start has time for one trajectory only, so the first seed is found and the second one is not."""
    search(runs[1], STUDY, HERE)
    path = written(tmp_path, runs[1:], STUDY)
    facts = read_facts(path)
    assert len(facts.scores) == len(facts.seconds) == 4
    page = path.read_text(encoding="utf-8")
    assert " ± " not in page[page.index("<h2>Study") : page.index("The same again")]  # one seed cannot tell
    found = checked(path)
    assert (found.words, found.notes) == (
        "identical",
        ["The search had not ended when the report was made: 4 more scores came out."],
    )
    quicker = checked(
        path, lambda text: re.sub(r'(<td class="n">)[\d.]+(</td></tr></table>)', r"\g<1>0\2", text, count=1)
    )
    assert quicker.differences[0].startswith("the page shows")


def test_networks_of_other_searches_on_the_run_are_told_and_checked(runs, tmp_path):
    """The page counts all networks of a dictionary, also those that another search has trained."""
    fewer = replace(WEIGHTS, seeds=1)
    facts = read_facts(written(tmp_path, runs[:1], fewer))
    assert {len(one) for one in facts.scores.values()} == {2}
    assert checked(tmp_path / "report.html").words == "identical"


LIES = {
    "a better accuracy": (lambda run: {"accuracy": run.accuracy + 0.001}, "the accuracy is"),
    "other atoms": (
        lambda run: {"iterations": [replace(run.iterations[0], atoms="0" * 32), run.iterations[1]]},
        "the atoms of iteration 1 are others",
    ),
    "another choice": (
        lambda run: {"iterations": [run.iterations[0], replace(run.iterations[1], chosen=[0] * 10)]},
        "iteration 2 chooses others",
    ),
    "a smaller error": (
        lambda run: {"iterations": [replace(run.iterations[0], error=0.001), run.iterations[1]]},
        "iteration 1 ends at the error",
    ),
    "another seed": (
        lambda run: {
            "description": replace(run.description, settings=replace(run.description.settings, seed=9)),
        },
        "the structured dictionary is another one",
    ),
    "other confusions": (lambda run: {"confusion": run.confusion[::-1]}, "the confusions of classes are others"),
    "fewer iterations": (lambda run: {"iterations": run.iterations[:1]}, "1 of 2 iterations"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_noticed(lie, runs, tmp_path):
    facts = read_facts(written(tmp_path, runs[:1]))
    change, words = LIES[lie]
    forged = replace(facts, runs=[replace(facts.runs[0], **change(facts.runs[0]))])
    assert any(words in line for line in verify(forged, engine=HERE).differences)


def test_on_another_machine_only_what_rounding_cannot_explain_is_a_difference(runs, tmp_path, monkeypatch):
    facts = read_facts(written(tmp_path, runs[:1]))
    monkeypatch.setattr(checking, "machine", lambda: machine() | {"processor": "another"})
    first = facts.runs[0]
    turned = replace(first, iterations=[replace(one, atoms="0" * 32) for one in first.iterations])
    found = verify(replace(facts, runs=[turned]), engine=HERE)
    assert found.words == "the same within tolerance, on another kind of machine"
    assert found.elsewhere == [f"processor {machine()['processor']} there, another here"]
    for wrong in (replace(turned, accuracy=first.accuracy / 2), replace(turned, n_scored=5)):
        assert verify(replace(facts, runs=[wrong]), engine=HERE).differences
    far = replace(turned, iterations=[replace(one, error=2 * one.error) for one in turned.iterations])
    assert len(verify(replace(facts, runs=[far]), engine=HERE).differences) == 2


@pytest.mark.parametrize("run_id", SHIPPED)
def test_a_shipped_run_has_its_accuracy_and_is_compared_with_the_installed_file(run_id, tmp_path):
    run = ReferenceRun(tmp_path, run_id)
    path = written(tmp_path, [run])
    text = path.read_text(encoding="utf-8")
    kept = load_metrics(run_id)
    best = kept[max(kept)]["validation"]
    assert share_text(best["accuracy"], best["n_scored"]) in text
    assert f"<h2>{SHIPPED[run_id].name}</h2>" in text
    found = checked(path)
    assert found.words == "identical"
    assert "not learned again" in found.notes[0]
    assert checked(path, lambda text: text.replace("<b>", "<b>9", 1)).differences


def with_facts(text, block):
    return re.sub(r'(report">).*?(</script>)', rf"\g<1>{block}\2", text)


FORGERIES = {
    "no facts": (lambda text: re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL), "no report of this program"),
    "two facts": (lambda text: text + text, "carries 2 facts"),
    "no JSON": (lambda text: text.replace('{"format"', '{"format', 1), "cannot be read"),
    "deep JSON": (
        lambda text: re.sub(r'(report">).*?(</script>)', r"\g<1>" + 10**5 * "[" + r"\2", text),
        "cannot be read",
    ),
    "no object": (lambda text: re.sub(r'(report">).*?(</script>)', r"\1 7 \2", text), "cannot be read"),
    "another format": (lambda text: text.replace('"format":1', '"format":2'), "format 2"),
    "too many iterations": (lambda text: text.replace('"I":2', '"I":1'), "more iterations"),
    "an unknown setting": (lambda text: text.replace('"tau2"', '"tau3"'), "unknown settings: tau3"),
    "a path for data": (lambda text: text.replace('"data":"digits"', '"data":"../../etc"'), "cannot be"),
    "an unknown network": (lambda text: text.replace('"classifier":"fixed"', '"classifier":"os.system"'), "os.system"),
    "accuracy beyond 1": (lambda text: re.sub(r'"accuracy":[\d.]+', '"accuracy":7', text), "outside of 0 … 1"),
    "no accuracy": (lambda text: re.sub(r'"accuracy":[\d.]+', '"accuracy":NaN', text), "outside of 0 … 1"),
    "huge settings": (lambda text: text.replace('"n_signals":', '"n_signals":9'), "does not describe the data set"),
    "no table": (lambda text: re.sub(r'"confusion":\[\[', '"confusion":[[[', text), "cannot be read"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_or_broken_report_is_refused_in_one_plain_line(forgery, runs, tmp_path, capsys):
    path = written(tmp_path, runs[1:])
    change, words = FORGERIES[forgery]
    text = path.read_text(encoding="utf-8")
    assert change(text) != text
    path.write_text(change(text), encoding="utf-8")
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("dasksvd: error: ")
    assert words in said


def test_pictures_of_ones_own_that_are_not_there_are_named(runs):
    what = replace(runs[0].description, data="own", pictures="")
    facts = Facts(machine(), [replace(run_facts(runs[0]), description=what)])
    with pytest.raises(DamagedFile, match="which the report does not carry"):
        verify(facts)


def test_the_commands_write_and_check_a_report(runs, tmp_path, capsys):
    path = tmp_path / "mine.html"
    assert main(["report", str(runs[1].folder), "--out", str(path)]) == 0
    assert main(["verify", str(path), "--jobs", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "identical"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"accuracy":0\.(\d)', '"accuracy":0.0', text), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    assert "the accuracy is" in capsys.readouterr().out
    assert main(["report", str(runs[1].folder), "--search", "nothing", "--out", str(path)]) == 2


def test_machines_are_alike_only_if_all_is_the_same():
    assert unlike(machine(), machine()) == []
    assert unlike(machine(), {}) != []


def test_drawings_escape_their_texts_and_have_all_their_points():
    text = curves({"<b>": [(1, 2.0), (2, 1.0)]}, "x & y", "z", 'a "b"')
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert 'aria-label="a &quot;b&quot;"' in text
    assert dots([Dot(1, 5, 1, "<i>"), Dot(2, 5)], "x", "y", "").count("<circle") == 2
    assert triangle({(0, 0): 90.0, (1, 0): 95.0, (0, 1): 91.0}, 1, (1, 0), "").count("<rect") == 3
