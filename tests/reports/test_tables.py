"""Tables for other programs say what the runs say, line by line."""

import csv
import io
from types import SimpleNamespace

import pytest

from dasksvd.__main__ import main
from dasksvd.datasets.parts import describe
from dasksvd.errors import ParameterError, StoreError
from dasksvd.evaluate import Plan
from dasksvd.parameters import PARAMETERS, Settings
from dasksvd.reports import tables, tracking
from dasksvd.reports.scores import run_row, run_rows, score_rows
from dasksvd.reports.tables import as_csv, as_file, as_parquet
from dasksvd.reports.tracking import connect, log_runs
from dasksvd.runs.evaluation import evaluate_run, read_metrics
from dasksvd.runs.folder import create_run
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.worker import compute
from dasksvd.search.engine import Engine, search
from dasksvd.search.job import Search
from dasksvd.search.plans import SweepPlan, WeightsPlan
from dasksvd.search.study import findings
from dasksvd.search.study_plan import StudyPlan
from dasksvd.search.weights import weight_scores

PLANS = (
    WeightsPlan(step=2, sizes=(2,), zoomed=(), seeds=2),
    SweepPlan({"q": (0.2, 0.3)}, seeds=2),
    StudyPlan({"I": (1, 2), "encoder": ("omp", "threshold")}, seeds=2),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    run = create_run(tmp_path_factory.mktemp("tables") / "run", describe(Settings(t=30, I=2, ksvd_iter=2), "digits"))
    compute(run)
    evaluate_run(run, Plan("fixed"))
    for plan in PLANS:
        Search(run).set_plan(plan)
        search(run, plan, Engine(n_jobs=1))
    return run


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_run_has_its_settings_and_its_accuracy_as_numbers(run):
    (row,) = read(as_csv(run_rows([run])))
    for name in PARAMETERS:
        assert row[name] == str(getattr(run.description.settings, name))
    metrics = read_metrics(run)
    assert float(row["accuracy"]) == metrics.accuracy
    assert 0 < float(row["half_width"]) < 0.1
    assert int(row["weights"]) == metrics.weights
    assert int(row["multiply_adds"]) == 64 * 20 + 10 * 20 + 30 + 20 * (20 + 10)  # correlations, pursuit, network


def test_every_network_of_every_search_has_a_line(run):
    rows = score_rows(run)
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in ("weights", "sweep", "study")}
    assert {kind: len(found) for kind, found in kinds.items()} == {"weights": 12, "sweep": 4, "study": 8}
    stored = [share for entry in weight_scores(run).entries.values() for share in entry.accuracies.values()]
    assert {row["accuracy"] for row in kinds["weights"]} == set(stored)
    found = [one.accuracy for one in findings(run).read().values()]
    assert sorted(row["accuracy"] for row in kinds["study"]) == sorted(found)
    assert {row["encoder"] for row in kinds["study"]} == {"omp", "threshold"}


def test_parquet_and_csv_hold_the_same(run):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [*run_rows([run]), {"run": "other", "q": 7}]
    table = parquet.read_table(io.BytesIO(as_parquet(rows))).to_pylist()
    assert [row["q"] for row in table] == [0.2, 7.0]
    assert table[1]["accuracy"] is None
    assert table[0]["accuracy"] == rows[0]["accuracy"]
    assert list(table[0]) == list(read(as_csv(rows))[0])


def test_without_pyarrow_csv_works_and_parquet_says_what_to_install(monkeypatch):
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    assert as_file([{"a": 1}], "x.csv") == b"a\n1\n"
    with pytest.raises(ParameterError, match="pip install pyarrow"):
        as_file([{"a": 1}], "x.parquet")
    with pytest.raises(ParameterError, match=r"ends in \.csv or \.parquet"):
        as_file([{"a": 1}], "x.xlsx")


def test_a_name_cannot_become_a_formula_of_a_spreadsheet():
    assert as_csv([{"name": "=1+1"}, {"name": "-x"}, {"name": -1}]) == "name\n'=1+1\n'-x\n-1\n"


def test_a_damaged_run_has_a_line_that_says_so(run, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "settings.json").write_text("{")
    rows = run_rows([type(run)(tmp_path / "broken"), run])
    assert "not valid JSON" in rows[0]["problem"]
    assert rows[1]["run"] == "run"


def test_the_command_writes_runs_and_scores(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DASKSVD_HOME", str(run.folder.parent))
    assert main(["table", "--out", str(tmp_path / "runs.csv")]) == 0
    assert len(read((tmp_path / "runs.csv").read_text())) == 1
    assert main(["table", str(run.folder), "--scores", "--out", str(tmp_path / "scores.csv")]) == 0
    assert len(read((tmp_path / "scores.csv").read_text())) == 24
    assert "24 lines" in capsys.readouterr().out
    assert main(["table", "--out", str(tmp_path / "x.doc")]) == 2


class Client:
    """What MLflow's client was told."""

    def __init__(self):
        self.runs, self.experiments, self.files = {}, {}, []

    def get_experiment_by_name(self, name):
        return SimpleNamespace(experiment_id=self.experiments[name]) if name in self.experiments else None

    def create_experiment(self, name):
        return self.experiments.setdefault(name, "7")

    def search_runs(self, places, filter_string, max_results):
        assert places == ["7"]
        return [one for one in self.runs.values() if filter_string == f"tags.`dasksvd.run` = '{one['tag']}'"]

    def create_run(self, place, tags, run_name):
        name = f"r{len(self.runs)}"
        self.runs[name] = {"tag": tags["dasksvd.run"], "name": run_name, "params": {}, "metrics": [], "state": ""}
        return SimpleNamespace(info=SimpleNamespace(run_id=name))

    def log_param(self, run, name, value):
        assert name not in self.runs[run]["params"]
        self.runs[run]["params"][name] = value

    def log_metric(self, run, name, value, step=0):
        assert isinstance(value, float)
        self.runs[run]["metrics"].append((name, value, step))

    def log_artifact(self, run, path):
        with open(path, encoding="utf-8") as file:
            self.files.append(file.read())

    def set_terminated(self, run, status="FINISHED"):
        self.runs[run]["state"] = status


def test_mlflow_gets_settings_numbers_errors_and_a_report_once(run, tmp_path):
    client = Client()
    assert log_runs(client, [run, ReferenceRun(tmp_path)], "mine") == ["r0", "r1"]
    logged = client.runs["r0"]
    assert logged["params"]["tau2"] == 0.1
    assert logged["state"] == "FINISHED"
    metrics = {name: value for name, value, _ in logged["metrics"]}
    assert metrics["accuracy"] == run_row(run)["accuracy"]
    errors = [(step, value) for name, value, step in logged["metrics"] if name == "ksvd_error"]
    assert errors == [(l, float(record.errors[-1])) for l, record in enumerate(run.trajectory.records, 1)]
    assert 'id="dasksvd-report"' in client.files[0]
    assert log_runs(client, [run], "mine") == []


def test_a_run_whose_logging_breaks_is_marked_as_failed(run, monkeypatch):
    client = Client()

    def breaks(*_):
        raise OSError

    monkeypatch.setattr(client, "log_artifact", breaks)
    with pytest.raises(OSError):  # noqa: PT011
        log_runs(client, [run])
    assert client.runs["r0"]["state"] == "FAILED"


def test_errors_of_mlflow_are_one_plain_line_and_others_stay(monkeypatch):
    refusal = type("MlflowException", (Exception,), {"__module__": "mlflow.exceptions"})
    with pytest.raises(StoreError, match=r"^MLflow refuses: no database$"), tracking.plain_errors():
        raise refusal("no database\n  at line 3")
    with pytest.raises(ZeroDivisionError), tracking.plain_errors():
        raise ZeroDivisionError
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert tracking.address() == "sqlite:///mlflow.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://there")
    assert (tracking.address(), tracking.address("sqlite:///x")) == ("http://there", "sqlite:///x")


def test_without_mlflow_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(tracking, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match=r"dasksvd\[mlflow\]"):
        connect()
    assert main(["mlflow", "reference"]) == 2
    assert "pip install" in capsys.readouterr().err
