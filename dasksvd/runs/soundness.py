"""Could the method have left this run?  For runs from elsewhere, of which nothing is believed.

Reading a run notices damage.  Here, what follows from something else is computed again and
compared: the description from the bundled data, the odds from the draws, the measures from the
tables, the accuracy from the confusions, the classifier's atoms from the trajectory.  What is
accepted can be shown on every page.
"""

from collections.abc import Callable

import numpy as np

from dasksvd.common.files import read_npz
from dasksvd.common.registry import Registry
from dasksvd.datasets.description import Description
from dasksvd.datasets.parts import part_name, scored_on_test_images
from dasksvd.datasets.registry import facts_of, load
from dasksvd.digit.atom_reader import model_specs
from dasksvd.digit.reader import load_reader
from dasksvd.encoders import levels_of
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.evaluate import Metrics, Tried, best_level
from dasksvd.method.measures import measure
from dasksvd.method.sampling import lower_odds
from dasksvd.method.trajectory import Record
from dasksvd.metrics import n_weights
from dasksvd.parameters import check_weights, n_nonzero
from dasksvd.runs.evaluation import read_metrics
from dasksvd.runs.folder import Run, places_of
from dasksvd.runs.worker import load_data

#: What a run from elsewhere may have at most: (in words, how to find it, the limit).
_LIMITS = (
    ("iterations", lambda what: what.settings.I, 990),
    ("K-SVD iterations", lambda what: what.settings.ksvd_iter, 10_000),
    ("epochs of fine-tuning", lambda what: what.settings.fine_tune, 10_000),
    ("values per signal", lambda what: what.signal_length, 4096),
    ("atoms per iteration", lambda what: what.n_atoms, 4096),
    ("classes", lambda what: len(what.classes), 100),
)
MAX_HIDDEN = 10_000
#: Larger numbers do not come of pictures in 0 … 1.
_HUGE = 1e12
#: What other packages keep in a run's folder, each with a function that raises DamagedFile for a run.
#: Named and not imported: these packages are built on runs.
SIDE_FILES: Registry[Callable[[Run], None]] = Registry("kind of file")
SIDE_FILES.declare("grid", "dasksvd.search.soundness:check_weight_scores", title="grid.json")
SIDE_FILES.declare("sweep", "dasksvd.search.soundness:check_sweep_scores", title="sweep.json")


def check_sound(run: Run) -> None:
    """Raise DamagedFile unless every file of a run is what the method would have written."""
    what = run.description
    check_description(what)
    problem = run.problem()
    if problem:
        raise DamagedFile(problem)
    try:
        _, labels = load_data(run)
        what.settings.check_data(what.signal_length, dict(zip(what.classes, np.bincount(labels), strict=True)))
    except ParameterError as error:
        raise DamagedFile(f"settings.json does not fit the data: {error}") from error
    if what.data == "own" and not _in_range(run.own_data()[0]):
        raise DamagedFile("data.npz: signals must lie in 0 … 1")
    _check_records(run, labels)
    metrics = read_metrics(run)
    if metrics is not None:
        _check_metrics(run, metrics)
    if (run.folder / "classifier.npz").exists():
        _check_classifier(run, metrics)
    for file in SIDE_FILES.entries():
        if (run.folder / file.title).exists():
            file.value(run)


def _in_range(signals: np.ndarray) -> bool:
    return signals.dtype == np.uint8 or bool(signals.min() >= 0 and signals.max() <= 1)


def check_description(what: Description) -> None:
    """Raise DamagedFile if a description is larger than anything that is shown, or not one of square pictures."""
    for words, count, limit in _LIMITS:
        if count(what) > limit:
            raise DamagedFile(f"settings.json asks for {count(what):,} {words}, at most {limit:,} are accepted")
    if not what.is_square:
        raise DamagedFile(f"signals of {what.signal_length} values are not square pictures")


def _check_records(run: Run, labels: np.ndarray) -> None:
    what = run.description
    odds = np.full(what.n_signals, 1 / what.n_signals)
    for iteration in range(run.n_finished()):
        record, name = run.load_record(iteration), run.record_path(iteration).name
        classes = np.repeat(np.arange(len(what.classes)), what.settings.t)
        if not np.array_equal(labels[record.drawn], classes) or len(np.unique(record.drawn)) != len(record.drawn):
            raise DamagedFile(f"{name}: drawn is not a draw of {what.settings.t} signals of each class")
        odds = lower_odds(odds, record.drawn, what.settings.tau1)
        if not np.allclose(record.odds, odds, rtol=1e-6, atol=0):
            raise DamagedFile(f"{name}: odds do not follow from the draws")
        _check_measures(record, what.settings.re_sign, name)


def _check_measures(record: Record, re_sign: str, name: str) -> None:
    tables = record.tables
    for table, largest in ((tables.p, 1), (tables.q, _HUGE), (tables.r, _HUGE), (record.errors, _HUGE)):
        if table.min() < 0 or table.max() > largest:
            raise DamagedFile(f"{name}: a table has values outside of 0 … {largest:g}")
    if not 0 <= record.restarts <= 1000:
        raise DamagedFile(f"{name}: {record.restarts} restarts cannot be")
    expected = vars(measure(tables, re_sign))
    # The next release of numpy may round a quotient differently.
    if not all(np.allclose(value, expected[key], atol=1e-6) for key, value in vars(record.measures).items()):
        raise DamagedFile(f"{name}: measures do not follow from the tables")


def _check_metrics(run: Run, metrics: Metrics) -> None:
    k = len(run.description.classes)
    counts = (metrics.hidden, metrics.n_atoms, metrics.I, metrics.n_scored, metrics.weights, metrics.epochs)
    cells = [cell for row in metrics.confusion for cell in row]
    wrong = [value for line in metrics.wrong for value in line[:3]]
    if not all(type(value) is int and 0 <= value < 2**53 for value in (*counts, *cells, *wrong)):
        raise DamagedFile("metrics.json: a count is not a whole number")
    numbers = [metrics.alpha, metrics.beta, metrics.accuracy, metrics.error, metrics.seconds]
    numbers += [value for line in metrics.wrong for value in line[3:]]
    if not all(type(value) in (int, float) and 0 <= value <= _HUGE for value in numbers):
        raise DamagedFile("metrics.json: a number is out of range")
    check_weights(metrics.alpha, metrics.beta)
    right = sum(metrics.confusion[c][c] for c in range(k))
    follows = (
        1 <= metrics.I <= run.n_finished()
        and metrics.n_atoms == metrics.I * k
        and 1 <= metrics.hidden <= MAX_HIDDEN
        and metrics.weights == n_weights(metrics.n_atoms, metrics.hidden, k)
        and 1 <= metrics.n_scored == sum(cells)
        and abs(metrics.accuracy * metrics.n_scored - right) < 1e-3
        and all(len(line) == 5 and max(line[3:]) <= 1 for line in metrics.wrong)
        and len(metrics.wrong) <= metrics.n_scored - right
        and _codes_follow(run, metrics)
        and _atoms_follow(run, metrics)
    )
    if not follows:
        raise DamagedFile("metrics.json: its numbers contradict each other or the run")
    where = np.array([line[0] for line in metrics.wrong], np.int64)
    if metrics.part == part_name(run.description):
        exist = bool(np.isin(where, places_of(run).scored).all())
    elif scored_on_test_images(run.description, metrics.part):
        labels = load(run.description.data).test_labels
        exist = labels is not None and bool(np.all(where < len(labels)))
    else:
        exist = False
    if not exist:
        raise DamagedFile("metrics.json: a misread picture is not one of the scored ones")


def _atoms_follow(run: Run, metrics: Metrics) -> bool:
    """Whether fine-tuned atoms are there, and all of them were read: there are none for other weights or sizes."""
    settings = run.description.settings
    own = (metrics.alpha, metrics.beta, metrics.I) == (settings.alpha, settings.beta, settings.I)
    return not settings.fine_tune or (own and not run.missing)


def _codes_follow(run: Run, metrics: Metrics) -> bool:
    """Whether level and share of non-zeros are those of the encoder's codes, and the best of the tried ones."""
    tried = [Tried(*one) for one in metrics.tried]
    chosen = Tried(metrics.level, metrics.nonzeros, metrics.accuracy)
    count = metrics.nonzeros * metrics.n_scored * metrics.n_atoms
    if abs(count - round(count)) > 1e-3:
        return False
    if not levels_of(metrics.encoder):
        most = n_nonzero(run.description.settings.q, metrics.n_atoms)
        return metrics.level == 0 and not tried and round(count) <= most * metrics.n_scored
    distinct = len({one.level for one in tried}) == len(tried)
    return 0 < metrics.level < 1 and distinct and (not tried or best_level(tried) == chosen)


def _check_classifier(run: Run, metrics: Metrics | None) -> None:
    what = run.description
    if metrics is None:
        raise DamagedFile("classifier.npz has no place in a run that is not evaluated")
    path = run.folder / "classifier.npz"
    shape = () if facts_of(what.data).gives_reader else (what.signal_length, len(what.classes))
    read_npz(path, model_specs(metrics.n_atoms, metrics.hidden, metrics.encoder, shape))  # before anything is allocated
    model = load_reader(path)
    selection = run.trajectory.reselect(metrics.alpha, metrics.beta, metrics.I)
    atoms = run.atoms if what.settings.fine_tune else selection.atoms
    follows = (
        (len(model.atoms), len(model.weights[1])) == (metrics.n_atoms, metrics.hidden)
        and model.n_nonzero == n_nonzero(what.settings.q, metrics.n_atoms)
        and np.allclose(model.atoms, atoms, atol=1e-5)
        and np.array_equal(model.atom_classes, selection.classes)
    )
    if not follows:
        raise DamagedFile("classifier.npz: its atoms are not those of the run")
    if (model.encoder, model.level) != (metrics.encoder, metrics.level):
        raise DamagedFile("classifier.npz: its codes are not those that the run was evaluated on")
    # Beyond, the network's sums would overflow.
    if model.scale.min() < 1e-6 or model.scale.max() > 1e6 or max(np.abs(w).max() for w in model.weights) > 1e6:
        raise DamagedFile("classifier.npz: its weights are out of range")
