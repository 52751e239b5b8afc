"""The network and the encoder of docs/EXTENDING.md appear everywhere by themselves."""

import numpy as np
import pytest

from dasksvd import ParameterError, Settings, cost, encoders, networks
from dasksvd.__main__ import main
from dasksvd.evaluate import Plan
from dasksvd.runs.evaluation import evaluate_run, read_metrics, write_plan
from dasksvd.runs.folder import create_run
from dasksvd.runs.soundness import check_sound
from dasksvd.runs.worker import compute, describe
from dasksvd.search.engine import Engine, search
from dasksvd.search.lattice import coarse
from dasksvd.search.plans import SweepPlan, WeightsPlan
from dasksvd.search.weights import Choices, weight_rows, weight_scores
from tests.conftest import unit_rows
from tests.examples import registered
from tests.ui.harness import home, open_page  # noqa: F401 (a fixture)


@pytest.fixture(autouse=True)
def both():
    """The document's network and encoder, registered while a test runs."""
    with registered("A network", "An encoder"):
        yield


@pytest.fixture
def run(tmp_path):
    """A small run that asks for both when it is finished."""
    run = create_run(tmp_path / "run", describe(Settings(t=30, I=2, ksvd_iter=3, seed=3), "digits"))
    write_plan(run, Plan("decayed", 60, "largest"))
    compute(run)
    return run


def test_a_run_is_evaluated_with_them(run):
    metrics = read_metrics(run)
    assert (metrics.classifier, metrics.encoder, metrics.hidden) == ("decayed", "largest", 60)
    assert metrics.accuracy > 0.5
    check_sound(run)  # such a run can be exported and imported
    assert evaluate_run(run, Plan("decayed", 60)).accuracy != metrics.accuracy


def test_the_network_keeps_itself_in_arrays(rng):
    X, y = rng.standard_normal((90, 5)), np.arange(90) % 3
    kind = networks.NETWORKS["decayed"].value
    model = kind(hidden=30, random_state=1).fit(X, y)
    np.testing.assert_array_equal(kind.from_arrays(model.to_arrays()).predict_proba(X), model.predict_proba(X))


def test_the_encoder_keeps_its_promises(rng):
    signals, atoms = rng.standard_normal((20, 9)), unit_rows(rng.standard_normal((12, 9)))
    codes = encoders.ENCODERS["largest"].value(signals, atoms, 4)
    assert codes.dtype == np.float32
    assert (np.count_nonzero(codes, axis=1) == 4).all()


def test_a_search_takes_the_network(run):
    plan = WeightsPlan(step=1, sizes=(2,), zoomed=(), classifier="decayed", seeds=2)
    search(run, plan, Engine(n_jobs=1))
    rows = weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "decayed")
    assert all(row.summary.rounds == 2 and row.summary.mean > 0.5 for row in rows)
    SweepPlan({"tau1": (0.3,)}, classifier="decayed")


def test_the_command_line_takes_both(run, capsys):
    command = ["evaluate", str(run.folder), "--classifier", "decayed", "--encoder", "largest", "--hidden", "15"]
    assert main(command) == 0
    assert "MLP-20-15-10 (decayed" in capsys.readouterr().out
    assert (read_metrics(run).hidden, read_metrics(run).encoder) == (15, "largest")
    options = ["--step", "1", "--stage", "1", "--sizes", "2", "--seeds", "1", "--jobs", "1"]
    assert main(["grid", str(run.folder), "--classifier", "decayed", *options]) == 0
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "decayed: ReLU, Adam, more weight decay" in shown
    assert "largest: Largest correlations" in shown


def test_the_train_page_offers_both(home):  # noqa: F811
    at = open_page("train")
    assert "ReLU, Adam, more weight decay" in at.selectbox(key="quick_classifier").options
    assert "Largest correlations" in at.selectbox(key="quick_encoder").options
    at.selectbox(key="quick_classifier").set_value("decayed")
    at.selectbox(key="quick_encoder").set_value("largest").run()
    assert not at.exception
    assert not at.button(key="run_button").disabled


def test_its_time_is_told(run):
    assert cost.run_cost(run.description, "decayed", speed=cost.MEASURED_ON).network > 0


def test_a_name_that_nobody_registered_is_refused():
    with pytest.raises(ParameterError, match=r"unknown network 'decade'; known are .*decayed"):
        Plan("decade")


def test_the_search_page_offers_the_network(home):  # noqa: F811
    at = open_page("grid_search")
    assert any(title.startswith("ReLU, Adam, more weight decay") for title in at.selectbox(key="network").options)
