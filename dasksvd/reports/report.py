"""A report: one HTML file that needs nothing from outside, with pictures, numbers and what is needed to check them."""

import base64
import time
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np

from dasksvd.datasets.parts import part_name
from dasksvd.datasets.registry import OWN
from dasksvd.evaluate import Metrics
from dasksvd.figures import mosaic
from dasksvd.parameters import PARAMETERS, TABLE
from dasksvd.reports import drawings
from dasksvd.reports.facts import Facts, RunFacts, as_json, metrics_of, run_facts, search_facts
from dasksvd.reports.html import page, table
from dasksvd.reports.machine import machine
from dasksvd.reports.recipes import Origin, Recipe, run_recipe
from dasksvd.reports.search_part import search_part
from dasksvd.reports.views import search_recipe
from dasksvd.runs.differences import Evaluated, difference
from dasksvd.runs.folder import Run
from dasksvd.runs.reference import ReferenceRun
from dasksvd.search.plans import SearchPlan, plan_title
from dasksvd.statistics import share_text

AnyRun = Run | ReferenceRun


def report(
    runs: Sequence[AnyRun], plan: SearchPlan | None = None, made: float | None = None, told: Facts | None = None
) -> str:
    """The report of a run, of several, or of a search on one.

    Parameters
    ----------
    runs : sequence of Run or ReferenceRun
        With at least one finished iteration each.
    plan : SearchPlan, optional
        A search on the first of them.
    made : float, optional
        When, in seconds since 1970; now by default.
    told : Facts, optional
        Of a report of the same runs: what they were called and on which machine they were computed.
    """
    facts = Facts(machine(), [run_facts(run) for run in runs])
    if told is not None:
        named = [
            replace(one, id=other.id, name=other.name, kept=other.kept)
            for one, other in zip(facts.runs, told.runs, strict=True)
        ]
        facts = Facts(told.machine, named)
    if plan is not None:
        facts = Facts(facts.machine, facts.runs[:1], plan, *search_facts(runs[0], plan))
    title = _title(facts)
    parts = [f"<h1>{escape(title)}</h1>", _head(made)]
    if len(runs) > 1:
        parts.append(_comparison(runs, facts.runs))
    if plan is not None:
        parts += [f"<h2>{escape(plan_title(plan))}</h2>", search_part(runs[0], plan)]
        parts.append(_code(search_recipe(_origin(facts.runs[0]), plan)))
    for run, found in zip(runs, facts.runs, strict=True):
        parts.append(_run_part(run, found))
    parts.append(_machine(facts.machine))
    block = f'<script type="application/json" id="dasksvd-report">{as_json(facts)}</script>'
    return page(title, f"{''.join(parts)}\n{block}")


def _title(facts: Facts) -> str:
    name = facts.runs[0].name or facts.runs[0].id
    if facts.plan is not None:
        return f"DAS-KSVD: a search on {name}"
    return f"DAS-KSVD: {name}" if len(facts.runs) == 1 else f"DAS-KSVD: {len(facts.runs)} runs compared"


def _head(made: float | None) -> str:
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made))
    return (
        f'<p class="small">Made {when}. This file needs no network. To check it, save it and run '
        "<code>python -m dasksvd verify report.html</code>: everything is computed again and compared.</p>"
    )


def _origin(found: RunFacts) -> Origin:
    return Origin(found.description, found.id, found.name, found.kept)


def _run_part(run: AnyRun, found: RunFacts) -> str:
    """Settings, accuracy, atoms, curves and code of one run."""
    settings, what = run.description.settings, run.description
    data = f"“{found.kept or 'own pictures'}”" if what.data == OWN else what.data
    rows = [
        [f"{TABLE[name].symbol or '–'}", TABLE[name].title, str(getattr(settings, name)), TABLE[name].default_text]
        for name in PARAMETERS
    ]
    words = (
        f"<p>Learned from {what.n_signals:,} signals of {what.signal_length} values in {len(what.classes)} classes "
        f"({escape(data)}); {len(found.iterations)} of {settings.I} iterations are finished. Seed {settings.seed}.</p>"
    )
    metrics = metrics_of(run)
    return (
        f"<h2>{escape(found.name or found.id)}</h2>{words}{_accuracy(run, metrics)}"
        f'<div class="side"><div><h3>Atoms</h3>{_atoms(run)}</div><div><h3>K-SVD</h3>{_errors(run)}</div></div>'
        f"<h3>Settings</h3>{table(rows, ('symbol', 'meaning', 'value', 'default'))}"
        f"{_confusion(run, metrics)}{_code(run_recipe(_origin(found), found.plan))}"
    )


def _accuracy(run: AnyRun, metrics: Metrics | None) -> str:
    if metrics is None:
        return "<p>Not evaluated here.</p>"
    network = f"MLP-{metrics.n_atoms}-{metrics.hidden}-{len(metrics.confusion)} ({metrics.classifier})"
    level = f", level {metrics.level:g}" if metrics.level else ""
    return (
        f'<p class="big">Accuracy <b>{escape(share_text(metrics.accuracy, metrics.n_scored))}</b> on '
        f"{metrics.n_scored:,} {escape(metrics.part)}</p>"
        f'<p class="small">95 % interval (Wilson) for so many images; another seed would move it, too. Read by '
        f"{escape(network)}, {metrics.weights:,} weights, {metrics.epochs} epochs, on codes by "
        f"{escape(metrics.encoder)}{level}; {100 * metrics.nonzeros:.1f} % non-zeros.</p>"
    )


def _atoms(run: AnyRun) -> str:
    """The structured dictionary: one row for each class, one column for each iteration."""
    if not run.description.is_square:
        return "<p>These signals are no square pictures.</p>"
    k = len(run.description.classes)
    settings = run.description.settings
    selected = run.trajectory.reselect(settings.alpha, settings.beta).atoms
    tuned = settings.fine_tune and not isinstance(run, ReferenceRun) and not run.missing
    atoms = run.atoms if tuned and isinstance(run, Run) else selected
    rows = atoms.reshape(len(atoms) // k, k, -1).transpose(1, 0, 2)
    picture = base64.b64encode(mosaic(np.ascontiguousarray(rows))).decode("ascii")
    alt = f"{len(atoms)} atoms, one row per class, one column per iteration."
    names = ", ".join(map(str, run.description.classes))
    width = min(460, rows.shape[1] * 34)
    return (
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{picture}" width="{width}">'
        f'<p class="small">Rows, from above: {escape(names)}. Columns: iterations. Orange is negative, blue-green '
        "positive.</p>"
    )


def _errors(run: AnyRun) -> str:
    """How K-SVD's error falls in the first, the middle and the last iteration."""
    records = run.trajectory.records
    shown = sorted({0, len(records) // 2, len(records) - 1})
    lines = {f"l = {l + 1}": list(enumerate(records[l].errors.tolist(), 1)) for l in shown}
    return drawings.curves(lines, "K-SVD iteration", "RMS error", "Error of K-SVD over its iterations.")


def _confusion(run: AnyRun, metrics: Metrics | None) -> str:
    if metrics is None or len(metrics.confusion) > 20:
        return ""
    names = [str(label) for label in run.description.classes]
    rows = [[name, *counts] for name, counts in zip(names, metrics.confusion, strict=True)]
    return f"<h3>Which classes are confused</h3>{table(rows, ('true class, read as', *names))}"


def _code(recipe: Recipe) -> str:
    texts = [text for text in (recipe.shell, recipe.python) if text.strip()]
    return f"<h3>The same again</h3>{''.join(f'<pre>{escape(text)}</pre>' for text in texts)}"


def _machine(facts: dict[str, str]) -> str:
    return f"<h2>Computed with</h2>{table([[name, text] for name, text in facts.items()])}"


def _comparison(runs: Sequence[AnyRun], found: Sequence[RunFacts]) -> str:
    """Accuracies with intervals, what they differ by, and the settings in which the runs differ."""
    names = [one.name or one.id for one in found]
    read = [metrics_of(run) for run in runs]
    rows, first = [], read[0]
    for run, name, metrics in zip(runs, names, read, strict=True):
        lead = None
        if metrics and first and run is not runs[0]:
            lead = difference(Evaluated(run, metrics), Evaluated(runs[0], first))
        accuracy = share_text(metrics.accuracy, metrics.n_scored) if metrics else "not evaluated"
        rows.append([name, accuracy, f"{lead.text} points" if lead else "–", part_name(run.description)])
    settings = [run.description.settings for run in runs]
    differing = [
        [TABLE[name].symbol or TABLE[name].title, *(str(getattr(one, name)) for one in settings)]
        for name in PARAMETERS
        if len({getattr(one, name) for one in settings}) > 1
    ]
    told = table(differing, ("setting", *names)) if differing else "<p>All settings are the same.</p>"
    return (
        f"<h2>Side by side</h2>{table(rows, ('run', 'accuracy, 95 % interval', 'against the first', 'scored on'))}"
        f"<h3>What differs</h3>{told}"
    )
