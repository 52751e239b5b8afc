"""Compile every kernel that a server calls, so that the first visitor does not wait.

``python -m ui.warm`` in a process of its own leaves the compiled code in numba's cache, and
gives way to whatever else the machine has to do.
"""

import os

import numpy as np

from dasksvd import digit
from dasksvd.datasets import load_mnist, reduce_images
from dasksvd.digit.reader import load_default_model
from dasksvd.method import steps
from dasksvd.method.omp import encode
from dasksvd.runs.reference import load_reference


def warm_up() -> None:
    """Load what is shipped and call each kernel once."""
    image = load_mnist().test_images[0]
    load_default_model().explain(digit.from_image(image))
    encode(reduce_images(image[None]), load_reference().records[0].atoms, 51)
    encode(np.zeros((1, 64), np.float32), np.eye(64, dtype=np.float32), 3)
    list(steps.learn(reduce_images(load_mnist().test_images[:9]), 4, 2, 1, np.random.default_rng(0)))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(19)
    warm_up()
