"""What a forger of runs can do, for the tests of imported runs.

The forger knows the format: each forged file is whole, has the right arrays and carries the right sum.
"""

import hashlib
import io
import json
import shutil
import zipfile
from dataclasses import asdict

import numpy as np

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
from dasksvd.runs.folder import places_of
from dasksvd.runs.records import FINE_TUNED, save_record
from dasksvd.runs.worker import compute, describe
from tests.ui.harness import PAGES, address, open_page
from ui import cache

TABLES, MEASURES = ("p", "q", "r"), ("top", "second", "af", "cm_lead", "re_lead")


def small_digits(store):
    """A run with all that can belong to one."""
    digits = store.create(describe(Settings(t=30, I=2, ksvd_iter=2), "digits"), "digits")
    compute(digits)
    evaluate_run(digits, Plan(hidden=12))
    score = {"accuracies": {"0": 0.5, "1": 0.75}, "seconds": 1.5, "problem": ""}
    key = "modern/0,0/q=0.2,t=30,tau1=0.5,tau2=0.1,I=2"
    write_json(digits.folder / "grid.json", {"scores": {"modern/2-0123456789abcdef": score}})
    write_json(digits.folder / "sweep.json", {"scores": {key: score}})
    return digits


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


#: What metrics say of codes by a soft threshold that was chosen.
SOFT = {
    "encoder": "soft",
    "level": 0.3,
    "nonzeros": 0.5,
    "tried": [[0.2, 0.75, 0.9], [0.3, 0.5, 0.91], [0.4, 0.25, 0.85]],
}


#: What metrics say of codes on fine-tuned atoms.
TUNED = {"encoder": "threshold", "nonzeros": 0.2}


def with_reader(store, fine_tune=0, **coded):
    """A run on MNIST whose network is made up, which takes no time; ``coded`` is what its metrics say of its codes."""
    run = store.create(describe(Settings(t=20, I=1, r_f=0.25, ksvd_iter=2, fine_tune=fine_tune), "mnist"), "mnist")
    compute(run)
    rng, hidden = np.random.default_rng(2), 6

    shapes = {"first": (10, hidden), "first_bias": (hidden,), "second": (hidden, 10), "second_bias": (10,)}
    layers = {name: np.float32(rng.normal(size=shape)) for name, shape in shapes.items()}
    network = ModernClassifier.from_arrays({"classes": np.arange(10), "scale": 1.5, **layers})
    by = {name: coded[name] for name in ("encoder", "level") if name in coded}
    to_reader(run.trajectory, network, 0.0, 0.0, 1, **by, atoms=run.atoms).save(run.folder / "classifier.npz")
    confusion = (90 * np.eye(10, dtype=int) + 1).tolist()
    known = {"classifier": "modern", "hidden": hidden, "n_atoms": 10, "I": 1, "alpha": 0.0, "beta": 0.0}
    known |= {"part": VALIDATION, "n_scored": 1000, "accuracy": 0.91, "confusion": confusion, "error": 0.1}
    known |= {
        "wrong": [[int(places_of(run).scored[5]), 1, 2, 0.25, 0.5]],
        "weights": n_weights(10, hidden),
        "epochs": 3,
        "seconds": 1.0,
    }
    write_json(run.folder / "metrics.json", asdict(Metrics(**known, **coded)))
    return run


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
        for name in ("metrics.json", "classifier.npz", FINE_TUNED, "grid.json", "sweep.json"):
            (run.folder / name).unlink(missing_ok=True)
        write_json(run.folder / "status.json", {"state": "cancelled"})
    save_with_sum(run, values, records)


def save_with_sum(run, values, records):
    """Write iterations that carry the sum of a description in plain values, whether it is sound or not."""
    content = json.dumps(values, sort_keys=True).encode()
    if (run.folder / "data.npz").exists():
        with np.load(run.folder / "data.npz") as data:
            content += data["signals"].tobytes() + data["labels"].tobytes()
    digest = np.frombuffer(hashlib.sha256(content).digest(), np.uint8)
    for iteration, record in enumerate(records):
        save_record(run.record_path(iteration), iteration, record, digest)


def json_changed(run, file, **changes):
    path = run.folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def reader_changed(run, **changes):
    with np.load(run.folder / "classifier.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    write_npz(run.folder / "classifier.npz", arrays | {name: f(arrays[name]) for name, f in changes.items()})


def tuned_changed(run, **changes):
    """Write the fine-tuned atoms again with other arrays."""
    with np.load(run.folder / FINE_TUNED) as stored:
        write_npz(run.folder / FINE_TUNED, {name: stored[name] for name in stored.files} | changes)


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


def try_to_import(store, run):
    """Import a zip of the run's folder: (refusal, run), one is None; a refusal is a sentence and leaves no trace."""
    try:
        return None, import_zip(store, pack(run))
    except StoreError as error:
        refusal = str(error)
    assert refusal.startswith(("this is not a sound run: ", "the zip "))
    assert len(refusal) < 400
    assert list(store.root.iterdir()) == []
    return refusal, None


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
        assert not run.n_finished() or address(at)["run"] == run.id
    assert cache.why_unreadable(run.id) == ""


def is_refused_or_opens(request, store, run, harmless):
    """Import a forged run: it must be refused, unless nobody can tell it from a true one; then every page opens."""
    refusal, accepted = try_to_import(store, run)
    assert (accepted is not None) == harmless, refusal
    if accepted is not None:
        opens_on_every_page(request.getfixturevalue("home"), accepted)
