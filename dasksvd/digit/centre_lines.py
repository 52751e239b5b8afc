"""Ink -> the middles of its lines."""

import numpy as np
from scipy import ndimage

from dasksvd.digit import lines

#: Side of the ink's box when it is thinned.
THINNING_SIDE = 72
SHARPENING = 2.0
#: Half widths, in pixels of that side, from which lines are thick; and the share of it that is room for the pen.
THICK = 3.0
ROOM = 1.05


def centre_lines(ink: np.ndarray) -> np.ndarray:
    """The middles of the lines in a picture of ink, as segments x0, y0, x1, y1; shape (n, 4).

    A thick pen fills loops and corners.  There no middle tells what was drawn, so every place
    where a pen as thick as the lines finds room belongs to the answer, as a segment of length
    zero: drawn again, a filled loop stays a filled loop.

    Parameters
    ----------
    ink : ndarray of shape (h, w), 0 … 1
        Cut to the digit's box.
    """
    scale = THINNING_SIDE / max(ink.shape)
    size = [max(1, round(length * scale)) for length in ink.shape]
    # A margin before enlarging, so that lines at the edge keep their shape.
    margin = 2
    enlarged = ndimage.zoom(
        np.pad(ink, margin),
        [(length + 2 * margin * scale) / (old + 2 * margin) for length, old in zip(size, ink.shape, strict=True)],
        order=1,
        grid_mode=True,
        mode="grid-constant",
    )
    if scale > 1:
        enlarged = ndimage.gaussian_filter(enlarged, 0.35 * scale)
    # Sharpened, so that blur does not fill a loop.
    enlarged += SHARPENING * (enlarged - ndimage.gaussian_filter(enlarged, THINNING_SIDE / 12))
    mask = np.pad(enlarged >= 0.5, 1).astype(np.uint8)
    if not mask.any():
        mask = np.pad(enlarged >= enlarged.max(), 1).astype(np.uint8)
    distance = ndimage.distance_transform_edt(mask)
    half_width = _half_width(distance)
    lines.thin(mask)
    middles = _smooth_lines(_without_spurs(mask, half_width))
    if half_width < THICK:
        return middles
    roomy = np.argwhere(distance > ROOM * half_width)[:, ::-1]
    return np.concatenate([middles, np.hstack([roomy, roomy])])


def _half_width(distance: np.ndarray) -> float:
    """Half the typical width of the lines: the distance to the paper along their middles."""
    middle = (distance == ndimage.maximum_filter(distance, 3)) & (distance > 0)
    return float(np.median(distance[middle]))


def _without_spurs(mask: np.ndarray, length: float) -> np.ndarray:
    """A thinned picture without branches of at most ``length`` pixels."""
    neighbours = np.ones((3, 3))
    degree = np.where(mask > 0, ndimage.convolve(mask, neighbours.astype(np.uint8), mode="constant") - 1, 0)
    for row, column in np.argwhere(degree == 1):
        branch = [(row, column)]
        seen = {(row, column)}
        while len(branch) <= length:
            row, column = branch[-1]
            ahead = [
                (row + i, column + j)
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
                if mask[row + i, column + j] and (row + i, column + j) not in seen
            ]
            if len(ahead) != 1:
                break
            branch.append(ahead[0])
            seen.add(ahead[0])
        else:
            continue
        if len(ahead) > 1:  # it ends at a junction, not at the other end of a short line
            for place in branch[:-1]:
                mask[place] = 0
    return mask


def _smooth_lines(mask: np.ndarray, rounds: int = 4) -> np.ndarray:
    """Segments between neighbouring pixels of a thinned picture, the staircase smoothed away."""
    number = np.full(mask.shape, -1)
    places = np.argwhere(mask)
    number[tuple(places.T)] = np.arange(len(places))
    linked_pairs = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        near = number[places[:, 0] + down, places[:, 1] + right]
        linked = near >= 0
        if down and right:  # a diagonal only where no corner joins the two
            linked &= (number[places[:, 0] + down, places[:, 1]] < 0) & (number[places[:, 0], places[:, 1] + right] < 0)
        linked_pairs.append(np.stack([np.flatnonzero(linked), near[linked]], axis=1))
    edges = np.concatenate(linked_pairs)
    points = places[:, ::-1].astype(float)
    if len(edges) == 0:
        return np.hstack([points, points])
    degree = np.bincount(edges.ravel(), minlength=len(points))
    inner = degree == 2
    for _ in range(rounds):
        total = np.zeros_like(points)
        np.add.at(total, edges[:, 0], points[edges[:, 1]])
        np.add.at(total, edges[:, 1], points[edges[:, 0]])
        points[inner] = (points[inner] + total[inner]) / 3
    return points[edges].reshape(-1, 4)
