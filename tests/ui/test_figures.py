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
    assert [spot.group for spot in plot.spots] == ["a", "b", "a", "b", "a", "b"]
    assert ([name for name, _ in plot.legend], plot.glyphs) == (["a", "b"], ["a", "b"])
    assert [spot.color for spot in plot.spots] == [class_color(c) for c in top]
    assert plot.span[0] < x.min() < x.max() < plot.span[1]


def test_classes_with_long_names_are_told_by_their_numbers():
    plot = figures.measure_dots(np.ones(2), np.ones(2), np.array([1, 0]), [0, 1], ["coat", "bag"], ("x", "y"))
    assert [spot.group for spot in plot.spots] == ["1", "0"]
    assert ([name for name, _ in plot.legend], plot.glyphs) == (["coat", "bag"], ["0", "1"])


def test_a_band_is_there_only_for_dots_that_were_cut():
    values, top = np.array([0.5, 0.0, 0.0]), np.zeros(3, int)
    for cut in ([False, True, False], [False] * 3):
        plot = figures.measure_dots(values, values, top, [0], "a", ("x", "y"), cut=np.array(cut), band="words")
        assert [spot.cut for spot in plot.spots] == cut
        assert plot.band == ("words" if any(cut) else "")


def test_lines_keep_their_names_points_and_weights():
    lines = {"one": (np.array([1, 2]), np.array([3.0, 4.0])), "two": (np.array([0]), np.array([5.0]))}
    plot = figures.named_lines(lines, "t", ("x", "y"), colors=["red", "blue"], weights=["strong", "pale"])
    assert [(s.group, s.at, s.value, s.weight, s.color) for s in plot.spots] == [
        ("one", 1, 3, "strong", "red"),
        ("one", 2, 4, "strong", "red"),
        ("two", 0, 5, "pale", "blue"),
    ]
    assert (plot.legend, plot.span) == ([("one", "red"), ("two", "blue")], (0, 2))


@pytest.mark.parametrize("zeros", [0, 5])
def test_the_stairs_of_the_odds_say_how_many_signals_have_which_odds(rng, zeros):
    """Oracle: the sorted odds themselves, place by place; with τ1 = 0 some are 0, which a logarithm cannot show."""
    odds = np.concatenate([rng.choice([1.0, 2.0, 4.0], 40 - zeros), np.zeros(zeros)])
    odds /= odds.sum()
    plot = figures.odds_lines({3: odds}, "t")
    assert plot.log
    spots = plot.spots
    for place, value in enumerate(np.sort(odds)[::-1][: 40 - zeros] * 40):
        x = 100 * (place + 0.5) / 40
        (step,) = [a for a, b in zip(spots[::2], spots[1::2], strict=True) if a.at < x < b.at]
        assert step.value == pytest.approx(value)
    assert all(spot.value > 0 for spot in spots)
    assert len(spots) == 6


def test_a_map_colours_what_is_scored_and_leaves_the_rest_faint():
    cells = [Cell(0, 0, 0.9, "90", "h", (0, 0)), Cell(2, 0, None, "", "h", (1, 0)), Cell(0, 1, 0.8, "80", "h", (0, 1))]
    chart = figures.score_map(
        cells,
        (0.8, 0.9),
        "t",
        ("x", "y"),
        ({0: "0", 2: "1"}, {0: "0"}),
        ours={"R1": (0, 0)},
        papers={"paper": (0, 1)},
        frame=(0, 0),
    )
    assert [fill for fill, _ in chart.fills] == ["#A6EBC9", "", "#4A5768"]
    assert (chart.columns, chart.rows) == ((0, 2), (0, 1))
    assert (chart.x_ticks, chart.y_ticks) == ([(0, "0"), (2, "1")], [(0, "0")])
    assert [(tag.name, tag.x, tag.y, tag.dashed) for tag in chart.tags] == [("R1", 0, 0, False), ("paper", 0, 1, True)]


def test_a_colour_scale_has_the_range_of_the_scores_but_is_never_narrow():
    assert figures.score_limits([95.0, None, 96.5]) == (95.0, 96.5)
    assert figures.score_limits([95.0, 95.0]) == (94.95, 95.05)
    assert figures.score_limits([None]) == (0.0, 100.0)


def test_a_curve_has_room_for_its_intervals_and_no_place_for_what_is_not_scored():
    measured = [
        figures.Measured(0.3, 96.0, None, "third"),
        figures.Measured(0.1, 95.0, 0.5, "first", strong=True),
        figures.Measured(0.2, None, None, "second"),
    ]
    curve = figures.interval_curve(measured, "t", "q", "%", current=0.2)
    assert [point[:4] for point in curve.points] == [(0.1, 95.0, 94.5, 95.5), (0.3, 96.0, 96.0, 96.0)]
    assert curve.ticks == [(0.1, "0.1"), (0.2, "0.2"), (0.3, "0.3")]
    assert curve.range[0] < 94.5 < 96.0 < curve.range[1]
    assert curve.span[0] < 0.1 < 0.3 < curve.span[1]
    assert curve.current == 0.2
    assert figures.interval_curve(measured, "t", "q", "%", current=0.25).current is None


def _picture(wall):
    """The wall's pixels as red, green, blue, opacity."""
    return np.asarray(Image.open(io.BytesIO(wall.picture)).convert("RGBA")).astype(int)


def test_a_growing_wall_has_its_final_size_and_empty_frames(rng):
    atoms = rng.standard_normal((2, 1, 16))
    for colors in (figures.SIGNED, figures.SIGNED_GREY):
        grown = figures.growing_wall(atoms, 3, "Atoms", colors)
        assert (grown.n_rows, grown.n_columns) == (2, 3)
        opacity = _picture(grown)[..., 3]
        first = _picture(figures.wall(atoms, "Atoms", colors))[..., 3]
        np.testing.assert_array_equal(opacity[:, :4], first)
        for left in (5, 10):
            assert (opacity[1:3, left + 1 : left + 3] == 0).all()  # nothing inside
            assert (opacity[0, left : left + 4] > 0).all()  # a frame around it


def test_error_lines_follow_each_other_and_the_axis_does_not_grow(rng):
    plot = figures.error_lines({"l = 1": [0.3, 0.2, 0.1], "l = 2, now": [0.4]}, "t", 50)
    assert [(spot.at, spot.value) for spot in plot.spots] == [(1, 0.3), (2, 0.2), (3, 0.1), (1, 0.4)]
    assert plot.span == (0, 50)
    assert len({color for _, color in plot.legend}) == 2
    assert figures.error_lines({}, "t", 50).spots == []


def test_all_signals_stand_in_the_histogram_of_odds_at_their_odds(rng):
    odds = np.array([0.5, 0.5, 1, 2]) / 4
    plot = figures.odds_histogram(odds, "t")
    assert sum(spot.value for spot in plot.spots) == pytest.approx(100)
    ticks = {text: place for place, text in plot.ticks}
    for spot in plot.spots:
        if spot.value:
            near = min(ticks, key=lambda text: abs(ticks[text] - spot.at))
            assert abs(ticks[near] - spot.at) <= 0.5
            assert spot.value == {"0.5": 50, "1": 25, "2": 25}[near]


def samples(rng):
    """One figure of every kind."""
    classes = list("abc")
    return {
        "accuracy_by_weights": figures.accuracy_by_weights({"ours: x": [(3000, 90.0, 0.5, "h")]}, "t"),
        "confusion": figures.confusion(rng.integers(0, 9, (3, 3)), classes, "t"),
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
