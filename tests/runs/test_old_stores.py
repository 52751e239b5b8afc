"""A store from before jobs had a class of their own is listed, resumed and searched.

Its files are written here name by name and value by value, as that version wrote them, so that
no code of today's can agree with itself.  The sum is the one that version computed.
"""

import json
import time

import numpy as np
import pytest

from dasksvd.parameters import Settings
from dasksvd.runs.folder import create_run
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.limits import deletable
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.worker import compute, describe
from dasksvd.search.engine import Engine
from dasksvd.search.job import Search, compute_search, resume_search
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import weight_scores
from tests.method.test_trajectory import assert_same_records

DIGEST = "5e94a224f73da1d68520e65a1345946468a351390c8e34eb512ffe8310d99e50"
SETTINGS = {
    "settings": {
        "q": 0.2,
        "t": 30,
        "tau1": 0.5,
        "tau2": 0.1,
        "I": 3,
        "alpha": 0.0,
        "beta": 0.0,
        "r_f": 1.0,
        "ksvd_iter": 2,
        "noise": "std",
        "re_sign": "paper",
        "exact": False,
        "seed": 0,
        "streams": 2,
    },
    "data": "digits",
    "classes": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "n_signals": 1204,
    "signal_length": 64,
    "held_out": 296,
}
STATUS = {
    "state": "cancelled",
    "iteration": 1,
    "ksvd_iteration": 1,
    "errors": [0.0698628],
    "seconds": 28.82,
    "queued_at": 1794997776.2665777,
    "updated_at": 1794997775.736605,
    "owner": "ann",
    "pid": 0,
    "process_started": 0.0,
    "process_mark": "",
    "message": "",
    "stage": "",
    "total": 0,
    "seconds_left": 0.0,
}
SEARCH_STATUS = STATUS | {"ksvd_iteration": 0, "errors": [], "total": 3}
#: The three corners of the triangle, one atom per class.
SEARCH_PLAN = {
    "kind": "weights",
    "step": 1,
    "fine_step": 100,
    "sizes": [1],
    "zoomed": [],
    "classifier": "modern",
    "seeds": 1,
    "papers_regions": False,
}
SCORE = {"accuracies": {"0": 0.25}, "seconds": 1.5, "problem": ""}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The run that the old store holds one iteration of, computed to its end."""
    run = create_run(tmp_path_factory.mktemp("whole") / "run", describe(Settings(t=30, I=3, ksvd_iter=2), "digits"))
    compute(run)
    return run


def put(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def put_iteration(path, place, record):
    tables, measures = record.tables, record.measures
    np.savez(
        path,
        digest=np.frombuffer(bytes.fromhex(DIGEST), np.uint8),
        place=np.array(place),
        atoms=record.atoms,
        drawn=record.drawn,
        odds=record.odds,
        errors=record.errors,
        restarts=np.array(record.restarts),
        table_p=tables.p,
        table_q=tables.q,
        table_r=tables.r,
        measure_top=measures.top,
        measure_second=measures.second,
        measure_af=measures.af,
        measure_cm_lead=measures.cm_lead,
        measure_re_lead=measures.re_lead,
    )


@pytest.fixture
def old(store, whole):
    """A run of one iteration with a stopped search, a new one, a deleted one, and a search on the shipped run."""
    root = store.root
    for place, name in ((root / "half", "half"), (root / "fresh", "fresh"), (root / ".bin" / "gone", "gone")):
        put(place / "settings.json", SETTINGS)
        put(place / "about.json", {"name": name, "pinned": name == "fresh", "created": 1794997746.891871})
    put(root / "half" / "status.json", STATUS)
    put(root / "half" / "plan.json", {"classifier": "modern", "hidden": 12})
    put_iteration(root / "half" / "iteration_001.npz", 0, whole.trajectory.records[0])
    put(root / "half" / "search" / "plan.json", SEARCH_PLAN)
    put(root / "half" / "search" / "status.json", SEARCH_STATUS)
    put(root / ".reference" / "search" / "plan.json", SEARCH_PLAN | {"sizes": [5]})
    put(root / ".reference" / "search" / "status.json", SEARCH_STATUS | {"state": "queued", "queued_at": 7.0})
    put(root / ".reference" / "grid.json", {"scores": {"modern/5-0123456789abcdef": SCORE}})
    (root / ".lock").touch()
    return store


@pytest.fixture
def jobs(old):
    made = Jobs(old, places=0)
    yield made
    made.places = 0
    for child in made._children:
        child.kill()
        child.wait(timeout=10)


def test_an_old_store_is_listed(old, whole):
    lines = {line.run.id: line for line in old.listing()}
    assert {name: (line.status.state, line.about.pinned, line.problem) for name, line in lines.items()} == {
        "half": ("cancelled", False, ""),
        "fresh": ("new", True, ""),
    }
    assert lines["half"].description == whole.description
    assert_same_records(old.run("half").trajectory.records, whole.trajectory.records[:1])
    assert [old.run(name).problem() for name in lines] == ["", ""]
    assert [run.id for run in old.binned()] == ["gone"]
    assert [run.id for run in deletable(old)] == ["half"]


def test_an_old_run_is_resumed_and_ends_like_a_new_one(old, whole):
    run = old.run("half")
    before = run.record_path(0).read_bytes()
    compute(run)
    assert run.record_path(0).read_bytes() == before
    for iteration in (1, 2):
        assert run.record_path(iteration).read_bytes() == whole.record_path(iteration).read_bytes()
    assert run.status.state == "finished"
    assert (run.folder / "metrics.json").exists()  # its plan was read too
    assert run.status.seconds > STATUS["seconds"]


def test_the_searches_of_an_old_store_are_found_by_its_queue(jobs):
    store = jobs.store
    assert [line.job.id for line in jobs.waiting()] == ["reference/search"]
    resume_search(jobs, Search(store.run("half")), owner="bob")
    jobs.resume(store.run("fresh"), owner="cid")
    assert [line.job.id for line in jobs.waiting()] == ["reference/search", "half/search", "fresh"]
    assert jobs.job(Search(ReferenceRun(store.root))).position == 1
    jobs.cancel(Search(ReferenceRun(store.root)))
    assert [line.job.id for line in jobs.waiting()] == ["half/search", "fresh"]


def test_an_old_search_goes_on_and_keeps_its_scores(old):
    run = old.run("half")
    stopped = Search(run)
    assert stopped.plan == WeightsPlan(step=1, sizes=(1,), zoomed=(), seeds=1)
    compute_search(stopped, Engine(n_jobs=1))
    found = weight_scores(run).entries
    assert found
    put(run.folder / "grid.json", {"scores": dict.fromkeys(found, SCORE)})
    compute_search(stopped, Engine(n_jobs=1))
    assert [entry.accuracies for entry in weight_scores(run).entries.values()] == [{0: 0.25}] * len(found)


def test_scores_of_an_old_search_on_the_shipped_run_are_read(old):
    shipped = ReferenceRun(old.root)
    assert Search(shipped).plan.sizes == (5,)
    scores = weight_scores(shipped).entries
    assert scores["modern/5-0123456789abcdef"].accuracies == {0: 0.25}
    assert len(scores) > 28  # those that came with the package


def test_the_queue_computes_an_old_run_and_an_old_search(jobs, whole):
    store = jobs.store
    jobs.cancel(Search(ReferenceRun(store.root)))
    run, stopped = store.run("half"), Search(store.run("half"))
    resume_search(jobs, stopped, owner="bob")
    jobs.resume(run, owner="ann")
    jobs.places = 1
    started = time.monotonic()
    while not run.status.state == stopped.status.state == "finished":
        assert time.monotonic() - started < 120, (jobs.job(run), jobs.job(stopped))
        jobs.start_waiting()
        time.sleep(0.1)
    assert_same_records(run.trajectory.records, whole.trajectory.records)
    assert weight_scores(run).entries
