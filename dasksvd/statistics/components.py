"""Where does noise come from: from networks, or from trajectories and their splits?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count
from dasksvd.statistics.noise import Noise


@dataclass(frozen=True)
class MeanSquare:
    """A mean of squares and its degrees of freedom."""

    value: float
    freedom: int


@dataclass(frozen=True)
class Components:
    """The variance of accuracies, split into its sources.

    Attributes
    ----------
    within, between : MeanSquare
        Between networks of one trajectory, and between trajectories, the classical analysis of variance.
    networks : float
        Networks of a trajectory; an average of its own kind if not all have the same number.
    """

    within: MeanSquare
    between: MeanSquare
    networks: float

    @property
    def between_networks(self) -> float:
        """Standard deviation between networks that differ in nothing but their random start."""
        return float(np.sqrt(self.within.value))

    @property
    def between_trajectories(self) -> float:
        """Standard deviation between trajectories, each with a split of its own, without that of their networks.

        It is estimated by a difference of two mean squares; a negative one counts as 0.
        """
        return float(np.sqrt(max(0.0, self.between.value - self.within.value) / self.networks))

    def noise(self, networks: int) -> Noise:
        """The noise of a trajectory's mean over so many networks.

        Its ``half_width(n)`` and ``floor(n)`` are those of means over n trajectories with so many networks each, and
        its ``interval`` says how well the noise itself is known. The degrees of freedom are Satterthwaite's.
        """
        share = 1 / check_count("networks", networks)
        if self.between.value <= self.within.value:
            return Noise(float(np.sqrt(share * self.within.value)), self.within.freedom)
        parts = self.between.value / self.networks, (share - 1 / self.networks) * self.within.value
        spread = parts[0] ** 2 / self.between.freedom + parts[1] ** 2 / self.within.freedom
        # A difference of mean squares can be known worse than a single square, which no interval allows for.
        return Noise(float(np.sqrt(sum(parts))), max(1.0, sum(parts) ** 2 / spread))


def variance_components(accuracies: Sequence[Sequence[float]]) -> Components | None:
    """Split the variance of accuracies into that between networks and that between trajectories.

    Parameters
    ----------
    accuracies : sequence of array of shape (n_networks,)
        In 0 … 1; one array for each trajectory, not necessarily of one length.

    Returns
    -------
    Components or None
        None if there are fewer than two trajectories, or no trajectory has two networks.

    Examples
    --------
    >>> found = variance_components([[0.950, 0.952], [0.960, 0.962], [0.955, 0.957]])
    >>> f"{found.between_networks:.4f}, {found.between_trajectories:.4f}"
    '0.0014, 0.0049'
    >>> f"{found.noise(networks=2).floor(10):.4f}"
    '0.0096'
    """
    groups = [np.asarray(group, np.float64) for group in accuracies]
    if any(group.ndim != 1 or group.size == 0 for group in groups):
        raise ParameterError("every trajectory must have accuracies of shape (n_networks,) with n_networks >= 1")
    sizes = np.array([group.size for group in groups])
    within, between = int(np.sum(sizes - 1)), len(groups) - 1
    if within < 1 or between < 1:
        return None
    means, mean = np.array([group.mean() for group in groups]), np.concatenate(groups).mean()
    return Components(
        MeanSquare(float(sum(np.sum((group - group.mean()) ** 2) for group in groups)) / within, within),
        MeanSquare(float(np.sum(sizes * (means - mean) ** 2)) / between, between),
        float((sizes.sum() - np.sum(sizes**2) / sizes.sum()) / between),
    )
