"""Ink is told from paper, whatever light falls on it."""

import heapq

import numpy as np
import pytest

from dasksvd.digit import from_image
from dasksvd.digit.ink import find_ink
from dasksvd.digit.lines import fill_pits
from tests.digit.drawn import painted, placed

SIDE = 280


def lowest_ways(levels):
    """The oracle: for each pixel the highest level on the lowest way to the frame, by Dijkstra's method."""
    height, width = levels.shape
    found = np.full(levels.shape, np.inf)
    frame = {(i, j) for i in range(height) for j in range(width) if i in (0, height - 1) or j in (0, width - 1)}
    queue = [(levels[place], place) for place in frame]
    heapq.heapify(queue)
    while queue:
        level, (i, j) = heapq.heappop(queue)
        if found[i, j] < np.inf:
            continue
        found[i, j] = level
        for near in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= near[0] < height and 0 <= near[1] < width:
                heapq.heappush(queue, (max(level, levels[near]), near))
    return found


@pytest.mark.parametrize("shape", [(5, 5), (12, 30), (40, 9)])
def test_pits_are_filled_up_to_where_they_flow_over(shape, rng):
    levels = rng.integers(0, 9, shape).astype(float)
    filled = np.full(shape, levels.max())
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        filled[edge] = levels[edge]
    fill_pits(levels, filled)
    np.testing.assert_array_equal(filled, lowest_ways(levels))


def shaded(strokes, angle, darkness, brush=12):
    """A drawing in pencil, half of whose paper lies in a shadow with a soft edge; 0 … 1."""
    y, x = np.mgrid[:SIDE, :SIDE] / SIDE - 0.5
    across = x * np.cos(angle) + y * np.sin(angle)
    light = 1 - darkness / (1 + np.exp(-40 * across))
    return (0.92 - 0.35 * painted(strokes, brush) / 255) * light


@pytest.mark.parametrize("darkness", [0.35, 0.5])
@pytest.mark.parametrize("angle", np.arange(0, 360, 45))
def test_the_edge_of_a_shadow_is_no_ink(drawings, angle, darkness):
    """A pencil's line is hardly darker than the shadow: the image is nearly that without a shadow."""
    for number in (0, 2, 4, 7):
        strokes = placed(drawings[number], 150, (0.5, 0.5))
        plain, dark = (from_image(shaded(strokes, np.deg2rad(angle), share)).astype(float) for share in (0, darkness))
        assert np.corrcoef(plain.ravel(), dark.ravel())[0, 1] > 0.95


def test_a_loop_that_is_filled_and_wide_is_ink():
    """Wider than lines are; only what reaches the frame is taken for a shadow."""
    y, x = np.mgrid[:SIDE, :SIDE] - 140
    blob = np.hypot(x, y) < 70
    for picture in (0.9 - 0.7 * blob, 0.1 + 0.7 * blob):
        ink = find_ink(picture)
        assert ink.shape[0] == pytest.approx(ink.shape[1], abs=2)
        assert np.mean(ink >= 0.5) == pytest.approx(np.pi / 4, abs=0.03)
