"""Figures from arrays."""

import io

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from dasksvd import figures
from dasksvd.figures import Cell, class_color, code_stems, mosaic, tile, wall_png
from dasksvd.figures.palette import GAP
from dasksvd.figures.sketch import Sketch, trace


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
    stems, dots = figure.data
    assert dict(zip(dots.customdata.tolist(), dots.y, strict=True)) == {
        i: code[i] for i in np.flatnonzero(code).tolist()
    }
    np.testing.assert_array_equal(stems.y, dots.y)
    for atom, x, color, text in zip(dots.customdata, dots.x, dots.marker.color, dots.text, strict=True):
        c = classes[atom]
        assert 4 * c <= x < 4 * (c + 1)
        assert color == class_color(c)
        assert text == "abc"[c]


def samples(rng):
    """One figure of every kind."""
    classes = list("abc")
    atoms = rng.standard_normal((20, 16)).astype(np.float32)
    values = rng.random(20)
    top = rng.integers(0, 3, 20)
    wall = rng.standard_normal((3, 4, 16))
    return {
        "mosaic": figures.mosaic(wall, classes, "t", "x", hover=[["h"] * 4] * 3, marked=[(0, 1), (2, 3)]),
        "dictionary_wall": figures.dictionary_wall(atoms, [0, 5, 9], classes, "t"),
        "class_bars": figures.class_bars(values[:3], classes, 0, 1, "t", "y"),
        "measure_scatter": figures.measure_scatter(values, values, top, [0, 5, 9], classes, ("x", "y")),
        "odds_curves": figures.odds_curves({1: values / values.sum(), 5: values / values.sum()}),
        "odds_histogram": figures.odds_histogram(values / values.sum(), "t"),
        "error_curve": figures.error_curve({"a": values}, "t"),
        "code_stems": figures.code_stems(values, top, classes, "t"),
        "accuracy_by_weights": figures.accuracy_by_weights({"ours: x": [(3000, 90.0, 0.5, "h")]}, "t"),
        "accuracy_dots": figures.accuracy_dots(classes, [90.0, 91.0, 92.0], [0.1, 0.2, 0.3], 1),
        "confusion": figures.confusion(rng.integers(0, 9, (3, 3)), classes, "t"),
        "share_bars": figures.share_bars(values[:3], classes, "t", "y"),
        "picture_row": figures.picture_row(atoms[:3], classes, "t"),
        "residual_curve": figures.residual_curve(np.sort(values)[::-1], 4),
        "vote_bars": figures.vote_bars(values[:3] - 0.5, classes, "t"),
        "labelled_row": figures.labelled_row(atoms[:3], [0, 1, 2], classes, "t"),
        "score_map": figures.score_map(
            [Cell(0, 0, 0.9, "90", "h", (0, 0)), Cell(1, 0, None, "", "h", (1, 0)), Cell(0, 1, 0.8, "80", "h", (0, 1))],
            (0.8, 0.9),
            "t",
            ("x", "y"),
            ({0: "0"}, {0: "0"}),
            rings={"R1": (0, 0)},
            dashed={"paper": (0, 1)},
            frame=(0, 0),
        ),
        "lattice_dots": figures.lattice_dots({"t": [(0.0, 0.0), (0.5, 0.5)]})[0],
    }


def test_plotly_accepts_every_figure(rng):
    """Oracle: plotly's own checks, which are left out where people wait."""
    for name, figure in samples(rng).items():
        checked = go.Figure(figure.to_dict())
        assert checked.layout.title.text, name
        assert checked.layout.height, name
        assert len(checked.data) > 0, name


def test_a_sketch_refuses_nothing_but_plotly_would():
    sketch = Sketch(trace("bar", y=[1], nonsense=3))
    with pytest.raises(ValueError, match="nonsense"):
        go.Figure(sketch.figure().to_dict())
