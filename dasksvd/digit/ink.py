"""Grey levels -> the ink of a digit: flatten the light, separate ink from paper, leave out specks."""

import numpy as np
from scipy import ndimage

from dasksvd.common.language import say
from dasksvd.digit.grey import shrink
from dasksvd.digit.lines import fill_pits
from dasksvd.errors import DigitError

#: Longest side of the picture in which the digit is searched, and on which its ink is measured.
WORKING_SIDE = 144
#: Grey levels (of 1) between paper and ink below which nothing stands out.
MIN_CONTRAST = 0.06
#: Lines are narrower than this share of the picture.
WIDEST = 0.3


def find_ink(grey: np.ndarray) -> np.ndarray:
    """How much ink each pixel has, 0 … 1, cut to the digit's box; half and more is ink.

    Parameters
    ----------
    grey : ndarray of shape (h, w), 0 … 1
        Dark on light or light on dark.
    """
    coarse = shrink(grey, WORKING_SIDE)
    ink, mask = _separate(coarse)
    if coarse.shape != grey.shape:  # look again, closer
        scale = max(grey.shape) / max(coarse.shape)
        margin = 4 + max(mask.shape) // 30
        rows, columns = (
            slice(max(0, int(scale * (box.start - margin))), int(scale * (box.stop + margin))) for box in _box(mask)
        )
        ink, mask = _separate(shrink(grey[rows, columns], WORKING_SIDE))
    near = ndimage.binary_dilation(mask, iterations=2)
    return np.where(near, ink, 0)[_box(mask)]


def _separate(grey: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much ink each pixel has, 0 … 1, and which pixels are the digit's; both of the shape of ``grey``."""
    if np.ptp(grey) < MIN_CONTRAST:
        raise DigitError(say("The picture has only one colour. Use one that shows a digit."))
    above = grey - _surface_of_frame(grey)
    dark, light = np.maximum(_paper(grey) - grey, 0), np.maximum(grey + _paper(-grey), 0)
    # Ink is what differs most from the frame, on whichever side; the cube makes a few large differences count.
    is_light = np.sum(np.clip(above, 0, light) ** 3) > np.sum(np.clip(-above, 0, dark) ** 3)
    ink = _relative(light if is_light else dark)
    mask = _digit_parts(ink >= 0.5)
    if not mask.any():
        raise DigitError(say("No digit stands out in the picture. Take it closer or with more contrast."))
    return ink, mask


def _box(mask: np.ndarray) -> tuple[slice, slice]:
    """The smallest box around what is true."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _relative(above: np.ndarray) -> np.ndarray:
    """Heights above the paper as shares of the typical ink's height, cut to 0 … 1."""
    peak = np.quantile(above, 0.997)
    if peak < MIN_CONTRAST / 2:
        peak = above.max()
    if peak < MIN_CONTRAST / 2:
        raise DigitError(say("No digit stands out in the picture. Take it closer or with more contrast."))
    level = np.median(above[above >= peak / 2])
    return np.clip(above / level, 0, 1)


def _surface_of_frame(grey: np.ndarray) -> np.ndarray:
    """A quadratic surface through the picture's frame, which is mostly paper; shape of ``grey``."""
    height, width = grey.shape
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    border = max(1, min(height, width) // 25)
    frame = np.ones(grey.shape, bool)
    frame[border:-border, border:-border] = False
    rows, values = terms[frame], grey[frame]
    fitted = np.full(len(values), np.median(values))
    for _ in range(6):
        error = np.abs(values - fitted)
        kept = error <= max(2.5 * np.median(error), 0.01)
        chosen = rows[kept]
        coefficients = np.linalg.lstsq(chosen.T @ chosen, chosen.T @ values[kept], rcond=None)[0]
        fitted = rows @ coefficients
    return terms @ coefficients


def _paper(grey: np.ndarray) -> np.ndarray:
    """What the picture would look like without dark ink; of the shape of ``grey``, and nowhere darker.

    Lines are narrow and a shadow is wide: whatever is dark and narrower than :data:`WIDEST` of the picture is filled
    with what is around it, which leaves the edge of a shadow as sharp as it is.  A filled loop is wide too, but it
    does not reach the frame of the picture as a shadow does.
    """
    width = max(3, round(WIDEST * max(grey.shape)))
    return np.maximum(ndimage.grey_closing(grey, (width, width)), _without_pits(grey))


def _without_pits(grey: np.ndarray) -> np.ndarray:
    """A picture whose dark parts that do not reach the frame are filled up to where they would flow over."""
    filled = np.full(grey.shape, grey.max())
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        filled[edge] = grey[edge]
    fill_pits(np.ascontiguousarray(grey, np.float64), filled)
    return filled


def _digit_parts(mask: np.ndarray) -> np.ndarray:
    """The parts of the ink that belong to the digit: no specks, no edge of the paper."""
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    if count <= 1:
        return mask
    areas = np.bincount(labels.ravel(), minlength=count + 1)
    areas[0] = 0
    touching = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    inner = areas.copy()
    inner[touching] = 0
    # A part at the border is a shadow or an edge if there is something like a digit inside.
    boxes = ndimage.find_objects(labels)
    large = [part + 1 for part, box in enumerate(boxes) if _height(box) >= mask.shape[0] / 5]
    if any(inner[part] for part in large):
        areas = inner
    kept = np.flatnonzero(areas >= 0.04 * areas.max())
    return np.isin(labels, kept[kept > 0])


def _height(box: tuple[slice, slice]) -> int:
    return box[0].stop - box[0].start
