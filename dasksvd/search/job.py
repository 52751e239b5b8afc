"""A search as a job: its plan, status and log lie in a folder of the run it belongs to."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dasksvd.common.files import read_json, write_json
from dasksvd.datasets.description import Description
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.runs.folder import Run, Status, cancel_request
from dasksvd.runs.reference import ReferenceRun
from dasksvd.runs.store import Store
from dasksvd.search.plans import SearchPlan, plan_as_dict, plan_from_dict

if TYPE_CHECKING:
    from dasksvd.common.progress import SearchProgress
    from dasksvd.search.engine import Engine

FOLDER = "search"


class Search(Run):
    """The search of a run, with the status, log and lock of a run of its own.

    Parameters
    ----------
    base : Run
        The run whose atoms or settings it starts from.
    """

    def __init__(self, base: Run):
        super().__init__(base.folder / FOLDER)
        self.base = base

    @property
    def id(self) -> str:
        """The run's id with a mark."""
        return f"{self.base.id}/{FOLDER}"

    @property
    def description(self) -> Description:
        """That of the run."""
        return self.base.description

    @property
    def command(self) -> list[str]:
        """Arguments of ``python -m dasksvd`` that go on with it."""
        return ["search", str(self.base.folder)]

    def share(self, status: Status) -> float:
        """How much of it is done by its status, 0 … 1."""
        return min(1.0, status.iteration / status.total) if status.total else 0.0

    @property
    def plan(self) -> SearchPlan:
        """What it is to score, or DamagedFile."""
        try:
            return plan_from_dict(read_json(self.folder / "plan.json"))
        except ParameterError as error:
            raise DamagedFile(f"plan.json: {error}") from error

    def has_plan(self) -> bool:
        """Whether anything was ever searched here."""
        return (self.folder / "plan.json").exists()

    def set_plan(self, plan: SearchPlan) -> None:
        """Write what it is to score."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / "plan.json", plan_as_dict(plan))


def searches(store: Store) -> list[Search]:
    """All searches of a store, that of the shipped run included."""
    bases = [ReferenceRun(store.root), *store]
    return [found for base in bases if (found := Search(base)).has_plan()]


def compute_search(
    job: Search, engine: "Engine | None" = None, on_progress: "Callable[[SearchProgress], None] | None" = None
) -> None:
    """Score what a search's plan still lacks.

    Raises
    ------
    Cancelled
        If a cancel request appears in its folder.
    """
    # Here, because whoever only looks at the queue needs neither compiler nor solver.
    from dasksvd.errors import Cancelled
    from dasksvd.runs.worker import at_work
    from dasksvd.search.engine import search

    with at_work(job) as reporter:

        def report(progress: "SearchProgress") -> None:
            reporter.count(progress.done, progress.total, progress.seconds_left)
            if on_progress is not None:
                on_progress(progress)
            if cancel_request(job).exists():
                raise Cancelled

        search(job.base, job.plan, engine, report)


def find_base(folder: Path) -> Run:
    """The run of a folder, which may be the shipped one's."""
    shipped = ReferenceRun(folder.parent)
    return shipped if folder.name == shipped.folder.name else Run(folder)
