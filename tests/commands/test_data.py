"""The command ``data``: from a file of one's own to a run."""

import json

import pytest

from dasksvd.__main__ import main
from dasksvd.runs.folder import Run
from dasksvd.runs.store import Store
from tests.datasets.intake.made import folder_zip

NAMES = ["kind 0", "kind 1", "kind 2"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path / "home"))
    return Store(tmp_path / "home")


def test_from_a_zip_to_a_run(home, tmp_path, capsys):
    path = folder_zip(tmp_path / "a.zip", 3, 30, **{"kind 0/no.png": b"x"})
    assert main(["data", "add", str(path), "--name", "pets", "--size", "8"]) == 0
    told = capsys.readouterr().out
    assert "a zip with folders, 90 pictures in 3 classes: kind 0: 30, kind 1: 30, kind 2: 30" in told
    assert "note: 1 file is no picture that can be read: kind 0/no.png" in told
    words = next(line for line in told.splitlines() if "train --data" in line).split("train ")[1]
    options = words.replace('"pets"', "pets").replace("RUN", str(tmp_path / "run")).split()
    assert main(["train", *options, "--ksvd_iter", "3"]) == 0
    assert "to suit these pictures" not in capsys.readouterr().err
    run = Run(tmp_path / "run")
    assert run.description.classes == NAMES
    assert json.loads((run.folder / "settings.json").read_text())["pictures"] == home.library.find("pets").key
    assert main(["evaluate", str(run.folder)]) == 0
    assert main(["data", "list"]) == 0
    assert "3 classes, 90 pictures, 8×8: kind 0, kind 1, kind 2" in capsys.readouterr().out
    assert main(["data", "add", str(path), "--name", "other", "--size", "8"]) == 0
    assert "already kept as pets" in capsys.readouterr().out
    assert main(["data", "remove", "pets"]) == 0
    assert main(["data", "list"]) == 0
    assert capsys.readouterr().out.endswith(f"no data sets of your own in {home.root}\n")


def test_what_cannot_be_kept_is_refused_kindly(home, tmp_path, capsys):
    assert main(["data", "add", str(folder_zip(tmp_path / "a.zip", 1)), "--name", "pets"]) == 2
    told = capsys.readouterr()
    assert "error: There is only one class, kind 0. The method looks for what tells classes apart" in told.out
    assert told.err == "dasksvd: error: a.zip cannot be kept before this is mended\n"
    assert main(["data", "add", str(tmp_path / "a.zip"), "--name", "<b>"]) == 2
    assert main(["data", "remove", "pets"]) == 2
    assert home.library.listing() == []
