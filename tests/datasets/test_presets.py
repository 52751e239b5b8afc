"""Presets fit whatever data there are."""

from dataclasses import replace

import pytest

from dasksvd.__main__ import main
from dasksvd.datasets import DATASETS
from dasksvd.datasets.parts import describe, preset, shape_of
from dasksvd.evaluate import Plan
from dasksvd.parameters import PRESETS
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run


@pytest.mark.parametrize("data", DATASETS)
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_fits_every_data_set(name, data):
    settings = preset(name, data)
    assert describe(settings, data).settings == settings
    assert settings == replace(PRESETS[name], t=settings.t)
    assert settings.t <= PRESETS[name].t
    if data == "mnist":
        assert settings == PRESETS[name]


def test_a_preset_leaves_a_choice_to_the_odds():
    _, sizes = shape_of("digits")
    assert 0 < preset("paper", "digits").t <= min(sizes) / 2


def test_quick_runs_on_small_digits_and_says_what_it_changed(tmp_path, capsys):
    assert main(["train", "--preset", "quick", "--data", "digits", "--out", str(tmp_path / "run")]) == 0
    assert "t = 58, to suit these pictures" in capsys.readouterr().err
    run = Run(tmp_path / "run")
    assert run.trajectory.reselect(0, 0).atoms.shape == (100, 64)
    assert run.description.settings == preset("quick", "digits")
    assert evaluate_run(run, Plan()).accuracy > 0.85


def test_a_t_of_ones_own_is_not_changed(tmp_path, capsys):
    arguments = ["--preset", "quick", "--data", "digits", "--t", "150", "--out", str(tmp_path / "run")]
    assert main(["train", *arguments]) == 2
    assert "t must be at most the smallest class, got t = 150, class 8 has 117" in capsys.readouterr().err
