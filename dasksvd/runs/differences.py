"""Do two evaluated runs differ by more than chance?  Single readings: the images alone decide how sure that is."""

from dataclasses import dataclass

import numpy as np

from dasksvd.evaluate import Metrics
from dasksvd.runs.folder import own_arrays
from dasksvd.runs.source import Source
from dasksvd.statistics import Difference, paired_shares, unpaired_shares


@dataclass(frozen=True)
class Evaluated:
    """A run and how well its codes are classified."""

    run: Source
    metrics: Metrics

    @property
    def counts(self) -> tuple[int, int]:
        """How many images were read right, and how many there were."""
        confusion = np.asarray(self.metrics.confusion, np.int64)
        return int(np.trace(confusion)), int(confusion.sum())


def difference(first: Evaluated, second: Evaluated) -> Difference | None:
    """How much better the first run is read than the second, with the 95 % interval for so many images.

    Paired if both were scored on the same images, from the mistakes that both are known to make; otherwise from two
    binomials. Another network or another seed would move it, too, which two readings cannot tell.

    Returns
    -------
    Difference or None
        None if they have learned from other data, whose accuracies do not compare.
    """
    (right, n), (others, n_others) = first.counts, second.counts
    if not (n and n_others and _same_data(first.run, second.run)):
        return None
    if not same_images(first, second):
        return unpaired_shares(right / n, n, others / n_others, n_others)
    common = {line[0] for line in first.metrics.wrong} & {line[0] for line in second.metrics.wrong}
    return paired_shares(right / n, others / n, n, min(len(common), n - right, n - others))


def same_images(first: Evaluated, second: Evaluated) -> bool:
    """Whether both runs were scored on the same images: the same part of the same split."""
    return _part(first) == _part(second) and _same_data(first.run, second.run)


def _part(one: Evaluated) -> tuple:
    """What decides which images a run is scored on, but for the data themselves."""
    what = one.run.description
    return what.settings.seed, what.held_out, one.metrics.part, one.counts[1]


def _same_data(first: Source, second: Source) -> bool:
    one, other = first.description, second.description
    if (one.data, one.classes, one.signal_length) != (other.data, other.classes, other.signal_length):
        return False
    return all(map(np.array_equal, own_arrays(first), own_arrays(second)))
