"""Light charts of several lines with names."""

from collections.abc import Mapping, Sequence

import numpy as np

from dasksvd.common.language import say
from ui.figures.plots import Plot, Spot


def named_lines(
    lines: Mapping[str, tuple[np.ndarray, np.ndarray]],
    title: str,
    titles: tuple[str, str],
    *,
    colors: Sequence[str],
    weights: Sequence[str] = (),
    hover: str = "{name}: {x:g}, {y:.3g}",
    log: bool = False,
    top: float = 0.0,
    height: int = 300,
) -> Plot:
    """Several lines with their names at their ends.

    Parameters
    ----------
    lines : mapping of name to (x, y)
        Two arrays of the same length for each line.
    titles : tuple of str
        Of the two axes.
    colors : sequence of str
        One for each line.
    weights : sequence of {"pale", "plain", "strong"}
        One for each line; plain by default. Colour must not be all that tells lines apart.
    hover : str
        What is told about a point, with ``name``, ``x`` and ``y`` in braces.
    log : bool
        Whether the vertical axis is logarithmic; then all y are positive.
    """
    spots = [
        Spot(float(x), float(y), color, hover.format(name=name, x=x, y=y), weight=weight, group=name)
        for (name, points), color, weight in zip(lines.items(), colors, weights or ["plain"] * len(lines), strict=True)
        for x, y in zip(*points, strict=True)
    ]
    places = [spot.at for spot in spots] or [0.0, 1.0]
    legend = list(zip(lines, colors, strict=True))
    span = (min(places), max(places)) if min(places) < max(places) else (min(places) - 0.5, max(places) + 0.5)
    return Plot("lines", title, *titles, spots, [], span, top=top, height=height, legend=legend, log=log)


def odds_lines(odds: Mapping[int, np.ndarray], title: str) -> Plot:
    """Sampling odds after some iterations, as multiples of uniform odds, from the most to the least likely signal.

    Parameters
    ----------
    odds : mapping of iteration (from 1) to ndarray of shape (n_signals,)
        Odds that sum to 1.
    """
    lines = {f"l = {iteration}": _steps(np.sort(values)[::-1] * len(values)) for iteration, values in odds.items()}
    return named_lines(
        lines,
        title,
        (say("signals, sorted by odds (%)"), say("odds, as a multiple of uniform")),
        colors=shades(len(lines)),
        weights=[("plain", "pale")[number % 2] for number in range(len(lines))],
        hover=say("{name}: {x:.0f} % of the signals have {y:.3g} × uniform or more"),
        log=True,
        height=360,
    )


def _steps(falling: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the stairs that some falling values are, over 0 … 100 %."""
    count = len(falling)
    falling = falling[falling > 0]  # with τ1 = 0, odds become 0, which a logarithm cannot show
    ends = np.append(np.flatnonzero(~np.isclose(falling[1:], falling[:-1])), len(falling) - 1)
    edges = 100 * np.concatenate(([0], ends + 1)) / count
    return np.stack([edges[:-1], edges[1:]], axis=1).ravel(), np.repeat(falling[ends], 2)


def shades(count: int) -> list[str]:
    """One colour from pale to full, for lines that follow each other."""
    return [f"rgba(20, 140, 157, {shade:.2f})" for shade in np.linspace(0.45, 1, count)]
