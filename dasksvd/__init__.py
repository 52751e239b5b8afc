"""DAS-KSVD: discriminant atom selection for structured dictionary learning.

The paper writes signals and atoms as columns; here they are **rows**.

======  ==============================================  ================  ==========================
paper   meaning                                         name              shape or range
======  ==============================================  ================  ==========================
X       training signals                                ``X``             (n, N)
Φ       auxiliary dictionary of one iteration           ``Record.atoms``  (M, N)
Φ_D     structured dictionary                           ``components_``   (I·k, N)
A       sparse codes                                    ``codes``         (n, M)
p_ℓ     share of class ℓ's signals that use an atom     ``tables.p``      (k, M)
q_ℓ     mean absolute coefficient in class ℓ            ``tables.q``      (k, M)
r_ℓ     class ℓ's error when the atom is taken out      ``tables.r``      (k, M)
ℓ⁺, ℓ*  classes with largest and second largest p       ``top, second``   (M,)
m       discriminative measure                          ``combined()``    (M,), 0 … 1
======  ==============================================  ================  ==========================

.. parameters: made by python -m docs.tables

=====  =====================  =============  ==============================================
paper  meaning                name           range
=====  =====================  =============  ==============================================
q      non-zeros per signal   ``q``          whole number q ≥ 1, or share 0 < q ≤ 1
t      signals per class      ``t``          whole number t ≥ 1; at most the smallest class
τ1     memory                 ``tau1``       0 ≤ τ1 ≤ 1
τ2     noise growth           ``tau2``       0 ≤ τ2 < 1
I      iterations             ``I``          whole number I ≥ 1
α      activation frequency   ``alpha``      0 ≤ α ≤ 1; α + β ≤ 1
β      coefficient magnitude  ``beta``       0 ≤ β ≤ 1; α + β ≤ 1
–      ranking                ``ranking``    name of a ranking
r_f    redundancy             ``r_f``        r_f > 0; classes ≤ M ≤ t · classes
–      K-SVD iterations       ``ksvd_iter``  whole number ksvd_iter ≥ 1
σ_i    size of the noise      ``noise``      std or variance
m_re   sign                   ``re_sign``    paper or code
–      exact updates          ``exact``      False or True
–      seed                   ``seed``       whole number 0 ≤ seed < 2⁶³
–      epochs of fine-tuning  ``fine_tune``  whole number fine_tune ≥ 0
=====  =====================  =============  ==============================================

.. end of parameters
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names as below, for whoever checks types and does not run anything
    from dasksvd import datasets, digit, encoders, networks, rankings
    from dasksvd.baselines.lcksvd import DKSVD, LCKSVD2
    from dasksvd.datasets import DataSet, balanced_split, load_digits_8x8, load_mnist, load_pair, reduce_images
    from dasksvd.digit.reader import load_default_model
    from dasksvd.errors import DasksvdError, DataError, NoAtomForClass, ParameterError
    from dasksvd.estimators import DASKSVD, KSVD
    from dasksvd.method.omp import encode
    from dasksvd.networks.modern import ModernClassifier
    from dasksvd.networks.scg_classifier import SCGClassifier
    from dasksvd.parameters import BEST, CLASSROOM, PAPER, PRESETS, QUICK, Settings

__version__ = "0.1.0"

#: Where each public name lives.  It is loaded when it is first asked for: a page that only shows
#: pictures must not wait for scikit-learn.
_HOMES = {
    "datasets": (
        "DataSet",
        "balanced_split",
        "datasets",
        "load_digits_8x8",
        "load_mnist",
        "load_pair",
        "reduce_images",
    ),
    "digit": ("digit",),
    "encoders": ("encoders",),
    "errors": ("DasksvdError", "DataError", "NoAtomForClass", "ParameterError"),
    "estimators": ("DASKSVD", "KSVD"),
    "baselines.lcksvd": ("DKSVD", "LCKSVD2"),
    "networks": ("networks",),
    "networks.modern": ("ModernClassifier",),
    "networks.scg_classifier": ("SCGClassifier",),
    "digit.reader": ("load_default_model",),
    "method.omp": ("encode",),
    "parameters": ("BEST", "CLASSROOM", "PAPER", "PRESETS", "QUICK", "Settings"),
    "rankings": ("rankings",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BEST",
    "CLASSROOM",
    "DASKSVD",
    "DKSVD",
    "KSVD",
    "LCKSVD2",
    "PAPER",
    "PRESETS",
    "QUICK",
    "DasksvdError",
    "DataError",
    "DataSet",
    "ModernClassifier",
    "NoAtomForClass",
    "ParameterError",
    "SCGClassifier",
    "Settings",
    "balanced_split",
    "datasets",
    "digit",
    "encode",
    "encoders",
    "load_default_model",
    "load_digits_8x8",
    "load_mnist",
    "load_pair",
    "networks",
    "rankings",
    "reduce_images",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOME[name]}")
    return module if name == _HOME[name] else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
