"""What a search says: the best point against the one to beat, and whether the difference is more than noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import streamlit as st

from dasksvd.search.comparison import Comparison
from dasksvd.statistics import Corrected, Difference, Noise, Summary, plus_minus
from reproduce import weights
from ui import stored
from ui.components import charts

#: What a paired difference says about a preference that one trajectory has shown.
REPEATED = {
    "cannot be told apart": "does not repeat on other trajectories",
    "better": "it is one trajectory's; others have it, too",
    "worse": "other trajectories say the opposite",
    "one round cannot tell": "one other trajectory cannot tell whether it repeats",
}
NOISE = (
    "Networks differ by their random start. Two points with {} networks each must differ by this much "
    "to be told apart (95 % interval, standard deviation between networks pooled over all points: {:.2f}). "
    "Among many points more is needed: Holm's correction for all differences to the best."
)
OTHER_SPLITS = (
    " Runs on digits with another split each, and the paper's settings, differ by {:.2f} more; a search on one split "
    "cannot see that."
)
UNKNOWN = "One network per point cannot tell how large the noise is: search with three or more."


@dataclass(frozen=True)
class Fact:
    """A number of the verdict: what it is, what it is worth, and how it is meant."""

    name: str
    value: str
    help: str | None = None


def show(found: Comparison, n_points: int, repeated: Difference | None = None) -> None:
    """Our best against the paper's best, the noise floor, and in words what that allows to say.

    Parameters
    ----------
    n_points : int
        Points of the lattice: the best of many is partly luck.
    repeated : Difference, optional
        The same gap on other trajectories.
    """
    facts = [
        Fact(f"Best of {n_points}: {found.best.point}", in_percent(found.best.summary, found.noise)),
        Fact(f"The paper's: {found.paper.point}", in_percent(found.paper.summary, found.noise)),
        Fact("Gap", f"{found.gap.text} points"),
        noise_floor(found.noise, min(found.best.summary.rounds, found.paper.summary.rounds)),
    ]
    if repeated is not None:
        where = f"On {repeated.rounds} other trajectories"
        facts.append(Fact(where, f"{repeated.text} points", stored.command("weights")))
    tell(facts, in_words(found, repeated))


def tell(facts: Sequence[Fact], words: str) -> None:
    """Numbers side by side and a sentence under them; on a phone a short line of the first and the sentence."""
    with st.container(key="verdict", gap="xsmall"):
        if charts.on_phone():
            st.markdown(f"{facts[0].name}: **{facts[0].value}**. {words}")
            return
        for place, fact in zip(st.columns(len(facts)), facts, strict=True):
            place.markdown(f":small[{fact.name}]  \n**{fact.value}**", help=fact.help)
        st.markdown(words)


def in_words(found: Comparison, repeated: Difference | None = None) -> str:
    """Whether the gap can be told from noise."""
    others = f"{len(found.alike)} other points cannot be told from the best"
    if found.noise is None:
        return UNKNOWN
    if found.best.key == found.paper.key:
        return f"**The paper's point is our best, too**; {others}."
    told = f"The gap {of_a_gap(found.gap)}"
    if found.gap.verdict == "better":
        told += f", but {'partly luck: the best of many' if repeated is None else REPEATED[repeated.verdict]}"
    elif _clear_alone(found.gap) and repeated is not None:
        told += f", and {REPEATED[repeated.verdict]}"
    return f"**{told}**; {others}."


def of_a_gap(gap: Difference) -> str:
    """What can be said of the best point's lead over another."""
    if gap.verdict == "better":
        return "is more than noise"
    if _clear_alone(gap):
        return f"is clear alone, but not as one of {gap.family} tests"
    return "cannot be told from noise"


def _clear_alone(gap: Difference) -> TypeGuard[Corrected]:
    return isinstance(gap, Corrected) and gap.clear_alone


def in_percent(summary: Summary, noise: Noise | None) -> str:
    """A mean with its 95 % interval, such as "96.27 ± 0.20 %"."""
    half_width = None if noise is None else 100 * noise.half_width(summary.rounds)
    return f"{plus_minus(100 * summary.mean, half_width)} %"


def noise_floor(noise: Noise | None, rounds: int) -> Fact:
    """The gap from which on two points can be told apart."""
    if noise is None:
        return Fact("Noise floor", "not known", UNKNOWN)
    meant = NOISE.format(rounds, 100 * noise.sd)
    runs = stored.computed("weights", weights.chance)
    meant += OTHER_SPLITS.format(100 * runs.between_trajectories) if runs else ""
    return Fact("Noise floor", f"{100 * noise.floor(rounds):.2f} points", meant)
