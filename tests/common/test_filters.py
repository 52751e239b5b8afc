"""Filters that people type: what passes, and what is said of those that cannot be read."""

import pytest

from dasksvd.common.filters import MAX_DEPTH, MAX_LETTERS, Columns, parse
from dasksvd.errors import ParameterError

COLUMNS = Columns(
    numbers=("q", "t", "tau1", "accuracy", "I"),
    texts=("name", "data", "tags", "words"),
    shares=("q",),
    also={"τ1": "tau1"},
    lists=("tags", "words"),
)
ROW = {"q": 0.2, "t": 60, "tau1": 0.5, "accuracy": 96.1, "I": 20, "name": "Quick, t 60", "data": "mnist", "tags": None}
ROW |= {"words": "first try, Slow"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quick",
        "QUICK mnist",
        "q < 0.3 and accuracy > 95",
        "q<30%",
        "q = 20 %",
        "0.1 < q <= 0.2",
        "0.3 > q",
        "not pear",
        "not not quick",
        "pear or mnist",
        "(pear or mnist) and I = 20",
        "i = 20",
        "τ1 >= 0.5",
        'name ~ "t 60"',
        'name = "quick, t 60"',
        "data != digits",
        "q ≤ 0,2",
        "not accuracy > 97",
        "not (pear or fig)",
        "pear or quick q < 0.3",
        "quick (fig or t == 60)",
        "-1 < q",
        "words = slow",
        'words = "first try"',
        "words != first",
        "words ~ fir",
    ],
)
def test_a_row_passes(text):
    assert parse(text, COLUMNS)(ROW)


@pytest.mark.parametrize(
    "text",
    [
        "pear",
        "quick pear",
        "q > 0.3",
        "q < 0.3 and accuracy > 97",
        "0.2 < q",
        "0.2 < q < 0.3",
        "not quick",
        "q < 20%",
        "pear or fig",
        "(pear or mnist) and I = 21",
        'name = "quick"',
        "data = digits",
        "tags = x",
        "tags != x",
        "words = first",
        "words != slow",
        "pear or quick q > 0.3",
        "quick and not mnist",
    ],
)
def test_a_row_does_not_pass(text):
    assert not parse(text, COLUMNS)(ROW)


def test_what_a_row_does_not_have_is_not_compared():
    row = {"name": "waiting", "accuracy": None}
    for text in ("accuracy > 0", "accuracy < 100", "accuracy != 3", "q < 1", "tags ~ a"):
        assert not parse(text, COLUMNS)(row)
    assert parse("not accuracy > 0", COLUMNS)(row)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("q <", 'after "<" a value is missing'),
        ("q < and t > 3", 'after "<" a value is missing'),
        ("< 3", 'before "<" the name of a column is missing'),
        ("lr < 3", 'there is no column "lr"; there are q'),
        ("accurcy > 3", 'did you mean "accuracy"'),
        ("0.1 < 0.2", 'there is no column "0.1"'),
        ("q < high", 'q is a number, "high" is none'),
        ("q ~ 3", "q is a number"),
        ("(quick", 'has no ")"'),
        ("quick)", 'has no "("'),
        ("()", 'after "(" something is missing'),
        ("quick or", 'after "or" something is missing'),
        ("and quick", '"and" has nothing before it'),
        ("not", 'after "not" something is missing'),
        ('name = "quick', "has no partner"),
        ("(" * (MAX_DEPTH + 1) + "q" + ")" * (MAX_DEPTH + 1), "at most"),
        ("not " * (MAX_DEPTH + 1) + "q", "at most"),
        ("x" * (MAX_LETTERS + 1), "at most"),
        ("quick ~ q", 'before "~"'),
    ],
)
def test_a_filter_that_cannot_be_read_says_why(text, words):
    with pytest.raises(ParameterError) as error:
        parse(text, COLUMNS)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "q.__class__", "1 if q else 2", "[x for x in q]", "q; t", "*", "%"]
)
def test_code_is_only_words(text):
    assert not parse(text, COLUMNS)(ROW)
