"""Small drawings for reports, as SVG: no script, no style from outside, every text escaped."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

#: Width and height of a chart, and its margins: left, top, right, bottom.
WIDTH, HEIGHT = 460, 250
LEFT, TOP, RIGHT, BOTTOM = 62, 14, 14, 40
#: Colours of curves, dark enough on white.
COLORS = ("#0b6e7a", "#b3541e", "#5b4b9a", "#3d7a2e", "#a3265c", "#555555")


class Dot(NamedTuple):
    """A point of a chart, half the height of its interval, and what stands beside it."""

    x: float
    y: float
    spread: float = 0.0
    label: str = ""


class _Frame:
    """Axes around some values."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]):
        self.x, self.y = _span(xs), _span(ys)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point stands in the drawing."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def axes(self, x_title: str, y_title: str) -> str:
        """Lines, numbers and titles."""
        found = []
        for y in _ticks(*self.y):
            _, up = self.at(self.x[0], y)
            found.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up:.1f}" y2="{up:.1f}" stroke="#ddd"/>')
            found.append(_text(LEFT - 6, up + 4, f"{y:.6g}", "end"))
        for x in _ticks(*self.x):
            found.append(_text(self.at(x, self.y[0])[0], HEIGHT - BOTTOM + 16, f"{x:.6g}", "middle"))
        middle = (TOP + HEIGHT - BOTTOM) / 2
        found.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, x_title, "middle"))
        turned = f'transform="rotate(-90 11 {middle})"'
        found.append(_text(11, middle, y_title, "middle", turned))
        return "".join(found)


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or max(abs(high), 1) * 0.05
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """Three to eight round numbers between two ends."""
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * part for part in (1, 2, 5, 10) if unit * part >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def _drawing(content: str, alt: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    return (
        f'<svg role="img" aria-label="{escape(alt)}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'font-size="11" font-family="sans-serif" fill="#222">{content}</svg>'
    )


def curves(lines: Mapping[str, Sequence[tuple[float, float]]], x_title: str, y_title: str, alt: str) -> str:
    """Lines through points, each with its name at its end."""
    points = [point for line in lines.values() for point in line]
    frame = _Frame([x for x, _ in points], [y for _, y in points])
    parts = [frame.axes(x_title, y_title)]
    for number, (name, line) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (frame.at(*point) for point in line))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        x, y = frame.at(*line[-1])
        parts.append(_text(x - 2, y - 5, name, "end", f'fill="{color}" font-weight="bold"'))
    return _drawing("".join(parts), alt)


def dots(points: Sequence[Dot], x_title: str, y_title: str, alt: str) -> str:
    """Points with their intervals; a label stands above its point."""
    heights = [value for one in points for value in (one.y - one.spread, one.y + one.spread)]
    frame = _Frame([one.x for one in points], heights)
    parts = [frame.axes(x_title, y_title)]
    for one in points:
        x, y = frame.at(one.x, one.y)
        low, high = (frame.at(one.x, one.y + side * one.spread)[1] for side in (-1, 1))
        if one.spread:
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{COLORS[0]}"/>')
        color = COLORS[1] if one.label else COLORS[0]
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>')
        if one.label:
            parts.append(_text(x, high - 8, one.label, "middle", 'font-weight="bold"'))
    return _drawing("".join(parts), alt)


def triangle(scores: Mapping[tuple[int, int], float], n: int, best: tuple[int, int], alt: str) -> str:
    """Scores in percent on the lattice of weights: α to the right, β up, the best one framed.

    Parameters
    ----------
    scores : mapping of (i, j) to float
        At α = i/n and β = j/n.
    """
    side = max(16.0, min(44.0, 330 / (n + 1)))
    low, high = min(scores.values()), max(scores.values())
    parts = []
    for (i, j), value in scores.items():
        strength = (value - low) / (high - low) if high > low else 0.5
        x, y = 40 + i * side, 8 + (n - j) * side
        frame = f'stroke="{COLORS[1]}" stroke-width="3"' if (i, j) == best else 'stroke="#fff"'
        shade = f"rgb({235 - 200 * strength:.0f},{245 - 110 * strength:.0f},{247 - 105 * strength:.0f})"
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{side - 2:.1f}" height="{side - 2:.1f}" fill="{shade}" {frame}/>'
        )
        if side >= 28:
            color = "#fff" if strength > 0.6 else "#222"
            parts.append(_text(x + side / 2 - 1, y + side / 2 + 3, f"{value:.1f}", "middle", f'fill="{color}"'))
    size = 8 + (n + 1) * side
    for step in range(n + 1):
        parts.append(_text(40 + step * side + side / 2, size + 12, f"{step / n:.2f}", "middle"))
        parts.append(_text(36, 8 + (n - step) * side + side / 2 + 3, f"{step / n:.2f}", "end"))
    parts.append(_text(40 + size / 2, size + 28, "α", "middle"))
    parts.append(_text(8, size / 2, "β", "middle"))
    return _drawing("".join(parts), alt, size + 48, size + 34)
