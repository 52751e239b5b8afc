"""Drawings shared by the tests of digits."""

import numpy as np
import pytest

from reproduce import strokes as pens
from tests.digit.drawn import unit
from tests.digit.trained import trained


@pytest.fixture(scope="session")
def drawings():
    """One drawing of each digit in a plain style, of height or width 1."""
    styles = ("round", "short flag", "corner", "round", "open", "two strokes", "curl", "crossed", "S first")
    plain = [pens.TEMPLATES[number][style] for number, style in enumerate((*styles, "curved tail"))]
    return [unit([pens.curve(np.array(stroke)) for stroke in template]) for template in plain]


@pytest.fixture(scope="session")
def step_model():
    """Networks of two hidden layers for codes of 40 and of 10 non-zeros."""
    return trained(steps=(40, 10), epochs=(8, 3), hidden=(40, 30))
