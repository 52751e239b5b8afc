"""Runs from a forger, with other metrics, readers or scores: refused with a sentence, or good enough for every page."""

import numpy as np
import pytest

from dasksvd.common.files import write_npz
from dasksvd.runs.records import FINE_TUNED
from dasksvd.runs.soundness import check_sound
from tests.runs.forging import SOFT, described, is_refused_or_opens, json_changed, reader_changed, tuned_changed
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
        ("mnist", "level", 0.3),
        ("mnist", "nonzeros", 0.5),
        ("mnist", "tried", SOFT["tried"]),
        ("soft", "level", 0.2),
        ("soft", "level", 0),
        ("soft", "level", 1),
        ("soft", "level", True),
        ("soft", "level", float("nan")),
        ("soft", "level", "0.3"),
        ("soft", "nonzeros", 0.50005),
        ("soft", "nonzeros", -0.5),
        ("soft", "nonzeros", 2),
        ("soft", "nonzeros", [0.5]),
        ("soft", "tried", [[0.5, 0.1, 0.95], *SOFT["tried"]]),
        ("soft", "tried", [[0.3, 0.5, 0.5], *SOFT["tried"]]),
        ("soft", "tried", [[0.2, 0.75, 0.9]]),
        ("soft", "tried", [[0.3, 0.5, 0.91], [0.4, 0.25, 0.91]]),
        ("soft", "tried", [["0.3", 0.5, 0.91]]),
        ("soft", "tried", [[0.3, 0.5]]),
        ("soft", "tried", [[0.3, 0.5, 9.1]]),
        ("soft", "tried", SOFT["tried"] * 1000),
        ("soft", "tried", {"0.3": 0.91}),
        ("soft", "tried", 7),
        ("soft", "encoder", "omp"),
        ("soft", "encoder", ["soft"]),
    )
}
FORGED |= {
    f"reader {name} {how}": (kind, lambda run, name=name, change=change: reader_changed(run, **{name: change}))
    for kind, name, how, change in (
        ("soft", "level", "another", lambda array: np.array(0.2)),
        ("soft", "level", "NaN", lambda array: np.array(np.nan)),
        ("soft", "level", "several", lambda array: np.array([0.3, 0.3])),
        ("soft", "encoder", "another", lambda array: np.array(b"threshold", "S64")),
        ("soft", "encoder", "unknown", lambda array: np.array(b"<b>", "S64")),
        ("soft", "encoder", "no text", lambda array: np.array(b"\xff\xfe", "S64")),
        ("soft", "encoder", "longer", lambda array: np.array(b"soft", "S65")),
        ("mnist", "atoms", "of another", lambda array: np.roll(array, 1, axis=0)),
        ("mnist", "atoms", "too few", lambda array: array[1:].copy()),
        ("mnist", "atom_classes", "out of range", lambda array: array + 5),
        ("mnist", "atom_classes", "negative", lambda array: -array),
        ("mnist", "sizes", "another q", lambda array: array + np.array([0, 0, 1])),
        ("mnist", "sizes", "huge", lambda array: array * 10**6),
        ("mnist", "scale", "zero", np.zeros_like),
        ("mnist", "scale", "negative", lambda array: -array),
        ("mnist", "first", "NaN", lambda array: np.full_like(array, np.nan)),
        ("mnist", "first", "too wide", lambda array: np.hstack([array, array])),
        ("mnist", "second", "huge", lambda array: np.full_like(array, 1e38)),
        ("mnist", "second_bias", "of nine classes", lambda array: array[1:].copy()),
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
    "a reader of softer codes": ("mnist", lambda run: json_changed(run, "metrics.json", **SOFT)),
    "an unknown encoder": ("mnist", lambda run: json_changed(run, "metrics.json", encoder="![](x)")),
}
FORGED |= {
    f"tuned {name}": ("tuned", spoil)
    for name, spoil in {
        "atoms too long, not evaluated": lambda run: (
            (run.folder / "classifier.npz").unlink(),
            (run.folder / "metrics.json").unlink(),
            tuned_changed(run, atoms=2 * run.atoms),
        ),
        "atoms NaN": lambda run: tuned_changed(run, atoms=np.full_like(run.atoms, np.nan)),
        "atoms in doubles": lambda run: tuned_changed(run, atoms=run.atoms.astype(np.float64)),
        "atoms too few": lambda run: tuned_changed(run, atoms=run.atoms[1:].copy()),
        "atoms that the reader does not have": lambda run: tuned_changed(run, atoms=run.atoms[::-1].copy()),
        "digest of another run": lambda run: tuned_changed(run, digest=np.zeros(32, np.uint8)),
        "one array more": lambda run: tuned_changed(run, more=np.zeros(3)),
        "file that is none": lambda run: (run.folder / FINE_TUNED).write_bytes(b"PK"),
        "file gone": lambda run: (run.folder / FINE_TUNED).unlink(),
        "file gone, not finished": lambda run: (
            (run.folder / FINE_TUNED).unlink(),
            json_changed(run, "status.json", state="cancelled"),
        ),
        "metrics alpha": lambda run: json_changed(run, "metrics.json", alpha=0.5),
        "metrics encoder": lambda run: json_changed(run, "metrics.json", encoder="omp"),
        "reader with the selected atoms": lambda run: reader_changed(run, atoms=lambda _: run.selected_atoms),
        "settings without it": lambda run: described(run, settings={"fine_tune": 0}),
        "settings with more of it": lambda run: described(run, settings={"fine_tune": 2}),
        "settings with far too much of it": lambda run: described(run, {"fine_tune": 10**6}, keep_records=False),
        "settings with a negative": lambda run: described(run, {"fine_tune": -1}, keep_records=False),
    }.items()
}
FORGED |= {
    "fine-tuned atoms in a run without them": (
        "mnist",
        lambda run: write_npz(run.folder / FINE_TUNED, {"digest": np.zeros(32, np.uint8), "atoms": run.atoms}),
    ),
}
#: What nobody can tell from the truth without computing the run again.
HARMLESS: set[str] = set()


def test_many_forgeries_are_tried():
    assert len(FORGED) >= 60


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_run_is_refused_with_a_sentence_or_opens_on_every_page(request, store, forge, name):
    kind, spoil = FORGED[name]
    run = forge(kind)
    spoil(run)
    is_refused_or_opens(request, store, run, harmless=name in HARMLESS)


@pytest.mark.parametrize("kind", ["digits", "own", "mnist", "soft", "tuned"])
def test_a_run_that_nobody_has_touched_is_sound(forge, kind):
    check_sound(forge(kind))
