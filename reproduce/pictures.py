"""The numbers behind the picture of the ablation: every dictionary a dot, its coherence against its accuracy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import stdtr

from dasksvd.common.language import say
from dasksvd.statistics import Difference, corrected
from reproduce.descriptions import is_raw
from reproduce.means import ONE_ROUND, Mean, difference, grouped, mean, mean_of, place_of
from reproduce.report import NAMES
from reproduce.results import load_results

#: What everything is compared with.
DAS = "das-ksvd"
#: Below this p-value a relation is called clear.
LEVEL = 0.05


@dataclass(frozen=True)
class Dictionary:
    """A dot: 200 atoms, or raw pixels, read by the modern network.

    Attributes
    ----------
    method : str
    hidden, weights : int
    accuracy : Mean
        On the test images.
    difference : Difference or None
        To DAS-KSVD with the same encoder; None for itself.
    mean_coherence, coherence : float or None
        Mean over atoms of the largest |⟨d_i, d_j⟩| with another one, and the largest of all; None in old results.
    nonzeros, psnr : float or None
    """

    method: str
    hidden: int
    weights: int
    accuracy: Mean
    difference: Difference | None
    mean_coherence: float | None
    coherence: float | None
    nonzeros: float | None
    psnr: float | None

    @property
    def is_raw(self) -> bool:
        """Whether it is raw pixels."""
        return is_raw(self.method)

    @property
    def key(self) -> str:
        """Its name in links."""
        return f"{self.method}/{self.hidden}" if self.is_raw else self.method


def dictionaries(encoder: str = "omp", study: str = "ablation") -> list[Dictionary]:
    """All dictionaries whose codes by an encoder the modern network has read, and raw pixels, in the usual order."""
    found = [
        result
        for result in load_results(study).values()
        if result["classifier"] == "modern" and (result["encoder"] == encoder or is_raw(result["method"]))
    ]
    groups = grouped(found, lambda result: (result["method"], result["hidden"]))
    ours = next((_accuracies(results) for (method, _), results in groups.items() if method == DAS), {})
    order = list(NAMES)
    made = _as_one_table([_dictionary(results, ours) for results in groups.values()])
    return sorted(made, key=lambda one: (place_of(one.method, order), one.hidden))


def _as_one_table(found: Sequence[Dictionary]) -> list[Dictionary]:
    """The dictionaries with differences whose verdicts are corrected for their number."""
    judged = corrected({number: one.difference for number, one in enumerate(found) if one.difference is not None})
    return [replace(one, difference=judged.get(number)) for number, one in enumerate(found)]


def _accuracies(results: Iterable[dict[str, Any]]) -> dict[int, float]:
    return {result["round"]: result["test_accuracy"] for result in results}


def _dictionary(results: Sequence[dict[str, Any]], ours: dict[int, float]) -> Dictionary:
    first, accuracies = results[0], _accuracies(results)
    known = {name: mean_of(results, name) for name in ("mean_coherence", "coherence", "nonzeros", "psnr")}
    values = {name: None if one is None else one.value for name, one in known.items()}
    if is_raw(first["method"]):  # pixels are orthogonal to each other
        values |= {"mean_coherence": 0.0, "coherence": 0.0}
    return Dictionary(
        first["method"],
        first["hidden"],
        first["weights"],
        mean(accuracies),
        None if first["method"] == DAS else difference(accuracies, ours),
        **values,
    )


@dataclass(frozen=True)
class Relation:
    """Spearman's rank correlation of two things, its two-sided p-value, and the number of pairs."""

    rho: float
    p: float
    count: int


def relation(first: Sequence[float], second: Sequence[float]) -> Relation | None:
    """Whether one grows with the other; None for fewer than four pairs, or if one of them is constant."""
    count = len(first)
    if count < 4 or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    rho = float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])
    if abs(rho) > 1 - 1e-12:
        return Relation(rho, 0.0, count)
    return Relation(rho, float(2 * stdtr(count - 2, -abs(rho) * np.sqrt((count - 2) / (1 - rho**2)))), count)


def _ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs."""
    array = np.asarray(values)
    below, equal = (array[None] < array[:, None]).sum(axis=1), (array[None] == array[:, None]).sum(axis=1)
    return below + (equal + 1) / 2


def coherence_relation(found: Iterable[Dictionary]) -> Relation | None:
    """Mean coherence against accuracy over all dictionaries; raw pixels are none."""
    pairs = [(one.mean_coherence, one.accuracy.value) for one in found if not one.is_raw and one.mean_coherence]
    return relation(*zip(*pairs, strict=True)) if pairs else None


def coherence_words(found: Relation | None) -> str:
    """What the picture shows, by rule."""
    if found is None:
        return say("There are too few dictionaries to say whether coherence matters.")
    numbers = say("rank correlation {rho:+.2f} over {count} dictionaries", rho=found.rho, count=found.count)
    if found.p >= LEVEL:
        return say("Coherence alone does not tell which dictionary reads better ({numbers}).", numbers=numbers)
    return say(
        "Dictionaries whose atoms resemble each other less tend to read more ({numbers}, many of them related)."
        if found.rho < 0
        else "Dictionaries whose atoms resemble each other more tend to read more ({numbers}, many of them related).",
        numbers=numbers,
    )


def against_das_words(found: Iterable[Dictionary]) -> str:
    """How many dictionaries are clearly above and below DAS-KSVD."""
    verdicts = [one.difference.verdict for one in found if not one.is_raw and one.difference is not None]
    if not verdicts:
        return ""
    if set(verdicts) == {ONE_ROUND}:
        return say("Against DAS-KSVD, {verdict}.", verdict=say(ONE_ROUND))
    above, below = verdicts.count("better"), verdicts.count("worse")
    rest = len(verdicts) - above - below
    return say(
        "Of {count} others, {above} read clearly more than DAS-KSVD, {below} fewer; {rest} cannot be told.",
        count=len(verdicts),
        above=above,
        below=below,
        rest=rest,
    )
