"""Names of classes on pages and in figures: short where they must be, never alike, never markup."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.datasets.parts import describe_own, training_sizes
from dasksvd.datasets.proposal import proposed
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.status import Status
from dasksvd.runs.worker import compute
from tests.datasets.own_sets import own_set
from tests.ui.harness import APP, PAGES, shown_by, texts
from ui.texts import LONGEST, class_labels, plain, reason

LONG = [f"species number {c} of the wood" for c in range(50)]


@pytest.mark.parametrize(
    "names", [LONG, ["0", "1"], ["a" * 40, "a" * 39 + "b"], ["1 long word that", "long word here", "long word there"]]
)
def test_short_names_fit_and_differ(names):
    labels = class_labels(names)
    assert len({*labels}) == len(names)
    assert max(map(len, labels)) <= LONGEST
    assert all(
        label == name or label.endswith("…") or label[0].isdigit() for label, name in zip(labels, names, strict=True)
    )


@pytest.mark.parametrize("text", ["www.example.com", "WWW.example.com", "https://example.com", "a@example.com"])
def test_a_name_cannot_become_a_link_of_markdowns_own(text):
    """Escapes do not keep Markdown from finding these."""
    for shown in (plain(text), reason(text)):
        assert text not in shown.replace("\\", "")
        assert shown.replace("\\", "").replace("\u2060", "") == text


def run_on(home, data, name="mine"):
    kept = Jobs(home, places=0).add_data(data, name)
    length, sizes = data.train_images[0].size, training_sizes(data.train_labels)
    settings = replace(proposed(Settings(t=8, ksvd_iter=2), length, sizes), I=2)
    run = home.create(describe_own(settings, data, kept.key), name)
    compute(run)
    evaluate_run(run, Plan())
    run.set_status(Status(state="finished"))
    return run


def open_with(page, **values):
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in values.items():
        at.query_params[name] = value
    at.run().switch_page(f"pages/{page}.py").run()
    assert not at.exception, page
    return at


@pytest.mark.parametrize(("k", "side"), [(2, 28), (50, 8), (3, 32), (12, 16)])
def test_every_page_shows_a_run_on_pictures_of_ones_own(home, k, side):
    names = ["Unbelievably long-worded category one", "__www.example.com__"] if k == 2 else LONG[:k]
    run = run_on(home, own_set(k, 12, side, names=names))
    for page in PAGES:
        at = open_with(
            page, run=run.id, watched=run.id, picked=run.id, reader=run.id, sample_of=run.description.pictures
        )
        assert not any(sign in texts(at) for sign in ("__www", "www.example")), page
        if page in ("overview", "train", "atoms"):
            rows = [name for name, _ in shown_by(at, "picture_wall")["rows"]]
            assert len({*rows}) == k
            assert max(map(len, rows)) <= LONGEST
        if page == "draw":
            assert at.title[0].value == "Read a picture"
            assert at.header[0].value.replace("\\", "").replace("\u2060", "") in names
            labels = shown_by(at, "digit_way")["labels"]
            assert len({*labels}) == len(labels) == k
            bars = shown_by(at, "light_plot")
            assert bars["title"] == "Probability of each class"
            assert len(bars["spots"]) == len({tick for _, tick in bars["ticks"]}) == min(k, 10)
        if page == "steps":
            labels = shown_by(at, "half_steps")["classes"]
            assert len({*labels}) == len(labels) == k
