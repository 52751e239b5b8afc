"""Runs for MLflow: settings as parameters, accuracy and errors as metrics, a report as an artifact.

MLflow is an optional extra; nothing here imports it before somebody asks for it.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dasksvd.errors import ParameterError, StoreError
from dasksvd.reports.report import report
from dasksvd.reports.scores import AnyRun, run_row

MLFLOW = "mlflow"
EXPERIMENT = "DAS-KSVD"
#: MLflow's file of its own; folders of files, which it kept before, it refuses by now.
ADDRESS = "sqlite:///mlflow.db"
#: The tag by which a run that was logged before is known.
TAG = "dasksvd.run"
#: What of a run's row is measured; the rest are parameters.
MEASURED = ("accuracy", "half_width", "nonzeros", "weights", "multiply_adds", "seconds", "epochs", "n_scored")


def connect(uri: str = "") -> Any:
    """A client of MLflow, or ParameterError with what to install; without an address that of :data:`ADDRESS`."""
    if find_spec(MLFLOW) is None:
        raise ParameterError('logging to MLflow needs mlflow: pip install "dasksvd[mlflow]"')
    with plain_errors():
        return import_module(MLFLOW).MlflowClient(tracking_uri=address(uri))


def address(uri: str = "") -> str:
    """Where MLflow keeps its runs: as it is asked for, as its own variable says, or in a file of this folder."""
    return uri or os.environ.get("MLFLOW_TRACKING_URI") or ADDRESS


@contextmanager
def plain_errors() -> Iterator[None]:
    """MLflow's own errors become one line for people."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(MLFLOW):
            raise
        line = next(iter(str(error).splitlines()), "")
        raise StoreError(f"MLflow refuses: {line[:300]}") from error


def log_runs(client: Any, runs: Iterable[AnyRun], experiment: str = EXPERIMENT) -> list[str]:
    """Log runs that are not there yet; the ids that MLflow has given to them.

    Parameters
    ----------
    client : mlflow.MlflowClient
    runs : iterable of Run or ReferenceRun
    experiment : str
    """
    known = client.get_experiment_by_name(experiment)
    place = known.experiment_id if known else client.create_experiment(experiment)
    return [_log(client, place, run) for run in runs if not _is_logged(client, place, run)]


def _is_logged(client: Any, place: str, run: AnyRun) -> bool:
    return bool(client.search_runs([place], filter_string=f"tags.`{TAG}` = '{run.id}'", max_results=1))


def _log(client: Any, place: str, run: AnyRun) -> str:
    row = run_row(run)
    logged = client.create_run(place, tags={TAG: run.id}, run_name=row["name"] or run.id).info.run_id
    try:
        for name, value in row.items():
            if name in MEASURED:
                client.log_metric(logged, name, float(value))
            else:
                client.log_param(logged, name, value)
        for iteration, record in enumerate(run.trajectory.records, 1):
            client.log_metric(logged, "ksvd_error", float(record.errors[-1]), step=iteration)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.html"
            path.write_text(report([run]), encoding="utf-8")
            client.log_artifact(logged, str(path))
    except BaseException:
        client.set_terminated(logged, "FAILED")
        raise
    client.set_terminated(logged)
    return str(logged)
