"""What the dashboard draws from arrays."""

import io
import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from dasksvd.figures import class_color
from ui import figures, texts
from ui.figures import Cell, code_stems, wall


def test_a_wall_names_its_rows_and_columns(rng):
    images = rng.standard_normal((2, 30, 16))
    found = wall(images, "Atoms", rows=["zero", "one"], x_title="iteration", marked=[(1, 3)])
    assert (found.n_rows, found.n_columns, found.side) == (2, 30, 4)
    assert found.rows == [("zero", class_color(0)), ("one", class_color(1))]
    assert [name for name, _ in found.columns if name] == ["1", "6", "11", "16", "21", "26"]
    assert found.columns[5] == ("6", "")
    assert [(mark.row, mark.column, mark.color) for mark in found.marks] == [(1, 3, class_color(1))]
    assert wall(images, "Atoms").columns == []


def test_the_selected_atoms_of_a_dictionary_are_framed_where_they_stand(rng):
    atoms = rng.standard_normal((70, 16)).astype(np.float32)
    wall = figures.dictionary_wall(atoms, [0, 33, 69], "abc", "Φ")
    assert (wall.n_rows, wall.n_columns) == (3, 32)
    assert [(mark.row, mark.column, mark.label) for mark in wall.marks] == [(0, 0, "a"), (1, 1, "b"), (2, 5, "c")]


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


def test_the_curve_marks_the_step():
    plot = figures.residual_curve(np.array([4.0, 2.0, 1.0]), 1)
    assert [spot.value for spot in plot.spots] == [100, 50, 25]
    assert [spot.at for spot in plot.spots if spot.weight == "strong"] == [1]


def test_later_atoms_are_pale_in_the_pursuit_wall():
    atoms = np.ones((3, 16), np.float32)
    wall = figures.pursuit_wall(atoms, np.array([1, -2, 3.0]), np.array([0, 1, 2]), 1, "title", columns=3)
    assert [mark.label for mark in wall.marks] == ["0 +1.0", "1 -2.0", "2 +3.0"]
    opacity = _picture(wall)[..., 3]
    assert opacity[0, 0] > opacity[0, 5] == opacity[0, 10] > 0


def test_pictures_in_a_row_share_their_scale():
    pictures = np.stack([np.full(16, 2.0), np.full(16, 1.0), np.full(16, 2.0)]).astype(np.float32)
    wall = _picture(figures.picture_row(pictures, "abc", "title"))
    assert (wall[0, 0] == wall[0, 10]).all()
    assert wall[0, 5, 3] < wall[0, 0, 3]


def _picture(wall):
    """The wall's pixels as red, green, blue, opacity."""
    return np.asarray(Image.open(io.BytesIO(wall.picture)).convert("RGBA")).astype(int)


def samples(rng):
    """One figure of every kind."""
    classes = list("abc")
    values = rng.random(20)
    return {
        "odds_histogram": figures.odds_histogram(values / values.sum(), "t"),
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


@pytest.mark.parametrize(
    ("value", "text"), [(0.254, "+0.25"), (-0.254, "-0.25"), (-0.001, "0.00"), (0.004, "0.00"), (-0.0, "0.00")]
)
def test_a_number_that_rounds_to_zero_has_no_sign(value, text):
    assert texts.signed(value) == text


def test_figures_know_nothing_of_streamlit():
    script = "import sys; import ui.figures; print(*{'streamlit'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
