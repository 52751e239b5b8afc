"""Runs from a forger: refused with a sentence, or good enough for every page.

The forger knows the format: each forged file is whole, has the right arrays and carries the right sum.
"""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import hashlib
import io
import json
import shutil
import zipfile
from dataclasses import asdict

import numpy as np
import pytest

from dasksvd import ModernClassifier
from dasksvd.common.files import write_json, write_npz
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import VALIDATION
from dasksvd.errors import StoreError
from dasksvd.evaluate import Metrics, Plan
from dasksvd.method.trajectory import Record
from dasksvd.metrics import n_weights
from dasksvd.parameters import Settings
from dasksvd.runs.archive import import_zip
from dasksvd.runs.evaluation import evaluate_run, to_reader
from dasksvd.runs.folder import Run, places_of
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from tests.runs.test_archive import npz_of
from tests.ui.test_pages import PAGES, home, open_page  # noqa: F401
from ui import cache

TABLES, MEASURES = ("p", "q", "r"), ("top", "second", "af", "cm_lead", "re_lead")


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """Sound runs to start from: small digits with all that can belong to a run, own pictures, MNIST with a reader."""
    store = Store(tmp_path_factory.mktemp("originals"))
    digits = store.create(describe(Settings(t=30, I=2, ksvd_iter=2), "digits"), "digits")
    compute(digits)
    evaluate_run(digits, Plan(hidden=12))
    score = {"accuracies": {"0": 0.5, "1": 0.75}, "seconds": 1.5, "problem": ""}
    key = "modern/0,0/q=0.2,t=30,tau1=0.5,tau2=0.1,I=2"
    write_json(digits.folder / "grid.json", {"scores": {"modern/2-0123456789abcdef": score}})
    write_json(digits.folder / "sweep.json", {"scores": {key: score}})
    return {"digits": digits, "own": own_pictures(store), "mnist": with_reader(store)}


def own_pictures(store, classes=("cat", "dog", "Sieben, 7"), side=5, t=10):
    rng, k = np.random.default_rng(1), len(classes)
    labels = np.arange(20 * k) % k
    shapes = rng.random((k, side * side), dtype=np.float32)
    signals = (0.5 * shapes[labels] + 0.5 * rng.random((len(labels), side * side), dtype=np.float32)).clip(0, 1)
    what = Description(Settings(t=t, I=2, ksvd_iter=2), "own", list(classes), *signals.shape)
    run = store.create(what, "own", signals=signals, labels=labels)
    compute(run)
    evaluate_run(run, Plan(hidden=8))
    return run


def with_reader(store):
    """A run on MNIST whose network is made up, which takes no time."""
    run = store.create(describe(Settings(t=20, I=1, r_f=0.25, ksvd_iter=2), "mnist"), "mnist")
    compute(run)
    rng, hidden = np.random.default_rng(2), 6

    shapes = {"first": (10, hidden), "first_bias": (hidden,), "second": (hidden, 10), "second_bias": (10,)}
    layers = {name: np.float32(rng.normal(size=shape)) for name, shape in shapes.items()}
    network = ModernClassifier.from_arrays({"classes": np.arange(10), "scale": 1.5, **layers})
    to_reader(run.trajectory, network, 0.0, 0.0, 1).save(run.folder / "classifier.npz")
    confusion = (90 * np.eye(10, dtype=int) + 1).tolist()
    known = {"classifier": "modern", "hidden": hidden, "n_atoms": 10, "I": 1, "alpha": 0.0, "beta": 0.0}
    known |= {"part": VALIDATION, "n_scored": 1000, "accuracy": 0.91, "confusion": confusion, "error": 0.1}
    known |= {
        "wrong": [[int(places_of(run).scored[5]), 1, 2, 0.25, 0.5]],
        "weights": n_weights(10, hidden),
        "epochs": 3,
        "seconds": 1.0,
    }
    write_json(run.folder / "metrics.json", asdict(Metrics(**known)))
    return run


@pytest.fixture
def forge(originals, tmp_path):
    """A function that gives a run to spoil, in a folder of its own."""

    def take(kind):
        return Run(shutil.copytree(originals[kind].folder, tmp_path / "forged" / kind))

    return take


def pack(run):
    """The folder as it is; the export would leave out what has no place in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(run.folder.iterdir()):
            if path.suffix in (".json", ".npz"):
                archive.write(path, path.name)
    buffer.seek(0)
    return buffer


def record_changed(run, iteration=0, **changes):
    """Write an iteration again with other arrays and the right sum."""
    record = run.load_record(iteration)
    values = vars(record) | {name: value for name, value in changes.items() if hasattr(record, name)}
    for part, names in (("tables", TABLES), ("measures", MEASURES)):
        known = vars(values[part]) | {name: changes[name] for name in names if name in changes}
        values[part] = type(values[part])(**known)
    run.save_record(iteration, Record(**values))


def array_of(run, name):
    record = run.load_record(0)
    owner = record.tables if name in TABLES else record.measures if name in MEASURES else record
    return np.array(getattr(owner, name))


def described(run, settings=(), keep_records=True, **changes):
    """Another description, and iterations that carry its sum."""
    records = [run.load_record(iteration) for iteration in range(run.n_finished())] if keep_records else []
    values = run.description.as_dict() | changes
    values["settings"] = {**values["settings"], **dict(settings)}
    write_json(run.folder / "settings.json", values)
    for path in run.folder.glob("iteration_*"):
        path.unlink()
    if not keep_records:
        for name in ("metrics.json", "classifier.npz", "grid.json", "sweep.json"):
            (run.folder / name).unlink(missing_ok=True)
        write_json(run.folder / "status.json", {"state": "cancelled"})
    save_with_sum(run, values, records)


def save_with_sum(run, values, records):
    """Write iterations that carry the sum of a description in plain values, whether it is sound or not."""
    content = json.dumps(values, sort_keys=True).encode()
    if (run.folder / "data.npz").exists():
        with np.load(run.folder / "data.npz") as data:
            content += data["signals"].tobytes() + data["labels"].tobytes()
    again = Run(run.folder)
    again.__dict__["_digest"] = np.frombuffer(hashlib.sha256(content).digest(), np.uint8)
    for iteration, record in enumerate(records):
        again.save_record(iteration, record)


def json_changed(run, file, **changes):
    path = run.folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def reader_changed(run, **changes):
    with np.load(run.folder / "classifier.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    write_npz(run.folder / "classifier.npz", arrays | {name: f(arrays[name]) for name, f in changes.items()})


def data_changed(run, signals=None, labels=None):
    """Other data, and iterations that carry their sum."""
    old = run.own_data()
    records = [run.load_record(iteration) for iteration in range(run.n_finished())]
    new = {"signals": old[0] if signals is None else signals, "labels": old[1] if labels is None else labels}
    write_npz(run.folder / "data.npz", new)
    save_with_sum(run, run.description.as_dict(), records)


def at_once(value):
    """A change of one entry."""

    def change(array):
        array.flat[3 % array.size] = value
        return array

    return change


#: What is done to each array of an iteration.
SPOILT = {
    "negative": at_once(-1),
    "huge": at_once(2**40),
    "all zero": np.zeros_like,
    "all one": np.ones_like,
    "turned round": lambda array: array[..., ::-1].copy(),
    "rolled": lambda array: np.roll(array, 1),
    "doubled": lambda array: array * 2,
}
NOT_FINITE = {"NaN": at_once(np.nan), "infinite": at_once(np.inf)}
WHOLE = ("drawn", "top", "second")
FORGED = {
    f"{name} {how}": (
        "digits",
        lambda run, name=name, change=change: record_changed(run, **{name: change(array_of(run, name))}),
    )
    for name in ("atoms", "drawn", "odds", "errors", *TABLES, *MEASURES)
    for how, change in (SPOILT if name in WHOLE else SPOILT | NOT_FINITE).items()
}
FORGED |= {
    f"settings {name} = {value!r:.30}": ("digits", lambda run, name=name, value=value: described(run, {name: value}))
    for name, values in {
        "I": (1, 10**9, 2.5, None),
        "t": (1, 31, 500, 10**30),
        "q": (0, 1.5, 65, "x", float("1e-300")),
        "tau1": (0.0, 0.9, -1, "0.5"),
        "r_f": (0.1, 1e308, -1),
        "ksvd_iter": (3, 2**70),
        "re_sign": ("code", "", []),
        "noise": ("<b>", None),
        "seed": (-1, 2**64),
        "unknown": (1,),
    }.items()
    for value in values
}
FORGED |= {
    f"never started, {name} = {value!r:.30}": (
        "digits",
        lambda run, name=name, value=value: described(run, {name: value}, keep_records=False),
    )
    for name, value in {"I": 10**9, "t": 147, "r_f": 1e300, "ksvd_iter": 2**70, "q": 10**20}.items()
}
FORGED |= {
    f"{kind} {name} = {value!r:.40}": (kind, lambda run, name=name, value=value: described(run, **{name: value}))
    for kind, name, value in (
        ("digits", "n_signals", 1499),
        ("digits", "n_signals", 40000),
        ("digits", "signal_length", 256),
        ("digits", "classes", list(range(9))),
        ("digits", "classes", list("abcdefghij")),
        ("digits", "classes", list(range(1, 11))),
        ("digits", "classes", "0123456789"),
        ("digits", "data", "mnist"),
        ("digits", "data", "own"),
        ("digits", "data", "fashion"),
        ("mnist", "n_signals", 4000),
        ("mnist", "data", "digits"),
        ("own", "data", "digits"),
        ("own", "classes", ["cat", "cat", "dog"]),
        ("own", "classes", ["1", 1, 2]),
        ("own", "classes", {"cat": 1, "dog": 2, "cow": 3}),
        ("own", "classes", ["cat", "dog"]),
        ("own", "classes", ["cat", "dog", "a\nb"]),
        ("own", "classes", ["cat", "dog", "x" * 41]),
        ("own", "classes", ["cat", "dog", "\u202egod"]),
        ("own", "classes", ["cat", "dog", 1.5]),
        ("own", "signal_length", 24),
        ("own", "n_signals", 2**31),
    )
}
FORGED |= {
    f"{kind} metrics {name} = {value!r:.40}": (
        kind,
        lambda run, name=name, value=value: json_changed(run, "metrics.json", **{name: value}),
    )
    for kind, name, value in (
        ("digits", "accuracy", 0.123),
        ("digits", "accuracy", float("nan")),
        ("digits", "accuracy", "0.5"),
        ("digits", "confusion", [[1] * 10] * 9),
        ("digits", "confusion", [[-1] * 10] * 10),
        ("digits", "confusion", [[1.5] * 10] * 10),
        ("digits", "confusion", [[10**30] * 10] * 10),
        ("digits", "confusion", 7),
        ("digits", "n_scored", 0),
        ("digits", "n_scored", True),
        ("digits", "n_atoms", 21),
        ("digits", "I", 3),
        ("digits", "hidden", 10**9),
        ("digits", "hidden", "12"),
        ("digits", "weights", -5),
        ("digits", "epochs", 1.5),
        ("digits", "alpha", 0.9),
        ("digits", "beta", -0.1),
        ("digits", "error", float("inf")),
        ("digits", "seconds", -1),
        ("digits", "part", "![x](y)"),
        ("digits", "classifier", "other"),
        ("digits", "wrong", [[1500, 1, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[0, 1, 2, 0.1, 0.9], [1, 1, 2, 0.1, 0.9], [2, 1, 2, 0.1, 0.9], [3, 1, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[-1, 1, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[1.5, 1, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[1, 1.0, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[1, 10, 2, 0.1, 0.9]]),
        ("digits", "wrong", [[1, 1, 2, 0.1, 9]]),
        ("digits", "wrong", [[1, 1, 2, 0.1]]),
        ("digits", "wrong", "x"),
        ("own", "wrong", [[60, 1, 2, 0.1, 0.9]]),
        ("own", "wrong", [[1, 1, 3, 0.1, 0.9]]),
        ("mnist", "wrong", [[60000, 1, 2, 0.1, 0.9]]),
        ("mnist", "hidden", 7),
    )
}
FORGED |= {
    f"reader {name} {how}": ("mnist", lambda run, name=name, change=change: reader_changed(run, **{name: change}))
    for name, how, change in (
        ("atoms", "of another", lambda array: np.roll(array, 1, axis=0)),
        ("atoms", "too few", lambda array: array[1:].copy()),
        ("atom_classes", "out of range", lambda array: array + 5),
        ("atom_classes", "negative", lambda array: -array),
        ("sizes", "another q", lambda array: array + np.array([0, 0, 1])),
        ("sizes", "huge", lambda array: array * 10**6),
        ("scale", "zero", np.zeros_like),
        ("scale", "negative", lambda array: -array),
        ("first", "NaN", lambda array: np.full_like(array, np.nan)),
        ("first", "too wide", lambda array: np.hstack([array, array])),
        ("second", "huge", lambda array: np.full_like(array, 1e38)),
        ("second_bias", "of nine classes", lambda array: array[1:].copy()),
    )
}
SCORE = {"accuracies": {"0": 0.5}, "seconds": 1.0, "problem": ""}
FORGED |= {
    f"{file} {key[:40]} {score}": (
        "digits",
        lambda run, file=file, key=key, score=score: json_changed(run, file, scores={key: SCORE | score}),
    )
    for file, key, score in (
        ("grid.json", "modern/x-0123456789abcdef", {}),
        ("grid.json", "modern/3-0123456789abcdef", {}),
        ("grid.json", "modern/0-0123456789abcdef", {}),
        ("grid.json", "modern", {}),
        ("grid.json", "modern/2-0123456789abcde<", {}),
        ("grid.json", "modern/2-0123456789abcdef", {"accuracies": {"x": 0.5}}),
        ("grid.json", "modern/2-0123456789abcdef", {"accuracies": {"0": 1.5}}),
        ("grid.json", "modern/2-0123456789abcdef", {"accuracies": {"0": float("nan")}}),
        ("grid.json", "modern/2-0123456789abcdef", {"accuracies": [0.5]}),
        ("grid.json", "modern/2-0123456789abcdef", {"seconds": -1}),
        ("grid.json", "modern/2-0123456789abcdef", {"problem": "<script>"}),
        ("grid.json", "modern/2-0123456789abcdef", {"problem": "x" * 500}),
        ("sweep.json", "\x00", {}),
        ("sweep.json", "modern/0,0/<b>", {}),
        ("sweep.json", "x" * 500, {}),
    )
}
FORGED |= {
    "metrics of twice as many images": (
        "mnist",
        lambda run: json_changed(run, "metrics.json", n_scored=2000, accuracy=0.455),
    ),
    "scores that are a list": ("digits", lambda run: json_changed(run, "grid.json", scores=[])),
    "restarts negative": ("digits", lambda run: record_changed(run, restarts=-1)),
    "restarts huge": ("digits", lambda run: record_changed(run, restarts=2**60)),
    "classes swapped": (
        "digits",
        lambda run: record_changed(run, top=array_of(run, "second"), second=array_of(run, "top")),
    ),
    "own rival": ("digits", lambda run: record_changed(run, second=array_of(run, "top"))),
    "a draw of one signal": ("digits", lambda run: record_changed(run, drawn=np.zeros(300, np.int64))),
    "own signals above 1": ("own", lambda run: data_changed(run, signals=run.own_data()[0] * 2)),
    "own signals NaN": ("own", lambda run: data_changed(run, signals=run.own_data()[0] * np.float32(np.nan))),
    "own labels of one class": ("own", lambda run: data_changed(run, labels=run.own_data()[1] * 0)),
    "own labels negative": ("own", lambda run: data_changed(run, labels=-run.own_data()[1])),
    "own labels moved": ("own", lambda run: data_changed(run, labels=np.roll(run.own_data()[1], 1))),
    "own data of another shape": (
        "own",
        lambda run: (run.folder / "data.npz").write_bytes(npz_of(signals=np.zeros(9))),
    ),
    "no own data": ("own", lambda run: (run.folder / "data.npz").unlink()),
    "data of zeros beside MNIST": ("mnist", lambda run: (run.folder / "data.npz").write_bytes(bytes(10**6))),
    "a reader beside small digits": ("digits", lambda run: (run.folder / "classifier.npz").write_bytes(bytes(10**6))),
    "a reader without metrics": ("mnist", lambda run: (run.folder / "metrics.json").unlink()),
    "a reader of other codes": ("mnist", lambda run: json_changed(run, "metrics.json", encoder="threshold")),
    "an unknown encoder": ("mnist", lambda run: json_changed(run, "metrics.json", encoder="![](x)")),
    "an iteration of zeros": ("digits", lambda run: run.record_path(1).write_bytes(bytes(10**6))),
    "status of another kind": ("digits", lambda run: write_json(run.folder / "status.json", {"state": "flying"})),
}
#: What nobody can tell from the truth without computing the run again.
HARMLESS = {
    "atoms turned round",
    *(f"errors {how}" for how in ("all zero", "all one", "turned round", "rolled", "doubled")),
    "q doubled",
    "r doubled",
    "settings q = 1e-300",
    "digits metrics alpha = 0.9",
}
#: Odd, but a run all the same: these must open on every page.
ODD = {
    "own pictures": ("own", lambda run: None),
    "all that can belong to a run": ("digits", lambda run: None),
    "a reader": ("mnist", lambda run: None),
    "half of a run": ("digits", lambda run: (run.record_path(1).unlink(), forget(run))),
    "a name of control characters": ("digits", lambda run: about(run, name="a\x00b\n\u202e<b>[x](y)$z$")),
    "a name that is too long": ("digits", lambda run: about(run, name="x" * 500)),
    "a time far away": ("digits", lambda run: about(run, created=9e10)),
    "about of another kind": ("digits", lambda run: about(run, name=7, pinned="yes", created=-1.0)),
}


def about(run, **changes):
    (run.folder / "about.json").write_text(json.dumps(changes))


def forget(run):
    """Leave only what an unfinished run has."""
    for name in ("metrics.json", "grid.json", "sweep.json"):
        (run.folder / name).unlink()
    write_json(run.folder / "status.json", {"state": "cancelled"})


def test_a_hundred_forgeries_are_tried():
    assert len(FORGED) > 200


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_run_is_refused_with_a_sentence_or_opens_on_every_page(request, store, forge, name):
    kind, spoil = FORGED[name]
    run = forge(kind)
    spoil(run)
    accepted, refusal = None, ""
    try:
        accepted = import_zip(store, pack(run))
    except StoreError as error:
        refusal = str(error)
    assert (accepted is not None) == (name in HARMLESS)
    if accepted is None:
        assert refusal.startswith(("this is not a sound run: ", "the zip "))
        assert len(refusal) < 400
        assert list(store.root.iterdir()) == []
    else:
        opens_on_every_page(request.getfixturevalue("home"), accepted)


@pytest.mark.parametrize("name", ODD)
def test_an_odd_but_sound_run_opens_on_every_page(home, forge, name):
    kind, change = ODD[name]
    run = forge(kind)
    change(run)
    opens_on_every_page(home, import_zip(home, pack(run)))


@pytest.mark.parametrize(("classes", "side"), [(("a", "b"), 2), (tuple("abcdefghijklmnopqrstuvwxyz"), 10)])
def test_own_pictures_of_few_and_many_classes_open_on_every_page(home, tmp_path, classes, side):
    run = own_pictures(Store(tmp_path / "elsewhere"), classes, side)
    opens_on_every_page(home, import_zip(home, pack(run)))


def opens_on_every_page(home, run):
    if run.folder.parent != home.root:
        shutil.copytree(run.folder, home.root / run.id)
    at = open_page("overview")
    if run.n_finished():
        at.selectbox(key="run").set_value(run.id).run()
    for name in PAGES:
        at.switch_page(f"pages/{name}.py").run()
        assert not at.exception, (name, at.exception)
        assert len(at.title) == 1
        assert "What am I looking at?" in [expander.label for expander in at.expander]
        assert not run.n_finished() or at.selectbox(key="run").value == run.id
    assert cache.is_readable(run.id) == ""
