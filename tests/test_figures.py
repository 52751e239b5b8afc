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


def test_mosaic_names_rows_and_columns(rng):
    images = rng.standard_normal((2, 30, 16))
    wall = mosaic(images, "Atoms", rows=["zero", "one"], x_title="iteration", marked=[(1, 3)])
    assert (wall.n_rows, wall.n_columns, wall.side) == (2, 30, 4)
    assert wall.rows == [("zero", class_color(0)), ("one", class_color(1))]
    assert [name for name, _ in wall.columns if name] == ["1", "6", "11", "16", "21", "26"]
    assert wall.columns[5] == ("6", "")
    assert [(mark.row, mark.column, mark.color) for mark in wall.marks] == [(1, 3, class_color(1))]
    assert mosaic(images, "Atoms").columns == []


def test_the_selected_atoms_of_a_dictionary_are_framed_where_they_stand(rng):
    atoms = rng.standard_normal((70, 16)).astype(np.float32)
    wall = figures.dictionary_wall(atoms, [0, 33, 69], "abc", "Φ")
    assert (wall.n_rows, wall.n_columns) == (3, 32)
    assert [(mark.row, mark.column, mark.label) for mark in wall.marks] == [(0, 0, "a"), (1, 1, "b"), (2, 5, "c")]


@pytest.mark.parametrize("colors", [figures.SIGNED, figures.GREY, figures.SIGNED_GREY])
def test_a_wall_as_a_picture_has_its_colours(rng, colors):
    """Oracles: Pillow, which reads the file back, and the ends of the colour scale."""
    images = rng.standard_normal((2, 3, 16)).astype(np.float32)
    picture = np.asarray(Image.open(io.BytesIO(wall_png(images, colors, zoom=2))).convert("RGBA"))
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


def test_stems_show_every_coefficient_once_and_by_class(rng):
    code = rng.standard_normal(12) * (rng.random(12) < 0.5)
    classes = np.tile(np.arange(3), 4)
    plot = code_stems(code, classes, "abc", "Code")
    assert sorted(spot.value for spot in plot.spots) == sorted(code[code != 0])
    for spot in plot.spots:
        atom = int(np.flatnonzero(code == spot.value)[0])
        c = classes[atom]
        assert 4 * c <= spot.at < 4 * (c + 1)
        assert spot.color == class_color(c)
        assert spot.hover.startswith(f"atom {atom} of class {'abc'[c]}")
    assert plot.ticks == [(1.5, "a"), (5.5, "b"), (9.5, "c")]


def test_bars_mark_the_two_classes_of_an_atom():
    plot = figures.class_bars(np.array([0.1, 0.4, 0.2]), "abc", 1, 2, "p", "share")
    assert [spot.label for spot in plot.spots] == ["", "ℓ⁺", "ℓ*"]
    assert [spot.weight for spot in plot.spots] == ["pale", "plain", "plain"]
    assert [spot.value for spot in plot.spots] == [0.1, 0.4, 0.2]


def test_shares_are_percent_and_the_largest_is_strong():
    plot = figures.share_bars(np.array([0.25, 0.75]), "ab", "t", "y")
    assert [(spot.value, spot.label, spot.weight) for spot in plot.spots] == [(25, "25", "pale"), (75, "75", "plain")]
    assert all(spot.weight == "pale" for spot in figures.share_bars(np.zeros(2), "ab", "t", "y").spots)


def test_dots_stand_for_atoms_in_their_order(rng):
    x, y, top = rng.random(6), rng.random(6), np.array([0, 1, 0, 1, 0, 1])
    plot = figures.measure_dots(x, y, top, [2, 5], "ab", ("across", "up"))
    assert [(spot.at, spot.value) for spot in plot.spots] == list(zip(x, y, strict=True))
    assert [number for number, spot in enumerate(plot.spots) if spot.weight == "strong"] == [2, 5]
    assert [spot.label for spot in plot.spots] == ["", "", "a", "", "", "b"]
    assert [spot.color for spot in plot.spots] == [class_color(c) for c in top]
    assert plot.span[0] < x.min() < x.max() < plot.span[1]


def test_a_map_colours_what_is_scored_and_leaves_the_rest_faint():
    cells = [Cell(0, 0, 0.9, "90", "h", (0, 0)), Cell(2, 0, None, "", "h", (1, 0)), Cell(0, 1, 0.8, "80", "h", (0, 1))]
    chart = figures.score_map(
        cells,
        (0.8, 0.9),
        "t",
        ("x", "y"),
        ({0: "0", 2: "1"}, {0: "0"}),
        rings={"R1": (0, 0)},
        dashed={"paper": (0, 1)},
        frame=(0, 0),
    )
    assert [fill for fill, _ in chart.fills] == ["#A6EBC9", "", "#4A5768"]
    assert (chart.columns, chart.rows) == ((0, 2), (0, 1))
    assert (chart.x_ticks, chart.y_ticks) == ([(0, "0"), (2, "1")], [(0, "0")])
    assert [(ring.name, ring.x, ring.y, ring.dashed) for ring in chart.rings] == [
        ("paper", 0, 1, True),
        ("R1", 0, 0, False),
    ]
    narrow = figures.score_map(cells, (0.8, 0.9), "t", ("x", "y"), ({}, {}), window=(range(-1, 2), range(3)))
    assert (narrow.columns, narrow.rows) == ((-1, 1), (0, 2))


def samples(rng):
    """One figure of every kind."""
    classes = list("abc")
    values = rng.random(20)
    return {
        "odds_curves": figures.odds_curves({1: values / values.sum(), 5: values / values.sum()}),
        "odds_histogram": figures.odds_histogram(values / values.sum(), "t"),
        "error_curve": figures.error_curve({"a": values}, "t"),
        "accuracy_by_weights": figures.accuracy_by_weights({"ours: x": [(3000, 90.0, 0.5, "h")]}, "t"),
        "accuracy_dots": figures.accuracy_dots(classes, [90.0, 91.0, 92.0], [0.1, 0.2, 0.3], 1),
        "confusion": figures.confusion(rng.integers(0, 9, (3, 3)), classes, "t"),
        "vote_bars": figures.vote_bars(values[:3] - 0.5, classes, "t"),
        "colour_strip": figures.colour_strip((0.8, 0.9), "t"),
        "lattice_dots": figures.lattice_dots({"t": [(0.0, 0.0), (0.5, 0.5)]})[0],
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


@pytest.mark.parametrize(
    ("value", "text"), [(0.254, "+0.25"), (-0.254, "-0.25"), (-0.001, "0.00"), (0.004, "0.00"), (-0.0, "0.00")]
)
def test_a_number_that_rounds_to_zero_has_no_sign(value, text):
    assert figures.signed(value) == text
