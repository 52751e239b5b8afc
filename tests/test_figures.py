"""Figures from arrays."""

import io

import numpy as np
from PIL import Image

from dasksvd.figures import class_color, code_stems, mosaic, tile, wall_png
from dasksvd.figures.palette import GAP


def test_tiles_stand_where_they_belong_and_are_scaled_one_by_one(rng):
    images = rng.standard_normal((3, 5, 16))
    wall = tile(images)
    assert wall.shape == (3 * 5 - 1, 5 * 5 - 1)
    for row in range(3):
        for column in range(5):
            piece = wall[5 * row : 5 * row + 4, 5 * column : 5 * column + 4]
            expected = 127 * images[row, column].reshape(4, 4) / np.abs(images[row, column]).max()
            np.testing.assert_allclose(piece, expected, atol=0.51)
    assert (wall[4] == GAP).all()
    assert (wall[:, 4] == GAP).all()


def test_a_blank_image_stays_blank():
    np.testing.assert_array_equal(tile(np.zeros((1, 1, 9))), np.zeros((3, 3)))


def test_mosaic_names_rows_columns_and_title(rng):
    figure = mosaic(rng.standard_normal((2, 30, 16)), ["zero", "one"], "Atoms", "iteration")
    assert figure.layout.title.text == "Atoms"
    assert figure.layout.xaxis.title.text == "iteration"
    for c, (text, name) in enumerate(zip(figure.layout.yaxis.ticktext, ["zero", "one"], strict=True)):
        assert name in text
        assert class_color(c) in text
    assert list(figure.layout.yaxis.tickvals) == [1.5, 6.5]
    assert list(figure.layout.xaxis.ticktext) == ["1", "6", "11", "16", "21", "26"]
    assert (figure.data[0].zmin, figure.data[0].zmax) == (GAP, 127)


def test_a_wall_as_a_picture_has_its_pixels(rng):
    """Oracle: Pillow, which reads the file back."""
    images = rng.standard_normal((2, 3, 16)).astype(np.float32)
    picture = np.asarray(Image.open(io.BytesIO(wall_png(images, zoom=2))))
    wall = tile(images)
    assert picture.shape == (2 * wall.shape[0], 2 * wall.shape[1])
    np.testing.assert_array_equal(picture[::2, ::2][wall != GAP], (wall[wall != GAP].astype(int) + 128))
    assert (picture[::2, ::2][wall == GAP] == 255).all()


def test_stems_show_every_coefficient_once_and_by_class(rng):
    code = rng.standard_normal(12) * (rng.random(12) < 0.5)
    classes = np.tile(np.arange(3), 4)
    figure = code_stems(code, classes, "abc", "Code")
    dots = [trace for trace in figure.data if trace.mode == "markers"]
    shown = {int(atom): y for trace in dots for atom, y in zip(trace.customdata, trace.y, strict=True)}
    assert shown == {int(atom): code[atom] for atom in np.flatnonzero(code)}
    for c, trace in enumerate(dots):
        assert all(classes[atom] == c for atom in trace.customdata)
        assert all(4 * c <= x < 4 * (c + 1) for x in trace.x)
