"""Public figures: pictures and charts from arrays."""

import io
import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from dasksvd import figures
from dasksvd.errors import ParameterError
from dasksvd.figures import class_color, in_rows, mosaic, tile
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


@pytest.mark.parametrize("colors", [figures.SIGNED, figures.GREY, figures.SIGNED_GREY])
def test_a_wall_as_a_picture_has_its_colours(rng, colors):
    """Oracles: Pillow, which reads the file back, and the ends of the colour scale."""
    images = rng.standard_normal((2, 3, 16)).astype(np.float32)
    picture = np.asarray(Image.open(io.BytesIO(mosaic(images, colors=colors, zoom=2))).convert("RGBA"))
    wall = tile(images)
    assert picture.shape == (2 * wall.shape[0], 2 * wall.shape[1], 4)
    small = picture[::2, ::2]
    assert (small[wall == GAP, 3] == 0).all()
    for level, text in ((127, colors[-1][1]), (-127, colors[2][1])):
        color = [int(part) for part in text.removeprefix("rgb(").rstrip(")").split(",")]
        if (wall == level).any():
            np.testing.assert_allclose(small[wall == level][:, :3], [color] * int((wall == level).sum()), atol=2)
    assert (wall == 127).any()
    assert (wall == -127).any()


def test_a_list_of_images_is_put_in_rows_and_filled_up(rng):
    images = rng.standard_normal((5, 16)).astype(np.float32)
    rows = in_rows(images, 3)
    np.testing.assert_array_equal(rows.reshape(6, 16)[:5], images)
    assert not rows[1, 2].any()
    assert in_rows(images, 3, min_rows=4).shape == (4, 3, 16)
    assert mosaic(images, 3) == mosaic(rows)
    assert mosaic(images, 2) == mosaic(in_rows(images, 2)) != mosaic(rows)
    assert mosaic(images) == mosaic(in_rows(images, 3))  # as many columns as rows, or one more


def test_images_that_are_not_square_are_named():
    with pytest.raises(ParameterError, match="15 pixels are no square"):
        mosaic(np.ones((2, 15)))


def test_bars_have_their_classes_colours_names_and_marks():
    bars = figures.class_bars([0.1, 0.4, 0.2], "abc", marks={1: "ℓ⁺"}).data[0]
    assert list(bars.y) == [0.1, 0.4, 0.2]
    assert list(bars.marker.color) == [class_color(c) for c in range(3)]
    assert (list(bars.x), list(bars.text)) == (["a", "b", "c"], ["", "ℓ⁺", ""])


def test_a_map_of_weights_has_one_square_per_pair():
    scores = {(0.0, 0.0): 0.9, (0.5, 0.25): 0.8}
    squares = figures.weight_map(scores).data[0]
    assert dict(zip(zip(squares.x, squares.y, strict=True), squares.marker.color, strict=True)) == {
        pair: 100 * score for pair, score in scores.items()
    }
    with pytest.raises(ParameterError, match="at least one score"):
        figures.weight_map({})


def samples(rng):
    """One figure of every kind."""
    values = rng.random(20)
    return {
        "odds_curves": figures.odds_curves({1: values / values.sum(), 5: values / values.sum()}),
        "error_curve": figures.error_curve({"a": values}, "t"),
        "class_bars": figures.class_bars(values, title="t", marks={3: "ℓ⁺"}),
        "weight_map": figures.weight_map({(0, 0): 0.9, (1, 0): 0.8}),
    }


def test_plotly_accepts_every_figure(rng):
    """Oracle: plotly's own checks, which are left out where people wait."""
    for name, figure in samples(rng).items():
        checked = go.Figure(figure.to_dict())
        assert checked.layout.title.text or checked.layout.xaxis.title.text, name
        assert checked.layout.height, name
        assert len(checked.data) > 0, name


def test_a_sketch_refuses_nothing_but_plotly_would():
    sketch = Sketch(trace("bar", y=[1], nonsense=3))
    with pytest.raises(ValueError, match="nonsense"):
        go.Figure(sketch.figure().to_dict())


def test_pictures_need_no_plotly():
    """An installation of the core alone may not have it."""
    script = "import sys, numpy; from dasksvd import figures; figures.mosaic(numpy.eye(16)); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "plotly" not in done.stdout.split()


#: Machado, Oliveira and Fernandes (2009): linear RGB as eyes without one kind of cone see it.
EYES = {
    "ordinary": np.eye(3),
    "deutan": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "protan": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
}


def cielab(linear):
    """CIELAB of linear sRGB (n, 3), from the definition."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    ratios = np.clip(linear, 0, 1) @ to_xyz.T / [0.9505, 1.0, 1.089]
    f = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


@pytest.mark.parametrize("eyes", EYES)
def test_class_colours_stay_apart_for_colour_blind_eyes(eyes):
    channels = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in figures.CLASS_COLORS]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = cielab(linear @ EYES[eyes].T)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2) + 1000 * np.eye(len(seen))
    assert apart.min() > 13
