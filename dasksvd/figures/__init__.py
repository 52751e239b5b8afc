"""Arrays in, plotly figures out."""

from dasksvd.figures.measures import class_bars, error_curve, measure_scatter, odds_curves
from dasksvd.figures.palette import CLASS_COLORS, GREY, SIGNED
from dasksvd.figures.walls import dictionary_wall, mosaic, tile

__all__ = [
    "CLASS_COLORS",
    "GREY",
    "SIGNED",
    "class_bars",
    "dictionary_wall",
    "error_curve",
    "measure_scatter",
    "mosaic",
    "odds_curves",
    "tile",
]
