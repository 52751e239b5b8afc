"""What the benchmarks have stored reaches what is wanted; they are run by hand, on a machine that is at rest."""

import json
from pathlib import Path

from benchmarks import exploring, studies

FOLDER = Path(__file__).parents[1] / "benchmarks"


def stored(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_a_study_costs_at_most_a_share_of_independent_runs_and_gives_their_numbers():
    found = stored("studies")
    assert found["trials"] == 3**3 * 3
    assert found["wanted"] == studies.WANTED
    assert found["ratio_cpu"] <= found["wanted"]
    assert found["same_numbers"] is True


def test_a_thousand_runs_are_listed_found_and_brushed_in_time():
    found = stored("exploring")
    assert found["runs"] == exploring.N_RUNS == 1000
    for name, limit in found["wanted"].items():
        assert found["seconds"][name] <= limit == exploring.WANTED[name], name
