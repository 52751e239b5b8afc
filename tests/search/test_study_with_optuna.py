"""Studies whose points Optuna chooses, with a stand-in in its place."""

import json
from dataclasses import replace

import pytest

from dasksvd.errors import ParameterError
from dasksvd.search import adaptive
from dasksvd.search.engine import expected_seconds, search
from dasksvd.search.space import Span
from dasksvd.search.study import points_of, scores
from dasksvd.search.study_plan import StudyPlan
from tests.search.small import HERE
from tests.search.studies import accuracies, new_run


@pytest.fixture
def run(tmp_path):
    return new_run(tmp_path / "run")


class Asked:
    """What a fake Optuna was told."""

    def __init__(self):
        self.trials, self.seeds = [], []


@pytest.fixture
def optuna(monkeypatch):
    """A stand-in with the names of Optuna that are used; it asks for the next value of each axis in turn."""
    told = Asked()

    class Namespace:
        def __init__(self, **names):
            self.__dict__.update(names)

    class Study:
        def add_trial(self, trial):
            told.trials.append(trial)

        def ask(self, spaces):
            number = told.seeds[-1]
            params = {}
            for place, (name, space) in enumerate(spaces.items()):
                choices = space if isinstance(space, list) else [space[0], space[1]]
                params[name] = choices[(number >> place) % len(choices)]
            return Namespace(params=params)

        def tell(self, asked, state):
            told.seeds[-1] += 1

    fake = Namespace(
        logging=Namespace(set_verbosity=lambda level: None, WARNING=0),
        samplers=Namespace(TPESampler=lambda seed, n_startup_trials: told.seeds.append(seed)),
        create_study=lambda direction, sampler: Study(),
        trial=Namespace(create_trial=lambda **given: given, TrialState=Namespace(PRUNED=0)),
        distributions=Namespace(
            CategoricalDistribution=list,
            IntDistribution=lambda low, high: (low, high),
            FloatDistribution=lambda low, high: (low, high),
        ),
    )
    monkeypatch.setattr(adaptive, "import_module", lambda name: fake)
    monkeypatch.setattr(adaptive, "is_installed", lambda: True)
    return told


def test_optuna_is_told_what_was_found_and_goes_on_where_it_was(run, optuna):
    plan = StudyPlan({"alpha": (0.0, 0.5), "I": Span(1, 3)}, "optuna", points=2, seeds=2)
    search(run, plan, HERE)
    assert points_of(run, plan) == [(0.0, 1), (0.5, 1)]
    (first,) = optuna.trials
    assert first["params"] == {"alpha": 0.0, "I": 1}
    known = scores(run, plan, points_of(run, plan))
    assert first["value"] == pytest.approx(sum(known[0.0, 1]) / 2)
    more = replace(plan, points=3)
    assert expected_seconds(run, more, HERE) > 0
    before = accuracies(run)
    search(run, more, HERE)
    assert points_of(run, more) == [(0.0, 1), (0.5, 1), (0.0, 3)]
    assert before.items() <= accuracies(run).items()
    assert points_of(run, plan) == [(0.0, 1), (0.5, 1)]


def test_without_optuna_the_design_says_what_to_install(run, monkeypatch):
    monkeypatch.setattr(adaptive, "is_installed", lambda: False)
    with pytest.raises(ParameterError, match=r'pip install "dasksvd\[optuna\]"'):
        search(run, StudyPlan({"q": (0.1, 0.2)}, "optuna", points=2), HERE)


def test_odd_points_of_optuna_are_as_good_as_none(run, optuna):
    plan = StudyPlan({"alpha": (0.0, 0.5)}, "optuna", points=2, seeds=1)
    search(run, plan, HERE)
    (file,) = (run.folder / "search").glob("points-*.json")
    for text in ("{", '{"points": 3}', '{"points": [[7]]}', '{"points": [["x"]]}', "[]"):
        file.write_text(text)
        assert points_of(run, plan) == []
    file.write_text(json.dumps({"points": [[0.5]]}))
    assert points_of(run, plan) == [(0.5,)]
