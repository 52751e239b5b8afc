"""Runs from a forger, with other metrics, readers or scores: refused with a sentence, or good enough for every page."""

import numpy as np
import pytest

from tests.runs.forging import is_refused_or_opens, json_changed, reader_changed
from tests.ui.harness import home  # noqa: F401

FORGED = {
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
    "a reader beside small digits": ("digits", lambda run: (run.folder / "classifier.npz").write_bytes(bytes(10**6))),
    "a reader without metrics": ("mnist", lambda run: (run.folder / "metrics.json").unlink()),
    "a reader of other codes": ("mnist", lambda run: json_changed(run, "metrics.json", encoder="threshold")),
    "an unknown encoder": ("mnist", lambda run: json_changed(run, "metrics.json", encoder="![](x)")),
}
#: What nobody can tell from the truth without computing the run again.
HARMLESS = {"digits metrics alpha = 0.9"}


def test_many_forgeries_are_tried():
    assert len(FORGED) >= 60


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_run_is_refused_with_a_sentence_or_opens_on_every_page(request, store, forge, name):
    kind, spoil = FORGED[name]
    run = forge(kind)
    spoil(run)
    is_refused_or_opens(request, store, run, harmless=name in HARMLESS)
