"""The method's parameters: one table, and the frozen, self-checking settings that it describes."""

from dasksvd.parameters.checks import check_count, check_real, check_sparsity, check_weights, n_nonzero
from dasksvd.parameters.parameter import Control, Parameter
from dasksvd.parameters.presets import ABOUT_BEST, BEST, CLASSROOM, DURATIONS, MEASURED, PAPER, PRESETS, QUICK
from dasksvd.parameters.settings import Settings
from dasksvd.parameters.table import PARAMETERS, SWEPT, TABLE, parameter_table

__all__ = [
    "ABOUT_BEST",
    "BEST",
    "CLASSROOM",
    "DURATIONS",
    "MEASURED",
    "PAPER",
    "PARAMETERS",
    "PRESETS",
    "QUICK",
    "SWEPT",
    "TABLE",
    "Control",
    "Parameter",
    "Settings",
    "check_count",
    "check_real",
    "check_sparsity",
    "check_weights",
    "n_nonzero",
    "parameter_table",
]
