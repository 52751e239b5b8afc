"""Each example of docs/EXTENDING.md is at most ten lines, and what it adds appears everywhere by itself.

The document is the only place where the examples stand: the tests run its very text.
"""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from dasksvd import datasets
from dasksvd.__main__ import main
from dasksvd.common.plugins import PLUGINS
from dasksvd.datasets.parts import describe, preset
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.folder import Run
from dasksvd.runs.jobs import Jobs
from dasksvd.search.sweep import sweep_scores
from dasksvd.search.weights import weight_scores
from tests.examples import EXAMPLES, REGISTRIES, python_blocks, registered
from tests.ui.harness import PAGES, address, home, open_page  # noqa: F401

ROOT = Path(__file__).parents[1]


@pytest.fixture
def example():
    """A function that runs the example under a heading; what it registered is forgotten afterwards."""
    with ExitStack() as stack:
        yield lambda heading: stack.enter_context(registered(heading))


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Save the example under a heading as a module that the environment names."""

    def save(heading):
        (tmp_path / "my_example.py").write_text(EXAMPLES[heading], encoding="utf-8")
        paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
        monkeypatch.setenv(PLUGINS, "my_example")

    return save


def dasksvd_command(*arguments):
    """The command line in a process of its own, which knows nothing of what was registered here."""
    command = [sys.executable, "-m", "dasksvd", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


# Every example


@pytest.mark.parametrize("heading", EXAMPLES)
def test_an_example_has_at_most_ten_lines_and_registers_something(heading, example):
    assert len([line for line in EXAMPLES[heading].splitlines() if line.strip()]) <= 10
    before = sum(map(len, REGISTRIES))
    example(heading)
    assert sum(map(len, REGISTRIES)) == before + 1


def test_blocks_are_found_under_their_headings():
    text = "# All\n```sh\nls\n```\n## One\nWords.\n```python\na = 1\n\nb = 2\n```\n```python\nc = 3\n```\n"
    assert python_blocks(text) == {"One": "a = 1\n\nb = 2\n", "One 2": "c = 3\n"}


# A data set

TOY = "A data set"
SMALL = ["--preset", "quick", "--data", "toy", "--I", "2", "--ksvd_iter", "5"]
CORNERS = ["--stage", "1", "--step", "1", "--sizes", "2", "--seeds", "1", "--jobs", "1"]


def test_a_new_data_set_goes_from_training_over_evaluation_to_a_search(example, tmp_path, capsys):
    example(TOY)
    folder = tmp_path / "run"
    assert main(["train", *SMALL, "--out", str(folder)]) == 0
    run = Run(folder)
    assert run.description.classes == ["first", "second", "third", "last"]
    assert (run.description.n_signals, run.description.held_out) == (192, 48)  # a fifth of every class
    assert run.trajectory.reselect(0, 0).atoms.shape == (8, 16)
    assert main(["evaluate", str(folder)]) == 0
    assert "% of 48 held-out images are read right" in capsys.readouterr().out
    assert main(["grid", str(folder), *CORNERS]) == 0
    # A bright row is easily told from another: the signals still have their labels.
    accuracies = [entry.accuracies[0] for entry in weight_scores(run).entries.values()]
    assert min(accuracies) > 0.9


def test_a_new_data_set_is_offered_and_fitted_on_the_train_page(example, home):  # noqa: F811
    assert "Bright rows, 4 × 4" not in open_page("train").selectbox(key="data").options
    example(TOY)
    at = open_page("train")
    assert at.selectbox(key="data").options[-1] == "Bright rows, 4 × 4"
    at.selectbox(key="data").set_value("toy").run()
    assert not at.exception
    assert not at.warning
    assert not at.button(key="run_button").disabled
    assert at.number_input(key="quick_t_toy").value == preset("quick", "toy").t == 24


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [(lambda: 1 / 0, "raised ZeroDivisionError: division by zero"), (list, "must be a DataSet")],
)
def test_a_data_set_that_cannot_be_read_says_why_on_the_train_page(home, wrong, reason):  # noqa: F811
    datasets.register("wrong", title="Wrong")(wrong)
    try:
        at = open_page("train")
        at.selectbox(key="data").set_value("wrong").run()
        assert not at.exception
        assert reason in at.warning[0].value
        assert at.button(key="run_button").disabled
    finally:
        datasets.DATASETS.unregister("wrong")


def test_the_dashboard_imports_the_modules_that_the_environment_names(plugin, example, home, tmp_path, monkeypatch):  # noqa: F811
    plugin(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    with registered():
        assert open_page("train").selectbox(key="data").options[-1] == "Bright rows, 4 × 4"
    del sys.modules["my_example"]


def test_every_page_shows_a_run_on_a_new_data_set(example, home):  # noqa: F811
    example(TOY)
    run = home.create(describe(preset("quick", "toy"), "toy"), "toy")
    main(["resume", str(run.folder)])
    main(["evaluate", str(run.folder)])
    at = open_page()
    at.selectbox(key="run").set_value(run.id).run()
    for page in PAGES:
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception, page
        assert address(at)["run"] == run.id


def test_other_processes_import_the_modules_that_the_environment_names(plugin, example, tmp_path, monkeypatch):
    """Oracle: the same run in this process."""
    before = dasksvd_command("train", *SMALL, "--out", tmp_path / "run")
    assert before.returncode == 2
    assert before.stderr == "dasksvd: error: unknown data set 'toy'; known are mnist, fashion_mnist, digits\n"
    plugin(TOY)
    done = dasksvd_command("train", *SMALL, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    example(TOY)
    monkeypatch.delenv(PLUGINS)
    assert main(["train", *SMALL, "--out", str(tmp_path / "here")]) == 0
    files = [(tmp_path / name / "iteration_002.npz").read_bytes() for name in ("run", "here")]
    assert files[0] == files[1]


def test_a_queued_run_and_the_processes_of_a_search_know_the_new_data_set(plugin, example, home):  # noqa: F811
    plugin(TOY)
    example(TOY)
    jobs = Jobs(home)
    run = jobs.submit(describe(preset("quick", "toy"), "toy"), "toy", owner="", plan=Plan(hidden=5))
    for child in jobs._children:
        child.wait(timeout=120)
    assert jobs.job(run).state == "finished", jobs.job(run).log
    assert read_metrics(run).n_scored == 48
    done = dasksvd_command("sweep", run.folder, "--vary", "tau1=0.25,0.75", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert [entry.problem for entry in sweep_scores(run).entries.values()] == ["", ""]
