"""What can be taken home from a page: in its header, the code behind what it shows, and a report."""

from collections.abc import Callable, Sequence

import streamlit as st

from dasksvd.common.language import say
from dasksvd.evaluate import Plan
from dasksvd.reports.facts import MAX_RUNS
from dasksvd.reports.notebook import notebook
from dasksvd.reports.recipes import Origin, Recipe, run_recipe
from dasksvd.reports.views import claims_recipe, drawing_recipe, measures_recipe, search_recipe
from dasksvd.search.plans import SearchPlan
from reproduce import claims
from ui import cache, frame, readers
from ui.components import canvas
from ui.controls.settings_form import Choice
from ui.panels import compare, reader
from ui.state import View

#: Pixels of a text's height, and its lines; a longer one scrolls.
HEIGHT, LINES = 290, 11
#: Runs whose arrays are read before a report is asked for: as many as the cache holds at once.
MOST_READ = 4


def code(make: Callable[[], Recipe | None]) -> None:
    """A button in the header that shows the code behind the page, which is made when somebody asks for it."""
    place = frame.tools().popover(
        say("Code"),
        icon=":material/code:",
        type="tertiary",
        key="show_code",
        on_change="rerun",
    )
    if not place.open:
        return
    with place, st.container(key="code_texts"):
        recipe = make()
        if recipe is None:
            st.info(say("There is nothing to compute yet: the settings on this page cannot run."))
        else:
            _tabs(recipe)


def report(runs: Sequence[str], plan: SearchPlan | str | None = None) -> None:
    """A button in the header that writes a report of some runs, or of a search on one, when it is pressed."""
    shown = [run_id for run_id in runs if _may_have_atoms(run_id, len(runs))][:MAX_RUNS]
    if not shown:
        return
    frame.tools().download_button(
        say("Report"),
        lambda: _report(shown, plan),
        "report.html",
        "text/html",
        icon=":material/description:",
        type="tertiary",
        key="report",
        on_click="ignore",
        help=say(
            "One file with settings, atoms, curves, accuracy and commands. It needs no network; "
            "`python -m dasksvd verify report.html` checks it."
        ),
    )


def _may_have_atoms(run_id: str, among: int) -> bool:
    """Whether a run can be in a report; of many, their arrays are read only when it is written."""
    return compare.has_atoms(run_id) and (among > MOST_READ or not cache.why_unreadable(run_id))


def _report(runs: Sequence[str], plan: SearchPlan | str | None) -> str:
    """The report's HTML; a search that cannot be made is left out."""
    from dasksvd.reports.report import report  # with all that it shows, which the pages do not need

    whole = [cache.base_run(run_id) for run_id in runs if not cache.why_unreadable(run_id)]
    return report(whole, None if isinstance(plan, str) else plan)


def _tabs(recipe: Recipe) -> None:
    shell, python, cells = st.tabs([say("Command line"), say("Python"), say("Notebook")])
    with shell:
        _text(recipe.shell, "bash")
    with python:
        _text(recipe.python, "python")
    with cells:
        st.markdown(say("The same Python as cells of a Jupyter notebook, with the commands above them."))
        st.download_button(
            say("Download the notebook"),
            notebook(recipe),
            "das-ksvd.ipynb",
            "application/x-ipynb+json",
            icon=":material/download:",
            key="notebook",
            on_click="ignore",
        )
    st.caption(say("This gives what the page shows. Only what differs from the defaults is written down."))


def _text(text: str, language: str) -> None:
    long = text.count("\n") > LINES or max(map(len, text.splitlines())) > 40 * LINES
    st.code(text, language=language, height=HEIGHT if long else "content", wrap_lines=True)


def origin(run_id: str) -> Origin:
    """The run that a page looks at."""
    what = cache.description(run_id)
    name = "" if run_id in cache.SHIPPED_NAMES else cache.store().run(run_id).about.name
    return Origin(what, run_id, name, cache.kept_name(what.pictures))


def of_settings(choice: Choice, name: str) -> Recipe | None:
    """The run that Train would start."""
    if choice.description is None:
        return None
    start = Origin(choice.description, "", name or choice.title, cache.kept_name(choice.description.pictures))
    return run_recipe(start, choice.plan)


def of_run(run_id: str, plan: Plan | None) -> Recipe:
    """A run that there is."""
    return run_recipe(origin(run_id), plan)


def of_search(view: View, plan: SearchPlan | str) -> Recipe | None:
    """The search that a page shows."""
    return None if isinstance(plan, str) else search_recipe(origin(view.run_id), plan)


def of_measures(view: View, iteration: int) -> Recipe:
    """The measures of an iteration, and what the weights select."""
    weights = round(view.alpha, 10), round(view.beta, 10)
    return measures_recipe(origin(view.run_id), iteration, *weights, view.I, view.ranking)


def of_claims() -> Recipe:
    """The paper's claims."""
    commands: dict[str, list[str]] = {}
    for claim in claims.CLAIMS:
        commands.setdefault(claims.command(claim), []).append(claim.key)
    return claims_recipe({f"for: {', '.join(keys)}": command for command, keys in commands.items()})


def of_drawing() -> Recipe:
    """The drawing on the sheet, or the example that stands for it; a page that was never drawn has no reader."""
    drawing, choice = canvas.current(), st.session_state[reader.READ_BY]
    whole = readers.load(choice.reader.path)
    stem = choice.reader.path.stem
    called = "default" if stem == readers.SHIPPED else stem.replace("reference_reader_", "reference-")
    if choice.reader.path.name == readers.OWN_FILE:
        called = choice.reader.run_id
    count = None if choice.model.n_nonzero == whole.n_nonzero else choice.model.n_nonzero
    per_class = None if choice.per_class == readers.atoms_per_class(whole) else choice.per_class
    strokes = drawing.strokes or canvas.examples()[reader.EXAMPLE]
    sheet = None if drawing.photo else {"strokes": strokes, "size": canvas.SIZE}
    keeps = choice.network != whole.trained_for(choice.model.n_nonzero).n_nonzero
    return drawing_recipe(sheet, called, count, per_class, keeps)
