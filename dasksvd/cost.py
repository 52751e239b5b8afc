"""How long a run or a search takes: the one time model, used by the page, the queue and the searches.

Work is counted in two units, and what a unit takes is measured once on the machine at hand:
pursuits, which learn and code, and multiply-adds of matrix products, which train networks.  The
factors come from two cores of a small x86-64 server: that of K-SVD from the whole runs in
``benchmarks/results.json``, those in the registry of networks from single epochs with 50 to 2,000
hidden units on 8,000 signals.  The times in ``benchmarks/networks.json`` are met within a factor of two if the
epochs are known.  They are not: early stopping on few signals can end after an eighth of them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from threadpoolctl import threadpool_limits

from dasksvd.datasets.description import Description
from dasksvd.encoders import ENCODERS
from dasksvd.method.omp import encode
from dasksvd.networks import training_cost
from dasksvd.parameters import Settings, n_nonzero

#: Seconds until a process has loaded its compiled code and its data.
START = 4.0
#: A K-SVD iteration takes so many times its pursuit on one core: two share that, then one renews the atoms.
KSVD_OVER_PURSUIT = 1.15
#: What a signal costs besides its steps, in multiply-adds.
PURSUIT_OVERHEAD = 45_000
#: What an epoch of fine-tuning costs for each signal, for each of its values, for each atom and for each value of each
#: atom, in multiply-adds; from single epochs with 50 to 400 atoms of 64 to 784 values.
TUNING = (90_000.0, 600.0, 650.0, 3.5)
#: The scored part is a quarter of what is learned from; both are coded.
CODED = 1.25


@dataclass(frozen=True)
class Speed:
    """What the units of work take on a machine.

    Attributes
    ----------
    pursuit : float
        Seconds per M · q² of one signal's pursuit on one core.
    product : float
        Seconds per multiply-add of a matrix product on one core.
    """

    pursuit: float
    product: float


#: The machine that the factors were measured on.
MEASURED_ON = Speed(pursuit=2.5e-11, product=2.4e-11)


@dataclass(frozen=True)
class Cost:
    """Expected seconds of a run, by what they are spent on."""

    start: float
    atoms: float
    coding: float
    network: float
    tuning: float = 0.0

    @property
    def total(self) -> float:
        """Seconds from the start of its process to its end."""
        return self.start + self.atoms + self.tuning + self.coding + self.network


@lru_cache(maxsize=1)
def this_machine() -> Speed:
    """The speed of one core of the machine at hand, measured once; takes some hundredths of a second.

    Few signals on one core: threads that wait for each other on a busy machine would say more about
    its other work than about its speed.
    """
    rng = np.random.default_rng(0)
    n, M, q = 40, 256, 51
    signals = rng.standard_normal((800, M), np.float32)
    atoms = signals[:M] / np.linalg.norm(signals[:M], axis=1, keepdims=True)
    some = signals[-n:]  # none of them is an atom, so all q steps are made
    # The difference leaves out what does not depend on q.
    steps = _shortest(lambda: encode(some, atoms, q)) - _shortest(lambda: encode(some, atoms, 1))
    with threadpool_limits(1, user_api="blas"):
        product = _shortest(lambda: signals @ atoms.T)
    return Speed(max(steps, 1e-6) / (n * M * (q**2 - 1)), product / (len(signals) * M * M))


def _shortest(work: Callable[[], object]) -> float:
    """Seconds of the quickest of some calls: the first loads code, others meet a busy machine."""
    seconds = []
    for _ in range(20):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def pursuit_seconds(n_signals: float, length: int, n_atoms: int, count: int, speed: Speed) -> float:
    """Seconds to code signals of a length with ``count`` non-zeros each."""
    products = (PURSUIT_OVERHEAD + length * n_atoms) * speed.product
    return n_signals * (products + n_atoms * count**2 * speed.pursuit)


def atoms_seconds(settings: Settings, length: int, n_classes: int, speed: Speed) -> float:
    """Seconds to learn the atoms of all iterations."""
    n_atoms = settings.n_atoms(length)
    count = _at_most(settings.q, n_atoms)
    coded = float(settings.t) * n_classes * settings.I * settings.ksvd_iter
    return KSVD_OVER_PURSUIT * pursuit_seconds(coded, length, n_atoms, count, speed)


def tuning_seconds(description: Description, speed: Speed) -> float:
    """Seconds to fine-tune the selected atoms."""
    settings = description.settings
    n_atoms, length = settings.I * len(description.classes), description.signal_length
    fixed, per_value, per_atom, per_product = TUNING
    per_signal = fixed + per_value * length + n_atoms * (per_atom + per_product * length)
    return settings.fine_tune * description.n_signals * per_signal * speed.product


def network_seconds(name: str, n_signals: int, n_inputs: int, hidden: int, n_classes: int, speed: Speed) -> float:
    """Seconds to train one network of :data:`dasksvd.networks.NETWORKS`."""
    training = training_cost(name)
    weights = float(hidden) * (n_inputs + n_classes)
    return training.epochs * n_signals * (training.per_signal + training.per_weight * weights) * speed.product


def _at_most(q: int | float, n_atoms: int) -> int:
    """Non-zeros per signal; too large a count is for others to refuse."""
    return min(q, n_atoms) if isinstance(q, int) else n_nonzero(q, n_atoms)


def coding_seconds(description: Description, n_atoms: int, speed: Speed) -> float:
    """Seconds to code all signals of a run, the scored ones too, on a dictionary of its atoms."""
    count = _at_most(description.settings.q, n_atoms)
    return pursuit_seconds(CODED * description.n_signals, description.signal_length, n_atoms, count, speed)


def run_cost(
    description: Description, classifier: str = "", hidden: int = 0, speed: Speed | None = None, n_levels: int = 1
) -> Cost:
    """What a run will take, with the classifier that reads its codes.

    Parameters
    ----------
    description : Description
    classifier : str, default=""
        A name in :data:`dasksvd.networks.NETWORKS`; empty for a run that is not evaluated.
    hidden : int, default=0
        Hidden units; 0 means as many as there are atoms.
    speed : Speed, optional
        That of this machine by default.
    n_levels : int, default=1
        Levels of the encoder to choose from; each has its codes and its network.
    """
    speed = speed or this_machine()
    settings, k = description.settings, len(description.classes)
    atoms = atoms_seconds(settings, description.signal_length, k, speed)
    tuning = tuning_seconds(description, speed)
    if not classifier:
        return Cost(START, atoms, 0.0, 0.0, tuning)
    n_atoms = settings.I * k
    network = network_seconds(classifier, description.n_signals, n_atoms, hidden or n_atoms, k, speed)
    return Cost(START, atoms, n_levels * coding_seconds(description, n_atoms, speed), n_levels * network, tuning)


def reading_products(encoder: str, length: int, n_atoms: int, count: int, hidden: int, n_classes: int) -> int:
    """Multiply-adds to read one signal: its correlations with all atoms, the steps of a pursuit, the network.

    A pursuit's step j updates all correlations by the j atoms taken so far and one more row of its triangular
    system; other encoders have their codes from the correlations alone.

    Examples
    --------
    >>> reading_products("omp", 256, 200, 40, 200, 10), reading_products("soft", 256, 200, 40, 200, 10)
    (279340, 93200)
    """
    correlations, network = length * n_atoms, hidden * (n_atoms + n_classes)
    if not ENCODERS[encoder].facts.get("pursues"):
        return correlations + network
    steps = count * (count + 1) // 2
    return correlations + steps * n_atoms + count * (count + 1) * (2 * count + 1) // 6 + network
