"""The theme's colours can be read. Oracle: the contrast of the WCAG, and how Streamlit mixes the theme's colours."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from dasksvd.figures import palette
from ui.figures import score_maps

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
#: Contrast that small text needs.
READABLE = 4.5


def color(name, kind):
    return np.array(palette.channels(THEME[kind].get(name) or THEME[name]))


@pytest.mark.parametrize("kind", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_captions_and_chosen_buttons_can_be_read(kind, ground):
    text, primary, below = color("textColor", kind), color("primaryColor", kind), color(ground, kind)
    assert palette.contrast(0.6 * text + 0.4 * below, below) >= READABLE
    tint = 0.1 if kind == "light" else 0.2
    assert palette.contrast(primary, tint * primary + (1 - tint) * below) >= READABLE


@pytest.mark.parametrize(("kind", "ink"), [("light", "#FFFFFF"), ("dark", "#121212")])
def test_a_primary_buttons_text_can_be_read(kind, ink):
    """In ui/look.css it is the browser's Canvas colour."""
    assert palette.contrast(palette.channels(ink), color("primaryColor", kind)) >= READABLE


def test_contrast_is_that_of_the_wcag():
    """Oracle: published examples; #767676 is the lightest grey that passes on white."""
    assert palette.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert palette.contrast(palette.channels("#767676"), (255, 255, 255)) == pytest.approx(4.54, abs=0.005)
    assert palette.contrast(palette.channels("#777777"), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)


def test_every_score_can_be_read_on_its_colour():
    for value in np.linspace(0, 1, 101):
        fill, ink = score_maps._fill(value, (0.0, 1.0))
        assert palette.contrast(palette.channels(fill), palette.channels(ink)) >= READABLE


@pytest.mark.parametrize("ring", [score_maps.OURS, score_maps.PAPERS])
def test_a_white_name_can_be_read_on_a_rings_badge(ring):
    assert palette.contrast(palette.channels(ring), (255, 255, 255)) >= READABLE


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_counts_can_be_read_on_every_cell_of_a_confusion_matrix(kind):
    text, below = color("textColor", kind), color("backgroundColor", kind)
    orange = np.array([214, 104, 36])
    for strength in np.linspace(0.03, 0.7, 20):
        assert palette.contrast(text, strength * orange + (1 - strength) * below) >= READABLE


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_class_colours_are_seen_as_marks(kind):
    """Half of what small text needs is too little to read and enough to see a mark beside its name."""
    for mark in palette.CLASS_COLORS:
        assert palette.contrast(palette.channels(mark), color("backgroundColor", kind)) >= 2
