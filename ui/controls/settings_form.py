"""The parameters of a run as controls, each made from its row of the table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from dasksvd import rankings
from dasksvd.common.language import say
from dasksvd.common.progress import clock
from dasksvd.datasets.description import Description
from dasksvd.encoders import ENCODERS, TUNED, usual_encoder
from dasksvd.errors import DataError, ParameterError
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import ABOUT_BEST, DURATIONS, PRESETS, TABLE, Parameter, Settings, n_nonzero
from dasksvd.runs.limits import plan_cost
from ui import cache, frame, links, texts
from ui.components import charts
from ui.controls import sources, weights
from ui.controls.numbers import ADVANCED, NUMBERS, SLIDERS, SPANS, level, number
from ui.controls.sources import Source
from ui.panels import jobs_panel, own_pictures

PRESET_NAMES = {name: name.capitalize() for name in PRESETS}
#: Letters of a run's name.
MAX_NAME = 80


@dataclass(frozen=True)
class Choice:
    """What the controls say.

    Attributes
    ----------
    description : Description or None
        The run to start; None if it cannot run.
    plan : Plan
        How to evaluate it.
    problem : str
        Why it cannot run, or an empty text.
    title : str
        What to call a run that nobody named: its preset and what was changed in it.
    """

    description: Description | None
    plan: Plan
    problem: str
    title: str = ""


@dataclass
class _Form:
    """The controls of one preset on one data set, and what they say."""

    preset: str
    source: Source
    base: Settings
    values: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def key(self, name: str) -> str:
        """A preset has controls of its own: its values first, then what was set there."""
        if self.source.tag and name in self.source.fitted:  # its value depends on the data, too
            name = f"{name}_{self.source.tag}"
        return f"{self.preset}_{name}"

    def ask(self, place, row: Parameter) -> None:
        """Draw a parameter's control."""
        if row.control is None:
            default = getattr(self.base, row.name)
            self.values[row.name] = _option(place, row.label, row.titles, self.key(row.name), row.help, default)
        elif row.control.slider:
            self.values[row.name] = _slider(place, row, self.key(row.name), getattr(self.base, row.name))
        else:
            self._ask_number(place, row)

    def _ask_number(self, place, row: Parameter) -> None:
        shown = row.control.scale * getattr(self.base, row.name)
        key, span = self.key(row.name), SPANS[row.name]
        value, problem = number(place, row.label, key, span, shown, row.control.step, row.help)
        self.values[row.name] = value if row.control.scale == 1 else value / row.control.scale
        self.problems.append(problem)
        if not row.advanced:
            self.notes[row.name] = place.empty()

    def ask_plan(self, places: Iterator) -> Plan:
        """Draw the controls of the evaluation."""
        classifier = _option(
            next(places),
            say("Classifier"),
            texts.titles(NETWORKS),
            self.key("classifier"),
            say(
                "The network that is trained on the sparse codes when the atoms are learned. SCG takes about ten times "
                "as long as Adam."
            ),
        )
        tuned = self.values["fine_tune"]
        encoder = _option(
            next(places),
            say("Encoder"),
            texts.titles(ENCODERS),
            self.key("encoder_tuned" if tuned else "encoder"),  # two controls, because their defaults differ
            say(
                "How the sparse codes that the classifier is trained on are computed. The atoms are always learned "
                "by OMP, and fine-tuned for “{title}”.",
                title=say(ENCODERS[TUNED].title),
            ),
            usual_encoder(tuned),
        )
        strength, unfit = level(next(places), self.key("level"), encoder)
        hidden, problem = number(
            next(places),
            say("h · hidden units"),
            self.key("hidden"),
            SPANS["hidden"],
            0,
            10,
            say(
                "Of the network MLP-$n$-$h$-$k$ for $n$ atoms and $k$ classes. 0 means as many as atoms, as in the "
                "paper. Range: 0 … 2000."
            ),
        )
        self.problems += [unfit, problem]
        return Plan(classifier, hidden, encoder, strength)

    def ask_weights(self, places: Sequence, seldom: Any) -> None:
        """Draw what atoms are ranked by; the same controls stand in the sidebar of other pages."""
        ranking = weights.pick_ranking("ranking", rankings.DEFAULT, seldom, everywhere=True)
        alpha, beta = weights.pick_weights(*places, disabled=not rankings.uses_weights(ranking))
        self.values |= {"alpha": alpha, "beta": beta, "ranking": ranking}

    def choice(self, plan: Plan) -> Choice:
        """What the controls say."""
        problem = next(filter(None, self.problems), "")
        if problem:
            return Choice(None, plan, problem)
        try:
            description = self.source.describe(replace(self.base, **self.values))
            cache.jobs().limits.check_run(description, plan)
        except (DataError, ParameterError) as error:
            return Choice(None, plan, str(error))
        self._tell_counts(description)
        return Choice(description, plan, "", self._title(description.settings))

    def _title(self, settings: Settings) -> str:
        data = [self.source.title] if self.source.tag else []
        changed = [
            f"{row.symbol or row.title} {value:g}" if isinstance(value, float) else f"{row.symbol or row.title} {value}"
            for row in TABLE.values()
            if (value := getattr(settings, row.name)) != getattr(self.base, row.name)
        ]
        return ", ".join([say(self.preset.capitalize()), *data, *changed])[:MAX_NAME]

    def _tell_counts(self, description: Description) -> None:
        """Beside a share its count, and what a count comes to."""
        settings, k = description.settings, len(description.classes)
        count = n_nonzero(settings.q, description.n_atoms)
        self.notes["q"].caption(
            say("{q:.4g} % · {count} of {n_atoms} atoms", q=100 * settings.q, count=count, n_atoms=description.n_atoms)
        )
        self.notes["t"].caption(
            say("{t:,} of {n_signals:,} signals", t=settings.t * k, n_signals=description.n_signals)
        )
        self.notes["I"].caption(say("× {k} classes = {I:,} atoms", k=k, I=settings.I * k))
        self.notes["ksvd_iter"].caption(say("× I = {I:,} in all", I=settings.I * settings.ksvd_iter))


def choose_settings(seldom: Any) -> Choice:
    """Draw the controls, two in a row; on a phone all but the first two are a tap away.

    Parameters
    ----------
    seldom : container
        Where the button stands that opens what most visitors leave as it is.
    """
    form = _start()
    with st.expander(say("Parameters")) if charts.on_phone() else st.container():
        places = _two_in_a_row()
        for row in NUMBERS:
            form.ask(next(places), row)
        for row in SLIDERS:
            form.ask(next(places), row)
        weights_places = next(places), next(places)
    with frame.more(say("Advanced"), place=seldom, key="advanced", width="stretch"):
        places = _two_in_a_row()
        form.ask_weights(weights_places, next(places))
        for row in ADVANCED:
            form.ask(next(places), row)
        plan = form.ask_plan(places)
    return form.choice(plan)


def _two_in_a_row() -> Iterator:
    """Places side by side, on a phone too, row after row."""
    while True:
        for column in st.columns(2, gap="small", vertical_alignment="bottom", wrap=False):
            yield column.container(gap=None)


def _start() -> _Form:
    """Draw the choice of the data and of a preset."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        meaning = say("The pictures to learn from. What is proposed for q, t, I and r_f depends on them.")
        data = _option(st, say("Data set"), sources.titles(), "data", meaning)
        own_pictures.offer()
    times = ", ".join(f"{say(PRESET_NAMES[name])} {time}" for name, time in DURATIONS.items())
    preset = links.choose(
        st.segmented_control,
        say("Start from"),
        PRESET_NAMES,
        key="preset",
        default="quick",
        required=True,
        help=say("A run on MNIST takes about: {times}. {about_best}", times=times, about_best=say(ABOUT_BEST)),
    )
    source = sources.source(data)
    return _Form(preset, source, source.base(preset))


def tell_time(choice: Choice) -> None:
    """How long a run will take from the press of the button to its accuracy, or why it cannot run."""
    if choice.description is None:
        st.warning(say("These settings cannot run: {problem}.", problem=choice.problem))
        return
    cost = plan_cost(choice.description, choice.plan)
    wait = jobs_panel.expected_wait()
    waiting = say(", {wait} of it in the queue", wait=clock(wait)) if wait else ""
    tuning = say("fine-tuning {tuning}, ", tuning=clock(cost.tuning)) if cost.tuning else ""
    st.caption(
        say("Estimated time: about {wait}{waiting}.", wait=clock(wait + cost.total), waiting=waiting),
        help=say(
            "In the queue {wait}, start {start}, atoms {atoms}, {tuning}codes of all images {coding}, "
            "classifier {network}. It may end sooner because of early stopping.",
            wait=clock(wait),
            start=clock(cost.start),
            atoms=clock(cost.atoms),
            tuning=tuning,
            coding=clock(cost.coding),
            network=clock(cost.network),
        ),
    )


def _slider(place, row: Parameter, key: str, default: float) -> float:
    low, high = float(row.control.low), float(row.control.high)
    return links.draw(
        place.slider,
        row.label,
        low,
        high,
        key=key,
        kind=links.NUMBER,
        default=default,
        check=lambda value: low <= value <= high,
        step=row.control.step,
        help=row.help,
    )


def _option(place, label: str, names: Mapping[str, str], key: str, meaning: str, default: str = "") -> str:
    """A choice among named things; the first one to begin with, unless another is the default."""
    return links.choose(place.selectbox, label, names, key=key, default=default or None, help=meaning)
