"""What people say of runs, what a list tells of them, and what they differ in."""

from dataclasses import replace

import pytest

from dasksvd.common.files import write_json
from dasksvd.errors import ParameterError
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs import contrast
from dasksvd.runs.archive import export_zip
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.listing import score
from dasksvd.runs.store import MAX_NOTE, MAX_TAGS, Store
from dasksvd.runs.worker import compute, describe
from dasksvd.statistics import share_half_width

SMALL = Settings(t=30, I=1, ksvd_iter=1)


@pytest.fixture
def run(store):
    return store.create(describe(SMALL, "digits"), "mine")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def test_what_is_said_is_kept_and_the_rest_stays(store, run):
    store.annotate(run.id, group=" first \n", tags=["a", "b,c", "a", " "], note="one\ntwo\x07")
    about = run.about
    assert (about.name, about.group, about.tags, about.note) == ("mine", "first", ("a", "b c"), "one\ntwo")
    store.annotate(run.id, tags=[])
    assert (run.about.group, run.about.tags, run.about.note) == ("first", (), "one\ntwo")
    store.rename(run.id, "yours")
    assert (run.about.name, run.about.note) == ("yours", "one\ntwo")


@pytest.mark.parametrize(
    "said",
    [
        {"group": "x" * 81},
        {"tags": ["x" * 31]},
        {"tags": map(str, range(MAX_TAGS + 1))},
        {"note": "x" * (MAX_NOTE + 1)},
    ],
)
def test_what_is_too_long_is_refused(store, run, said):
    with pytest.raises(ParameterError, match="at most"):
        store.annotate(run.id, **said)
    assert (run.about.group, run.about.tags, run.about.note) == ("", (), "")


def test_odd_things_said_are_ignored(run):
    write_json(run.folder / "about.json", {"name": "mine", "tags": ["a", 3, None], "note": 5, "group": ["x"]})
    assert (run.about.name, run.about.tags, run.about.note, run.about.group) == ("mine", ("a",), "", "")


def test_an_import_keeps_what_was_said_but_not_the_pin(tmp_path, store, run):
    compute(run)
    store.annotate(run.id, group="g", tags=["a"], note="n")
    store.pin(run.id)
    path = tmp_path / "run.zip"
    path.write_bytes(export_zip(run))
    with open(path, "rb") as file:
        back = Jobs(Store(tmp_path / "other")).import_zip(file)
    assert (back.about.group, back.about.tags, back.about.note, back.about.pinned) == ("g", ("a",), "n", False)


def test_a_score_is_that_of_the_metrics_and_follows_them(run):
    assert score(run) is None
    compute(run)
    first = evaluate_run(run, Plan("fixed", 5))
    found = score(run)
    assert (found.accuracy, found.n_scored, found.hidden) == (first.accuracy, first.n_scored, 5)
    assert found.half_width == share_half_width(first.accuracy, first.n_scored)
    evaluate_run(run, Plan("fixed", 6))
    assert score(run).hidden == 6
    (run.folder / "metrics.json").write_text("{")
    assert score(run) is None


def test_the_sentence_names_what_differs():
    what = describe(SMALL, "digits")

    def other(**changes):
        return replace(what, settings=replace(SMALL, **changes))

    assert contrast.sentence([what, what]) == "Their settings are the same."
    assert (
        contrast.sentence([what, other(tau1=1.0)]) == "They differ in τ1 (0.5 or 1); all other settings are the same."
    )
    three = contrast.sentence([other(q=q, seed=s) for q, s in ((0.3, 0), (0.1, 1), (0.2, 0))])
    assert three == "They differ in q (0.1, 0.2, 0.3) and seed (0 or 1); all other settings are the same."
    many = contrast.sentence([other(seed=seed) for seed in range(9)])
    assert "(9 values, 0 … 8)" in many
    assert contrast.contrast([what, other(I=2, t=20)]) == {"t": [30, 20], "I": [1, 2]}
