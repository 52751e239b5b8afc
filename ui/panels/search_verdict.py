"""What a search says: the best point against the one to beat, and whether the difference is more than noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import streamlit as st

from dasksvd.common.language import phrase, say
from dasksvd.search.comparison import Comparison
from dasksvd.statistics import Corrected, Difference, Noise, Summary, plus_minus
from reproduce import weights
from ui import stored
from ui.components import charts

#: What a paired difference says about a preference that one trajectory has shown.
REPEATED = {
    "cannot be told apart": phrase("does not repeat on other trajectories"),
    "better": phrase("it is one trajectory's; others have it, too"),
    "worse": phrase("other trajectories say the opposite"),
    "one round cannot tell": phrase("one other trajectory cannot tell whether it repeats"),
}
NOISE = phrase(
    "Networks differ by their random start. Two points with {rounds} networks each must differ by this much "
    "to be told apart (95 % interval, standard deviation between networks pooled over all points: {sd:.2f}). "
    "Among many points more is needed: Holm's correction for all differences to the best."
)
OTHER_SPLITS = phrase(
    " Runs on digits with another split each, and the paper's settings, differ by {sd:.2f} more; a search on one split "
    "cannot see that."
)
UNKNOWN = phrase("One network per point cannot tell how large the noise is: search with three or more.")


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
        Fact(
            say("Best of {n_points}: {point}", n_points=n_points, point=found.best.point),
            in_percent(found.best.summary, found.noise),
        ),
        Fact(say("The paper's: {point}", point=found.paper.point), in_percent(found.paper.summary, found.noise)),
        Fact(say("Gap"), say("{text} points", text=found.gap.text)),
        noise_floor(found.noise, min(found.best.summary.rounds, found.paper.summary.rounds)),
    ]
    if repeated is not None:
        where = say("On {rounds} other trajectories", rounds=repeated.rounds)
        facts.append(Fact(where, say("{text} points", text=repeated.text), stored.command("weights")))
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
    others = say("{count} other points cannot be told from the best", count=len(found.alike))
    if found.noise is None:
        return say(UNKNOWN)
    if found.best.key == found.paper.key:
        return say("**The paper's point is our best, too**; {others}.", others=others)
    told = say("The gap {gap}", gap=of_a_gap(found.gap))
    if found.gap.verdict == "better":
        luck = phrase("partly luck: the best of many")
        told += say(", but {why}", why=say(luck if repeated is None else REPEATED[repeated.verdict]))
    elif _clear_alone(found.gap) and repeated is not None:
        told += say(", and {repeated}", repeated=say(REPEATED[repeated.verdict]))
    return f"**{told}**; {others}."


def of_a_gap(gap: Difference) -> str:
    """What can be said of the best point's lead over another."""
    if gap.verdict == "better":
        return say("is more than noise")
    if _clear_alone(gap):
        return say("is clear alone, but not as one of {family} tests", family=gap.family)
    return say("cannot be told from noise")


def _clear_alone(gap: Difference) -> TypeGuard[Corrected]:
    return isinstance(gap, Corrected) and gap.clear_alone


def in_percent(summary: Summary, noise: Noise | None) -> str:
    """A mean with its 95 % interval, such as "96.27 ± 0.20 %"."""
    half_width = None if noise is None else 100 * noise.half_width(summary.rounds)
    return f"{plus_minus(100 * summary.mean, half_width)} %"


def noise_floor(noise: Noise | None, rounds: int) -> Fact:
    """The gap from which on two points can be told apart."""
    if noise is None:
        return Fact(say("Noise floor"), say("not known"), say(UNKNOWN))
    meant = say(NOISE, rounds=rounds, sd=100 * noise.sd)
    runs = stored.computed("weights", weights.chance)
    meant += say(OTHER_SPLITS, sd=100 * runs.between_trajectories) if runs else ""
    return Fact(say("Noise floor"), say("{floor:.2f} points", floor=100 * noise.floor(rounds)), meant)
