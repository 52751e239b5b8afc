"""Networks that classify sparse codes: each is registered once and appears by itself wherever one is chosen.

A network is a class of this form:

- ``__init__(hidden, random_state)``: hidden units, and a seed that fixes all its randomness;
- ``fit(X, y, X_val=None, y_val=None)``: train on codes X of shape (n, n_atoms) with labels y of shape (n,), set
  ``classes_``, return itself.  It may watch (X_val, y_val) to stop early; a search never gives any;
- ``predict(X)`` of shape (n,) and ``predict_proba(X)`` of shape (n, n_classes), in the order of ``classes_``;
- ``to_arrays()``: a dict of arrays to keep it by, and ``from_arrays(arrays)``, which gives the fitted network back.

Facts that may be told when it is registered:

- ``cost`` (:class:`TrainingCost`): what training takes;
- ``early_stopping`` (bool): whether it stops when it no longer gets better on (X_val, y_val);
- ``reports_epochs`` (bool): whether ``fit`` also takes ``on_epoch``, a callable(epoch, loss, validation).
"""

from dataclasses import dataclass

from dasksvd.common.registry import Registry


@dataclass(frozen=True)
class TrainingCost:
    """What training a network costs; :mod:`dasksvd.cost` makes seconds of it.

    The defaults are for a network of which nothing else is known.

    Attributes
    ----------
    epochs : int
        Usual number; early stopping may end sooner or later.
    per_weight : float
        Multiply-adds per weight, signal and epoch, slower work counted as so many more.
    per_signal : float
        The rest per signal and epoch, in multiply-adds.
    """

    epochs: int = 40
    per_weight: float = 5.0
    per_signal: float = 100_000


#: name -> class, as described above
NETWORKS: Registry[type] = Registry("network")
register = NETWORKS.register
NETWORKS.declare(
    "modern",
    "dasksvd.networks.modern:ModernClassifier",
    title="ReLU, Adam, early stopping",
    cost=TrainingCost(40, 5.2, 108_000),
    early_stopping=True,
    reports_epochs=True,
)
NETWORKS.declare(
    "fixed",
    "dasksvd.networks.fixed_epochs:FixedEpochsClassifier",
    title="ReLU, Adam, 20 epochs",
    cost=TrainingCost(20, 3.4, 38_000),
    early_stopping=False,
    reports_epochs=True,
)
NETWORKS.declare(
    "scg",
    "dasksvd.networks.scg_classifier:SCGClassifier",
    title="SCG, MSE (the paper's)",
    cost=TrainingCost(1000, 2.4, 15_000),
    early_stopping=True,
    reports_epochs=True,
)


def training_cost(name: str) -> TrainingCost:
    """What training a network of this name costs."""
    return NETWORKS[name].facts.get("cost", TrainingCost())
