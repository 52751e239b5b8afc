"""Points of the weight triangle, in whole numbers so that nothing depends on rounding."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dasksvd.errors import ParameterError
from dasksvd.parameters import check_count


@dataclass(frozen=True, order=True)
class Point:
    """The weights α = i/n and β = j/n.

    Attributes
    ----------
    i, j : int
        Steps along α and β, i + j ≤ n.
    n : int
        Steps of the whole side: the lattice has step 1/n.
    """

    i: int
    j: int
    n: int

    def __post_init__(self):
        if not (self.i >= 0 and self.j >= 0 and self.i + self.j <= self.n):
            raise ParameterError(f"({self.i}, {self.j})/{self.n} lies outside the triangle of weights")

    @property
    def alpha(self) -> float:
        """Weight of the activation frequency."""
        return self.i / self.n

    @property
    def beta(self) -> float:
        """Weight of the coefficient magnitude."""
        return self.j / self.n

    def __str__(self):
        return f"({self.alpha:.2f}, {self.beta:.2f})"


#: Centres of the paper's regions R1 and R2 for more than five atoms per class, and for five.
PAPERS_REGIONS = (Point(0, 0, 6), Point(2, 1, 6))
PAPERS_REGIONS_OF_FIVE = (Point(2, 1, 6), Point(5, 0, 6))
#: Its accuracies in stage 2 for 20 atoms per class, in percent: (100 α, 100 β) -> accuracy.
PAPERS_STAGE_2 = {
    (0, 0): 96.27,
    (1, 0): 95.93,
    (2, 0): 95.71,
    (0, 1): 96.02,
    (1, 1): 95.42,
    (0, 2): 95.51,
    (33, 15): 93.69,
    (32, 16): 94.52,
    (33, 16): 94.53,
    (34, 16): 94.38,
    (31, 17): 93.56,
    (32, 17): 93.64,
    (33, 17): 94.12,
    (34, 17): 94.16,
    (35, 17): 93.77,
    (32, 18): 94.35,
    (33, 18): 94.01,
    (34, 18): 94.07,
    (33, 19): 93.84,
}


def papers_regions(size: int) -> tuple[Point, Point]:
    """Centres of the paper's R1 and R2 for a number of atoms per class; R1 is where it reads best."""
    return PAPERS_REGIONS if size > 5 else PAPERS_REGIONS_OF_FIVE


def coarse(n: int) -> list[Point]:
    """Stage 1: the whole triangle at step 1/n, (n + 1)(n + 2) / 2 points.

    Examples
    --------
    >>> [len(coarse(n)) for n in (4, 6, 14)]
    [15, 28, 120]
    """
    n = check_count("n", n)
    return [Point(i, j, n) for i in range(n + 1) for j in range(n + 1 - i)]


def fine(centre: Point, n: int = 100, radius: int = 2) -> list[Point]:
    """Stage 2: points at step 1/n, at most ``radius`` steps from a centre, inside the triangle.

    The centre is moved to the nearest point of the fine lattice first, as the paper writes
    (0.33, 0.17) for (2/6, 1/6).

    Examples
    --------
    >>> len(fine(Point(0, 0, 6))), len(fine(Point(2, 1, 6)))
    (6, 13)
    """
    middle = nearest(centre, n)
    offsets = range(-radius, radius + 1)
    return [
        Point(middle.i + di, middle.j + dj, n)
        for di in offsets
        for dj in offsets
        if di * di + dj * dj <= radius * radius
        and middle.i + di >= 0
        and middle.j + dj >= 0
        and middle.i + di + middle.j + dj <= n
    ]


def nearest(point: Point, n: int) -> Point:
    """The point of the lattice of step 1/n next to ``point``; halves go up.

    Examples
    --------
    >>> nearest(Point(2, 1, 6), 100)
    Point(i=33, j=17, n=100)
    """
    i, j = ((2 * n * steps + point.n) // (2 * point.n) for steps in (point.i, point.j))
    return Point(i, min(j, n - i), n)  # on the long side both may have gone up


def regions(scores: Mapping[Point, float]) -> list[Point]:
    """Centres R1, R2 of the two best regions: the best point, and the best that does not touch it.

    Points touch if they are at most one step apart along both axes.  Of equally good points
    the one with the smaller weights counts.
    """
    ranked = sorted(scores, key=lambda point: (-scores[point], point))
    if not ranked:
        return []
    first = ranked[0]
    apart = [point for point in ranked if max(abs(point.i - first.i), abs(point.j - first.j)) > 1]
    return [first, *apart[:1]]


def as_text(steps: int, n: int) -> str:
    """A weight as a reduced fraction.

    Examples
    --------
    >>> as_text(2, 6), as_text(0, 6)
    ('1/3', '0')
    """
    return str(Fraction(steps, n))
