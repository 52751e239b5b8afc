"""How fast the Runs page is with 1,000 runs: ``python -m benchmarks.exploring`` prints and keeps it as JSON.

The runs are synthetic: true descriptions and metrics of invented numbers, and no atoms.  A page's time is that of its
script on a real server, from the message of a browser to the end of the answer, the best of several.  What is *seen* is
timed in a real Chromium, with drawing, from the click or key to the table; medians of several.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import exploring_seen
from benchmarks.server import dashboard
from benchmarks.visitor import Visitor
from dasksvd.common.files import write_json
from dasksvd.datasets.parts import describe
from dasksvd.evaluate import Metrics
from dasksvd.parameters import QUICK
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store

N_RUNS, REPEATS = 1000, 7
#: What we want, in seconds.
WANTED = {"listing": 0.15, "page": 0.3, "filter": 0.3, "brush": 0.3}
WANTED |= {"seen_table": 0.3, "seen_filter": 0.3, "seen_brush": 0.3}
RESULTS = Path(__file__).with_suffix(".json")
PAGE = "runs"


def fill(store: Store, count: int = N_RUNS) -> None:
    """Make runs whose accuracies follow from their settings, and noise."""
    rng = np.random.default_rng(0)
    for number in range(count):
        q, t = float(rng.choice([0.1, 0.2, 0.3, 0.4])), int(rng.choice([30, 60, 100]))
        alpha, tau2 = float(rng.choice([0.0, 0.25, 0.5])), round(float(rng.random()) * 0.3, 3)
        what = describe(replace(QUICK, q=q, t=t, alpha=alpha, tau2=tau2, seed=number % 5), "digits")
        run = store.create(what, f"run {number}")
        accuracy = 0.9 + 0.03 * t / 100 - 0.05 * (q - 0.2) ** 2 + 0.004 * rng.standard_normal()
        write_json(run.folder / "metrics.json", metrics(accuracy, len(what.classes)).as_dict(), durable=False)
        run.job.set_status(Status(state="finished"), durable=False)


def metrics(accuracy: float, k: int) -> Metrics:
    """Metrics of an accuracy, near enough."""
    n = 300
    right = round(accuracy * n)
    confusion = np.zeros((k, k), int)
    confusion[0, 0], confusion[0, 1] = right, n - right
    counts = {"hidden": 50, "n_atoms": 50, "I": 5, "n_scored": n, "weights": 3060, "epochs": 20}
    return Metrics(
        "fixed",
        alpha=0.0,
        beta=0.0,
        part="held-out images",
        accuracy=right / n,
        confusion=confusion.tolist(),
        wrong=[],
        error=0.1,
        seconds=1.0,
        **counts,
    )


def best(action: Callable[[], float], repeats: int = REPEATS) -> float:
    """The shortest of several times."""
    return min(action() for _ in range(repeats))


def measure() -> dict[str, float]:
    """Seconds of all that is wanted."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        store = Store(home)
        fill(store)

        def listing() -> float:
            started = time.perf_counter()
            assert len(store.listing()) == N_RUNS
            return time.perf_counter() - started

        first = listing()
        found = {"first_listing": first, "listing": best(listing)}
        with dashboard(home, log=home / "server.log") as address:
            found |= pages(address)
            found |= exploring_seen.measure(address, N_RUNS)
    return {name: round(seconds, 4) for name, seconds in found.items()}


def pages(address: str) -> dict[str, float]:
    """Seconds of the page's script: as it is, with a filter, and with a range that is moved each time."""
    visitor = Visitor(address, PAGE)
    found = {"first_page": visitor.run(timeout=120)}
    found["page"] = best(visitor.run)
    visitor.query = "find=q+%3C+0.3+and+accuracy+%3E+91"
    filtered = Visitor(address, PAGE)
    filtered.query = visitor.query
    filtered.run()
    found["filter"] = best(filtered.run)
    lined = Visitor(address, PAGE)
    lined.query = "view=lines"
    lined.run()
    ends = iter(range(1, 1000))

    def brush() -> float:
        end = 1 - next(ends) / 100
        sent = json.dumps({"brush": [[[0, 0, end]], time.time() * 1000]})
        seconds = lined.run([lined.state("parallel_chart", sent)])
        shown = lined.components["parallel_chart"]["axes"][0]
        assert shown["high"] < 1, "the range was not taken"
        return seconds

    found["brush"] = best(brush)
    assert [*visitor.errors, *filtered.errors, *lined.errors] == []
    return found


def main() -> int:
    """Measure, print and keep; the exit code tells whether all that is wanted was reached."""
    result = measure()
    for name, seconds in result.items():
        wanted = f" (wanted {1000 * WANTED[name]:.0f})" if name in WANTED else ""
        print(f"{name.replace('_', ' ')} with {N_RUNS:,} runs: {1000 * seconds:.0f} ms{wanted}")
    kept = {"command": "python -m benchmarks.exploring", "runs": N_RUNS, "seconds": result, "wanted": WANTED}
    RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0 if all(result[name] <= limit for name, limit in WANTED.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
