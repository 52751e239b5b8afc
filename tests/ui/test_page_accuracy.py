"""The paper's numbers beside ours."""

import pytest

from dasksvd.runs.reference import load_metrics
from reproduce import report
from tests.ui.harness import metrics, open_page


@pytest.mark.parametrize(("method", "name"), [("ksvd", "K-SVD"), ("lc-ksvd2", "LC-KSVD2")])
def test_accuracy_says_at_how_many_widths_the_paper_holds(home, method, name):
    at = open_page("accuracy")
    means = {(row.method, row.classifier, row.hidden): row.ours.mean for row in report.rows("table2")}
    for classifier, network in report.CLASSIFIER_NAMES.items():
        widths = [h for m, c, h in means if (m, c) == (method, classifier) and ("das-ksvd", c, h) in means]
        ahead = sum(means["das-ksvd", classifier, h] > means[method, classifier, h] for h in widths)
        said = f"at {ahead} of {len(widths)} widths with {network}"
        assert any(f"better than {name}'s" in text.value and said in text.value for text in at.markdown)


def test_accuracy_shows_the_shipped_classifiers_and_the_papers_numbers(home):
    at = open_page("accuracy")
    kept = load_metrics()
    assert metrics(at)["Accuracy"] == f"{100 * kept[20]['test']['accuracy']:.1f} %"
    at.segmented_control(key="size").set_value(5).run()
    assert metrics(at)["Accuracy"] == f"{100 * kept[5]['test']['accuracy']:.1f} %"
    assert metrics(at)["Network"] == "MLP-50-50-10"
    sizes = at.table[0].value
    for number, row in enumerate(report.rows("table1")):
        shown = sizes.iloc[number]
        assert shown["paper"].replace("\N{NO-BREAK SPACE}", " ") == f"{row.paper[0]:.2f} ± {row.paper[1]:.2f}"
        assert shown["ours"].startswith(f"{100 * row.ours.mean:.2f}")
        assert shown["rounds"] == row.ours.rounds
