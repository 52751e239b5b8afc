"""Runs from a forger, with other arrays, settings or data: refused with a sentence, or good enough for every page."""

import numpy as np
import pytest

from dasksvd.common.files import write_json
from tests.runs.forging import (
    MEASURES,
    TABLES,
    array_of,
    at_once,
    data_changed,
    described,
    is_refused_or_opens,
    record_changed,
)
from tests.runs.test_archive import npz_of
from tests.ui.harness import home  # noqa: F401

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
        ("digits", "data", "clothes"),
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
    "an iteration of zeros": ("digits", lambda run: run.record_path(1).write_bytes(bytes(10**6))),
    "status of another kind": ("digits", lambda run: write_json(run.folder / "status.json", {"state": "flying"})),
}
#: What nobody can tell from the truth without computing the run again.
HARMLESS = {
    *(f"errors {how}" for how in ("all zero", "all one", "turned round", "rolled", "doubled")),
    "q doubled",
    "r doubled",
}


def test_many_forgeries_are_tried():
    assert len(FORGED) >= 170


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_run_is_refused_with_a_sentence_or_opens_on_every_page(request, store, forge, name):
    kind, spoil = FORGED[name]
    run = forge(kind)
    spoil(run)
    is_refused_or_opens(request, store, run, harmless=name in HARMLESS)
