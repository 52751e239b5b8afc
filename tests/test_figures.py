"""Figures from arrays."""

import numpy as np

from dasksvd.figures import mosaic, tile


def test_tiles_stand_where_they_belong_and_are_scaled_one_by_one(rng):
    images = rng.standard_normal((3, 5, 16))
    wall = tile(images)
    assert wall.shape == (3 * 5 - 1, 5 * 5 - 1)
    for row in range(3):
        for column in range(5):
            piece = wall[5 * row : 5 * row + 4, 5 * column : 5 * column + 4]
            expected = images[row, column].reshape(4, 4) / np.abs(images[row, column]).max()
            np.testing.assert_allclose(piece, expected, rtol=1e-6)
    assert np.isnan(wall[4]).all()
    assert np.isnan(wall[:, 4]).all()


def test_a_blank_image_stays_blank():
    np.testing.assert_array_equal(tile(np.zeros((1, 1, 9))), np.zeros((3, 3)))


def test_mosaic_names_rows_columns_and_title(rng):
    figure = mosaic(rng.standard_normal((2, 30, 16)), ["zero", "one"], "Atoms", "iteration")
    assert figure.layout.title.text == "Atoms"
    assert figure.layout.xaxis.title.text == "iteration"
    assert list(figure.layout.yaxis.ticktext) == ["zero", "one"]
    assert list(figure.layout.yaxis.tickvals) == [1.5, 6.5]
    assert list(figure.layout.xaxis.ticktext) == ["1", "6", "11", "16", "21", "26"]
    assert (figure.data[0].zmin, figure.data[0].zmax) == (-1, 1)
