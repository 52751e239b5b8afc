"""What is shown of runs below their table: one run, some side by side, or all that were found in one chart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dasksvd.common.language import phrase, say, say_count
from dasksvd.runs.store import Listed
from ui import cache, links, texts
from ui.controls import run_actions
from ui.panels import compare, one_run, run_charts, run_lines, run_match, run_table, what_mattered
from ui.panels.run_rows import Row
from ui.state import View

ATOMS, LINES = "atoms", "lines"
#: The views and what they are called.
VIEWS = {
    ATOMS: phrase("Atoms"),
    LINES: phrase("Parallel coordinates"),
    "scores": phrase("Accuracy"),
    "errors": phrase("Error curves"),
    "match": phrase("Matching atoms"),
    "matter": phrase("What mattered?"),
}


@dataclass(frozen=True)
class Shown:
    """The runs of a page: what views need of them.

    Attributes
    ----------
    view : View
    lines : sequence of Listed
        The runs of the store.
    labels : mapping of str to str
        Of all runs, by their ids.
    found, inside : mapping of str to dict
        Rows that pass the filter, and those of them that lie in the ranges of the chart.
    picked : sequence of str
    brush : dict
    """

    view: View
    lines: Sequence[Listed]
    labels: Mapping[str, str]
    found: dict[str, Row]
    inside: dict[str, Row]
    picked: Sequence[str]
    brush: dict

    @property
    def ids(self) -> list[str]:
        """The picked runs that are shown; all shown ones if fewer than two are picked."""
        here = [run_id for run_id in self.picked if run_id in self.inside]
        return here if len(self.picked) > 1 else list(self.inside)

    @property
    def rows(self) -> dict[str, Row]:
        """Their rows."""
        return {run_id: self.inside[run_id] for run_id in self.ids}

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter or a range hides runs."""
        return len(self.inside) < len(self.labels)

    @property
    def names(self) -> list[str]:
        """Their short names, no two alike."""
        return compare.headings(self.ids, dict(self.labels))


def choose() -> str:
    """Which view is wanted; beside it stands what filters the runs."""
    return links.choose(
        st.segmented_control, say("Show"), VIEWS, key="view", default=ATOMS, required=True, label_visibility="collapsed"
    )


def tell_filter(shown: Shown) -> None:
    """What hides runs, and a button that ends it."""
    if shown.brush:
        told, count = (
            run_lines.words(shown.brush),
            say("{count} of {count2} runs", count=len(shown.inside), count2=len(shown.found)),
        )
        if st.button(
            say("{count} · show all", count=count),
            key="clear_brush",
            type="tertiary",
            icon=":material/filter_alt_off:",
            help=say("Only those with {told}", told=texts.plain(told)),
        ):
            run_lines.clear()
            st.rerun()
    elif shown.inside and run_table.is_wide(shown.inside):
        st.caption(say("For more, scroll the table sideways."), width="content")
    hidden = [run_id for run_id in shown.picked if run_id not in shown.inside]
    if hidden:
        one = phrase("{count} picked run is hidden by the filter.")
        many = phrase("{count} picked runs are hidden by the filter.")
        st.caption(say_count(len(hidden), one, many), width="content")


def show(which: str, shown: Shown) -> None:
    """The chosen view."""
    _SHOW[which](shown)


def _atoms(shown: Shown) -> None:
    here = [run_id for run_id in shown.picked if run_id in shown.inside]
    own = [line for line in shown.lines if line.run.id in here]
    if len(shown.picked) > 1:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="actions"):
            if own:
                run_actions.show_many(own, shown.labels)
            st.markdown(f"**{compare.sentence(here)}**" if len(here) > 1 else "", width="stretch")
        if here:
            compare.show(shown.view, here, compare.headings(here, dict(shown.labels)))
        return
    if not shown.picked and shown.is_narrowed and len(shown.inside) > 1:
        _first_of(shown)
        return
    run_id = shown.picked[0] if shown.picked else cache.REFERENCE
    if not shown.lines:
        st.caption(say("No run of your own yet: start one on the Train page, or import one. This is a shipped one:"))
    if run_id in cache.SHIPPED_NAMES:
        with st.container(horizontal=True, gap="small"):
            run_actions.show_doors(run_id)
    else:
        run_actions.show(next(line for line in shown.lines if line.run.id == run_id), shown.labels[run_id])
    one_run.show(shown.view, run_id, shown.labels[run_id])


def _first_of(shown: Shown) -> None:
    """The first runs that a filter leaves, side by side, where nobody has picked any."""
    readable = [run_id for run_id, row in shown.inside.items() if "data" in row]
    ids = readable[: compare.IN_A_ROW]
    if len(ids) > 1:
        st.markdown(f"**{compare.sentence(ids)}**")
    compare.show(shown.view, ids, compare.headings(ids, dict(shown.labels)))
    if len(readable) > len(ids):
        st.caption(
            say("The first {most} of {count} runs. Pick some to see others.", most=len(ids), count=len(readable))
        )


_SHOW: dict[str, Callable[[Shown], None]] = {
    ATOMS: _atoms,
    LINES: lambda shown: run_lines.show(shown.found, shown.brush, shown.picked),
    "scores": lambda shown: run_charts.accuracies(shown.rows, shown.names),
    "errors": lambda shown: run_charts.errors(shown.ids, shown.names),
    "match": lambda shown: run_match.show(
        shown.view, shown.ids[: run_charts.MOST_CURVES], shown.names[: run_charts.MOST_CURVES]
    ),
    "matter": lambda shown: what_mattered.of_runs(shown.rows),
}
