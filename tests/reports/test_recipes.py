"""The commands, the Python and the notebook of a result give that result: they are run, and compared with it."""

import json
import shlex
import shutil
from dataclasses import replace

import numpy as np
import pytest

from dasksvd.commands import build_parser
from dasksvd.common.files import read_json
from dasksvd.datasets.parts import describe, preset
from dasksvd.encoders import ENCODERS
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import PARAMETERS, PRESETS, TABLE, Settings
from dasksvd.reports.notebook import notebook
from dasksvd.reports.recipes import Origin, called, plan_of, run_recipe, train_commands
from dasksvd.reports.scores import run_row
from dasksvd.reports.tables import as_csv, measure_rows
from dasksvd.reports.views import drawing_recipe, measures_recipe, search_recipe
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.folder import Run, create_run
from dasksvd.runs.reference import SHIPPED, ReferenceRun
from dasksvd.runs.worker import compute
from dasksvd.search.engine import Engine, search
from dasksvd.search.outcomes import outcomes
from dasksvd.search.plans import SweepPlan, WeightsPlan
from dasksvd.search.space import Span
from dasksvd.search.study import findings
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.sweep import sweep_scores
from dasksvd.search.weights import weight_scores
from tests.reports.running import as_script, in_shell

SMALL = Settings(t=30, I=2, ksvd_iter=2, seed=3, alpha=0.5, tau2=0.2)
PLAN = Plan("fixed", encoder="soft", level=0.3)

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="the commands are for a POSIX shell")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of the tests' own, evaluated, with its recipe."""
    run = create_run(tmp_path_factory.mktemp("made") / "run", describe(SMALL, "digits"))
    compute(run)
    evaluate_run(run, PLAN)
    return run, Origin(run.description, run.id, "a Small & <odd> name; rm -rf /")


def same_run(folder, run):
    other = Run(folder)
    assert np.array_equal(other.atoms, run.atoms)
    ours, theirs = (read_json(one.folder / "metrics.json") for one in (other, run))
    assert {**ours, "seconds": 0} == {**theirs, "seconds": 0}


def test_commands_and_python_of_a_run_give_the_same_run(made, tmp_path):
    run, origin = made
    recipe = run_recipe(origin, PLAN)
    assert origin.folder == "runs/a-small-odd-name-rm-rf"
    for way, text in ((in_shell, recipe.shell), (as_script, recipe.python)):
        folder = tmp_path / way.__name__
        folder.mkdir()
        printed = way(text, folder)
        same_run(folder / origin.folder, run)
    accuracy = 100 * read_json(run.folder / "metrics.json")["accuracy"]
    assert printed.startswith(f"{accuracy:.2f} % of ")


def test_a_notebook_has_the_cells_of_the_script_and_ids_of_their_own(made):
    recipe = run_recipe(made[1], PLAN)
    written = json.loads(notebook(recipe))
    assert (written["nbformat"], written["nbformat_minor"]) == (4, 5)
    code = ["".join(cell["source"]) for cell in written["cells"] if cell["cell_type"] == "code"]
    assert code == list(recipe.cells)
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in written["cells"][1:])
    ids = [cell["id"] for cell in written["cells"]]
    assert len({*ids}) == len(ids)
    assert all(1 <= len(one) <= 64 for one in ids)
    assert notebook(recipe) == notebook(recipe)


@pytest.mark.parametrize("data", ["mnist", "digits", "fashion_mnist"])
@pytest.mark.parametrize("name", [*PRESETS])
def test_a_preset_needs_no_option_but_its_name_and_its_data(name, data):
    (command,) = train_commands(Origin(describe(preset(name, data), data), name="x"))
    words = command.split()[3:]
    expected = ["train", *([] if name == "paper" else ["--preset", name])]
    assert words == [*expected, *([] if data == "mnist" else ["--data", data]), "--out", "runs/x"]


#: For every parameter that users set a value that is not its default.
OTHER = {
    "q": 7,
    "t": 60,
    "tau1": 0.25,
    "tau2": 0.05,
    "I": 3,
    "alpha": 0.1,
    "beta": 0.3,
    "ranking": "worst",
    "r_f": 0.5,
    "ksvd_iter": 4,
    "noise": "variance",
    "re_sign": "code",
    "exact": True,
    "seed": 9,
    "fine_tune": 2,
}


def test_every_parameter_gets_from_the_settings_into_the_command_and_back():
    assert set(OTHER) == set(PARAMETERS)
    for changed in (*({name: value} for name, value in OTHER.items()), OTHER, {"q": 1.0}, {"q": 1}):
        settings = replace(Settings(), **changed)
        (command,) = train_commands(Origin(describe(replace(settings, t=max(settings.t, 60)), "mnist")))
        options = build_parser().parse_args(shlex.split(command)[3:])
        given = {name: value for name in PARAMETERS if (value := getattr(options, name)) is not None}
        assert replace(PRESETS[options.preset], **given) == settings
        assert type(replace(PRESETS[options.preset], **given).q) is type(settings.q)
        assert eval(called(settings)) == settings


def test_only_what_differs_from_a_default_is_written_down():
    assert called(Settings(t=150)) == "Settings(t=150)"
    assert called(Plan()) == "Plan()"
    recipe = run_recipe(Origin(describe(Settings(), "mnist")), Plan())
    assert recipe.commands == (
        "python -m dasksvd train --out runs/mine",
        "python -m dasksvd evaluate runs/mine",
    )


@pytest.mark.parametrize("plan", [Plan(), Plan("scg", 30), Plan("fixed", 0, "soft", 0.2), Plan(encoder="soft")])
def test_the_plan_of_an_evaluation_is_found_again_in_what_it_left(plan, made):
    run, _ = made
    metrics = replace(
        evaluate_run(run, PLAN),
        classifier=plan.classifier,
        hidden=plan.hidden or 20,
        encoder=plan.encoder,
        level=plan.level or (0.3 if plan.encoder == "soft" else 0.0),
        tried=[] if plan.level or plan.encoder != "soft" else [[0.3, 0.1, 0.9]],
    )
    assert plan_of(metrics) == plan
    assert set(NETWORKS) >= {plan.classifier}
    assert plan.encoder in ENCODERS


def test_a_search_over_the_weights_gives_the_same_scores_from_shell_and_python(made, tmp_path):
    plan = WeightsPlan(step=2, sizes=(1, 2), zoomed=(), seeds=1)
    search(made[0], plan, Engine(n_jobs=1))
    expected = {key: one.accuracies for key, one in weight_scores(made[0]).entries.items()}
    both_ways(made, search_recipe(made[1], plan), tmp_path, weight_scores, expected)


def test_a_sweep_gives_the_same_scores_from_shell_and_python(made, tmp_path):
    plan = SweepPlan({"q": (0.15, 0.3)}, alpha=0.25, seeds=1)
    search(made[0], plan, Engine(n_jobs=1))
    expected = {key: one.accuracies for key, one in sweep_scores(made[0]).entries.items()}
    both_ways(made, search_recipe(made[1], plan), tmp_path, sweep_scores, expected)


def test_a_study_gives_the_same_scores_from_shell_python_and_notebook(made, tmp_path):
    plan = StudyPlan({"I": (1, 2), "alpha": Span(0.0, 0.5)}, "sobol", points=3, seeds=2)
    search(made[0], plan, Engine(n_jobs=1))
    expected = {key: one.accuracy for key, one in findings(made[0]).read().items()}
    recipe = search_recipe(made[1], plan)
    cells = [cell for cell in json.loads(notebook(recipe))["cells"] if cell["cell_type"] == "code"]
    as_notebook = "\n".join("".join(cell["source"]) for cell in cells)
    for number, (way, text) in enumerate(
        ((in_shell, recipe.shell), (as_script, recipe.python), (as_script, as_notebook))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        printed = way(text, folder)
        found = findings(Run(folder / made[1].folder)).read()
        assert {key: one.accuracy for key, one in found.items()} == expected
        assert all(str(one.summary) in printed for one in outcomes(made[0], plan))


def both_ways(made, recipe, tmp_path, scores, expected):
    for way, text in ((in_shell, recipe.shell), (as_script, recipe.python)):
        folder = tmp_path / way.__name__
        folder.mkdir()
        way(text, folder)
        found = scores(Run(folder / made[1].folder))
        assert {key: one.accuracies for key, one in found.entries.items()} == expected


@pytest.mark.parametrize(
    "plan",
    [
        WeightsPlan(step=4, fine_step=50, sizes=(2, 8), zoomed=(2, 8), seeds=2, papers_regions=True, classifier="scg"),
        WeightsPlan(sizes=(5, 10, 15, 20), zoomed=(20,), ranking="mdcs", encoder="soft", level=0.1),
        SweepPlan({"q": (0.1, 0.25), "t": (100, 500)}, beta=1 / 3, seeds=4, encoder="threshold"),
    ],
)
def test_the_command_of_a_search_is_understood_as_its_plan(plan, monkeypatch, tmp_path):
    started = []
    monkeypatch.setenv("DASKSVD_HOME", str(tmp_path))
    monkeypatch.setattr("dasksvd.commands.searches.start", lambda search, plan, options: started.append(plan))
    shipped = ReferenceRun(tmp_path)
    recipe = search_recipe(Origin(shipped.description, "reference"), plan)
    options = build_parser().parse_args(shlex.split(recipe.commands[-1])[3:])
    monkeypatch.setattr("dasksvd.commands.searches.weight_rows", lambda *_: [])
    monkeypatch.setattr("dasksvd.commands.searches.best_regions", lambda *_: [])
    options.command(options)
    assert started == [plan]
    assert eval(called(plan)) == plan


def test_the_measures_of_an_iteration_are_printed_both_ways(made, tmp_path):
    run, origin = made
    recipe = measures_recipe(origin, 2, 0.5, 0.25, 2, "combined")
    table = as_csv(measure_rows(run.trajectory, 2, alpha=0.5, beta=0.25))
    assert in_shell(recipe.shell, tmp_path) == table
    shutil.rmtree(tmp_path / "runs")
    assert as_script(recipe.python, tmp_path) == f"{table}{run.trajectory.reselect(0.5, 0.25).atoms.shape}\n"


def test_the_measures_of_the_shipped_run_need_no_training(tmp_path):
    shipped = ReferenceRun(tmp_path)
    recipe = measures_recipe(Origin(shipped.description, "reference"), 20, 0.0, 0.0, 20, "combined")
    assert recipe.commands == ("python -m dasksvd measures reference --iteration 20",)
    assert recipe.notes == ()
    table = as_csv(measure_rows(shipped.trajectory, 20, alpha=0, beta=0))
    assert as_script(recipe.python, tmp_path) == f"{table}(200, 256)\n"
    marked = [row for row in measure_rows(shipped.trajectory, 20, alpha=0, beta=0) if row["selected"]]
    chosen = shipped.trajectory.reselect(0, 0).index[-1]
    assert sorted(row["atom"] for row in marked) == sorted(chosen.tolist())


@pytest.mark.parametrize("run_id", SHIPPED)
def test_every_shipped_run_is_called_by_its_id_and_learned_by_nobody(run_id, tmp_path):
    shipped = ReferenceRun(tmp_path, run_id)
    recipe = measures_recipe(Origin(shipped.description, run_id), 1, 0.0, 0.0, 1, "combined")
    assert recipe.commands == (f"python -m dasksvd measures {run_id} --iteration 1",)
    cells = dict.fromkeys(recipe.cells[:2])  # the imports, and what makes the run
    place = {}
    exec("\n".join(cells), place)
    assert (place["run"].id, place["run"].description) == (run_id, shipped.description)
    assert (run_row(shipped)["run"], run_row(shipped)["name"]) == (run_id, SHIPPED[run_id].name)
    assert 0.5 < run_row(shipped)["accuracy"] < 1


@pytest.mark.parametrize("keeps", [False, True])
def test_a_drawing_is_read_as_on_the_page_by_the_same_reader(tmp_path, keeps):
    from dasksvd.digit import from_strokes
    from dasksvd.digit.reader import load_default_model

    strokes = [[[60, 60], [220.5, 60]], [[220.5, 60], [120, 230]]]
    reader = load_default_model() if keeps else load_default_model().trained_for(12)
    read = reader.restricted(12, 15).explain(from_strokes(strokes, 280))
    recipe = drawing_recipe({"strokes": strokes, "size": 280}, "default", 12, 15, keeps)
    printed = as_script(recipe.python, tmp_path).splitlines()
    assert printed[:10] == [f"{digit} {100 * share:.2f} %" for digit, share in enumerate(read.probabilities)]
    assert in_shell(recipe.shell, tmp_path) == f"{read.probabilities.argmax()}\n"


def test_older_runs_say_what_the_commands_cannot_do():
    older = replace(describe(SMALL, "digits"), held_out=0, n_signals=1797, settings=replace(SMALL, streams=1))
    said = " ".join(run_recipe(Origin(older, "x"), None).notes)
    assert "random numbers of an older version" in said
    assert "held no images out" in said
    assert TABLE["streams"].default == 2
