"""What the dashboard draws: arrays in, figures out, and nothing of Streamlit.

Walls, plots, score maps and the flow are data for the components in :mod:`ui.components`; the others are plotly's.
"""

from dasksvd.figures import GREY, SIGNED, SIGNED_GREY, in_rows, mosaic
from ui.figures.accuracy import accuracy_by_weights, confusion
from ui.figures.drawing import labelled_row
from ui.figures.flows import Flow, Stage, flow
from ui.figures.forests import Forest, forest
from ui.figures.histograms import odds_histogram
from ui.figures.intervals import IntervalCurve, Measured, interval_curve
from ui.figures.lines import named_lines, odds_lines
from ui.figures.plots import Plot, Spot, class_bars, code_stems, measure_dots, share_bars
from ui.figures.score_maps import Cell, ScoreMap, score_limits, score_map
from ui.figures.series import Chart, Point, Series, dot_chart, line_chart
from ui.figures.training import error_lines, growing_wall
from ui.figures.walls import Mark, Wall, dictionary_wall, in_a_row, wall

__all__ = [
    "GREY",
    "SIGNED",
    "SIGNED_GREY",
    "Cell",
    "Chart",
    "Flow",
    "Forest",
    "IntervalCurve",
    "Mark",
    "Measured",
    "Plot",
    "Point",
    "ScoreMap",
    "Series",
    "Spot",
    "Stage",
    "Wall",
    "accuracy_by_weights",
    "class_bars",
    "code_stems",
    "confusion",
    "dictionary_wall",
    "dot_chart",
    "error_lines",
    "flow",
    "forest",
    "growing_wall",
    "in_a_row",
    "in_rows",
    "interval_curve",
    "labelled_row",
    "line_chart",
    "measure_dots",
    "mosaic",
    "named_lines",
    "odds_histogram",
    "odds_lines",
    "score_limits",
    "score_map",
    "share_bars",
    "wall",
]
