"""Rankings: what each of them promises, over all that are registered, and the four that are ours."""

import numpy as np
import pytest

import dasksvd
from dasksvd import Settings
from dasksvd.errors import NoAtomForClass, ParameterError
from dasksvd.method.loop import iteration_rng
from dasksvd.method.measures import ClassTables, Measures, measure, weighted
from dasksvd.method.selection import best_atoms, owned, rank, ranking_rng
from dasksvd.method.trajectory import Record, Trajectory
from dasksvd.rankings import RANKINGS, formula_of, mdcs, uses_weights

WEIGHTS = [(0.0, 0.0), (1.0, 0.0), (1 / 3, 1 / 6)]
every_ranking = pytest.mark.parametrize("name", list(RANKINGS))


def tables_of(p):
    p = np.array(p, float)
    return ClassTables(p, np.zeros_like(p), np.zeros_like(p))


def trajectory_of(p, classes=None, **settings):
    tables = tables_of(p)
    record = Record(np.eye(tables.p.shape[1]), np.empty(0), np.empty(0), tables, measure(tables), np.empty(0))
    return Trajectory(Settings(**settings), classes or range(len(tables.p)), [record])


def leads(p):
    """The oracle of MDCS: the largest minus the second largest, atom by atom, in plain Python."""
    return [sorted(column)[-1] - sorted(column)[-2] for column in np.transpose(p).tolist()]


def rng():
    return np.random.default_rng(0)


@pytest.fixture
def trajectory(small_run):
    return small_run.trajectory_


def test_the_papers_and_three_to_compare_with_are_there():
    assert list(RANKINGS)[:4] == ["combined", "mdcs", "random", "worst"]
    assert [name for name in RANKINGS if uses_weights(name)] == ["combined", "worst"]


@every_ranking
def test_title_and_formula_can_be_shown(name):
    assert RANKINGS[name].title
    assert formula_of(name)


@every_ranking
@pytest.mark.parametrize("weights", WEIGHTS)
def test_one_finite_score_per_atom_and_the_same_every_time(name, weights, trajectory):
    for iteration, record in enumerate(trajectory.records):
        scores = trajectory.scores(iteration, *weights, name)
        assert scores.shape == (len(record.atoms),)
        assert np.isfinite(scores).all()
        np.testing.assert_array_equal(trajectory.scores(iteration, *weights, name), scores)


@every_ranking
def test_a_class_gets_the_best_of_the_atoms_it_owns(name, trajectory):
    """Owned by the definition: used strictly more often than by every other class."""
    selection = trajectory.reselect(0.2, 0.3, ranking=name)
    for iteration, record in enumerate(trajectory.records):
        scores = trajectory.scores(iteration, 0.2, 0.3, name)
        for label, atom in enumerate(selection.index[iteration]):
            others = np.delete(record.tables.p, label, axis=0)
            mine = np.flatnonzero((record.tables.p[label] > others).all(axis=0))
            assert atom == next(j for j in mine if scores[j] == scores[mine].max())
            assert selection.scores[iteration, label] == scores[atom]
        rows = slice(10 * iteration, 10 * (iteration + 1))
        np.testing.assert_array_equal(selection.atoms[rows], record.atoms[selection.index[iteration]])
        assert selection.classes[rows].tolist() == list(range(10))


@every_ranking
def test_fewer_iterations_select_the_beginning(name, trajectory):
    whole = trajectory.reselect(0.2, 0.3, ranking=name)
    np.testing.assert_array_equal(trajectory.reselect(0.2, 0.3, 2, name).index, whole.index[:2])


@every_ranking
def test_weights_matter_where_a_ranking_says_so(name, trajectory):
    plain = trajectory.reselect(0, 0, ranking=name).index
    assert np.array_equal(trajectory.reselect(1, 0, ranking=name).index, plain) != uses_weights(name)


@every_ranking
def test_a_class_without_an_atom_is_named(name):
    with pytest.raises(NoAtomForClass, match="class seven"):
        trajectory_of([[0.5, 0.2], [0.5, 0.1]], ["three", "seven"]).reselect(0, 0, ranking=name)


@every_ranking
def test_the_settings_ranking_is_used_unless_another_is_given(name, small_run, trajectory):
    settings = Settings(**{**vars(trajectory.settings), "ranking": name})
    same = Trajectory(settings, trajectory.classes, trajectory.records)
    expected = trajectory.reselect(0.2, 0.3, ranking=name)
    np.testing.assert_array_equal(same.reselect(0.2, 0.3).index, expected.index)
    np.testing.assert_array_equal(small_run.reselect(0.2, 0.3, ranking=name).index, expected.index)
    np.testing.assert_array_equal(same.reselect(0.2, 0.3, ranking="combined").index, small_run.reselect(0.2, 0.3).index)


def test_combined_is_m_and_where_m_is_zero_the_unclipped_sum():
    measures = Measures(
        top=np.zeros(3), second=np.ones(3), af=np.full(3, 0.5), cm_lead=np.zeros(3), re_lead=np.array([0.1, -0.2, -0.1])
    )
    tables = tables_of(np.zeros((2, 3)))
    np.testing.assert_allclose(rank("combined", tables, weighted(measures, 0, 0), rng()), [0.1, -0.2, -0.1])
    np.testing.assert_allclose(rank("combined", tables, weighted(measures, 0.5, 0), rng()), [0.3, 0.25, 0.25])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_worst_selects_the_smallest_measure(weights, trajectory):
    best, worst = (trajectory.reselect(*weights, ranking=name) for name in ("combined", "worst"))
    assert (-worst.scores <= best.scores).all()
    assert (-worst.scores < best.scores).any()
    for iteration, record in enumerate(trajectory.records):
        m = trajectory.scores(iteration, *weights, "combined")
        for label, mine in enumerate(owned(record.measures, 10)):
            assert -worst.scores[iteration, label] == m[mine].min()


def test_mdcs_of_two_classes_is_the_absolute_difference():
    p = rng().random((2, 30))
    np.testing.assert_array_equal(mdcs(tables_of(p), None, None), np.abs(p[0] - p[1]))


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_mdcs_of_more_classes_vs_sorting_by_hand(n_classes):
    p = rng().random((n_classes, 30)).round(1)  # with ties
    np.testing.assert_array_equal(mdcs(tables_of(p), None, None), leads(p))


def test_mdcs_is_the_activation_measure_without_division(trajectory):
    for iteration, record in enumerate(trajectory.records):
        expected = record.measures.af * record.tables.p.max(axis=0)
        np.testing.assert_allclose(trajectory.scores(iteration, 0, 0, "mdcs"), expected, atol=1e-12)


def test_mdcs_prefers_the_atom_in_frequent_use():
    trajectory = trajectory_of([[0.9, 0.1, 0.0], [0.6, 0.0, 0.5]])
    assert trajectory.reselect(1, 0).index.tolist() == [[1, 2]]
    assert trajectory.reselect(1, 0, ranking="mdcs").index.tolist() == [[0, 2]]


def test_a_tie_goes_to_the_first_atom():
    trajectory = trajectory_of([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])
    assert trajectory.reselect(0, 0, ranking="mdcs").index.tolist() == [[0, 2]]


def test_mdcs_of_one_class_is_an_error():
    with pytest.raises(ParameterError, match="got 1"):
        mdcs(tables_of([[0.5, 0.2]]), None, None)


def test_random_takes_every_owned_atom_about_equally_often():
    """Atoms 0 to 3 are owned by class 0, 4 and 5 by class 1, and 6 by none."""
    p = [[0.9, 0.5, 0.4, 0.3, 0.1, 0.0, 0.5], [0.1, 0.4, 0.3, 0.0, 0.2, 0.1, 0.5]]
    found = np.concatenate([trajectory_of(p, seed=seed).reselect(0, 0, ranking="random").index for seed in range(1200)])
    for column, atoms in enumerate([(0, 1, 2, 3), (4, 5)]):
        values, counts = np.unique(found[:, column], return_counts=True)
        assert tuple(values) == atoms
        share = 1200 / len(atoms)
        assert np.abs(counts - share).max() < 4 * np.sqrt(share)


def test_random_atoms_come_from_a_stream_of_their_own():
    """Neither the iterations' numbers, nor the split's, nor those of another iteration or seed."""
    streams = [ranking_rng(seed, l) for seed in (0, 1, 7, 2**32) for l in range(20)]
    streams += [iteration_rng(Settings(seed=seed), l) for seed in (0, 1, 7, 2**32) for l in range(20)]
    streams += [iteration_rng(Settings(seed=seed, streams=1), l) for seed in (0, 1, 7) for l in range(20)]
    assert len({stream.bit_generator.random_raw() for stream in streams}) == len(streams)


def test_random_numbers_of_a_ranking_are_those_of_the_iterations_first_child():
    """The oracle is numpy's own spawning; what a seed selects must not change from release to release."""
    child = np.random.SeedSequence(7).spawn(3)[2].spawn(1)[0]
    np.testing.assert_array_equal(ranking_rng(7, 2).random(5), np.random.default_rng(child).random(5))


@pytest.mark.parametrize("name", ["best", "", None, 3])
def test_an_unknown_ranking_is_an_error_that_lists_the_known_ones(name, small_run):
    with pytest.raises(ParameterError, match="known are combined, mdcs, random, worst"):
        Settings(ranking=name)
    if name:
        with pytest.raises(ParameterError, match="known are combined, mdcs, random, worst"):
            small_run.reselect(0, 0, ranking=name)


@pytest.mark.parametrize("scores", [np.zeros(3), np.zeros((1, 4)), np.array([0, np.nan, 0, 0]), 1.0])
def test_a_ranking_that_gives_no_score_per_atom_is_named(scores):
    dasksvd.rankings.register("broken", title="Broken")(lambda tables, measures, rng: scores)
    try:
        with pytest.raises(ParameterError, match="the ranking 'broken' must give one finite score"):
            trajectory_of([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]).reselect(0, 0, ranking="broken")
    finally:
        RANKINGS.unregister("broken")


def test_only_owned_atoms_count_however_large_their_score():
    measures = measure(tables_of([[0.5, 0.5, 0.1], [0.5, 0.2, 0.4]]))
    assert best_atoms(measures, np.array([9.0, -1.0, -2.0]), "ab").tolist() == [1, 2]


def test_the_papers_ranking_stands_in_no_file_so_that_old_sums_stay():
    assert "ranking" not in Settings().as_dict()
    assert Settings(ranking="mdcs").as_dict()["ranking"] == "mdcs"
    assert Settings.from_dict(Settings(ranking="mdcs").as_dict()) == Settings(ranking="mdcs")
    assert Settings.from_dict({}).ranking == "combined"
