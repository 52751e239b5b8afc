"""What the dashboard draws: arrays in, figures out, and nothing of Streamlit.

Walls, plots and score maps are data for the components in :mod:`ui.components`; the others are plotly's.
"""

from dasksvd.figures import GREY, SIGNED, SIGNED_GREY, error_curve, in_rows, mosaic, odds_curves
from ui.figures.accuracy import accuracy_by_weights, accuracy_dots, confusion
from ui.figures.drawing import labelled_row, picture_row, pursuit_wall, residual_curve, vote_bars
from ui.figures.histograms import odds_histogram
from ui.figures.plots import Plot, Spot, class_bars, code_stems, measure_dots, share_bars
from ui.figures.score_maps import Cell, ScoreMap, colour_strip, lattice_dots, score_map
from ui.figures.walls import Mark, Wall, dictionary_wall, wall

__all__ = [
    "GREY",
    "SIGNED",
    "SIGNED_GREY",
    "Cell",
    "Mark",
    "Plot",
    "ScoreMap",
    "Spot",
    "Wall",
    "accuracy_by_weights",
    "accuracy_dots",
    "class_bars",
    "code_stems",
    "colour_strip",
    "confusion",
    "dictionary_wall",
    "error_curve",
    "in_rows",
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
    "vote_bars",
    "wall",
]
