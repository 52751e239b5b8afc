"""Formulas are filled in with the numbers that the measures are made of."""

import re

import numpy as np
import pytest

from dasksvd.method.measures import ClassTables, measure
from dasksvd.method.trajectory import Record
from dasksvd.runs.reference import load_reference
from ui.panels import formulas


def made(p, q, r, re_sign="paper"):
    """A record with one atom of two classes."""
    tables = ClassTables(*(np.array(values, float)[:, None] for values in (p, q, r)))
    nothing = np.empty(0)
    return Record(nothing, nothing, nothing, tables, measure(tables, re_sign), nothing)


def test_numbers_and_result_belong_together():
    record = made(p=(0.31, 0.82), q=(0.1, 0.4), r=(2.0, 5.0))
    text = formulas.filled(formulas.lead(record, 0, "af", "paper"), 2)
    assert text == r"m_{af} = \frac{p^+ - p^*}{p^+} = \frac{0.82 - 0.31}{0.82} = 0.62"


def test_a_lead_below_zero_is_shown_and_cut():
    record = made(p=(0.31, 0.82), q=(0.5, 0.4), r=(2.0, 5.0))
    one = formulas.lead(record, 0, "cm", "paper")
    assert one.value == 0
    assert formulas.filled(one, 2, in_symbols=False) == r"m_{cm} = \frac{0.40 - 0.50}{0.40} = -0.25 \;\to\; 0"


def test_the_other_sign_turns_the_error_and_nothing_else():
    record = made(p=(0.31, 0.82), q=(0.1, 0.4), r=(5.0, 2.0), re_sign="code")
    error, often = (formulas.lead(record, 0, name, "code") for name in ("re", "af"))
    assert formulas.filled(error, 2) == r"m_{re} = \frac{r^* - r^+}{r^*} = \frac{5.00 - 2.00}{5.00} = 0.60"
    assert formulas.symbols(often) == r"\frac{p^+ - p^*}{p^+}"


def test_an_unused_atom_has_no_fraction_to_divide_by():
    record = made(p=(0, 0), q=(0, 0), r=(1, 1))
    assert formulas.result(formulas.lead(record, 0, "af", "paper")) == "0.000"


@pytest.mark.parametrize("weights", [(0, 0), (0.3, 0.2), (1 / 3, 2 / 3), (1, 0)])
def test_the_sum_adds_up(weights):
    measures = load_reference().records[3].measures
    for atom in range(0, 256, 37):
        text = formulas.combined(measures, atom, *weights, digits=6)
        *terms, total = [float(number) for number in re.findall(r"-?\d+\.\d+", text)]
        shares, values = terms[::2], terms[1::2]
        assert sum(shares) == pytest.approx(1, abs=0.011)
        assert total == pytest.approx(np.dot(shares, values), abs=0.01)
        assert values == pytest.approx([measures.af[atom], measures.cm[atom], measures.re[atom]], abs=1e-6)


@pytest.mark.parametrize("name", formulas.TABLES)
def test_every_fraction_gives_its_measure(name):
    record = load_reference().records[0]
    for atom in range(0, 256, 11):
        one = formulas.lead(record, atom, name, "paper")
        assert max(0, one.unclipped) == pytest.approx(one.value, abs=1e-9)
