"""Drawings that are no digits: letters, shapes, scribbles, two digits side by side, dots.

Letters that some hand writes like a digit are left out: B, D, G, I, L, O, Q, S, Z, and b, g, l, o, q, s, z.
The styles are written as in :mod:`reproduce.styles` and warped by the same pen.
"""

import numpy as np

from dasksvd import digit
from reproduce import strokes

#: Name -> strokes.
LETTERS: dict[str, str] = {
    "A": "0,100 35,0! 70,100 / 14,62 56,62",
    "A, round": "2,100 8,40 35,0 62,40 68,100 / 6,60 64,60",
    "C": "66,16 40,0 8,20 2,50 10,82 40,100 68,84",
    "E": "60,0! 4,0! 4,100! 62,100 / 4,50 50,50",
    "E, round": "58,8 30,0 8,14 14,42 40,48! 10,56 4,84 30,100 62,90",
    "F": "60,0! 4,0! 4,100 / 4,48 48,48",
    "H": "4,0 4,100 / 62,0 62,100 / 4,50 62,50",
    "J": "10,0 70,0 / 44,0 44,70 30,98 4,84",
    "K": "4,0 4,100 / 60,0 6,54! 64,100",
    "M": "0,100 8,0! 40,70! 72,0! 80,100",
    "N": "4,100 4,0! 62,100! 62,0",
    "P": "6,100 6,0! 44,2 60,24 44,48 6,52",
    "R": "6,100 6,0! 44,2 58,24 40,48 6,52! 62,100",
    "T": "0,0 70,0 / 35,0 35,100",
    "U": "2,0 4,60 20,98 48,98 62,60 64,0",
    "V": "0,0 35,100! 70,0",
    "W": "0,0 20,100! 42,30! 64,100! 86,0",
    "X": "0,0 68,100 / 68,0 0,100",
    "Y": "0,0 34,46 / 68,0 34,46! 34,100",
    "a": "62,34 40,22 10,40 8,78 30,98 54,80 62,30! 64,80 76,98",
    "d": "60,60 34,44 6,62 8,92 36,100 58,80 / 62,0 62,100",
    "e": "6,66 60,62 56,38 32,28 6,48 8,84 36,100 64,86",
    "f": "62,8 44,0 32,20 32,100 / 8,46 56,46",
    "h": "6,0 6,100! 8,60 32,42 54,58 56,100",
    "k": "6,0 6,100 / 50,42 8,68! 54,100",
    "m": "0,100 0,40! 18,34 30,52 30,100! 32,48 50,34 62,52 62,100",
    "n": "4,100 4,40! 30,32 54,48 56,100",
    "p": "6,30 6,130 / 6,44 36,30 60,54 44,86 6,80",
    "r": "6,100 6,36! 22,34 46,32 58,44",
    "t": "30,0 30,80 44,98 60,90 / 6,32 58,32",
    "u": "4,36 6,80 26,98 50,84 56,36! 58,98",
    "w": "0,36 16,98! 34,52! 52,98! 68,36",
    "x": "4,34 58,100 / 58,34 4,100",
    "y": "4,34 30,78 / 58,34 20,130",
    "ampersand": "70,100 16,28 26,2 46,8 42,30 8,62 10,94 40,98 70,56",
    "at": "54,62 38,48 28,64 40,76 56,62! 60,80 80,66 76,30 44,14 10,34 6,76 34,104 70,100",
    "hash": "22,0 14,100 / 56,0 48,100 / 0,32 74,32 / 0,66 74,66",
    "question mark": "6,20 28,0 56,16 46,40 30,54 30,74 / 30,94 31,98",
    "percent": "@14,18,14,18,0,-360 / 70,0 6,100 / @64,82,14,18,0,-360",
    "plus": "0,50 80,50 / 40,8 40,92",
    "equals": "0,30 80,30 / 0,66 80,66",
    "alpha": "76,22 40,80 12,84 4,54 22,24 46,36 76,90",
    "omega": "0,100 24,96! 4,60 14,14 46,0 76,16 86,58 66,96! 90,100",
}
SHAPES: dict[str, str] = {
    "triangle": "40,0! 82,90! 0,90! 40,0!",
    "triangle, upside down": "0,4! 84,4! 42,96! 0,4!",
    "square": "0,0! 90,0! 90,90! 0,90! 0,0!",
    "square with a cross": "0,0! 90,0! 90,90! 0,90! 0,0! / 0,0 90,90 / 90,0 0,90",
    "window": "0,0! 90,0! 90,90! 0,90! 0,0! / 45,0 45,90 / 0,45 90,45",
    "star": "20,100! 50,0! 80,100! 4,36! 96,36! 20,100!",
    "asterisk": "50,0 50,100 / 6,24 94,76 / 94,24 6,76",
    "spiral": "50,50 58,44 62,54 50,66 36,56 40,34 62,28 80,48 74,80 46,92 18,76 12,42 34,12 70,6 98,30 104,70",
    "smiley": "@50,50,50,50,0,360 / 32,34 33,36 / 66,34 67,36 / 26,60 50,80 74,60",
    "face without mouth": "@50,50,50,50,0,360 / 32,38 32,46 / 66,38 66,46",
    "heart": "50,96! 8,44 12,8 40,8 50,30! 60,8 88,8 92,44 50,96!",
    "house": "0,100! 0,40! 50,0! 100,40! 100,100! 0,100! / 40,100 40,66! 60,66! 60,100",
    "arrow": "0,50 100,50 / 70,20 100,50! 70,80",
    "arrow up": "50,100 50,0 / 20,30 50,0! 80,30",
    "zigzag": "0,50 14,10! 28,90! 42,10! 56,90! 70,10! 84,90! 98,50",
    "wave": "0,50 12,20 24,50 36,80 48,50 60,20 72,50 84,80 96,50",
    "tick": "0,60 26,96! 90,0",
    "lightning": "50,0 10,56! 56,48! 14,104",
    "bow": "0,10! 90,80! 90,10! 0,80! 0,10!",
    "flower": "50,36 40,10 60,10 50,36! 80,20 86,44 52,44! 80,70 58,84 50,50! 20,84 12,62 46,46! 10,40 22,14 50,36",
    "circle with a line": "@50,50,48,50,0,360 / 4,96 96,4",
    "two circles": "@26,50,24,40,0,360 / @80,50,24,40,0,360",
    "grid": "30,0 30,100 / 70,0 70,100 / 0,30 100,30 / 0,70 100,70",
    "fish": "0,50 40,16 84,60! 98,20! 98,84! 82,44! 40,84 0,50",
    "stairs": "0,100! 0,70! 34,70! 34,36! 68,36! 68,0! 100,0",
}
#: Points of a scribble, and two digits' distance as shares of the height.
TURNS = (7, 26)
APART = (0.05, 0.5)


def letters(rng: np.random.Generator, n_each: int, names: list[str] | None = None) -> np.ndarray:
    """Letters and signs as images (n, 28, 28), ``n_each`` of each name."""
    return _drawn(LETTERS, rng, n_each, names)


def shapes(rng: np.random.Generator, n_each: int, names: list[str] | None = None) -> np.ndarray:
    """Simple shapes as images (n, 28, 28), ``n_each`` of each name."""
    return _drawn(SHAPES, rng, n_each, names)


def _drawn(styles: dict[str, str], rng: np.random.Generator, n_each: int, names: list[str] | None) -> np.ndarray:
    templates = [[strokes.parse(styles[name])] for name in names or styles for _ in range(n_each)]
    return np.stack([digit.from_strokes(strokes.write(template, rng), 1.0) for template in templates])


def scribbles(rng: np.random.Generator, n: int) -> np.ndarray:
    """Lines to and fro without any plan; images (n, 28, 28)."""
    found = []
    for _ in range(n):
        points = rng.uniform(0, 1, (int(rng.integers(*TURNS)), 2)) * (rng.uniform(0.5, 1.3), 1)
        found.append(digit.from_strokes([strokes.curve(points)], 1.0))
    return np.stack(found)


def pairs(rng: np.random.Generator, n: int) -> np.ndarray:
    """Two invented digits side by side; images (n, 28, 28)."""
    styles = [list(ways.values()) for ways in strokes.TEMPLATES.values()]
    found = []
    for _ in range(n):
        left, right = (strokes.write(styles[number], rng) for number in rng.integers(0, 10, 2))
        edge = np.concatenate(left)[:, 0].max() + rng.uniform(*APART) - np.concatenate(right)[:, 0].min()
        shift = np.array([edge, rng.normal(0, 0.08)])
        moved = [stroke + shift for stroke in right]
        found.append(digit.from_strokes([*left, *moved], 1.0))
    return np.stack(found)


def dots(rng: np.random.Generator, n: int) -> np.ndarray:
    """A pen that has hardly moved, and two or three such places; images (n, 28, 28)."""
    found = []
    for _ in range(n):
        places = rng.uniform(40, 240, (int(rng.integers(1, 4)), 1, 2))
        found.append(digit.from_strokes([place + rng.normal(0, 0.5, (4, 2)) for place in places], 280))
    return np.stack(found)
