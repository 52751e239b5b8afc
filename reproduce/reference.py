"""The shipped run's classifiers and metrics."""

import numpy as np

from dasksvd import load_mnist, reduce_images
from dasksvd.common.files import write_json
from dasksvd.datasets.parts import mnist_parts
from dasksvd.evaluate import Plan, evaluate, score, unexplained
from dasksvd.method.measures import class_tables
from dasksvd.method.omp import encode
from dasksvd.parameters import n_nonzero
from dasksvd.runs.evaluation import to_reader
from dasksvd.runs.reference import METRICS, load_reference, reader_path
from reproduce.paper import SIZES


def make_reference_classifiers() -> None:
    """Train today's network on the shipped run's codes for each size; score it once on the test set."""
    trajectory, parts, data = load_reference(), mnist_parts(0), load_mnist()
    test_signals = reduce_images(data.test_images)
    kept = {"command": "python -m reproduce reference-classifiers", "sizes": {}}
    for I in SIZES:
        metrics, model, codes = evaluate(trajectory, parts, Plan(), alpha=0.0, beta=0.0, I=I, seed=0)
        atoms = trajectory.reselect(0, 0, I).atoms
        test_codes = encode(test_signals, atoms, n_nonzero(trajectory.settings.q, len(atoms)))
        tested = score(model, test_codes, data.test_labels, np.arange(10000), 10)
        test = (
            metrics.as_dict() | tested | {"part": "test images", "error": unexplained(test_signals, test_codes, atoms)}
        )
        kept["sizes"][str(I)] = {
            "validation": metrics.as_dict(),
            "test": test,
            "codes": _summary(codes, parts.train_labels),
        }
        to_reader(trajectory, model, 0.0, 0.0, I).save(reader_path(I))
        print(f"{I} atoms per class: {tested['accuracy']:.2%} of the test images", flush=True)
    write_json(METRICS, kept)


def _summary(codes: np.ndarray, labels: np.ndarray) -> dict:
    """Who uses which atom of the structured dictionary: shares of signals and mean coefficients by class."""
    tables = class_tables(codes, np.zeros(len(codes), np.float32), labels, 10)
    return {"p": np.round(tables.p, 4).tolist(), "q": np.round(tables.q, 4).tolist()}
