"""Which of the paper's claims hold, its numbers beside ours, and what a run gets wrong."""

import json
from itertools import accumulate

import pytest

from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.reference import load_metrics
from reproduce import claims, report
from reproduce.verdicts import verdict
from tests.ui.harness import address, metrics, open_page, own_run
from ui import links
from ui.panels.verdict import CHIPS

GLUE = "\N{NO-BREAK SPACE}"


def open_tab(name):
    at = open_page("accuracy")
    at.session_state["tab"] = name
    at.run()
    assert not at.exception
    return at


def components(at):
    """The data of the page's forest plots, by the name of their files."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component") if "kinds" in element.proto.json]
    return {data["name"]: data for data in found}


def plain(text):
    return text.replace(GLUE, " ").replace("\N{NON-BREAKING HYPHEN}", "-")


@pytest.fixture(scope="module")
def shown():
    """What is found of every claim."""
    return [(claim, claim.find()) for claim in claims.CLAIMS]


def test_every_claim_has_a_row_with_its_verdict_its_sentence_and_its_numbers(home, shown):
    at = open_page("accuracy")
    text = plain("\n".join(element.value for element in at.markdown))
    chips = [element.value for element in at.markdown if "-badge[" in element.value]
    for (claim, evidence), chip in zip(shown, chips, strict=True):
        word = verdict(evidence)
        icon, color = CHIPS[word]
        assert chip == f":{color}-badge[{icon} {word.value}]"
        assert f"**{claim.said}**" in text
        assert claim.tell(evidence) in text
        for one in evidence:
            assert f"{one.by} **{one.whole.text}**" in text


def test_the_evidence_of_a_claim_is_every_difference_it_was_judged_by(home, shown):
    plots = components(open_page("accuracy"))
    for claim, evidence in shown:
        lines = plots[f"das-ksvd-forest_{claim.key}"]["lines"]
        found = {(line["label"], dot["kind"]): dot["text"] for line in lines for dot in line["dots"]}
        assert found == {
            (place, number): test.text for number, one in enumerate(evidence) for place, test in one.tests.items()
        }
        assert claim.part in plots[f"das-ksvd-forest_{claim.key}"]["alt"]
        clear = [sum(dot["clear"] for line in lines for dot in line["dots"] if dot["kind"] == kind) for kind in (0, 1)]
        assert clear[: len(evidence)] == [one.count("better") + one.count("worse") for one in evidence]


def test_the_sizes_table_has_the_papers_numbers_above_ours(home):
    table = open_page("accuracy").table[0].value
    rows = {(row.I, row.classifier): row.ours for row in report.rows("table1")}
    column = f"mean{GLUE}±{GLUE}sd"
    expected = []
    for I, (mean, _, _) in report.SIZES.items():
        expected += [mean, *(100 * rows[I, classifier].mean for classifier in report.CLASSIFIER_NAMES)]
    assert list(table[column]) == pytest.approx(expected)
    assert list(table["by"]) == ["paper", "ours, SCG", "ours, ReLU"] * len(report.SIZES)
    assert table["rounds"].min() >= 10


def test_the_methods_table_has_every_measured_network(home):
    table = open_page("accuracy").table[1].value
    cells = [value for width in report.WIDTHS for value in table[f"{width}{GLUE}hidden"].dropna()]
    expected = [100 * row.ours.mean for row in report.rows("table2")]
    expected += [number for numbers in report.METHODS.values() for number in numbers.values()]
    assert sorted(cells) == pytest.approx(sorted(expected))


def test_all_comparisons_stand_in_one_forest_plot(home):
    lines = components(open_tab("Significance"))["das-ksvd-significance"]["lines"]
    heads = [line["label"] for line in lines if not line["dots"]]
    others = {row.name for row in report.rows("table2") if row.method != "das-ksvd"}
    assert len(heads) == len(others)
    assert set(heads) == others
    dots = [dot for line in lines for dot in line["dots"]]
    assert len(dots) == sum(row.method != "das-ksvd" for row in report.rows("table2"))
    first = report.compare("table2", "das-ksvd", "lc-ksvd2", 50, "scg")
    assert lines[1]["dots"][0]["text"] == first.difference.text
    alone = [report.compare("table2", "das-ksvd", *key).difference.p for key in networks()]
    assert (
        sum(dot["clear"] for dot in dots) == sum(p < 0.05 for p in holm_by_rank(alone)) < sum(p < 0.05 for p in alone)
    )
    assert any(f"clear alone, but not as one of {len(dots)} tests" in dot["hover"] for dot in dots)


def networks():
    return [(row.method, row.hidden, row.classifier) for row in report.rows("table2") if row.method != "das-ksvd"]


def holm_by_rank(p_values):
    """Adjusted p-values from the smallest to the largest."""
    return list(accumulate(((len(p_values) - rank) * p for rank, p in enumerate(sorted(p_values))), max))


def test_the_ablation_shows_every_variant_from_the_best_to_the_worst(home):
    lines = components(open_tab("What makes it work?"))["das-ksvd-ablation"]["lines"]
    values = [line["dots"][0]["value"] for line in lines]
    assert values == sorted(values, reverse=True)
    judged = {report.label(row): one.verdict for row, one in report.ablation().items() if one is not None}
    assert {line["label"]: line["dots"][0]["clear"] for line in lines} == {
        name: verdict in ("better", "worse") for name, verdict in judged.items()
    }
    (text,) = [line["dots"][0]["text"] for line in lines if line["label"] == "no noise (τ2 = 0)"]
    assert text.startswith("-1.")


def test_only_the_open_tab_is_drawn(home):
    assert not open_page("accuracy").metric
    assert not open_page("accuracy").get("plotly_chart")
    at = open_tab("Mistakes")
    assert at.metric
    assert not at.table


def test_mistakes_are_those_of_the_shipped_classifiers_on_test_images(home):
    at = open_tab("Mistakes")
    kept = load_metrics()
    for size in (20, 5):
        at.segmented_control(key="size").set_value(size).run()
        assert metrics(at)["Accuracy, test images"] == f"{100 * kept[size]['test']['accuracy']:.1f} %"
        assert metrics(at)["Network"] == f"MLP-{10 * size}-{10 * size}-10"


def test_the_run_is_chosen_where_it_acts_and_for_all_pages(home):
    run = own_run(home)
    measured = evaluate_run(run, Plan(hidden=12))
    at = open_tab("Mistakes")
    at.selectbox(key="mistakes_run").set_value(run.id).run()
    assert not at.exception
    assert address(at) == {"tab": "mistakes", "run": run.id}
    assert metrics(at)["Accuracy, held-out images"] == f"{100 * measured.accuracy:.1f} %"
    at.switch_page("pages/overview.py").run()
    assert at.selectbox(key="run").value == run.id
    at.selectbox(key="run").set_value("reference").run()
    at.switch_page("pages/accuracy.py").run()
    assert at.selectbox(key="mistakes_run").value == "reference"
    assert "Accuracy, test images" in metrics(at)


def test_the_open_tab_is_known_before_anything_is_drawn(monkeypatch):
    seen = []
    monkeypatch.setattr("ui.panels.verdict.show", lambda: seen.append(links.shown().get("tab")))
    open_tab("Curves")
    assert seen == ["Tables", "Curves"]
