"""A small run to study, and what a study has found."""

from dasksvd import Settings
from dasksvd.datasets.parts import describe
from dasksvd.runs.folder import create_run
from dasksvd.search.study import findings

TINY = Settings(t=30, I=3, ksvd_iter=2)


def new_run(folder):
    return create_run(folder, describe(TINY, "digits"))


def accuracies(run):
    return {key: one.accuracy for key, one in findings(run).read().items()}
