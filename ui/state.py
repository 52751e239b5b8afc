"""What every page looks at: a run, weights, a ranking, a size and a colour scale."""

from dataclasses import dataclass
from functools import cached_property

from dasksvd import rankings
from dasksvd.common.language import phrase, say
from dasksvd.datasets.description import Description
from dasksvd.datasets.registry import facts_of
from dasksvd.method.trajectory import Selection, Trajectory
from ui import links, texts

#: What one image is called, and what several are.
WORDS = {phrase("digit"): phrase("digits"), phrase("picture"): phrase("pictures")}


@dataclass(frozen=True)
class View:
    """What every page looks at."""

    run_id: str
    description: Description
    trajectory: Trajectory
    alpha: float
    beta: float
    I: int
    colors: list
    ranking: str = rankings.DEFAULT

    @cached_property
    def selection(self) -> Selection:
        """The structured dictionary for the current weights and ranking."""
        return self.trajectory.reselect(self.alpha, self.beta, self.I, self.ranking)

    @cached_property
    def papers_selection(self) -> Selection:
        """The structured dictionary for the paper's best weights, α = β = 0, and its ranking."""
        return self.trajectory.reselect(0, 0, self.I, rankings.DEFAULT)

    @property
    def score_name(self) -> str:
        """What the scores of the current ranking are called."""
        return "m" if self.ranking == rankings.DEFAULT else say("score")

    def told(self, row: int, column: int) -> str:
        """What the selected atom of a class (row) and an iteration (column, from 0) is, and how well it did."""
        score = self.selection.scores[column, row]
        return say(
            "class {class_name}, iteration {column}\n{score_name} = {score:.3f}",
            class_name=self.class_names[row],
            column=column + 1,
            score_name=self.score_name,
            score=score,
        )

    @property
    def word(self) -> str:
        """What one of its images is called: digit or picture."""
        return facts_of(self.description.data).word

    @property
    def words(self) -> str:
        """What several of its images are called, in the visitor's language."""
        return say(WORDS[self.word])

    @property
    def draws(self) -> bool:
        """Whether its classifier reads drawings."""
        return facts_of(self.description.data).gives_reader

    @cached_property
    def classes(self) -> list[str]:
        """Class names, short enough for figures and headings; no two are alike."""
        return texts.class_labels(self.class_names)

    @cached_property
    def class_names(self) -> list[str]:
        """The whole class names."""
        return [str(label) for label in self.description.classes]

    @property
    def weights_text(self) -> str:
        """The current weights in words, and the ranking unless it is the paper's."""
        return texts.ranked_by(self.ranking, self.alpha, self.beta)


def choose(alpha: float, beta: float, size: int, ranking: str) -> None:
    """Make weights, size and ranking current in the whole app from the next run of the script on."""
    for key, value in (("alpha", alpha), ("beta", beta), ("I", size)):
        links.put(key, links.short(value))
    links.put("ranking", ranking)


def is_due() -> bool:
    """Whether weights were chosen that the controls do not show yet."""
    return links.is_due("alpha")


def look_at(run_id: str) -> None:
    """Make a run the current one; before the controls are drawn, as in a callback."""
    links.put("run", run_id)
