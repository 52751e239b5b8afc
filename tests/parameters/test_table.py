"""Every parameter is in every place, and every limit is enforced where the table says it is."""

import math
import re
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dasksvd
from dasksvd import ParameterError, Settings
from dasksvd.__main__ import main
from dasksvd.parameters import DURATIONS, PARAMETERS, PRESETS, SWEPT, TABLE, parameter_table
from dasksvd.parameters.ranges import CountOrShare, Interval
from docs import tables

#: The document for people that has the table.
(DOCUMENT,) = tables.files_with(tables.PLACES[0][0])
ABOVE_0, BELOW_0, BELOW_1, ABOVE_1 = math.ulp(0.0), -math.ulp(0.0), math.nextafter(1, 0), math.nextafter(1, 2)
#: What is allowed at the edges of each range, and what is not.  Oracle: the paper's symbols and their ranges.
EDGES = {
    "q": ((1, 256, ABOVE_0, 1.0), (0, -1, 0.0, ABOVE_1, 2.0, True, "1")),
    "t": ((1, 10**9), (0, -1, 1.5, 1.0, True, None)),
    "tau1": ((0, 0.0, 1, 1.0), (BELOW_0, ABOVE_1, math.nan, True, "0.5")),
    "tau2": ((0, 0.0, BELOW_1), (BELOW_0, 1, 1.0, math.nan, False)),
    "I": ((1, 10**9), (0, -1, 1.5, True)),
    "alpha": ((0.0, 1.0), (BELOW_0, ABOVE_1, math.nan)),
    "beta": ((0.0, 1.0), (BELOW_0, ABOVE_1, math.inf)),
    "ranking": (("combined",), ("", "best", None, 1)),
    "r_f": ((ABOVE_0, 1, 10.0), (0, 0.0, BELOW_0, math.inf, 10**400, math.nan, True)),
    "ksvd_iter": ((1, 10**9), (0, -1, 1.5, True)),
    "noise": (("std", "variance"), ("", "Std", None, 1)),
    "re_sign": (("paper", "code"), ("", "theirs", None, 1)),
    "exact": ((False, True), ("", "yes", None, 2)),
    "seed": ((0, 2**63 - 1), (-1, 2**63, 0.5, True)),
    "streams": ((1, 2), (0, 3, 1.0, True)),
    "fine_tune": ((0, 10**9), (-1, 0.5, True, None)),
}
NUMBERS = [name for name, row in TABLE.items() if row.control]
every_parameter = pytest.mark.parametrize("row", [TABLE[name] for name in PARAMETERS], ids=PARAMETERS)


def test_the_table_has_every_setting_and_no_other():
    assert set(TABLE) == {field.name for field in fields(Settings)} == set(EDGES)
    assert set(TABLE) - set(PARAMETERS) == {"streams"}
    assert all(name == row.name for name, row in TABLE.items())
    assert {field.name: field.default for field in fields(Settings)} == {
        row.name: row.default for row in TABLE.values()
    }


@pytest.mark.parametrize("name", EDGES)
def test_every_limit_is_enforced_at_its_edge(name):
    allowed, refused = EDGES[name]
    for value in allowed:
        assert getattr(replace(Settings(), **{name: value}), name) == value
    for value in refused:
        with pytest.raises(ParameterError, match=rf"^{name} must be|^unknown {name} "):
            Settings(**{name: value})


def is_allowed(name, value):
    try:
        Settings(**{name: value})
    except ParameterError:
        return False
    return True


@pytest.mark.parametrize("name", NUMBERS)
@given(data=st.data())
def test_the_range_in_words_is_the_range_that_is_checked(name, data):
    """Oracle: Python's own reading of the words."""
    row = TABLE[name]
    near = st.sampled_from([0, 1, 2**63, 2**63 - 1, -1, 2])
    real = st.floats(-2, 2) | st.sampled_from([ABOVE_0, BELOW_0, BELOW_1, ABOVE_1, 0.0, 1.0])
    value = data.draw(real if isinstance(row.allowed, Interval) else near | real if name == "q" else near)
    words = row.allowed.words(name)
    if isinstance(row.allowed, CountOrShare):
        words = words.split(", or share ")[0 if isinstance(value, int) else 1]
    assert eval(words.removeprefix("whole number "), {name: value}) == is_allowed(name, value)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_control_offers_only_what_is_allowed_and_its_default(name):
    control = TABLE[name].control
    shown = control.scale * TABLE[name].default
    assert control.low <= shown <= control.high
    assert 0 < control.step < control.high - control.low
    for end in (control.low, control.high):
        assert is_allowed(name, end if control.scale == 1 else end / control.scale)


def test_a_sweep_varies_what_stored_scores_are_named_by():
    """In this order: a score is found by the text q=…,t=…,tau1=…,tau2=…,I=…"""
    assert SWEPT == ("q", "t", "tau1", "tau2", "I")
    for name in SWEPT:
        assert all(is_allowed(name, value) for value in TABLE[name].sweep)
        assert list(TABLE[name].sweep) == sorted(set(TABLE[name].sweep))
        assert TABLE[name].default in TABLE[name].sweep


@every_parameter
def test_every_parameter_is_described(row):
    assert row.title
    assert re.fullmatch(r"[A-Z][^.]*\.", row.meaning), "one sentence"
    assert row.formula
    assert row.plain_formula.isascii()
    assert row.allowed.words(row.name).isascii()
    assert row.range in row.help or row.control
    assert row.symbol or row.subject or row.control is None, "a message about its number needs a subject"


@every_parameter
def test_every_parameter_is_in_the_help_of_train(row, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    options = re.split(r"\n +(?=--)", capsys.readouterr().out)
    (told,) = [option for option in options if re.match(rf"--{row.name}\s", option)]
    for text in (row.symbol, row.meaning, row.plain_formula, row.limits):
        assert text in told
    for words in row.titles or [row.allowed.words(row.name)]:
        assert words in told.partition("Range: ")[2]


@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "q"])
def test_the_command_line_refuses_what_is_below_the_range(name, tmp_path, capsys):
    assert main(["train", f"--{name}=-1", "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.startswith(f"dasksvd: error: {name} must be a ")
    assert not (tmp_path / "run").exists()


@every_parameter
def test_every_parameter_has_its_row_in_the_document(row):
    symbol, text = row.symbol or "–", DOCUMENT.read_text(encoding="utf-8")
    assert f"| {symbol} | `{row.name}` | {row.meaning} | {row.default_text} | {row.range} |\n" in text


@every_parameter
def test_every_parameter_has_its_row_in_the_package_docstring(row):
    (line,) = [line for line in dasksvd.__doc__.splitlines() if f"``{row.name}``" in line]
    assert re.split(r"  +", line) == [row.symbol or "–", row.title, f"``{row.name}``", row.range]


@pytest.mark.parametrize(("begin", "end", "make"), tables.PLACES)
def test_tables_made_from_the_code_are_there_and_current(begin, end, make):
    (path,) = tables.files_with(begin)
    text = path.read_text(encoding="utf-8")
    assert tables.updated(text, begin, end, make()) == text, "run `python -m docs.tables`"


def test_a_text_without_the_marks_of_a_table_is_named():
    with pytest.raises(ValueError, match="are not there"):
        tables.updated("no marks\n", "begin", "end", "table")


@pytest.mark.parametrize("name", TABLE)
def test_every_field_is_described_in_the_docstring_of_settings(name):
    default = repr(TABLE[name].default).replace("'", '"')
    told = re.search(rf"^    {name} : .*, default={re.escape(default)}\n        (.*)\n", Settings.__doc__, re.MULTILINE)
    assert told, f"{name} is not there with its default {default}"
    assert told[1] == TABLE[name].meaning


def test_the_rows_for_people_are_those_that_users_set():
    assert [row.name for row in parameter_table()] == list(PARAMETERS)


def test_every_preset_has_its_duration():
    assert list(DURATIONS) == list(PRESETS)


def test_what_a_parameter_was_before_it_was_there_is_not_stored():
    """The sums over the settings of runs made before must stay what they were."""
    assert "ranking" not in Settings().as_dict()
    assert "fine_tune" not in Settings().as_dict()
    assert "streams" not in Settings(streams=1).as_dict()
    assert set(Settings().as_dict()) == set(TABLE) - {"ranking", "fine_tune"}
    assert Settings.from_dict({}) == Settings(streams=1)
