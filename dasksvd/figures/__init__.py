"""Arrays in, figures out: plotly's, and lighter ones of marks and of small pictures."""

from dasksvd.figures.accuracy import accuracy_by_weights, accuracy_dots, confusion
from dasksvd.figures.drawing import (
    labelled_row,
    picture_row,
    pursuit_wall,
    residual_curve,
    vote_bars,
)
from dasksvd.figures.measures import error_curve, odds_curves, odds_histogram
from dasksvd.figures.numbers import signed
from dasksvd.figures.palette import ACCENT, CLASS_COLORS, GREY, SIGNED, SIGNED_GREY, class_color
from dasksvd.figures.plots import Plot, Spot, class_bars, code_stems, measure_dots, share_bars
from dasksvd.figures.walls import Mark, Wall, dictionary_wall, mosaic, tile, wall_png
from dasksvd.figures.weights import Cell, Ring, ScoreMap, colour_strip, lattice_dots, score_map

__all__ = [
    "ACCENT",
    "CLASS_COLORS",
    "GREY",
    "SIGNED",
    "SIGNED_GREY",
    "Cell",
    "Mark",
    "Plot",
    "Ring",
    "ScoreMap",
    "Spot",
    "Wall",
    "accuracy_by_weights",
    "accuracy_dots",
    "class_bars",
    "class_color",
    "code_stems",
    "colour_strip",
    "confusion",
    "dictionary_wall",
    "error_curve",
    "labelled_row",
    "lattice_dots",
    "measure_dots",
    "mosaic",
    "odds_curves",
    "odds_histogram",
    "picture_row",
    "pursuit_wall",
    "residual_curve",
    "score_map",
    "share_bars",
    "signed",
    "tile",
    "vote_bars",
    "wall_png",
]
