"""Every parameter has its control, with symbol, formula and range from the table."""

from dataclasses import replace

import pytest

from dasksvd import cost
from dasksvd.common.progress import clock
from dasksvd.datasets import DATASETS
from dasksvd.encoders import ENCODERS, levels_of
from dasksvd.evaluate import Plan
from dasksvd.networks import NETWORKS
from dasksvd.parameters import DURATIONS, PARAMETERS, PRESETS, SWEPT, TABLE
from dasksvd.runs.evaluation import read_plan
from dasksvd.runs.worker import describe
from tests.ui.harness import open_page
from ui import cache
from ui.controls import settings_form

ON_THE_FORM = [TABLE[name] for name in PARAMETERS if TABLE[name].place == "form"]
TYPED = [row for row in ON_THE_FORM if row.control and not row.control.slider]


@pytest.fixture
def page(home):
    return open_page("train")


def control_of(at, row, key):
    if row.control is None:
        return at.selectbox(key=key)
    return at.slider(key=key) if row.control.slider else at.number_input(key=key)


def test_every_parameter_stands_on_the_form_or_in_the_sidebar_or_is_left_out_on_purpose():
    assert {name for name in PARAMETERS if TABLE[name].place == "none"} == {"exact"}
    assert {name for name in PARAMETERS if TABLE[name].place == "sidebar"} == {"alpha", "beta", "ranking"}


def test_every_control_says_symbol_formula_and_range_and_begins_at_the_preset(page):
    for row in ON_THE_FORM:
        control = control_of(page, row, f"quick_{row.name}")
        assert control.label.startswith(row.symbol or row.title.capitalize()[0])
        assert row.title.lower() in control.label.lower()
        for text in (row.meaning, f"${row.formula}$"):
            assert text in control.help
        scale = row.control.scale if row.control else 1
        preset = getattr(PRESETS["quick"], row.name)
        assert control.value == (preset if scale == 1 else scale * preset)
        if row.control is None:
            assert control.options == list(row.titles.values())
            assert all(name in control.help for name in row.titles)
        else:
            assert f"{row.control.low:g} … {row.control.high:.10g}" in control.help
            assert control.step == row.control.step
        if row.control and row.control.slider:
            assert (control.min, control.max) == (row.control.low, row.control.high)


@pytest.mark.parametrize("row", TYPED, ids=lambda row: row.name)
def test_every_limit_of_a_control_is_enforced_at_its_edge(page, row):
    low, high, step = row.control.low, row.control.high, 1 if isinstance(row.default, int) else 0.001
    for value, is_fine in ((low, True), (low - step, False), (high, True), (high + step, False)):
        page.number_input(key=f"quick_{row.name}").set_value(value).run()
        assert not page.exception
        told = [error.value for error in page.error]
        assert (told == []) == is_fine
        assert is_fine or (told[0].startswith(row.subject or row.symbol) and f"{row.control.high:.10g}" in told[0])


def test_the_weights_have_the_range_of_the_table(page):
    for name in ("alpha", "beta"):
        slider, row = page.slider(key=name), TABLE[name]
        assert slider.label == row.label
        assert (slider.min, slider.max, slider.step) == (row.control.low, row.control.high, row.control.step)
        assert f"${row.formula}$" in slider.help


def test_data_sets_and_networks_come_from_their_registries(page):
    assert page.selectbox(key="data").options == [entry.title for entry in DATASETS.entries()]
    assert page.selectbox(key="quick_classifier").options == [entry.title for entry in NETWORKS.entries()]
    assert page.selectbox(key="quick_encoder").options == [entry.title for entry in ENCODERS.entries()]


def test_a_sweep_offers_what_the_table_says(home):
    at = open_page("grid_search")
    at.segmented_control(key="search_over").set_value("others").run()
    assert at.selectbox(key="sweep_x").options == [f"{TABLE[name].symbol} · {TABLE[name].title}" for name in SWEPT]
    for name in SWEPT:
        at.selectbox(key="sweep_x").set_value(name).run()
        assert at.multiselect(key=f"values_{name}_x").options == [f"{value:g}" for value in TABLE[name].sweep]


def test_a_share_has_its_count_beside_it_and_a_count_what_it_comes_to(page):
    told = [line.value for line in page.caption]
    assert {"20 % · 51 of 256 atoms", "1,500 of 40,000 signals", "× 10 classes = 100 atoms"} <= set(told)
    page.number_input(key="quick_q").set_value(12.5)
    page.number_input(key="quick_r_f").set_value(0.5).run()
    assert "12.5 % · 16 of 128 atoms" in [line.value for line in page.caption]


def test_the_data_set_comes_first_and_the_weights_stand_in_the_form(page):
    widgets = [element.key for element in page.main if element.type in ("selectbox", "button_group", "slider")]
    assert widgets[:2] == ["data", "preset"]
    assert {"alpha", "beta"} <= set(widgets)
    assert not page.sidebar.slider


def test_presets_tell_their_duration(page):
    choice = page.segmented_control(key="preset")
    assert choice.options == [name.capitalize() for name in PRESETS]
    for name, time in DURATIONS.items():
        assert f"{name.capitalize()} {time}" in choice.help


def test_a_run_takes_weights_and_ranking_from_the_form(home, page):
    cache.jobs().places = 0
    page.slider(key="alpha").set_value(0.25)
    page.selectbox(key="ranking").set_value("worst").run()
    page.button(key="run_button").click().run()
    assert not page.exception
    (run,) = home
    assert run.description.settings == replace(PRESETS["quick"], alpha=0.25, ranking="worst")


class TestLevel:
    """λ stands beside the encoder, and is off where the encoder has none."""

    def test_it_is_on_for_encoders_that_have_one(self, page):
        for name in ENCODERS:
            page.selectbox(key="quick_encoder").set_value(name).run()
            assert page.number_input(key="quick_level").disabled == (not levels_of(name))
            assert not page.exception

    @pytest.mark.parametrize("level", [0, 0.35])
    def test_a_run_is_evaluated_with_it(self, home, page, level):
        cache.jobs().places = 0
        page.selectbox(key="quick_encoder").set_value("soft").run()
        page.number_input(key="quick_level").set_value(level).run()
        page.button(key="run_button").click().run()
        (run,) = home
        assert read_plan(run) == Plan(encoder="soft", level=level)

    def test_one_that_is_off_says_nothing(self, home, page):
        cache.jobs().places = 0
        page.selectbox(key="quick_encoder").set_value("soft").run()
        page.number_input(key="quick_level").set_value(7).run()
        assert "λ must be between 0 and 0.95, not 7." in [error.value for error in page.error]
        assert page.button(key="run_button").disabled
        page.selectbox(key="quick_encoder").set_value("omp").run()
        assert not page.error
        page.button(key="run_button").click().run()
        (run,) = home
        assert read_plan(run) == Plan()

    def test_the_time_counts_a_network_for_every_level(self, page, monkeypatch):
        """Oracle: the time model itself, at a known speed."""
        monkeypatch.setattr(cost, "this_machine", lambda: cost.MEASURED_ON)
        page.selectbox(key="quick_encoder").set_value("soft").run()
        expected = cost.run_cost(describe(PRESETS["quick"], "mnist"), Plan().classifier, n_levels=6)
        (told,) = [line for line in page.caption if "Estimated time" in line.value]
        assert f"classifier {clock(expected.network)}" in told.help
        page.number_input(key="quick_level").set_value(0.3).run()
        (told,) = [line for line in page.caption if "Estimated time" in line.value]
        assert f"classifier {clock(expected.network / 6)}" in told.help


def test_no_control_of_the_form_stands_alone(page):
    """Two in a row: with an odd number of fields, one would stand beside a gap."""
    assert len(settings_form.NUMBERS) % 2 == 0
    assert len(settings_form.SLIDERS) % 2 == 0
    assert "× I = 200 in all" in [line.value for line in page.caption]


@pytest.mark.parametrize(
    ("typed", "called"), [("", "Quick, t 60, α 0.25"), ("  ", "Quick, t 60, α 0.25"), ("mine", "mine")]
)
def test_a_run_that_nobody_named_is_called_by_its_settings(home, page, typed, called):
    cache.jobs().places = 0
    page.slider(key="alpha").set_value(0.25)
    page.number_input(key="quick_t").set_value(60)
    page.text_input(key="name").set_value(typed).run()
    assert "Quick, t 60, α 0.25" in page.text_input(key="name").placeholder
    page.button(key="run_button").click().run()
    (run,) = home
    assert run.about.name == called


def test_the_name_says_the_data_set_if_it_is_not_the_first_one(page):
    page.selectbox(key="data").set_value("digits").run()
    assert DATASETS["digits"].title in page.text_input(key="name").placeholder
