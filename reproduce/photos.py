"""Synthetic photos of drawings on paper: light, lines of the paper, and pen or pencil."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from scipy import ndimage

from reproduce import strokes

SIDE = 220
#: How the light falls, what is printed on the paper, and what has drawn.
LIGHTS = ("even", "from one side", "a shadow's edge", "dim", "a lamp above")
PAPERS = ("plain", "ruled")
PENS = ("pen", "pencil")
CONDITIONS = tuple(product(LIGHTS, PAPERS, PENS))


def photo(drawing: Sequence[np.ndarray], condition: tuple[str, str, str], rng: np.random.Generator) -> np.ndarray:
    """A grey photo of strokes under one of :data:`CONDITIONS`; (SIDE, SIDE) uint8."""
    light, paper, pen = condition
    drawn = strokes.paint(drawing, rng.uniform(0.04, 0.1), int(rng.uniform(0.5, 0.65) * SIDE)) / 255.0
    room = np.array([SIDE, SIDE]) - drawn.shape
    top, left = (int(rng.integers(side // 4, max(side // 4 + 1, 3 * side // 4))) for side in room)
    ink = np.zeros((SIDE, SIDE))
    ink[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    darkness = 0.75 if pen == "pen" else 0.45 * np.clip(rng.normal(0.85, 0.2, ink.shape), 0.3, 1)
    sheet = np.full(ink.shape, 0.92)
    if paper == "ruled":
        distance, first = int(rng.integers(22, 34)), int(rng.integers(0, 20))
        sheet[first::distance] -= 0.1
    grey = (sheet - darkness * ink) * _light(light, rng)
    grey = ndimage.gaussian_filter(grey, rng.uniform(0.5, 1.1)) + rng.normal(0, 0.012, ink.shape)
    return np.uint8(np.clip(255 * grey, 0, 255))


def _light(kind: str, rng: np.random.Generator) -> np.ndarray:
    """How much light falls on each place, 0 … 1."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    across = x * np.cos(angle) + y * np.sin(angle)
    match kind:
        case "even":
            return np.ones((SIDE, SIDE))
        case "from one side":
            return 0.75 + 0.5 * across
        case "a shadow's edge":
            return 1 - 0.35 / (1 + np.exp(-(across - rng.uniform(-0.1, 0.1)) * 40))
        case "dim":
            return np.full((SIDE, SIDE), 0.45)
        case "a lamp above":
            return 1 - 1.0 * (x**2 + y**2)
    raise ValueError(f"no such light: {kind}")
