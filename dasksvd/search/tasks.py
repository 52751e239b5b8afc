"""What a search hands out: a dictionary, or a trajectory with its dictionaries, to be scored by networks.

Networks are trained on the training signals and scored on X_val, which decides nothing before:
not the atoms, and not when training stops (unlike in the tables, where the test set scores).
:mod:`dasksvd.datasets.parts` says which signals these are, for this and for the evaluation of a run.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dasksvd import cost
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import learning_part, scoring_parts
from dasksvd.encoders import encode_by
from dasksvd.errors import NoAtomForClass, ParameterError
from dasksvd.evaluate import train_network
from dasksvd.method.loop import iterate
from dasksvd.method.trajectory import Trajectory
from dasksvd.networks import training_cost
from dasksvd.parameters import Settings, n_nonzero
from dasksvd.search.networks import own_name
from dasksvd.search.plans import SearchPlan

#: A network of more epochs is a task of its own.
MANY_EPOCHS = 100


@dataclass(frozen=True)
class Task:
    """Something to compute.

    Attributes
    ----------
    function : callable(*arguments, description, *arrays) -> list of (key, accuracies, seconds[, problem])
        A function of a module, so that other processes find it.
    arguments : tuple
    networks : int
        How many it trains.
    seconds : float
        What it is expected to take.
    """

    function: Callable[..., list[tuple]]
    arguments: tuple
    networks: int
    seconds: float


@dataclass(frozen=True)
class Batch:
    """Tasks that do not depend on each other.

    Attributes
    ----------
    tasks : list of Task
    known : int
        Networks of the plan's next step that have their scores already.
    later : int
        The most networks that later batches can need.
    """

    tasks: list[Task]
    known: int = 0
    later: int = 0


def score_dictionary(
    key: str, atoms: np.ndarray, plan: SearchPlan, seeds: Sequence[int], description: Description, *arrays: np.ndarray
) -> list[tuple]:
    """Score one dictionary by several networks, on codes computed once."""
    parts = scoring_parts(description, arrays)
    network, count = own_name(plan.classifier), n_nonzero(description.settings.q, len(atoms))
    train, scored = (encode_by(plan.encoder, part, atoms, count, plan.level) for part in (parts.train, parts.scored))
    started = time.perf_counter()
    accuracies = {}
    for seed in seeds:
        fitted = train_network(network, train, parts.train_labels, hidden=len(atoms), seed=seed)
        accuracies[seed] = float(np.mean(fitted.predict(scored) == parts.scored_labels))
    return [(key, accuracies, (time.perf_counter() - started) / len(seeds))]


def score_trajectory(
    keys: dict[int, str],
    settings: Settings,
    plan: SearchPlan,
    seeds: Sequence[int],
    description: Description,
    *arrays: np.ndarray,
) -> list[tuple]:
    """Learn a trajectory and score its dictionaries of several sizes (size -> key)."""
    description = replace(description, settings=settings)
    trajectory = Trajectory(settings, description.classes)
    try:
        trajectory.records.extend(iterate(*learning_part(description, arrays), settings, classes=description.classes))
        results = []
        for size, key in keys.items():
            atoms = trajectory.reselect(settings.alpha, settings.beta, size).atoms
            results += score_dictionary(key, atoms, plan, seeds, description, *arrays)
        return results
    except (NoAtomForClass, ParameterError) as error:
        return [(key, {}, 0.0, str(error)) for key in keys.values()]


def takes_minutes(classifier: str) -> bool:
    """Whether a network is so slow that each is a task of its own."""
    return training_cost(own_name(classifier)).epochs > MANY_EPOCHS


def network_seconds(classifier: str, n_atoms: int, description: Description) -> float:
    """Seconds to train one network as wide as there are atoms, on one core."""
    k, speed = len(description.classes), cost.this_machine()
    return cost.network_seconds(own_name(classifier), description.n_signals, n_atoms, n_atoms, k, speed)


def dictionary_seconds(classifier: str, n_atoms: int, n_networks: int, description: Description) -> float:
    """Seconds to code all signals and to train some networks."""
    coding = cost.coding_seconds(description, n_atoms, cost.this_machine())
    return coding + n_networks * network_seconds(classifier, n_atoms, description)
