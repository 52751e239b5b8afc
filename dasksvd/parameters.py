"""The method's parameters: frozen, self-checking, with the three presets."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

from dasksvd.errors import ParameterError
from dasksvd.rankings import DEFAULT as DEFAULT_RANKING
from dasksvd.rankings import RANKINGS

NOISES = ("std", "variance")
RE_SIGNS = ("paper", "code")
#: How the iterations get their random numbers from the seed (D18): 1 in runs made before, 2 in new ones.
STREAMS = (1, 2)


def check_count(name: str, value: Any, smallest: int = 1) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``smallest``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < smallest:
        raise ParameterError(f"{name} must be a whole number of at least {smallest}, got {value!r}")
    return int(value)


def check_real(name: str, value: Any, allowed: str, inside: bool) -> float:
    """Return ``value`` as a float if it is a finite number and ``inside`` its ``allowed`` range."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or not inside:
        raise ParameterError(f"{name} must be a number with {allowed}, got {value!r}")
    return float(value)


def check_sparsity(q: Any) -> int | float:
    """Return ``q`` as a count (int) or as a share of the atoms (float)."""
    if isinstance(q, Integral):
        return check_count("q", q)
    allowed = "0 < q <= 1 (a share of the atoms) or a whole number (a count)"
    return check_real("q", q, allowed, isinstance(q, Real) and 0 < q <= 1)


def n_nonzero(q: int | float, n_atoms: int) -> int:
    """Non-zero coefficients a signal may use on ``n_atoms`` atoms.

    Examples
    --------
    >>> n_nonzero(0.2, 256), n_nonzero(0.2, 50), n_nonzero(7, 50)
    (51, 10, 7)
    """
    q = check_sparsity(q)
    if isinstance(q, int):
        if q > n_atoms:
            raise ParameterError(f"q must be at most the number of atoms, got q = {q} for {n_atoms} atoms")
        return q
    return max(1, math.floor(q * n_atoms + 1e-9))  # D1; 1e-9 because 0.29 * 100 < 29 in binary


def check_weights(alpha: Any, beta: Any) -> tuple[float, float]:
    """Return (α, β) as floats if they lie in the weight triangle."""
    alpha = check_real("alpha", alpha, "0 <= alpha <= 1", isinstance(alpha, Real) and 0 <= alpha <= 1)
    beta = check_real("beta", beta, "0 <= beta <= 1", isinstance(beta, Real) and 0 <= beta <= 1)
    if alpha + beta > 1 + 1e-9:  # a lattice point such as 1/3 + 2/3 may round above 1
        raise ParameterError(f"alpha + beta must be at most 1, got {alpha:g} + {beta:g} = {alpha + beta:g}")
    return alpha, beta


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that decides the result of a run, but for the data.

    Parameters
    ----------
    q : int or float, default=0.2
        Non-zero coefficients per signal: a whole number is a count, a number in (0, 1]
        a share of the atoms.
    t : int, default=500
        Signals drawn per class and iteration.
    tau1 : float, default=0.5
        Factor on the odds of a signal once it was drawn; 1 means no memory, 0 never again.
    tau2 : float, default=0.1
        Noise growth per iteration.
    I : int, default=20
        Iterations, which is the number of atoms per class.
    alpha, beta : float, default=0.0
        Weights of activation frequency and coefficient magnitude; the representation
        error weighs 1 - alpha - beta.
    r_f : float, default=1.0
        Redundancy: the auxiliary dictionary has r_f * N atoms.
    ksvd_iter : int, default=50
        K-SVD iterations per dictionary.
    noise : {"std", "variance"}, default="std"
        What a signal's noise is proportional to (D3).
    re_sign : {"paper", "code"}, default="paper"
        Sign of the representation-error measure (D7).
    exact : bool, default=False
        Exact rank-one updates in K-SVD instead of approximate ones (D4).
    seed : int, default=0
        Seed of all randomness.
    streams : {1, 2}, default=2
        How the iterations get their random numbers from the seed (D18).  Not for users: it is
        there so that a run made before goes on as it began.
    ranking : str, default="combined"
        Which of a class's atoms is the best: a name of :data:`dasksvd.rankings.RANKINGS`.
    """

    q: int | float = 0.2
    t: int = 500
    tau1: float = 0.5
    tau2: float = 0.1
    I: int = 20
    alpha: float = 0.0
    beta: float = 0.0
    r_f: float = 1.0
    ksvd_iter: int = 50
    noise: str = "std"
    re_sign: str = "paper"
    exact: bool = False
    seed: int = 0
    streams: int = STREAMS[-1]
    ranking: str = DEFAULT_RANKING

    def __post_init__(self):
        alpha, beta = check_weights(self.alpha, self.beta)
        checked = {
            "q": check_sparsity(self.q),
            "t": check_count("t", self.t),
            "tau1": check_real("tau1", self.tau1, "0 <= tau1 <= 1", _is_within(self.tau1, 0, 1)),
            "tau2": check_real("tau2", self.tau2, "0 <= tau2 < 1", _is_within(self.tau2, 0, 1) and self.tau2 < 1),
            "I": check_count("I", self.I),
            "alpha": alpha,
            "beta": beta,
            "r_f": check_real("r_f", self.r_f, "r_f > 0", _is_within(self.r_f, 0, math.inf) and self.r_f > 0),
            "ksvd_iter": check_count("ksvd_iter", self.ksvd_iter),
            "seed": check_count("seed", self.seed, smallest=0),
            "streams": check_count("streams", self.streams),
            "ranking": RANKINGS.check(self.ranking),
        }
        if self.seed >= 2**63:
            raise ParameterError(f"seed must be below 2**63, got {self.seed}")
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        choices_of = {"noise": NOISES, "re_sign": RE_SIGNS, "exact": (False, True), "streams": STREAMS}
        for name, choices in choices_of.items():
            if getattr(self, name) not in choices:
                allowed = " or ".join(repr(choice) for choice in choices)
                raise ParameterError(f"{name} must be {allowed}, got {getattr(self, name)!r}")

    def n_atoms(self, signal_length: int) -> int:
        """Atoms M of the auxiliary dictionary for signals of ``signal_length`` values."""
        return max(1, round(min(self.r_f * signal_length, 2.0**40)))

    def check_data(self, signal_length: int, class_sizes: Mapping[Any, int]) -> None:
        """Raise ParameterError if these settings cannot work on such data.

        Parameters
        ----------
        signal_length : int
            Values per signal, N.
        class_sizes : mapping of label to int
            Signals of each class.
        """
        k = len(class_sizes)
        if k < 2:
            raise ParameterError(f"at least two classes are needed, got {k} (1 class has no rival)")
        if signal_length < 2:
            raise ParameterError(
                f"signals must have at least 2 values, got n_features={signal_length}: atoms of one value are all alike"
            )
        smallest = min(class_sizes, key=class_sizes.get)
        size = class_sizes[smallest]
        if self.t > size:
            raise ParameterError(f"t must be at most the smallest class, got t = {self.t}, class {smallest} has {size}")
        if self.tau1 == 0 and self.I * self.t > size:
            raise ParameterError(
                f"with tau1 = 0 no signal is drawn twice, so I * t must be at most the smallest class: "
                f"{self.I} * {self.t} = {self.I * self.t}, class {smallest} has {size}; lower I or t, or raise tau1"
            )
        n_atoms = self.n_atoms(signal_length)
        features = f"r_f * N = {self.r_f:g} * {signal_length} = {n_atoms} atoms (n_features={signal_length})"
        if n_atoms < k:
            raise ParameterError(f"there must be at least one atom per class, got {features} for {k} classes")
        if n_atoms > self.t * k:
            raise ParameterError(
                f"there must be at least as many drawn signals as atoms, got t * classes = {self.t} * {k} = "
                f"{self.t * k} signals for {features}; raise t or lower r_f"
            )
        n_nonzero(self.q, n_atoms)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values, ready for JSON.

        The first version of the streams has no entry: so it was before there was a second one,
        and the sums over a run's settings must stay what they were.  Likewise the paper's ranking.
        """
        values = asdict(self)
        if self.streams == 1:
            del values["streams"]
        if self.ranking == DEFAULT_RANKING:
            del values["ranking"]
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Settings":
        """Settings from plain values of :meth:`as_dict`; an unknown name is an error."""
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise ParameterError(f"unknown settings: {', '.join(unknown)}")
        return cls(**{"streams": 1} | dict(values))


def _is_within(value: Any, low: float, high: float) -> bool:
    return isinstance(value, Real) and low <= value <= high


#: What a user can set.
PARAMETERS = tuple(field.name for field in fields(Settings) if field.name != "streams")
QUICK = Settings(t=150, I=10, ksvd_iter=20)
CLASSROOM = Settings(t=400, ksvd_iter=30)
PAPER = Settings()
#: The paper's settings as the shipped run and the committed results were measured with (D18).
MEASURED = replace(PAPER, streams=1)
PRESETS = {"quick": QUICK, "classroom": CLASSROOM, "paper": PAPER}
