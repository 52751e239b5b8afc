"""Random numbers of the iterations: none is used twice, and a run made before keeps its own."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dasksvd import PAPER, PRESETS, ParameterError, Settings
from dasksvd.__main__ import main
from dasksvd.datasets import load_digits_8x8
from dasksvd.method.loop import iteration_rng
from dasksvd.method.sampling import draw
from dasksvd.parameters import MEASURED, PARAMETERS
from dasksvd.runs.folder import Run
from dasksvd.runs.worker import compute, describe
from reproduce import reference, rounds
from reproduce.results import load_comparable, load_results, results_path

#: settings.json of a run on the small digits, as it was written before there were two versions.
OLD = {
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
        "seed": 5,
    },
    "data": "digits",
    "classes": list(range(10)),
    "n_signals": 1500,
    "signal_length": 64,
}
#: Recorded from that run: the sum over its settings that every iteration carries, and sums over the drawn signals.
OLD_DIGEST = "7fe2fcc632f671ba7208da226951a439807f27d0ccc03d2712cddaa600f0ef40"
OLD_DRAWN = (
    "a26f5b5799afab8d5905b4420b34dfea9517b618c8a73e9392af44d0a7daf453",
    "bd25a3b261dbe2e0fb055da5f5a37f117f2ebee872c37598559427f8ceddb391",
    "bb7fd0b8a6dff4473e272119bf428d003ff328ff23ec0ddf30c7ac6216de1458",
)


@pytest.fixture
def old_run(tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps(OLD))
    return Run(folder)


@given(seed=st.integers(0, 2**63 - 1))
def test_no_iteration_shares_numbers_with_another_or_with_the_seed_itself(seed):
    """The seed itself makes the split and the networks' start; [seed, x] was the first version."""
    others = [np.random.default_rng(seed), *(np.random.default_rng([seed, x]) for x in (*range(1, 30), 2**31))]
    iterations = [iteration_rng(Settings(seed=seed), l) for l in range(30)]
    assert len({rng.bit_generator.random_raw() for rng in others + iterations}) == len(others) + len(iterations)


def test_neighbouring_seeds_share_no_iterations():
    first = {
        iteration_rng(Settings(seed=seed), l).bit_generator.random_raw()
        for seed in (*range(20), 2**32, 2**32 + 1)
        for l in range(20)
    }
    assert len(first) == 22 * 20


def test_an_iterations_numbers_are_those_of_the_seeds_spawned_child():
    """The oracle is numpy's own spawning; what a seed gives must not change from release to release."""
    for l, child in enumerate(np.random.SeedSequence(7).spawn(4)):
        expected = np.random.default_rng(child).random(5)
        np.testing.assert_array_equal(iteration_rng(Settings(seed=7), l).random(5), expected)


def test_the_first_version_took_the_splits_numbers_for_iteration_0():
    again, old, new = (
        np.random.default_rng(3),
        iteration_rng(Settings(seed=3, streams=1), 0),
        iteration_rng(Settings(seed=3), 0),
    )
    expected = again.random(5)
    np.testing.assert_array_equal(old.random(5), expected)
    assert not np.isin(new.random(1000), expected).any()


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_new_settings_have_the_second_version_and_stored_ones_what_they_say(preset):
    assert preset.streams == 2
    assert Settings.from_dict(preset.as_dict()) == preset
    without = {name: value for name, value in preset.as_dict().items() if name != "streams"}
    assert Settings.from_dict(without) == replace(preset, streams=1)
    assert replace(preset, streams=1).as_dict() == without


@pytest.mark.parametrize("version", [0, 3, True, 1.0, "2", None])
def test_an_unknown_version_is_named(version):
    with pytest.raises(ParameterError, match="streams must be"):
        Settings(streams=version)


def test_the_version_is_no_parameter_of_the_command(tmp_path, capsys):
    assert "streams" not in PARAMETERS
    with pytest.raises(SystemExit):
        main(["train", "--streams", "1", "--out", str(tmp_path / "run")])
    assert "unrecognized arguments: --streams" in capsys.readouterr().err


def test_a_run_made_before_resumes_with_its_old_numbers(old_run):
    """From its settings.json alone, then from its first iteration: both draw what it once drew."""
    compute(old_run)
    records = Run(old_run.folder).trajectory.records
    assert tuple(hashlib.sha256(record.drawn.astype("<i8").tobytes()).hexdigest() for record in records) == OLD_DRAWN
    data = load_digits_8x8()
    odds = np.full(1500, 1 / 1500)
    for l, record in enumerate(records):
        expected = draw(odds, data.train_labels, 10, 30, np.random.default_rng([5, l]))
        np.testing.assert_array_equal(record.drawn, expected)
        odds = record.odds
    whole = [old_run.record_path(l).read_bytes() for l in range(3)]
    for l in (1, 2):
        old_run.record_path(l).unlink()
    compute(Run(old_run.folder))
    assert [old_run.record_path(l).read_bytes() for l in range(3)] == whole


def test_iterations_of_a_run_made_before_still_belong_to_it(old_run):
    assert old_run._digest.tobytes().hex() == OLD_DIGEST


def test_a_copy_of_a_run_made_before_repeats_it(store, old_run):
    (store.root / "old").parent.mkdir(parents=True, exist_ok=True)
    old_run.folder.rename(store.root / "old")
    assert store.copy("old", "again").description.settings.streams == 1


def test_a_new_run_says_its_version(store):
    run = store.create(describe(Settings(t=30, I=1, ksvd_iter=2), "digits"))
    assert json.loads((run.folder / "settings.json").read_text())["settings"]["streams"] == 2


def test_results_of_the_first_version_are_not_mixed_with_new_ones(tmp_path, monkeypatch):
    assert replace(PAPER, streams=1) == MEASURED
    before = MEASURED.as_dict() | {"seed": "the round", "scg": {"max_epochs": 1000, "patience": 60}}
    for table in ("table1", "table2"):
        stored = json.loads(results_path(table).read_text())
        assert before in (stored["settings"], stored.get("earlier", {}).get("settings"))
        assert load_results(table).keys() > load_comparable(table).keys()
    computed = []
    monkeypatch.setattr(rounds, "compute", computed.append)
    rounds.Round(3, cache=tmp_path).run(tau1=1.0)
    assert computed[0].description.settings == replace(PAPER, seed=3, tau1=1.0)


def test_the_shipped_run_is_made_with_the_first_version(monkeypatch):
    class Stop(Exception):
        """Raised instead of an hour of K-SVD."""

    def iterate(signals, labels, settings, **_):
        assert settings == replace(PAPER, streams=1)
        raise Stop

    monkeypatch.setattr(reference, "iterate", iterate)
    with pytest.raises(Stop):
        reference.make_reference()
