"""Digits drawn by an invented pen: the styles of :mod:`reproduce.styles`, warped at random as hands do."""

from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image, ImageDraw

from dasksvd import digit
from reproduce.styles import STYLES

#: Points a curve gets between two points of its template.
FINE = 6
#: Degrees between two points of an arc.
STEP = 30
#: Some tablets keep only a few points of a drawing.
FEW_POINTS = 8
#: The numbers of points of coarse drawings.
COARSE = (7, 17)
#: Distance of two points along a smooth stroke.
SPACING = 0.03
#: Points of strokes that are compared, and the mean distance of two that are alike.
MATCHED = 40
ALIKE = 0.22
#: The largest slant, 30 degrees; the widest drawing as a share of its height; what is too narrow to be stretched.
STEEPEST = 0.577
WIDEST = 1.7
NARROW = 0.25
#: Widths of a brush as shares of the drawing's size: from 8 on 220 to 36 on 150 points of the canvas.
BRUSHES = (0.035, 0.24)


def parse(style: str) -> list[np.ndarray]:
    """Strokes (m, 2) of a style, of about unit height; a point that comes twice is a corner."""
    return [np.concatenate([_points(word) for word in stroke.split()]) for stroke in style.split("/")]


def _points(word: str) -> np.ndarray:
    numbers = np.array(word.strip("@!").split(","), float)
    if not word.startswith("@"):
        return np.tile(numbers / 100, (2 if word.endswith("!") else 1, 1))
    middle, radii, (start, end) = numbers[:2] / 100, numbers[2:4] / 100, np.deg2rad(numbers[4:])
    angles = np.linspace(start, end, round(abs(numbers[5] - numbers[4]) / STEP) + 1)
    return middle + radii * np.stack([np.cos(angles), np.sin(angles)], axis=1)


#: Digit -> name of the style -> strokes.
TEMPLATES = {number: {name: parse(style) for name, style in ways.items()} for number, ways in STYLES.items()}


def draw_digits(
    labels: np.ndarray,
    rng: np.random.Generator,
    left_out: Sequence[str] = (),
    only: Sequence[str] = (),
    painted: bool = False,
    coarse: bool = False,
) -> np.ndarray:
    """One invented drawing of each label as an MNIST-like image; (n, 28, 28) uint8.

    Parameters
    ----------
    labels : ndarray of shape (n,), int
    left_out : sequence of str
        Styles, as ``"7 crossed"``, that are not drawn.
    only : sequence of str
        If given, the only styles that are drawn.
    painted : bool
        Whether the drawings come as pictures, painted with brushes thin and thick, instead of as strokes.
    coarse : bool
        Whether all of them are kept with few points.
    """
    styles = {
        number: [
            strokes
            for name, strokes in ways.items()
            if f"{number} {name}" not in left_out and (not only or f"{number} {name}" in only)
        ]
        for number, ways in TEMPLATES.items()
    }
    drawings = (write(styles[label], rng) for label in map(int, labels))
    if coarse:
        drawings = (coarsened(strokes, rng) for strokes in drawings)
    if painted:
        return np.stack([digit.from_image(paint(strokes, rng.uniform(*BRUSHES))) for strokes in drawings])
    return np.stack([digit.from_strokes(strokes, 1.0) for strokes in drawings])


def paint(strokes: Sequence[np.ndarray], brush: float, size: int = 140) -> np.ndarray:
    """A picture of strokes, light on dark; ``brush`` is the line's width as a share of the drawing; uint8."""
    points = np.concatenate(strokes)
    low, extent = points.min(axis=0), max(float(np.ptp(points, axis=0).max()), 1e-3)
    width = max(2, round(brush * size))
    side = size + 2 * width
    picture = Image.new("L", (side, side))
    pen = ImageDraw.Draw(picture)
    for stroke in strokes:
        line = (stroke - low) / extent * size + width
        pen.line([(float(x), float(y)) for x, y in line], fill=255, width=width, joint="curve")
        for x, y in line[[0, -1]]:
            pen.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=255)
    return np.asarray(picture)


def style_names() -> list[str]:
    """All styles, as ``"7 crossed"``."""
    return [f"{number} {name}" for number, ways in TEMPLATES.items() for name in ways]


def folds(n_folds: int) -> list[list[str]]:
    """The styles dealt out in turn: each fold has some of every digit."""
    return [
        [f"{number} {name}" for number, ways in TEMPLATES.items() for name in list(ways)[fold::n_folds]]
        for fold in range(n_folds)
    ]


def write(styles: list[list[np.ndarray]], rng: np.random.Generator) -> list[np.ndarray]:
    """Strokes of one drawing: one of the styles, or one between two alike, warped as hands warp them."""
    strokes = styles[rng.integers(len(styles))]
    loose = rng.uniform(0.005, 0.045)
    strokes = [curve(_jitter(_begin_elsewhere(stroke, rng), loose, rng)) for stroke in strokes]
    if rng.random() < 0.35:
        strokes = _between(strokes, styles, rng)
    shares = _proportions(rng)
    strokes = [_end_unevenly(evenly(shares(stroke), SPACING), rng) for stroke in strokes]
    # Strokes do not meet as they should: a bar sits too high, a stem beside its loop.
    strokes = [strokes[0], *(_misplaced(stroke, rng) for stroke in strokes[1:])]
    if rng.random() < 0.2:  # the pen is not lifted between strokes
        strokes = [np.concatenate(strokes)]
    elif rng.random() < 0.08:
        strokes = _lifted(strokes, rng)
    if rng.random() < 0.6:
        strokes = [_hurry(stroke, rng.uniform(0.5, 3.0)) for stroke in strokes]
    bend = warp(rng)
    strokes = _not_too_wide([bend(stroke) for stroke in strokes])
    if rng.random() < 0.2:
        strokes = [_tremble(stroke, rng) for stroke in strokes]
    if rng.random() < 0.15:
        strokes = _fill_square(strokes)
    return sampled(strokes, rng)


def sampled(strokes: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """What a tablet keeps of strokes: all points, or the few that its clock allows, or so many of the whole path."""
    kind = rng.random()
    if kind < 0.12:
        strokes = [few_points(np.concatenate(strokes), FEW_POINTS)]
        return _fill_square(strokes) if rng.random() < 0.6 else strokes
    if kind < 0.3:  # a mouse in a hurry: straight pieces
        piece = rng.uniform(0.1, 0.3)
        return [evenly(stroke, piece) for stroke in strokes]
    if kind < 0.45:  # a slow clock: a fast pen leaves long pieces in the middle of a stroke and short ones at its ends
        return [_clocked(stroke, rng) for stroke in strokes]
    return strokes


def coarsened(strokes: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """Strokes as a coarse tablet keeps them: a few points in all, now and then as one path and in a square."""
    n = int(rng.integers(*COARSE))
    if rng.random() < 0.35:
        strokes = [few_points(np.concatenate(strokes), n)]
    else:
        lengths = np.array([np.hypot(*np.diff(stroke, axis=0).T).sum() for stroke in strokes])
        shares = np.maximum(2, np.rint(n * lengths / max(lengths.sum(), 1e-9))).astype(int)
        strokes = [few_points(stroke, share) for stroke, share in zip(strokes, shares, strict=True)]
    return _fill_square(strokes) if rng.random() < 0.35 else strokes


def _between(strokes: list[np.ndarray], styles: list[list[np.ndarray]], rng: np.random.Generator) -> list[np.ndarray]:
    """Strokes on the way to another style that is written alike; as they are if none is found soon."""
    for _ in range(4):
        others = styles[rng.integers(len(styles))]
        if len(others) != len(strokes):
            continue
        ours = [few_points(stroke, MATCHED) for stroke in strokes]
        theirs = [few_points(curve(stroke), MATCHED) for stroke in others]
        if all(np.hypot(*(a - b).T).mean() < ALIKE for a, b in zip(ours, theirs, strict=True)):
            share = rng.uniform(-0.15, 0.85)
            return [a + share * (b - a) for a, b in zip(ours, theirs, strict=True)]
    return strokes


def _misplaced(stroke: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A later stroke moved, and a little longer or shorter than its template."""
    middle = stroke.mean(axis=0)
    return middle + (stroke - middle) * np.exp(rng.normal(0, 0.12)) + rng.normal(0, 0.04, 2)


def _lifted(strokes: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """Strokes of which the longest has a gap: the pen lost touch with the paper."""
    longest = int(np.argmax([len(stroke) for stroke in strokes]))
    stroke = strokes[longest]
    if len(stroke) < 16:
        return strokes
    at, gap = int(rng.integers(5, len(stroke) - 8)), int(rng.integers(1, 4))
    return [*strokes[:longest], stroke[:at], stroke[at + gap :], *strokes[longest + 1 :]]


def _clocked(stroke: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Points at equal times of a pen that is slow at both ends of its stroke."""
    n = int(rng.integers(4, 16))
    times = np.linspace(0, 1, n)
    slow = rng.uniform(0, 1)
    ways = slow * 0.5 * (1 - np.cos(np.pi * times)) + (1 - slow) * times
    return _along(stroke, ways)


def _begin_elsewhere(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A closed stroke begun at another of its points, and not quite closed or overlapping."""
    if len(points) < 6 or np.abs(points[0] - points[-1]).max() > 1e-9 or rng.random() < 0.4:
        return points
    ring, first = points[:-1], int(rng.integers(len(points) - 1))
    ring = np.roll(ring, -first, axis=0)
    return np.vstack([ring, ring[: rng.choice(3, p=(0.25, 0.45, 0.3))]])


def _proportions(rng: np.random.Generator) -> Callable[[np.ndarray], np.ndarray]:
    """A change of which parts are large: the upper or the lower half, the left or the right."""
    powers = np.exp(rng.normal(0, 0.22, 2))

    def change(points: np.ndarray) -> np.ndarray:
        # Points left of or above the field stay where they are.
        return np.where(points > 0, np.maximum(points, 1e-9) ** powers, points)

    return change


def _not_too_wide(strokes: list[np.ndarray]) -> list[np.ndarray]:
    """Strokes made narrower where they are wider than any hand writes a digit."""
    width, height = np.ptp(np.concatenate(strokes), axis=0)
    squeeze = min(1.0, WIDEST * height / max(width, 1e-6))
    return [stroke * (squeeze, 1.0) for stroke in strokes]


def _fill_square(strokes: list[np.ndarray]) -> list[np.ndarray]:
    """Strokes stretched to be as wide as they are high, as some writers and many tablets do."""
    points = np.concatenate(strokes)
    low, extent = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-3)
    if extent[0] < NARROW * extent[1]:  # a bar has no width to stretch
        return strokes
    return [(stroke - low) / extent for stroke in strokes]


def curve(points: np.ndarray) -> np.ndarray:
    """A smooth curve through points of shape (m, 2), with corners where a point comes twice."""
    twice = np.flatnonzero(np.all(points[1:] == points[:-1], axis=1)) + 1
    pieces = [_through(piece) for piece in np.split(points, twice)]
    return np.concatenate(pieces)


def _through(points: np.ndarray) -> np.ndarray:
    """Catmull and Rom's spline through points of shape (m, 2)."""
    if len(points) < 3:
        return points
    before, after = 2 * points[0] - points[1], 2 * points[-1] - points[-2]
    p = np.vstack([before, points, after])
    u = np.linspace(0, 1, FINE, endpoint=False)[None, :, None]
    a, b, c, d = (p[i : len(p) - 3 + i, None] for i in range(4))
    parts = b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)))
    return np.vstack([parts.reshape(-1, 2), points[-1]])


def _jitter(points: np.ndarray, size: float, rng: np.random.Generator) -> np.ndarray:
    """Every point moved a little; both copies of a corner alike."""
    moved = rng.normal(0, size, points.shape)
    same = np.flatnonzero(np.all(points[1:] == points[:-1], axis=1))
    moved[same + 1] = moved[same]
    return points + moved


def _end_unevenly(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A stroke that ends too early or too late, or with a small hook of the landing or leaving pen."""
    if rng.random() < 0.3 and len(points) > 12:
        points = points[rng.integers(0, len(points) // 8) : len(points) - rng.integers(0, len(points) // 8)]
    for _ in range(2):  # one end, then the other
        points, chance = points[::-1], rng.random()
        if chance < 0.12:
            points = np.vstack([points, points[-1] + rng.normal(0, 0.05, 2)])
        elif chance < 0.3 and len(points) > 3:
            ahead = points[-1] - points[-4]
            length = max(float(np.hypot(*ahead)), 1e-6)
            points = np.vstack([points, points[-1] + ahead / length * rng.uniform(0.02, 0.14)])
    return points


def _tremble(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The small quick waves of an unsure hand."""
    points = evenly(points, SPACING)
    noise = rng.normal(0, 1, (len(points) + 2, 2))
    return points + rng.uniform(0.005, 0.025) * (noise[:-2] + noise[1:-1] + noise[2:]) / np.sqrt(3)


def _hurry(points: np.ndarray, width: float) -> np.ndarray:
    """Corners cut by a fast pen: a running mean over about ``width`` points with the ends kept."""
    if len(points) < 5:
        return points
    reach = int(np.ceil(2 * width))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    weights /= weights.sum()
    padded = np.pad(points, ((reach, reach), (0, 0)), mode="edge")
    smooth = np.stack([np.convolve(padded[:, axis], weights, mode="valid") for axis in (0, 1)], axis=1)
    smooth[0], smooth[-1] = points[0], points[-1]
    return smooth


def warp(rng: np.random.Generator):
    """A random smooth change of the plane: slant, turn, aspect and slow waves; on points (m, 2) of about unit size."""
    slant, turn = np.clip(rng.normal(0.05, 0.22), -STEEPEST, STEEPEST), np.deg2rad(rng.normal(0, 7))
    aspect = np.exp(rng.normal(0.1, 0.3))
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.array(
        [[aspect, -slant], [0.0, 1.0]]
    )
    waves = rng.normal(0, 2.2, (2, 3, 2))
    phases = rng.uniform(0, 2 * np.pi, (2, 3))
    heights = rng.normal(0, rng.uniform(0.0, 0.035), (2, 3))

    def bend(points: np.ndarray) -> np.ndarray:
        moved = np.stack(
            [(np.sin(points @ waves[axis].T + phases[axis]) * heights[axis]).sum(axis=-1) for axis in (0, 1)], axis=-1
        )
        return (points + moved) @ matrix.T

    return bend


def evenly(points: np.ndarray, spacing: float) -> np.ndarray:
    """Points about ``spacing`` apart along a polyline of shape (m, 2)."""
    length = float(np.hypot(*np.diff(points, axis=0).T).sum())
    return few_points(points, max(2, round(length / spacing) + 1))


def few_points(points: np.ndarray, n: int) -> np.ndarray:
    """``n`` points at equal distances along a polyline of shape (m, 2)."""
    return _along(points, np.linspace(0, 1, n))


def _along(points: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """The places of a polyline (m, 2) at shares ``ways`` of its length; (len(ways), 2)."""
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = ways * lengths[-1]
    return np.stack([np.interp(at, lengths, points[:, axis]) for axis in (0, 1)], axis=1)
