"""A new network and a new encoder, each in at most ten lines, appear everywhere by themselves.

The examples are the text that the document on extending shows.
"""

import numpy as np
import pytest

import dasksvd
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
from tests.ui.harness import home, open_page  # noqa: F401 (a fixture)

NETWORK = """\
@dasksvd.networks.register("random_layer", title="Random hidden layer, least squares")
class RandomLayer(ReluNetwork):  # which answers, and keeps itself in arrays
    def fit(self, X, y, X_val=None, y_val=None):
        X, y = self.check_training(X, y)
        rng, self.scale_ = np.random.default_rng(self.random_state), float(X.std())
        first, targets = rng.standard_normal((X.shape[1], self.hidden)), 10.0 * (y[:, None] == self.classes_)
        second = np.linalg.lstsq(np.maximum(X / self.scale_ @ first, 0), targets)[0]
        self.weights_ = first, np.zeros(self.hidden), second, np.zeros(len(self.classes_))
        return self
"""
ENCODER = """\
@dasksvd.encoders.register("hard", title="Hard threshold")
def hard(signals, atoms, n_nonzero):
    correlations = np.float32(signals @ atoms.T)
    order = np.abs(correlations).argsort(axis=1).argsort(axis=1)  # the largest have the last places
    return np.where(order >= len(atoms) - n_nonzero, correlations, np.float32(0))
"""


@pytest.fixture(autouse=True)
def registered():
    """Both examples, run as they stand and forgotten afterwards."""
    names = {"dasksvd": dasksvd, "np": np}
    exec("import dasksvd.encoders, dasksvd.networks\nfrom dasksvd.networks.base import ReluNetwork", names)
    exec(NETWORK, names)
    exec(ENCODER, names)
    yield
    networks.NETWORKS.unregister("random_layer")
    encoders.ENCODERS.unregister("hard")


@pytest.fixture
def run(tmp_path):
    """A small run that asks for both when it is finished."""
    run = create_run(tmp_path / "run", describe(Settings(t=30, I=2, ksvd_iter=3, seed=3), "digits"))
    write_plan(run, Plan("random_layer", 60, "hard"))
    compute(run)
    return run


@pytest.mark.parametrize("text", [NETWORK, ENCODER])
def test_an_example_has_at_most_ten_lines(text):
    assert len(text.splitlines()) <= 10


def test_a_run_is_evaluated_with_them(run):
    metrics = read_metrics(run)
    assert (metrics.classifier, metrics.encoder, metrics.hidden) == ("random_layer", "hard", 60)
    assert metrics.accuracy > 0.5
    check_sound(run)  # such a run can be exported and imported
    assert evaluate_run(run, Plan("random_layer", 60)).accuracy != metrics.accuracy


def test_the_network_keeps_itself_in_arrays(rng):
    X, y = rng.standard_normal((90, 5)), np.arange(90) % 3
    kind = networks.NETWORKS["random_layer"].value
    model = kind(hidden=30, random_state=1).fit(X, y)
    np.testing.assert_array_equal(kind.from_arrays(model.to_arrays()).predict_proba(X), model.predict_proba(X))


def test_the_encoder_keeps_its_promises(rng):
    signals, atoms = rng.standard_normal((20, 9)), unit_rows(rng.standard_normal((12, 9)))
    codes = encoders.ENCODERS["hard"].value(signals, atoms, 4)
    assert codes.dtype == np.float32
    assert (np.count_nonzero(codes, axis=1) == 4).all()


def test_a_search_takes_the_network(run):
    plan = WeightsPlan(step=1, sizes=(2,), zoomed=(), classifier="random_layer", seeds=2)
    search(run, plan, Engine(n_jobs=1))
    rows = weight_rows(Choices(run.trajectory), weight_scores(run), coarse(1), [2], "random_layer")
    assert all(row.summary.rounds == 2 and row.summary.mean > 0.5 for row in rows)
    SweepPlan({"tau1": (0.3,)}, classifier="random_layer")


def test_the_command_line_takes_both(run, capsys):
    command = ["evaluate", str(run.folder), "--classifier", "random_layer", "--encoder", "hard", "--hidden", "15"]
    assert main(command) == 0
    assert "MLP-20-15-10 (random_layer" in capsys.readouterr().out
    assert (read_metrics(run).hidden, read_metrics(run).encoder) == (15, "hard")
    options = ["--step", "1", "--stage", "1", "--sizes", "2", "--seeds", "1", "--jobs", "1"]
    assert main(["grid", str(run.folder), "--classifier", "random_layer", *options]) == 0
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "random_layer: Random hidden layer, least squares" in shown
    assert "hard: Hard threshold" in shown


def test_the_train_page_offers_both(home):  # noqa: F811
    at = open_page("train")
    assert "Random hidden layer, least squares" in at.selectbox(key="quick_classifier").options
    assert "Hard threshold" in at.selectbox(key="quick_encoder").options
    at.selectbox(key="quick_classifier").set_value("random_layer")
    at.selectbox(key="quick_encoder").set_value("hard").run()
    assert not at.exception
    assert not at.button(key="run_button").disabled


def test_its_time_is_told(run):
    assert cost.run_cost(run.description, "random_layer", speed=cost.MEASURED_ON).network > 0


def test_a_name_that_nobody_registered_is_refused():
    with pytest.raises(ParameterError, match=r"unknown network 'random_lair'; known are .*random_layer"):
        Plan("random_lair")
