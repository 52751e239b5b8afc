"""Figures for notebooks and for the dashboard: arrays in, plotly figures or PNGs out.

- :func:`mosaic`: small images, such as atoms, as one PNG; :func:`tile` gives the array
- :func:`class_bars`: one value per class
- :func:`weight_map`: scores over the weights α and β
- :func:`error_curve`, :func:`odds_curves`: how a run went on

plotly is loaded by the first chart and not before.
"""

from dasksvd.figures.bars import class_bars
from dasksvd.figures.curves import error_curve, odds_curves
from dasksvd.figures.palette import ACCENT, CLASS_COLORS, GREY, SIGNED, SIGNED_GREY, class_color
from dasksvd.figures.pictures import in_rows, mosaic, tile
from dasksvd.figures.triangle import weight_map

__all__ = [
    "ACCENT",
    "CLASS_COLORS",
    "GREY",
    "SIGNED",
    "SIGNED_GREY",
    "class_bars",
    "class_color",
    "error_curve",
    "in_rows",
    "mosaic",
    "odds_curves",
    "tile",
    "weight_map",
]
