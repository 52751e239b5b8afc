"""Runs whose atoms are fine-tuned: what is written, from what, and that nothing on the way loses it."""

import io
import json
import os
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

from dasksvd import Settings
from dasksvd.__main__ import main
from dasksvd.common.files import write_npz
from dasksvd.common.progress import RunLine
from dasksvd.datasets.parts import scoring_parts
from dasksvd.encoders import threshold
from dasksvd.errors import Cancelled, DamagedFile
from dasksvd.evaluate import Plan
from dasksvd.networks.fine_tuning import Tuning, fine_tune
from dasksvd.runs import worker
from dasksvd.runs.archive import export_zip, import_zip
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run
from dasksvd.runs.records import FINE_TUNED
from dasksvd.runs.worker import compute
from tests.method.test_trajectory import assert_same_records
from tests.runs.test_worker import TINY, deterministic_files, new_run

TUNED = replace(TINY, I=2, ksvd_iter=2, fine_tune=3)


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """A finished run; not to be changed."""
    run = new_run(tmp_path_factory.mktemp("tuned") / "run", TUNED)
    compute(run)
    return run


@pytest.fixture
def copy(tmp_path, tuned):
    """A copy of it, to be spoiled."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for path in tuned.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return Run(folder)


def test_the_atoms_are_those_of_fine_tuning_on_the_training_part_alone(tuned):
    """Oracle: the fine-tuning itself, on the part that the run's networks are trained on."""
    parts, settings = scoring_parts(tuned.description, ()), tuned.description.settings
    selected = tuned.trajectory.reselect(settings.alpha, settings.beta).atoms
    expected = fine_tune(parts.train, parts.train_labels, selected, 4, settings.seed, Tuning(epochs=3))
    np.testing.assert_array_equal(tuned.atoms, expected)
    assert not np.allclose(tuned.atoms, selected, atol=0.01)


def test_the_runs_own_weights_and_ranking_select_what_is_fine_tuned(tmp_path):
    settings = replace(TUNED, alpha=0.75, beta=0.25, ranking="worst", fine_tune=1)
    run = new_run(tmp_path / "run", settings)
    compute(run)
    expected = run.trajectory.reselect(0.75, 0.25, ranking="worst").atoms
    assert not np.array_equal(expected, run.trajectory.reselect(0, 0, ranking="combined").atoms)
    np.testing.assert_array_equal(run.selected_atoms, expected)
    assert np.einsum("ij,ij->i", run.atoms, expected).min() > 0.7


def test_the_iterations_are_those_of_a_run_without_it(tmp_path, tuned):
    run = new_run(tmp_path / "run", replace(TUNED, fine_tune=0))
    compute(run)
    assert_same_records(run.trajectory.records, tuned.trajectory.records)
    assert not (run.folder / FINE_TUNED).exists()
    np.testing.assert_array_equal(run.atoms, run.selected_atoms)


def test_cancelled_and_resumed_ends_like_undisturbed(tmp_path, monkeypatch, tuned):
    monkeypatch.setattr(worker, "STATUS_EVERY", 0.0)
    run, seen = new_run(tmp_path / "run", TUNED), []

    def cancel(self, text):
        seen.append(text)
        if text.endswith("epoch 2 of 3"):
            run.job.cancel_request.touch()

    with monkeypatch.context() as patched:
        patched.setattr(worker.Reporter, "stage", cancel)
        with pytest.raises(Cancelled):
            compute(run)
    assert seen[-1] == "Fine-tuning the atoms: epoch 2 of 3"
    assert (run.status.state, run.n_finished(), run.missing) == ("cancelled", 2, FINE_TUNED)
    assert run.problem() == ""
    compute(run)
    assert deterministic_files(run.folder) == deterministic_files(tuned.folder)


KILLER = """
    import os, random, signal, sys, time
    from pathlib import Path
    from dasksvd.runs.folder import create_run
    from dasksvd.parameters import Settings
    from dasksvd.runs.worker import compute, describe

    root, chance = Path(sys.argv[1]), random.Random(0)
    settings = Settings(t=30, I=2, ksvd_iter=2, fine_tune=12)

    def child(run):
        pid = os.fork()
        if pid == 0:
            try:
                compute(run)
                os._exit(0)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(1)
        return pid

    warm = create_run(root / "warm", describe(settings, "digits"))
    compute(warm)
    (warm.folder / "fine_tuned.npz").unlink()
    started = time.monotonic()
    compute(warm)
    tuning = time.monotonic() - started
    kills = rounds = unfinished = 0
    while kills < 6:
        rounds += 1
        run = create_run(root / f"run{rounds}", describe(settings, "digits"))
        while run.missing:
            pid = child(run)
            while run.n_finished() < 2:
                time.sleep(0.001)
            if kills < 6:
                time.sleep(chance.uniform(0, 1.5 * tuning))
                os.kill(pid, signal.SIGKILL)
                unfinished += bool(run.missing)
            _, status = os.waitpid(pid, 0)
            kills += os.WIFSIGNALED(status)
            if os.WIFEXITED(status) and os.WEXITSTATUS(status):
                sys.exit("a child failed")
            if not run.missing and run.status.state != "finished":
                compute(run)
    print(kills, unfinished, rounds)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and fork exist on POSIX only")
def test_killed_while_it_fine_tunes_it_ends_bit_identical(tmp_path):
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLER), str(tmp_path)], capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    kills, unfinished, rounds = map(int, result.stdout.split())
    assert kills >= 6
    assert unfinished >= 2
    for number in range(1, rounds + 1):
        assert deterministic_files(tmp_path / f"run{number}") == deterministic_files(tmp_path / "warm")


def test_a_finished_run_is_not_fine_tuned_again(copy, monkeypatch):
    monkeypatch.setattr(worker, "fine_tune_as", lambda *_: pytest.fail("again"))
    compute(copy)


@pytest.mark.parametrize("how", ["cut off", "of other atoms", "gone"])
def test_damage_is_noticed_and_repaired_by_resuming(copy, tuned, how):
    path = copy.folder / FINE_TUNED
    if how == "cut off":
        path.write_bytes(path.read_bytes()[:-100])
    elif how == "gone":
        path.unlink()
    else:
        write_npz(path, {"digest": np.zeros(32, np.uint8), "atoms": tuned.atoms})
    told = {"cut off": "cannot be read", "gone": "is missing", "of other atoms": "does not come from the selected"}
    assert told[how] in copy.problem()
    with pytest.raises(DamagedFile, match=told[how]):
        evaluate_run(copy, Plan())
    compute(copy)
    assert deterministic_files(copy.folder) == deterministic_files(tuned.folder)


def test_it_is_evaluated_with_the_fine_tuned_atoms(tuned, copy):
    """Oracle: the encoder on these atoms; the share of non-zeros and the error say which atoms were read."""
    metrics, parts = evaluate_run(copy, Plan(encoder="threshold")), scoring_parts(tuned.description, ())
    codes = threshold(parts.scored, tuned.atoms, 4)
    left = parts.scored - codes @ tuned.atoms
    energies = (parts.scored**2).sum(axis=1)
    assert metrics.nonzeros == np.count_nonzero(codes) / codes.size
    assert metrics.error == pytest.approx(np.mean((left**2).sum(axis=1) / energies), rel=1e-5)
    assert (metrics.encoder, metrics.n_atoms) == ("threshold", 20)


def test_the_command_line_trains_evaluates_and_says_so(tmp_path, capsys):
    folder = str(tmp_path / "run")
    small = ["--preset", "best", "--data", "digits", "--t", "30", "--I", "2", "--ksvd_iter", "2", "--fine_tune", "2"]
    assert main(["train", *small, "--out", folder]) == 0
    told = capsys.readouterr().err
    assert told.count("Fine-tuning the atoms\n") == 1
    assert Run(tmp_path / "run").description.settings == Settings(t=30, I=2, ksvd_iter=2, fine_tune=2)
    assert main(["evaluate", folder, "--hidden", "5"]) == 0
    assert "codes: threshold on fine-tuned atoms, " in capsys.readouterr().out
    assert main(["evaluate", folder, "--hidden", "5", "--encoder", "omp"]) == 0
    assert "codes: omp on fine-tuned atoms, " in capsys.readouterr().out
    (tmp_path / "run" / FINE_TUNED).unlink()
    assert main(["evaluate", folder]) == 2
    assert "the atoms of run are not fine-tuned yet; `resume` it first" in capsys.readouterr().err
    assert main(["resume", folder]) == 0
    assert Run(tmp_path / "run").missing == ""


def test_a_run_without_it_is_still_evaluated_by_the_papers_encoder(tmp_path, capsys):
    folder = str(tmp_path / "run")
    compute(new_run(tmp_path / "run", replace(TUNED, fine_tune=0)))
    assert main(["evaluate", folder, "--hidden", "5"]) == 0
    assert "codes: omp, " in capsys.readouterr().out


def test_the_help_says_what_best_is_and_is_not(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    told = capsys.readouterr().out
    assert "beat raw pixels at equally many network weights" in told
    assert "Random images, fine-tuned, do just as well: the gain is the fine-tuning's." in told


def test_there_and_back(store, copy):
    evaluate_run(copy, Plan(encoder="threshold", hidden=5))
    back = import_zip(store, io.BytesIO(export_zip(copy)))
    np.testing.assert_array_equal(back.atoms, copy.atoms)
    assert (back.status.state, back.problem(), back.missing) == ("finished", "", "")


def test_one_that_is_not_fine_tuned_yet_comes_back_ready_to_resume(store, copy, tuned):
    (copy.folder / FINE_TUNED).unlink()
    status = json.loads((copy.folder / "status.json").read_text())
    (copy.folder / "status.json").write_text(json.dumps(status | {"state": "cancelled"}))
    back = import_zip(store, io.BytesIO(export_zip(copy)))
    assert (back.status.state, back.n_finished()) == ("cancelled", 2)
    compute(back)
    np.testing.assert_array_equal(back.atoms, tuned.atoms)


def test_a_line_off_a_terminal_tells_each_stage_once():
    stream = io.StringIO()
    line = RunLine(1, 1, stream)
    for text in ("Tuning", "Tuning: 1 of 2", "Tuning: 2 of 2", "Training: 1"):
        line.say(text)
    assert stream.getvalue() == "Tuning\nTraining: 1\n"
