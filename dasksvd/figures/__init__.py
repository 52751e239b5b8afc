"""Arrays in, plotly figures out."""

from dasksvd.figures.accuracy import accuracy_by_weights, accuracy_dots, confusion
from dasksvd.figures.codes import code_stems
from dasksvd.figures.drawing import (
    labelled_row,
    picture_row,
    pursuit_wall,
    residual_curve,
    share_bars,
    vote_bars,
)
from dasksvd.figures.measures import class_bars, error_curve, measure_scatter, odds_curves, odds_histogram
from dasksvd.figures.palette import ACCENT, CLASS_COLORS, GREY, SIGNED, SIGNED_GREY, class_color
from dasksvd.figures.walls import dictionary_wall, mosaic, tile, wall_png
from dasksvd.figures.weights import Cell, colour_strip, lattice_dots, score_map

__all__ = [
    "ACCENT",
    "CLASS_COLORS",
    "GREY",
    "SIGNED",
    "SIGNED_GREY",
    "Cell",
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
    "measure_scatter",
    "mosaic",
    "odds_curves",
    "odds_histogram",
    "picture_row",
    "pursuit_wall",
    "residual_curve",
    "score_map",
    "share_bars",
    "tile",
    "vote_bars",
    "wall_png",
]
