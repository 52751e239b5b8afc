"""The colours of all figures."""

from collections.abc import Sequence

#: One colour per class, at least 13 apart in CIELAB for ordinary, deutan and protan eyes, on light and dark pages.
#: For marks only: as text some of them could hardly be read.
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
#: Scores from low to high; middle tones only, so that every cell stands out on light and dark pages.
SCORE_SCALE = [[0.0, "#4A5768"], [0.5, "#12808F"], [1.0, "#A6EBC9"]]


def contrast(first: Sequence[float], second: Sequence[float]) -> float:
    """Contrast of two colours of 0 … 255 as the WCAG defines it, 1 … 21."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def ink_on(color: Sequence[float]) -> str:
    """Black or white, whichever reads better on a colour; the better one has a contrast of at least 4.5."""
    return max(("#000000", "#FFFFFF"), key=lambda ink: contrast(channels(ink), color))


def channels(color: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#RRGGBB``."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: Sequence[float]) -> float:
    shares = (part / 255 for part in color)
    linear = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def class_color(number: int) -> str:
    """The colour of a class; after ten classes the colours repeat."""
    return CLASS_COLORS[number % len(CLASS_COLORS)]
