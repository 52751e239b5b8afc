"""The command line, in processes of its own and in this one."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image, ImageDraw

from dasksvd import DASKSVD, Settings, load_mnist
from dasksvd.__main__ import main
from dasksvd.common.progress import RunLine, RunProgress
from dasksvd.datasets import load_digits_8x8
from dasksvd.datasets.parts import describe, learning_part
from dasksvd.runs.folder import Run, Status
from dasksvd.runs.limits import deletable
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.search.job import Search
from dasksvd.search.plans import WeightsPlan

TINY = ["--data", "digits", "--t", "30", "--I", "2", "--ksvd_iter", "3"]


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "dasksvd", *arguments], capture_output=True, text=True, timeout=300)


def test_train_does_what_the_estimator_does(tmp_path):
    result = run("train", *TINY, "--seed", "5", "--q", "6", "--out", str(tmp_path / "run"))
    assert result.returncode == 0, result.stderr
    signals, labels = learning_part(describe(Settings(seed=5, t=30), "digits"))
    model = DASKSVD(t=30, I=2, ksvd_iter=3, q=6, random_state=5).fit(signals, labels)
    np.testing.assert_array_equal(Run(tmp_path / "run").trajectory.reselect(0, 0).atoms, model.components_)


def test_train_reports_progress_without_a_terminal(tmp_path, capsys):
    assert main(["train", *TINY, "--out", str(tmp_path / "run")]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert "50%  iteration 1/2  K-SVD 3/3  error 0." in lines[0]
    assert "100%  iteration 2/2  K-SVD 3/3" in lines[1]
    assert lines[2].startswith("done in 0:0")
    assert "20 atoms" in lines[2]
    assert len(lines) == 3


def test_preset_and_options_are_stored(tmp_path):
    main(["train", *TINY, "--preset", "quick", "--alpha", "0.25", "--out", str(tmp_path / "run")])
    stored = json.loads((tmp_path / "run" / "settings.json").read_text(encoding="utf-8"))
    assert Settings.from_dict(stored["settings"]) == Settings(t=30, I=2, ksvd_iter=3, alpha=0.25)
    assert stored["data"] == "digits"


def test_own_images(tmp_path):
    data = load_digits_8x8()
    np.savez(tmp_path / "own.npz", images=data.train_images, labels=data.train_labels)
    arguments = ["train", *TINY[2:], "--images", str(tmp_path / "own.npz"), "--out", str(tmp_path / "run")]
    assert main(arguments) == 0
    assert Run(tmp_path / "run").trajectory.reselect(0, 0).atoms.shape == (20, 64)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "0.7", "--beta", "0.5"], "dasksvd: error: alpha + beta must be at most 1, got 0.7 + 0.5 = 1.2"),
        (["--t", "1000"], "dasksvd: error: t must be at most the smallest class, got t = 1000, class 8 has "),
        (["--q", "0"], "dasksvd: error: q must be a whole number of at least 1, got 0"),
        (["--q", "1.5"], "dasksvd: error: q must be a number with 0 < q <= 1"),
        (["--images", "nowhere.npz"], "dasksvd: error: cannot read images from nowhere.npz"),
    ],
)
def test_bad_parameters_give_one_line_and_exit_code_2(arguments, message, tmp_path, capsys):
    assert main(["train", *TINY, *arguments, "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_own_images_without_anything_to_learn_make_no_run(tmp_path, capsys):
    np.savez(tmp_path / "own.npz", images=np.zeros((60, 8, 8), np.uint8), labels=np.arange(60) % 2)
    arguments = ["train", "--t", "20", "--r_f", "0.5", "--images", str(tmp_path / "own.npz")]
    assert main([*arguments, "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.startswith("dasksvd: error: all signals are zero, so there is nothing to learn from")
    assert not (tmp_path / "run").exists()


def test_bad_words_give_exit_code_2():
    result = run("train", "--t", "many", "--out", "x")
    assert result.returncode == 2
    assert "--t: invalid int value: 'many'" in result.stderr


def test_an_unwritable_place_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert main(["train", *TINY, "--out", str(tmp_path / "file" / "run")]) == 2
    assert "cannot read or write" in capsys.readouterr().err


def test_help_gives_formulas_and_ranges(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "--help"])
    assert stopped.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "m = alpha*m_af + beta*m_cm + (1-alpha-beta)*m_re" in text
    for name in ("q", "t", "tau1", "tau2", "I", "alpha", "beta", "r_f", "ksvd_iter", "seed"):
        assert f"--{name} " in text
    assert "0 <= tau2 < 1" in text


def test_progress_bar_tells_the_time_left():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    bar = RunLine(4, 10, terminal)
    assert bar.line(RunProgress(1, 5, 0.125), elapsed=60.0) == (
        "[#########...............]  38%  iteration 2/4  K-SVD 5/10  error 0.1250  1:00, 1:40 left"
    )
    bar.update(RunProgress(0, 1, 0.5))
    assert terminal.getvalue().startswith("\r\x1b[K[#")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_runs_lists_what_there_is(home, capsys):
    main(["runs"])
    assert capsys.readouterr().out == f"no runs in {home}\n"
    main(["train", *TINY, "--out", str(home / "first")])
    main(["train", *TINY, "--seed", "7", "--out", str(home / "second")])
    (home / "first" / "settings.json").write_text("{")
    main(["runs"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["id", "state", "done", "name", "and", "settings"]
    assert lines[1].split() == ["second", "finished", "2/2", "q=0.2", "t=30", "tau1=0.5", "tau2=0.1", "seed=7"]
    assert "damaged" in lines[2]
    assert "settings.json is not valid JSON" in lines[2]


def test_a_folder_without_settings_is_no_run(home, capsys):
    """Such as what the reproduction keeps; it is neither listed nor offered for deletion nor opened."""
    (home / "reproduce" / "round0").mkdir(parents=True)
    (home / "reproduce" / "round0-ksvd.npz").touch()
    main(["runs"])
    assert capsys.readouterr().out == f"no runs in {home}\n"
    assert deletable(Store(home)) == []
    assert main(["resume", "reproduce"]) == 2
    assert "there is no run reproduce" in capsys.readouterr().err


@pytest.mark.parametrize("earlier", [True, False])
def test_the_reproduction_keeps_its_dictionaries_apart_from_the_runs(tmp_path, earlier):
    """Unless they are among them already."""
    if earlier:
        (tmp_path / "runs" / "reproduce").mkdir(parents=True)
    script = "from reproduce.rounds import CACHE; print(CACHE.as_posix())"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ("runs/reproduce" if earlier else ".cache/reproduce")


@pytest.mark.parametrize("name", ["reference", "folder"])
@pytest.mark.parametrize("command", [["resume"], ["evaluate"], ["export", "x.zip"]])
def test_the_shipped_run_is_not_computed_again(home, tmp_path, monkeypatch, capsys, command, name):
    monkeypatch.chdir(tmp_path)
    shipped = ReferenceRun(home)
    Search(shipped).set_plan(WeightsPlan(6, 100, (20,), (), "modern", 1))
    before = sorted(home.rglob("*"))
    assert main([command[0], name if name == "reference" else str(shipped.folder), *command[1:]]) == 2
    error = capsys.readouterr().err
    assert error.startswith("dasksvd: error: the reference run is shipped whole, there is nothing to resume")
    assert sorted(home.rglob("*")) == before


def test_a_run_that_was_never_started_is_new(home, capsys):
    main(["train", *TINY, "--out", str(home / "one")])
    copy = Store(home).copy("one")
    main(["runs"])
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]] == ["new", "finished"]
    main(["resume", copy.id])
    assert copy.status.state == "finished"
    (copy.folder / "status.json").unlink()
    assert copy.status.state == "cancelled"  # something of it was computed


def test_runs_shows_the_owner_what_a_failed_run_wrote(home, capsys):
    main(["train", *TINY, "--out", str(home / "one")])
    Run(home / "one").set_status(Status(state="failed", message="an unexpected error"))
    (home / "one" / "log.txt").write_text("Traceback (most recent call last):\nZeroDivisionError\n")
    capsys.readouterr()
    main(["runs"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["one", "failed"]
    assert lines[2:] == ["    Traceback (most recent call last):", "    ZeroDivisionError"]


def test_resume_by_id_and_by_folder(home, capsys):
    main(["train", *TINY, "--out", str(home / "one")])
    run = Run(home / "one")
    whole = run.record_path(1).read_bytes()
    for name in ("one", str(home / "one")):
        run.record_path(1).unlink()
        assert main(["resume", name]) == 0
        assert run.record_path(1).read_bytes() == whole
    assert main(["resume", "absent"]) == 2
    assert "there is no run absent" in capsys.readouterr().err


def test_resume_of_a_running_run_is_refused(home, capsys):
    main(["train", *TINY, "--out", str(home / "one")])
    run = Run(home / "one")
    other = psutil.Process().parent()
    run.set_status(Status(state="running", pid=other.pid, process_started=other.create_time()))
    assert main(["resume", "one"]) == 2
    assert f"one is running already (process {other.pid})" in capsys.readouterr().err


def test_export_and_import(home, tmp_path, capsys):
    main(["train", *TINY, "--out", str(home / "one")])
    assert main(["export", "one", str(tmp_path / "one.zip")]) == 0
    capsys.readouterr()
    assert main(["import", str(tmp_path / "one.zip")]) == 0
    copy = Run(Path(capsys.readouterr().out.strip()))
    assert copy.folder.parent == home
    assert copy.record_path(1).read_bytes() == Run(home / "one").record_path(1).read_bytes()
    (tmp_path / "one.zip").write_bytes(b"no zip")
    assert main(["import", str(tmp_path / "one.zip")]) == 2
    assert main(["import", str(tmp_path / "absent.zip")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[0] == "dasksvd: error: cannot import this file: File is not a zip file"
    assert errors[1].startswith("dasksvd: error: cannot read or write")


def test_classify_reads_a_picture_light_or_dark(tmp_path, capsys):
    image = load_mnist().test_images[0]
    for name, picture in (("light.png", image), ("dark.png", 255 - image)):
        large = Image.fromarray(np.pad(picture, 20, constant_values=picture[0, 0])).resize((272, 272))
        large.save(tmp_path / name)
        assert main(["classify", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out.strip() == "7"


def test_classify_says_so_where_there_is_no_digit(tmp_path, capsys):
    picture = Image.new("L", (280, 280), 255)
    ImageDraw.Draw(picture).line([(60, 250), (140, 30), (220, 250)], fill=0, width=16)
    ImageDraw.Draw(picture).line([(95, 170), (185, 170)], fill=0, width=16)
    picture.save(tmp_path / "A.png")
    assert main(["classify", str(tmp_path / "A.png")]) == 0
    told = capsys.readouterr()
    assert told.out.strip() == "?"
    assert "does not look like a digit" in told.err


def test_classify_explains_what_is_no_picture(tmp_path, capsys):
    (tmp_path / "no.png").write_bytes(b"no picture")
    assert main(["classify", str(tmp_path / "no.png")]) == 2
    assert "dasksvd: error:" in capsys.readouterr().err
    assert main(["classify", str(tmp_path / "missing.png")]) == 2
    assert "missing.png" in capsys.readouterr().err
