"""What mattered?  How much of the spread of scores each parameter explains, and when the data cannot tell.

A small random forest learns the scores from the parameters.  What a parameter is worth is how much worse the forest
predicts runs that it has not seen when the parameter's values are shuffled among them.  Runs of the same settings are
never split: else the forest would only have to remember them.

Forests that each lack a quarter of a dozen settings differ much.  So where each value was tried in several settings, as
in a grid, an analysis of variance may also tell a parameter from nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dasksvd.common.language import phrase, say, say_count
from dasksvd.statistics import Difference, Summary, holm, summarise
from dasksvd.statistics.corrections import LEVEL

#: Different settings below which nothing is said, and trees of a forest.
FEWEST, TREES = 12, 60
#: Forests, each with seeds and folds of its own; parts that are left out in turn; shuffles of each.
FORESTS, FOLDS, SHUFFLES = 8, 4, 5
#: Of so many settings one is left out of a forest.
LEFT_OUT = 4
#: Share of the spread that a forest must explain before its parameters mean anything.
LEAST_EXPLAINED = 0.1
#: Why nothing can be said.
UNCHANGED, FEW, SAME, NOISE = "unchanged", "few", "same", "noise"
_PROBLEMS = {
    UNCHANGED: phrase("no parameter changed"),
    FEW: phrase("there are {n_settings} different settings with a score, and it takes {fewest}"),
    SAME: phrase("all scores are the same"),
    NOISE: phrase("the settings explain {explained:.0%} of the differences between unseen runs; the rest is noise"),
}


@dataclass(frozen=True)
class Importance:
    """What one parameter is worth.

    Attributes
    ----------
    name : str
    mean, low, high : float
        Share of the variance of unseen scores that it explains, alone or with others, and the ends of its 95 % interval
        over forests; with independent parameters an estimate of the total Sobol index.
    p : float
        Of the F test that its values have the same mean score, after Holm's correction; 1 where there is no such test.
    """

    name: str
    mean: float
    low: float
    high: float
    p: float = 1.0

    @property
    def is_clear(self) -> bool:
        """Whether the interval lies above 0, or the values differ by an analysis of variance."""
        return self.low > 0 or self.p < LEVEL


@dataclass(frozen=True)
class Answer:
    """What mattered, or why that cannot be said.

    Attributes
    ----------
    importances : tuple of Importance
        The largest first; empty if nothing can be said.
    explained : float
        Share of the variance of unseen scores that the forests explain.
    n_scores, n_settings : int
        Scores, and different settings among them.
    never : tuple of str
        Parameters that never changed.
    together : tuple of tuple of str
        Parameters that always changed together: nobody can tell them apart.
    why : str
        One of :data:`UNCHANGED`, :data:`FEW`, :data:`SAME` and :data:`NOISE` if nothing can be said.
    """

    importances: tuple[Importance, ...] = ()
    explained: float = 0.0
    n_scores: int = 0
    n_settings: int = 0
    never: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    why: str = ""

    @property
    def problem(self) -> str:
        """Why nothing can be said, for people; empty if something can."""
        if not self.why:
            return ""
        explained = max(0.0, self.explained)
        return say(_PROBLEMS[self.why], n_settings=self.n_settings, fewest=FEWEST, explained=explained)


Settings = Mapping[str, Any]


def what_mattered(settings: Sequence[Settings], scores: Sequence[float], names: Sequence[str]) -> Answer:
    """The importance of each parameter for some scores.

    Parameters
    ----------
    settings : sequence of mapping
        Of each score, the values of its parameters.
    scores : sequence of float
    names : sequence of str
        The parameters that are asked about.
    """
    columns = {name: _codes([one.get(name) for one in settings]) for name in names}
    never = tuple(name for name, column in columns.items() if len(np.unique(column)) < 2)
    changed = {name: column for name, column in columns.items() if name not in never}
    groups = _together(changed)
    together = tuple(group for group in groups if len(group) > 1)
    n_settings = len(np.unique(np.column_stack(list(changed.values())), axis=0)) if changed else min(1, len(scores))
    base = Answer(n_scores=len(scores), n_settings=n_settings, never=never, together=together)
    why = _why_not(changed, n_settings, np.asarray(scores, float))
    if why:
        return replace(base, why=why)
    features = np.column_stack([changed[group[0]] for group in groups])
    drops, explained = _shuffled(features, np.asarray(scores, float))
    if explained < LEAST_EXPLAINED:
        return replace(base, explained=explained, why=NOISE)
    tests = _same_means(features, np.asarray(scores, float))
    found = [
        _importance(" with ".join(group), column, p) for group, column, p in zip(groups, drops.T, tests, strict=True)
    ]
    ranked = tuple(sorted(found, key=lambda one: -one.mean))
    return replace(base, explained=explained, importances=ranked)


def _why_not(changed: Mapping[str, np.ndarray], n_settings: int, scores: np.ndarray) -> str:
    if not changed:
        return UNCHANGED
    if n_settings < FEWEST:
        return FEW
    return SAME if np.ptp(scores) == 0 else ""


def _codes(values: Sequence[Any]) -> np.ndarray:
    """Numbers as they are, names by their order; nothing is below everything."""
    if all(isinstance(value, int | float) for value in values):
        return np.array(values, float)
    order = {text: place for place, text in enumerate(sorted({repr(value) for value in values}))}
    return np.array([order[repr(value)] for value in values], float)


def _together(columns: Mapping[str, np.ndarray]) -> list[tuple[str, ...]]:
    """Parameters in groups: within one, each value of one goes with one value of the others.

    Where every setting has a value of its own, as in random designs, that says nothing: then the values must also be
    in the same order, or in the opposite one.
    """
    settings = np.unique(np.column_stack(list(columns.values())), axis=0) if columns else np.zeros((0, 0))
    found: dict[tuple, list[str]] = {}
    for name, column in zip(columns, settings.T, strict=True):
        _, first, which = np.unique(column, return_index=True, return_inverse=True)
        # Values are numbered as they come first, so that equal partitions get equal numbers.
        key = np.argsort(np.argsort(first))[which]
        if len(first) == len(column):
            key = which if which[0] < which[-1] else which[::-1].max() - which
        found.setdefault((len(first) == len(column), *key.tolist()), []).append(name)
    return [tuple(group) for group in found.values()]


def _shuffled(features: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, float]:
    """Of each forest what each feature explains, (forests, features), and the mean share that all of them explain."""
    from sklearn.ensemble import RandomForestRegressor  # a second to load

    _, settings = np.unique(features, axis=0, return_inverse=True)
    losses, left = np.zeros((FORESTS, features.shape[1])), np.zeros(FORESTS)
    for number in range(FORESTS):
        rng = np.random.default_rng(number)
        # Another part of the settings is left out of each forest: else chance findings of the data would look sure.
        places = rng.permutation(settings.max() + 1)
        fold = np.where(places % LEFT_OUT, places // LEFT_OUT % FOLDS, -1)[settings]
        spread = np.sum((scores[fold >= 0] - scores[fold >= 0].mean()) ** 2) or 1.0
        for part in range(FOLDS):
            inside, out = (fold >= 0) & (fold != part), fold == part
            if not (inside.any() and out.any()):
                continue
            forest = RandomForestRegressor(TREES // FOLDS, min_samples_leaf=2, random_state=number, n_jobs=1)
            forest.fit(features[inside], scores[inside])
            wrong = np.sum((forest.predict(features[out]) - scores[out]) ** 2)
            left[number] += wrong / spread
            worse = [_loss(forest, features[out], scores[out], j, rng) - wrong for j in range(losses.shape[1])]
            # Shuffling costs a share of the variance twice: what was told is lost, and what is told is wrong.
            losses[number] += np.array(worse) / (2 * spread)
    return losses, float(1 - left.mean())


def _loss(forest: Any, features: np.ndarray, scores: np.ndarray, column: int, rng: np.random.Generator) -> float:
    """The mean squared error's sum with one feature shuffled."""
    many = np.repeat(features[None], SHUFFLES, axis=0)
    for copy in many:
        copy[:, column] = rng.permutation(copy[:, column])
    told = forest.predict(many.reshape(-1, features.shape[1])).reshape(SHUFFLES, -1)
    return float(np.mean(np.sum((told - scores) ** 2, axis=1)))


def _same_means(features: np.ndarray, scores: np.ndarray) -> list[float]:
    """Of each feature the p-value that its values have the same mean score, over settings, corrected for their number.

    What the other features do counts as noise, so that a test rather finds too little.
    """
    from scipy.stats import f_oneway  # half a second to load

    settings, which = np.unique(features, axis=0, return_inverse=True)
    means = np.bincount(which.ravel(), scores) / np.bincount(which.ravel())
    found = []
    for column in settings.T:
        groups = [means[column == value] for value in np.unique(column)]
        known = min(map(len, groups)) > 1 and max(map(np.ptp, groups)) > 0
        found.append(Difference(0.0, None, float(f_oneway(*groups).pvalue) if known else None, len(means)))
    return [1.0 if p is None else p for p in holm(found)]


def _importance(name: str, losses: np.ndarray, p: float) -> Importance:
    """Mean and spread over forests: 95 % of single forests, as they share the runs and are not independent."""
    mean, half = float(losses.mean()), _student(len(losses)) * float(losses.std(ddof=1))
    return Importance(name, mean, mean - half, mean + half, p)


def _student(rounds: int) -> float:
    from scipy.stats import t  # half a second to load

    return float(t.ppf(0.975, rounds - 1))


def half_width(summary: Summary) -> float | None:
    """Half of the 95 % interval of a mean; None if one score alone cannot tell."""
    return None if summary.sd is None else _student(summary.rounds) * summary.sd / summary.rounds**0.5


def curve(settings: Sequence[Settings], scores: Sequence[float], name: str) -> dict[Any, Summary]:
    """The scores at each value of one parameter, whatever the others were."""
    return cells(settings, scores, (name,), single=True)


def cells(
    settings: Sequence[Settings], scores: Sequence[float], names: Sequence[str], single: bool = False
) -> dict[Any, Summary]:
    """The measured scores at each combination of values of some parameters; what was not measured has no entry."""
    found: dict[Any, list[float]] = {}
    for one, score in zip(settings, scores, strict=True):
        values = tuple(one.get(name) for name in names)
        found.setdefault(values[0] if single else values, []).append(score)
    return {values: summarise(some) for values, some in found.items()}


def sentence(answer: Answer, titles: Mapping[str, str]) -> str:
    """The answer for people."""

    def named(name: str) -> str:
        return say(" with ").join(titles.get(one, one) for one in name.split(" with "))

    count = answer.n_scores
    if answer.why:
        return say("These {count} runs cannot tell what mattered: {problem}.", count=count, problem=answer.problem)
    clear = [named(one.name) for one in answer.importances if one.is_clear]
    if not clear:
        return say("No parameter stands out clearly among these {count} runs.", count=count)
    others = len(answer.importances) - len(clear)
    alone = len(clear) == 1 and not others
    first = say("{name} mattered", name=clear[0]) if alone else say("{name} mattered most", name=clear[0])
    more = say(", then {names}", names=", ".join(clear[1:])) if clear[1:] else ""
    one, many = (
        phrase("; the other one cannot be told from nothing"),
        phrase("; the other {count} cannot be told from nothing"),
    )
    rest = say_count(others, one, many) if others else ""
    return f"{first}{more}{rest}."
