"""Digits drawn by an invented pen: templates of how people write them, warped at random.

MNIST's writers hardly cross a seven, hook a one or leave a four open; other people do.  Each
template is a way to write a digit, as strokes of points x, y with y down, in the order of the
pen.  A curve goes through the points of a stroke; a point given twice is a corner.
"""

from collections.abc import Sequence

import numpy as np

from dasksvd import digit

Stroke = list[tuple[float, float]]
#: Points a curve gets between two points of its template.
FINE = 6
#: Some tablets keep only a few points of a drawing.
FEW_POINTS = 8


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float, n: int = 7) -> Stroke:
    """Points on an ellipse from ``start`` to ``end`` degrees; 0 is right, 90 is down."""
    angles = np.deg2rad(np.linspace(start, end, n))
    return [(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in angles]


def _corner(x: float, y: float) -> Stroke:
    return [(x, y), (x, y)]


_LOOP_OF_NINE = _arc(0.33, 0.28, 0.28, 0.26, -40, -395, 11)
_BOWL_OF_FIVE = _arc(0.3, 0.68, 0.32, 0.31, -110, 150, 8)

#: Digit -> name of the style -> strokes.
TEMPLATES: dict[int, dict[str, list[Stroke]]] = {
    0: {
        "round": [_arc(0.35, 0.5, 0.33, 0.5, -90, -450, 13)],
        "clockwise": [_arc(0.35, 0.5, 0.33, 0.5, -90, 270, 13)],
        "narrow": [_arc(0.3, 0.5, 0.22, 0.5, -70, -440, 13)],
        "overlapping": [[*_arc(0.35, 0.52, 0.33, 0.48, -60, -420, 13), (0.4, 0.12), (0.25, 0.02)]],
        "open": [_arc(0.35, 0.5, 0.34, 0.5, -110, -410, 12)],
        "open on the right": [_arc(0.4, 0.5, 0.38, 0.5, -40, -370, 12)],
        "looped": [[*_arc(0.35, 0.55, 0.33, 0.45, -100, -440, 13), (0.3, 0.06), (0.5, 0.0), (0.62, 0.06)]],
        "from the left": [_arc(0.4, 0.5, 0.4, 0.48, 190, -175, 13)],
    },
    1: {
        "bar": [[(0.3, 0), (0.3, 0.5), (0.3, 1)]],
        "leaning bar": [[(0.5, 0), (0.3, 0.5), (0.1, 1)]],
        "short flag": [[(0.12, 0.22), *_corner(0.34, 0), (0.34, 0.5), (0.34, 1)]],
        "long flag": [[(0.0, 0.42), (0.2, 0.25), *_corner(0.42, 0), (0.41, 0.5), (0.4, 1)]],
        "very long flag": [[(0.0, 0.62), (0.25, 0.34), *_corner(0.55, 0), (0.5, 0.5), (0.45, 1)]],
        "slanted with long flag": [[(0.0, 0.45), (0.35, 0.25), *_corner(0.75, 0), (0.5, 0.5), (0.28, 1)]],
        "hooked": [[(0.08, 0.24), (0.2, 0.2), (0.32, 0.02), (0.36, 0.06), (0.36, 0.5), (0.36, 1)]],
        "flag and base": [
            [(0.1, 0.24), *_corner(0.34, 0), (0.34, 0.5), (0.34, 1)],
            [(0.08, 1), (0.34, 1), (0.62, 1)],
        ],
        "long flag and base": [
            [(0.0, 0.4), *_corner(0.4, 0), (0.4, 0.5), (0.4, 0.98)],
            [(0.1, 1), (0.4, 0.99), (0.72, 0.98)],
        ],
        "one stroke with base": [
            [(0.08, 0.25), *_corner(0.34, 0), (0.34, 0.5), *_corner(0.34, 1), *_corner(0.1, 1), (0.35, 1), (0.62, 0.99)]
        ],
        "bar and base": [[(0.3, 0), (0.3, 0.5), (0.3, 0.98)], [(0.05, 1), (0.3, 1), (0.55, 1)]],
        "upwards": [[(0.2, 1), (0.3, 0.5), (0.4, 0)]],
        "tail": [[(0.1, 0.2), *_corner(0.3, 0), (0.3, 0.5), (0.32, 0.92), (0.5, 0.98)]],
    },
    2: {
        "corner": [
            [
                (0.05, 0.25),
                (0.15, 0.06),
                (0.35, 0),
                (0.58, 0.12),
                (0.58, 0.38),
                (0.35, 0.68),
                *_corner(0.02, 1),
                (0.35, 0.99),
                (0.7, 0.98),
            ]
        ],
        "loop": [
            [
                (0.05, 0.2),
                (0.25, 0.01),
                (0.5, 0.06),
                (0.58, 0.3),
                (0.42, 0.62),
                (0.18, 0.9),
                (0.04, 0.93),
                (0.06, 0.8),
                (0.2, 0.8),
                (0.42, 0.95),
                (0.7, 0.98),
            ]
        ],
        "zed": [[(0.02, 0.06), (0.3, 0.0), *_corner(0.6, 0.05), (0.3, 0.5), *_corner(0.0, 1), (0.35, 0.98), (0.65, 1)]],
        "round base": [
            [
                (0.02, 0.3),
                (0.12, 0.07),
                (0.35, 0),
                (0.56, 0.15),
                (0.5, 0.42),
                (0.25, 0.72),
                (0.08, 0.94),
                (0.25, 0.96),
                (0.5, 0.92),
                (0.66, 1.0),
            ]
        ],
        "swan": [
            [
                (0.1, 0.12),
                (0.35, 0.0),
                (0.6, 0.15),
                (0.55, 0.42),
                (0.3, 0.75),
                *_corner(0.05, 0.97),
                (0.25, 0.86),
                (0.45, 0.95),
                (0.75, 0.88),
            ]
        ],
        "flat top": [
            [
                (0.0, 0.12),
                (0.3, 0.0),
                (0.55, 0.08),
                (0.6, 0.3),
                (0.4, 0.55),
                *_corner(0.1, 0.9),
                (0.4, 0.92),
                (0.8, 0.95),
            ]
        ],
        "curled start": [
            [
                (0.2, 0.3),
                (0.06, 0.24),
                (0.14, 0.06),
                (0.38, 0.0),
                (0.6, 0.14),
                (0.52, 0.45),
                (0.25, 0.76),
                *_corner(0.0, 1.0),
                (0.4, 0.97),
                (0.74, 1.0),
            ]
        ],
    },
    3: {
        "round": [
            [
                (0.05, 0.12),
                (0.3, 0.0),
                (0.54, 0.12),
                (0.5, 0.36),
                *_corner(0.24, 0.46),
                (0.52, 0.54),
                (0.62, 0.76),
                (0.42, 0.98),
                (0.16, 0.97),
                (0.0, 0.84),
            ]
        ],
        "without corner": [
            [
                (0.05, 0.1),
                (0.3, 0.0),
                (0.55, 0.14),
                (0.48, 0.36),
                (0.32, 0.46),
                (0.5, 0.54),
                (0.62, 0.74),
                (0.42, 0.97),
                (0.1, 0.96),
                (0.0, 0.86),
            ]
        ],
        "flat top": [
            [
                (0.02, 0.02),
                (0.3, 0.01),
                *_corner(0.58, 0.0),
                *_corner(0.28, 0.4),
                (0.52, 0.48),
                (0.62, 0.7),
                (0.45, 0.95),
                (0.18, 0.99),
                (0.0, 0.9),
            ]
        ],
        "middle loop": [
            [
                (0.06, 0.1),
                (0.32, 0.0),
                (0.55, 0.14),
                (0.46, 0.38),
                (0.24, 0.5),
                (0.16, 0.44),
                (0.28, 0.42),
                (0.52, 0.54),
                (0.6, 0.76),
                (0.4, 0.98),
                (0.12, 0.97),
                (0.0, 0.86),
            ]
        ],
        "shallow": [
            [
                (0.0, 0.06),
                (0.35, 0.02),
                (0.56, 0.14),
                (0.52, 0.36),
                *_corner(0.38, 0.45),
                (0.6, 0.56),
                (0.62, 0.8),
                (0.35, 0.98),
                (0.0, 0.98),
            ]
        ],
        "large below": [
            [
                (0.15, 0.1),
                (0.32, 0.0),
                (0.48, 0.1),
                (0.42, 0.28),
                *_corner(0.22, 0.36),
                (0.55, 0.42),
                (0.68, 0.66),
                (0.48, 0.95),
                (0.16, 0.98),
                (0.0, 0.86),
            ]
        ],
        "deep corner": [
            [
                (0.0, 0.14),
                (0.26, 0.0),
                (0.5, 0.08),
                (0.5, 0.28),
                *_corner(0.08, 0.48),
                (0.42, 0.5),
                (0.62, 0.7),
                (0.46, 0.94),
                (0.2, 1.0),
                (0.02, 0.9),
            ]
        ],
    },
    4: {
        "open": [
            [(0.12, 0.0), (0.08, 0.3), *_corner(0.02, 0.56), (0.3, 0.56), (0.68, 0.54)],
            [(0.5, 0.2), (0.48, 0.6), (0.45, 1)],
        ],
        "open and tall": [
            [(0.1, 0.0), *_corner(0.03, 0.52), (0.35, 0.54), (0.7, 0.5)],
            [(0.52, 0.0), (0.5, 0.5), (0.46, 1)],
        ],
        "open and low": [
            [(0.2, 0.0), (0.1, 0.3), *_corner(0.0, 0.62), (0.3, 0.64), (0.7, 0.6)],
            [(0.46, 0.4), (0.43, 0.7), (0.4, 1)],
        ],
        "leaning L": [
            [(0.4, 0.0), (0.2, 0.3), *_corner(0.0, 0.62), (0.35, 0.62), (0.75, 0.6)],
            [(0.5, 0.35), (0.46, 0.65), (0.42, 1)],
        ],
        "closed": [
            [(0.48, 0.0), (0.24, 0.32), *_corner(0.0, 0.64), (0.35, 0.64), (0.7, 0.64)],
            [(0.48, 0.0), (0.48, 0.5), (0.48, 1)],
        ],
        "one stroke": [
            [(0.45, 1), (0.46, 0.5), *_corner(0.48, 0.0), (0.24, 0.33), *_corner(0.0, 0.66), (0.35, 0.66), (0.7, 0.64)]
        ],
        "round U": [
            [(0.05, 0.0), (0.04, 0.35), (0.18, 0.52), (0.4, 0.48), (0.52, 0.3)],
            [(0.54, 0.0), (0.52, 0.5), (0.5, 1)],
        ],
        "U in one stroke": [
            [
                (0.05, 0.0),
                (0.03, 0.34),
                (0.16, 0.5),
                (0.38, 0.44),
                (0.5, 0.26),
                *_corner(0.53, 0.06),
                (0.52, 0.5),
                (0.5, 1),
            ]
        ],
        "bent back": [
            [
                (0.3, 0.0),
                (0.12, 0.36),
                *_corner(0.02, 0.54),
                (0.25, 0.56),
                *_corner(0.62, 0.5),
                *_corner(0.5, 0.22),
                (0.47, 0.6),
                (0.44, 1),
            ]
        ],
        "not crossing": [
            [(0.08, 0.02), (0.04, 0.3), *_corner(0.02, 0.5), (0.25, 0.52), (0.46, 0.5)],
            [(0.48, 0.02), (0.48, 0.5), (0.47, 1)],
        ],
        "looped corner": [
            [(0.35, 0.0), (0.15, 0.35), (0.02, 0.58), (0.05, 0.66), (0.16, 0.58), (0.4, 0.56), (0.72, 0.56)],
            [(0.5, 0.3), (0.48, 0.65), (0.44, 1)],
        ],
    },
    5: {
        "two strokes": [
            [*_corner(0.12, 0.02), *_corner(0.08, 0.44), *_BOWL_OF_FIVE],
            [(0.12, 0.02), (0.35, 0.02), (0.62, 0.0)],
        ],
        "bar apart": [
            [
                *_corner(0.1, 0.1),
                *_corner(0.08, 0.46),
                (0.3, 0.38),
                (0.56, 0.5),
                (0.6, 0.76),
                (0.38, 0.98),
                (0.0, 0.94),
            ],
            [(0.16, 0.04), (0.4, 0.02), (0.7, 0.0)],
        ],
        "from the right": [
            [
                (0.6, 0.0),
                (0.35, 0.02),
                *_corner(0.1, 0.03),
                *_corner(0.07, 0.44),
                (0.3, 0.38),
                (0.56, 0.5),
                (0.58, 0.78),
                (0.36, 0.98),
                (0.0, 0.94),
            ]
        ],
        "S": [
            [
                (0.6, 0.02),
                (0.32, 0.02),
                (0.1, 0.14),
                (0.12, 0.36),
                (0.36, 0.48),
                (0.56, 0.64),
                (0.5, 0.9),
                (0.26, 1),
                (0.0, 0.95),
            ]
        ],
        "angular": [
            [
                (0.58, 0.0),
                *_corner(0.08, 0.0),
                *_corner(0.04, 0.45),
                (0.35, 0.45),
                (0.56, 0.6),
                (0.5, 0.9),
                (0.25, 1),
                (0.0, 0.92),
            ]
        ],
        "small bowl": [
            [(0.14, 0.0), *_corner(0.1, 0.5), (0.3, 0.48), (0.46, 0.62), (0.42, 0.9), (0.2, 1), (0.02, 0.95)],
            [(0.14, 0.0), (0.4, 0.0), (0.75, 0.02)],
        ],
        "without bar": [
            [*_corner(0.3, 0.0), *_corner(0.1, 0.42), (0.35, 0.36), (0.58, 0.54), (0.54, 0.84), (0.3, 1), (0.0, 0.94)],
            [(0.32, 0.0), (0.48, 0.0), (0.62, -0.02)],
        ],
        "slanted": [
            [
                (0.8, 0.0),
                (0.5, 0.03),
                *_corner(0.3, 0.04),
                *_corner(0.16, 0.46),
                (0.4, 0.4),
                (0.58, 0.55),
                (0.5, 0.84),
                (0.25, 1),
                (0.0, 0.96),
            ]
        ],
    },
    6: {
        "curl": [
            [
                (0.5, 0.0),
                (0.22, 0.2),
                (0.05, 0.55),
                (0.1, 0.88),
                (0.34, 1),
                (0.56, 0.86),
                (0.54, 0.62),
                (0.34, 0.54),
                (0.08, 0.72),
            ]
        ],
        "large loop": [
            [
                (0.45, 0.0),
                (0.15, 0.25),
                (0.02, 0.6),
                (0.14, 0.94),
                (0.4, 0.98),
                (0.62, 0.78),
                (0.54, 0.5),
                (0.3, 0.44),
                (0.04, 0.66),
            ]
        ],
        "straight stem": [
            [
                (0.3, 0.0),
                (0.15, 0.35),
                (0.05, 0.7),
                (0.14, 0.95),
                (0.36, 0.98),
                (0.5, 0.8),
                (0.4, 0.62),
                (0.2, 0.64),
                (0.06, 0.8),
            ]
        ],
        "upright stem": [
            [
                (0.08, 0.0),
                (0.06, 0.4),
                (0.06, 0.75),
                (0.2, 0.98),
                (0.44, 0.94),
                (0.54, 0.74),
                (0.38, 0.58),
                (0.18, 0.62),
                (0.06, 0.78),
            ]
        ],
        "hooked start": [
            [
                (0.55, 0.14),
                (0.42, 0.0),
                (0.2, 0.16),
                (0.04, 0.52),
                (0.1, 0.88),
                (0.34, 1),
                (0.56, 0.82),
                (0.46, 0.58),
                (0.22, 0.58),
                (0.06, 0.74),
            ]
        ],
        "small loop": [
            [
                (0.6, 0.0),
                (0.3, 0.2),
                (0.1, 0.55),
                (0.08, 0.86),
                (0.24, 1.0),
                (0.4, 0.9),
                (0.38, 0.72),
                (0.22, 0.7),
                (0.08, 0.84),
            ]
        ],
        "open loop": [
            [(0.5, 0.02), (0.2, 0.2), (0.02, 0.58), (0.14, 0.95), (0.42, 0.98), (0.58, 0.78), (0.42, 0.6), (0.24, 0.62)]
        ],
        "spiral": [
            [
                (0.46, 0.0),
                (0.16, 0.22),
                (0.02, 0.58),
                (0.14, 0.94),
                (0.44, 0.98),
                (0.6, 0.72),
                (0.42, 0.5),
                (0.2, 0.62),
                (0.28, 0.78),
            ]
        ],
    },
    7: {
        "plain": [[(0.0, 0.02), (0.3, 0.02), *_corner(0.62, 0.0), (0.4, 0.5), (0.22, 1)]],
        "crossed": [
            [(0.0, 0.03), (0.3, 0.02), *_corner(0.62, 0.0), (0.4, 0.5), (0.22, 1)],
            [(0.14, 0.5), (0.38, 0.5), (0.64, 0.48)],
        ],
        "hooked": [[(0.0, 0.2), *_corner(0.02, 0.03), (0.3, 0.05), *_corner(0.62, 0.0), (0.42, 0.45), (0.28, 1)]],
        "hooked and crossed": [
            [(0.0, 0.2), *_corner(0.02, 0.03), (0.3, 0.06), *_corner(0.62, 0.0), (0.42, 0.45), (0.28, 1)],
            [(0.12, 0.52), (0.38, 0.5), (0.68, 0.47)],
        ],
        "curved": [[(0.02, 0.06), (0.3, 0.0), (0.58, 0.04), (0.5, 0.3), (0.34, 0.64), (0.3, 1)]],
        "upright and crossed": [
            [(0.0, 0.04), (0.25, 0.02), *_corner(0.52, 0.02), (0.48, 0.5), (0.42, 1)],
            [(0.2, 0.48), (0.46, 0.46), (0.72, 0.44)],
        ],
        "wavy and crossed": [
            [(0.0, 0.12), (0.12, 0.0), (0.32, 0.1), *_corner(0.62, 0.0), (0.4, 0.5), (0.26, 1)],
            [(0.1, 0.56), (0.34, 0.54), (0.62, 0.5)],
        ],
        "wavy": [[(0.0, 0.14), (0.14, 0.0), (0.34, 0.1), *_corner(0.62, 0.0), (0.4, 0.5), (0.26, 1)]],
        "bent": [[(0.0, 0.0), (0.3, 0.02), *_corner(0.6, 0.02), (0.3, 0.45), (0.2, 0.7), (0.18, 1)]],
        "crossed upwards": [
            [(0.02, 0.06), (0.34, 0.03), *_corner(0.66, 0.0), (0.42, 0.5), (0.2, 1)],
            [(0.1, 0.62), (0.34, 0.5), (0.62, 0.38)],
        ],
    },
    8: {
        "S first": [
            [
                (0.56, 0.1),
                (0.34, 0.0),
                (0.1, 0.12),
                (0.14, 0.34),
                (0.34, 0.48),
                (0.56, 0.66),
                (0.52, 0.92),
                (0.3, 1),
                (0.06, 0.9),
                (0.06, 0.66),
                (0.3, 0.48),
                (0.52, 0.32),
                (0.58, 0.12),
            ]
        ],
        "Z first": [
            [
                (0.1, 0.1),
                (0.34, 0.0),
                (0.56, 0.14),
                (0.5, 0.34),
                (0.3, 0.48),
                (0.06, 0.68),
                (0.1, 0.92),
                (0.32, 1),
                (0.56, 0.9),
                (0.56, 0.66),
                (0.32, 0.48),
                (0.12, 0.32),
                (0.1, 0.12),
            ]
        ],
        "two circles": [_arc(0.32, 0.24, 0.24, 0.24, 90, 450, 10), _arc(0.32, 0.74, 0.3, 0.26, -90, 270, 10)],
        "from the middle": [
            [
                (0.3, 0.48),
                (0.1, 0.3),
                (0.14, 0.06),
                (0.36, 0.0),
                (0.54, 0.14),
                (0.48, 0.36),
                (0.3, 0.48),
                (0.06, 0.68),
                (0.12, 0.94),
                (0.36, 1),
                (0.58, 0.84),
                (0.5, 0.6),
                (0.3, 0.48),
            ]
        ],
        "open top": [
            [
                (0.5, 0.04),
                (0.26, 0.04),
                (0.1, 0.2),
                (0.3, 0.44),
                (0.52, 0.7),
                (0.42, 0.96),
                (0.16, 0.98),
                (0.06, 0.78),
                (0.3, 0.48),
                (0.56, 0.2),
                (0.66, 0.0),
            ]
        ],
        "leaning": [
            [
                (0.5, 0.0),
                (0.28, 0.1),
                (0.3, 0.32),
                (0.44, 0.55),
                (0.36, 0.88),
                (0.14, 1),
                (0.0, 0.84),
                (0.22, 0.58),
                (0.56, 0.34),
                (0.74, 0.1),
                (0.5, 0.0),
            ]
        ],
        "small top": [
            [
                (0.44, 0.06),
                (0.3, 0.0),
                (0.18, 0.1),
                (0.24, 0.28),
                (0.5, 0.48),
                (0.6, 0.74),
                (0.4, 0.98),
                (0.12, 0.94),
                (0.06, 0.7),
                (0.26, 0.42),
                (0.42, 0.24),
                (0.44, 0.08),
            ]
        ],
        "large top": [
            [
                (0.6, 0.14),
                (0.34, 0.0),
                (0.04, 0.14),
                (0.1, 0.42),
                (0.34, 0.6),
                (0.46, 0.78),
                (0.38, 0.98),
                (0.18, 0.98),
                (0.14, 0.8),
                (0.34, 0.58),
                (0.58, 0.4),
                (0.6, 0.16),
            ]
        ],
    },
    9: {
        "straight stem": [[*_LOOP_OF_NINE, (0.58, 0.14), (0.57, 0.5), (0.54, 1)]],
        "curved tail": [[*_LOOP_OF_NINE, (0.6, 0.4), (0.56, 0.75), (0.36, 0.98), (0.08, 0.96)]],
        "hooked tail": [[*_LOOP_OF_NINE, (0.6, 0.4), (0.58, 0.8), (0.4, 0.99), (0.14, 0.94), (0.04, 0.8)]],
        "leaning stem": [[*_LOOP_OF_NINE, (0.58, 0.2), (0.44, 0.6), (0.28, 1)]],
        "small loop": [[*_arc(0.36, 0.2, 0.2, 0.19, -40, -395, 10), (0.55, 0.2), (0.52, 0.6), (0.44, 1)]],
        "from the top": [
            [
                (0.58, 0.04),
                (0.34, 0.0),
                (0.08, 0.16),
                (0.08, 0.4),
                (0.3, 0.5),
                (0.5, 0.38),
                *_corner(0.58, 0.08),
                (0.57, 0.5),
                (0.52, 1),
            ]
        ],
        "from the top with a tail": [
            [
                (0.58, 0.06),
                (0.34, 0.0),
                (0.08, 0.16),
                (0.08, 0.4),
                (0.3, 0.5),
                (0.52, 0.36),
                *_corner(0.6, 0.08),
                (0.6, 0.5),
                (0.52, 0.86),
                (0.28, 1),
                (0.04, 0.92),
            ]
        ],
        "open loop": [
            [
                (0.5, 0.06),
                (0.24, 0.02),
                (0.05, 0.22),
                (0.14, 0.46),
                (0.4, 0.44),
                *_corner(0.58, 0.16),
                (0.58, 0.5),
                (0.54, 1),
            ]
        ],
        "loop and bar": [[*_arc(0.3, 0.26, 0.26, 0.24, 0, -360, 11)], [(0.57, 0.04), (0.57, 0.5), (0.55, 1)]],
        "clockwise": [
            [
                (0.56, 0.4),
                (0.3, 0.5),
                (0.06, 0.32),
                (0.16, 0.06),
                (0.44, 0.02),
                (0.6, 0.24),
                (0.56, 0.6),
                (0.4, 0.9),
                (0.16, 1),
            ]
        ],
        "flat base": [[*_LOOP_OF_NINE, (0.6, 0.45), (0.56, 0.86), *_corner(0.5, 0.97), (0.3, 0.98), (0.02, 0.98)]],
        "like a g": [[*_LOOP_OF_NINE, (0.6, 0.4), (0.58, 0.8), (0.4, 1.0), (0.12, 0.94), (0.1, 0.78), (0.34, 0.7)]],
    },
}


def draw_digits(
    labels: np.ndarray, rng: np.random.Generator, left_out: Sequence[str] = (), only: Sequence[str] = ()
) -> np.ndarray:
    """One invented drawing of each label as an MNIST-like image; (n, 28, 28) uint8.

    Parameters
    ----------
    labels : ndarray of shape (n,), int
    left_out : sequence of str
        Styles, as ``"7 crossed"``, that are not drawn.
    only : sequence of str
        If given, the only styles that are drawn.
    """
    styles = {
        number: [
            strokes
            for name, strokes in ways.items()
            if f"{number} {name}" not in left_out and (not only or f"{number} {name}" in only)
        ]
        for number, ways in TEMPLATES.items()
    }
    return np.stack([digit.from_strokes(write(styles[label], rng), 1.0) for label in map(int, labels)])


def style_names() -> list[str]:
    """All styles, as ``"7 crossed"``."""
    return [f"{number} {name}" for number, ways in TEMPLATES.items() for name in ways]


def write(styles: list[list[Stroke]], rng: np.random.Generator) -> list[np.ndarray]:
    """Strokes of one drawing: one of the styles, warped as hands warp them."""
    strokes = [np.array(stroke) for stroke in styles[rng.integers(len(styles))]]
    loose = rng.uniform(0.005, 0.045)
    strokes = [curve(_jitter(stroke, loose, rng)) for stroke in strokes]
    strokes = [_trim(stroke, rng) for stroke in strokes]
    if rng.random() < 0.3:  # the pen is not lifted between strokes
        strokes = [np.concatenate(strokes)]
    if rng.random() < 0.6:
        strokes = [_hurry(stroke, rng.uniform(0.5, 3.0)) for stroke in strokes]
    bend = warp(rng)
    strokes = [bend(stroke) for stroke in strokes]
    if rng.random() < 0.25:
        strokes = _fill_square(strokes)
    if rng.random() < 0.3:
        strokes = [few_points(np.concatenate(strokes), FEW_POINTS)]
    return strokes


def _fill_square(strokes: list[np.ndarray]) -> list[np.ndarray]:
    """Strokes stretched to be as wide as they are high, as some writers and many tablets do."""
    points = np.concatenate(strokes)
    low, extent = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-3)
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


def _trim(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A stroke that ends too early, or with a small hook of the landing or leaving pen."""
    if rng.random() < 0.3 and len(points) > 12:
        points = points[rng.integers(0, len(points) // 8) : len(points) - rng.integers(0, len(points) // 8)]
    if rng.random() < 0.12:
        points = np.vstack([points[0] + rng.normal(0, 0.05, 2), points])
    if rng.random() < 0.12:
        points = np.vstack([points, points[-1] + rng.normal(0, 0.05, 2)])
    return points


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
    slant, turn = rng.normal(0.0, 0.22), np.deg2rad(rng.normal(0, 7))
    aspect = np.exp(rng.normal(0.1, 0.28))
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


def few_points(points: np.ndarray, n: int) -> np.ndarray:
    """``n`` points at equal distances along a polyline of shape (m, 2)."""
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, lengths[-1], n)
    return np.stack([np.interp(at, lengths, points[:, axis]) for axis in (0, 1)], axis=1)
