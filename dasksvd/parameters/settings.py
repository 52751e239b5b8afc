"""The settings of a run: frozen, and checked by the table."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from dasksvd.common.language import phrase, say
from dasksvd.errors import ParameterError
from dasksvd.parameters.checks import check_weights, n_nonzero
from dasksvd.parameters.parameter import ALWAYS
from dasksvd.parameters.table import TABLE


def _default(name: str) -> Any:
    return TABLE[name].default


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that decides the result of a run, except the data.

    Parameters
    ----------
    q : int or float, default=0.2
        How many atoms a signal may use, as a count or as a share of the atoms, rounded down.
    t : int, default=500
        How many signals of each class are drawn in each iteration.
    tau1 : float, default=0.5
        The odds of a drawn signal are multiplied by it: 1 means no memory, 0 never again.
    tau2 : float, default=0.1
        How much the noise grows from one iteration to the next.
    I : int, default=20
        How many iterations there are, which is also the number of atoms per class.
    alpha : float, default=0.0
        Weight of how much more often the class uses the atom than its rival.
    beta : float, default=0.0
        Weight of how much larger the atom's mean coefficient is; the error weighs 1 − α − β.
    r_f : float, default=1.0
        How many atoms K-SVD learns in each iteration, relative to the signal length N.
    ksvd_iter : int, default=50
        How many times K-SVD codes all signals and updates all atoms.
    noise : {"std", "variance"}, default="std"
        What a signal's noise is proportional to: its standard deviation or its variance (D3).
    re_sign : {"paper", "code"}, default="paper"
        Sign of the measure of the representation error: the paper's or the authors' code's (D7).
    exact : bool, default=False
        Exact singular vectors in K-SVD instead of the fast approximate update (D4).
    seed : int, default=0
        Start of all random numbers: the same seed on the same machine gives the same bits.
    streams : {1, 2}, default=2
        How the iterations get their random numbers from the seed (D18): 1 in older runs, 2 in new ones.
        Not for users.
    ranking : str, default="combined"
        Which score decides which atom of a class is kept.
    fine_tune : int, default=0
        Epochs in which a small network moves the selected atoms for the encoder threshold; 0: they stay.
    """

    q: int | float = _default("q")
    t: int = _default("t")
    tau1: float = _default("tau1")
    tau2: float = _default("tau2")
    I: int = _default("I")
    alpha: float = _default("alpha")
    beta: float = _default("beta")
    r_f: float = _default("r_f")
    ksvd_iter: int = _default("ksvd_iter")
    noise: str = _default("noise")
    re_sign: str = _default("re_sign")
    exact: bool = _default("exact")
    seed: int = _default("seed")
    streams: int = _default("streams")
    ranking: str = _default("ranking")
    fine_tune: int = _default("fine_tune")

    def __post_init__(self) -> None:
        for name, parameter in TABLE.items():
            object.__setattr__(self, name, parameter.allowed.check(name, getattr(self, name)))
        check_weights(self.alpha, self.beta)

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
            raise ParameterError(say("at least two classes are needed, got {k} (1 class has no rival)", k=k))
        n_atoms = self.n_atoms(signal_length)
        smallest = min(class_sizes, key=class_sizes.__getitem__)
        size = class_sizes[smallest]
        numbers = {"t": self.t, "k": k, "I": self.I, "smallest": smallest, "size": size, "n_features": signal_length}
        problem = ""
        if signal_length < 2:
            problem = phrase(
                "signals must have at least 2 values, got n_features={n_features}: atoms of one value are all alike"
            )
        elif self.t > size:
            problem = phrase("t must be at most the smallest class, got t = {t}, class {smallest} has {size}")
        elif self.tau1 == 0 and self.I * self.t > size:
            problem = phrase(
                "with tau1 = 0 no signal is drawn twice, so I * t must be at most the smallest class: {I} * {t} = "
                "{drawn}, class {smallest} has {size}; lower I or t, or raise tau1"
            )
        elif n_atoms < k:
            problem = phrase("there must be at least one atom per class, got {features} for {k} classes")
        elif n_atoms > self.t * k:
            problem = phrase(
                "there must be at least as many drawn signals as atoms, got t * classes = {t} * {k} = {signals} "
                "signals for {features}; raise t or lower r_f"
            )
        if problem:
            features = f"r_f * N = {self.r_f:g} * {signal_length} = {n_atoms}"
            features = say("{sum} atoms (n_features={n})", sum=features, n=signal_length)
            told = numbers | {"features": features, "drawn": self.I * self.t, "signals": self.t * k}
            raise ParameterError(say(problem, **told))
        n_nonzero(self.q, n_atoms)
        if self.fine_tune:
            n_nonzero(self.q, self.I * k)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain values, ready for JSON.

        What a parameter was before it could be set has no entry: the sums over the settings of
        older runs must stay what they were.
        """
        return {name: value for name, value in asdict(self).items() if value != TABLE[name].before}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Settings":
        """Settings from plain values of :meth:`as_dict`; an unknown name is an error."""
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise ParameterError(say("unknown settings: {unknown}", unknown=", ".join(unknown)))
        before = {name: row.before for name, row in TABLE.items() if row.before is not ALWAYS}
        return cls(**before | dict(values))
