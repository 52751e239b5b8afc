"""The colours of all figures."""

#: One colour per class, at least 13 apart in CIELAB for ordinary, deutan and protan eyes, on light and dark pages.
CLASS_COLORS = (
    "#4479AA",
    "#34B5E5",
    "#227E3D",
    "#CFAF1F",
    "#E55666",
    "#A93276",
    "#EA7738",
    "#00A27A",
    "#906AD0",
    "#8A8D99",
)
#: Value of the gaps between images in a wall; see :func:`dasksvd.figures.tile`.
GAP = -128
_CLEAR = [[0.0, "rgba(0, 0, 0, 0)"], [0.001, "rgba(0, 0, 0, 0)"]]
#: Gap, negative, zero, positive: zero takes the page's own background, so both themes work.
SIGNED = [
    *_CLEAR,
    [0.002, "rgb(214, 104, 36)"],
    [128 / 255, "rgba(128, 128, 128, 0.10)"],
    [1.0, "rgb(20, 140, 157)"],
]
GREY = [*_CLEAR, [0.002, "rgb(60, 60, 60)"], [128 / 255, "rgba(128, 128, 128, 0.06)"], [1.0, "rgb(110, 124, 140)"]]
#: Atoms in grey: black, middle, white.
SIGNED_GREY = [*_CLEAR, [0.002, "rgb(20, 20, 20)"], [128 / 255, "rgb(128, 128, 128)"], [1.0, "rgb(245, 245, 245)"]]
ACCENT = "#148C9D"


def class_color(number: int) -> str:
    """The colour of a class, whatever its number."""
    return CLASS_COLORS[number % len(CLASS_COLORS)]
