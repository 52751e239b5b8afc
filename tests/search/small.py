"""A small run on scikit-learn's digits, a small search, and a score computed by hand."""

import numpy as np

from dasksvd import Settings, encode
from dasksvd.datasets.parts import scoring_parts
from dasksvd.networks.fixed_epochs import FixedEpochsClassifier
from dasksvd.parameters import n_nonzero
from dasksvd.runs.folder import create_run
from dasksvd.runs.worker import describe
from dasksvd.search.engine import Engine
from dasksvd.search.plans import WeightsPlan
from dasksvd.search.weights import weight_scores

TINY = Settings(t=30, I=4, ksvd_iter=3)
PLAN = WeightsPlan(step=3, sizes=(2, 4), zoomed=(4,), seeds=2)
HERE = Engine(n_jobs=1)


def copy_of(run, folder):
    """The same run in another folder, without any search."""
    copied = create_run(folder, run.description)
    for iteration, record in enumerate(run.trajectory.records):
        copied.save_record(iteration, record)
    return copied


def accuracies(run):
    """The scores without the times, which differ from machine to machine."""
    return {key: entry.accuracies for key, entry in weight_scores(run).entries.items()}


def score_by_hand(atoms, q, seed, encode=encode):
    parts = scoring_parts(describe(TINY, "digits"))
    train, scored = (encode(part, atoms, n_nonzero(q, len(atoms))) for part in (parts.train, parts.scored))
    network = FixedEpochsClassifier(hidden=len(atoms), random_state=seed).fit(train, parts.train_labels)
    return np.mean(network.predict(scored) == parts.scored_labels)
