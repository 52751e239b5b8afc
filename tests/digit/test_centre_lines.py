"""Ink is thinned to the middles of its lines."""

import numpy as np
import pytest
from scipy import ndimage

import dasksvd
from dasksvd.digit import from_image
from dasksvd.digit.centre_lines import THINNING_SIDE, centre_lines
from dasksvd.digit.lines import thin
from tests.digit.drawn import painted


def test_thinning_keeps_parts_and_holes():
    """Guo and Hall's thinning keeps the topology (oracle: counts by scipy's label)."""
    for image in dasksvd.load_mnist().train_images[:60]:
        mask = np.pad(np.kron(image > 128, np.ones((3, 3))), 1).astype(np.uint8)
        thinned = mask.copy()
        thin(thinned)
        assert np.all(thinned <= mask)
        eight, four = np.ones((3, 3)), None
        assert ndimage.label(thinned, eight)[1] == ndimage.label(mask, eight)[1]
        assert ndimage.label(thinned == 0, four)[1] == ndimage.label(mask == 0, four)[1]


def test_centre_lines_of_a_drawn_line_are_its_middle():
    ink = np.zeros((60, 20))
    ink[:, 6:13] = 1
    lines = centre_lines(ink[:, 6:13])
    ends = lines.reshape(-1, 2)
    assert np.ptp(ends[:, 0]) < 2
    assert np.ptp(ends[:, 1]) > 0.8 * THINNING_SIDE


@pytest.mark.parametrize("radius", [10, 14, 18])
def test_a_loop_that_a_thick_pen_filled_stays_filled(radius):
    angles = np.linspace(0, 2 * np.pi, 40)
    loop = np.stack([140 + radius * np.cos(angles), 215 + radius * np.sin(angles)], axis=1)
    image = from_image(painted([np.array([[140, 40], [140, 200]]), loop], 36))
    widths = np.sum(image > 128, axis=1)
    stem, blob = widths[8:14], widths[18:23].max()
    assert stem.min() == stem.max() == 3
    assert blob >= 5
