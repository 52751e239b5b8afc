"""Any picture of a digit -> its centre lines.

Read as grey, flatten the light, separate ink from paper, thin the ink to lines.
"""

import io
import os
from typing import Any

import numpy as np
from PIL import Image, ImageOps
from scipy import ndimage

from dasksvd.errors import DigitError
from dasksvd.method import kernels

#: Largest number of pixels of a file that is opened: a phone's photo has 12 million.  What is in memory may be larger.
MAX_PIXELS = 16_000_000
MAX_ARRAY = 80_000_000
MAX_BYTES = 32 * 2**20
#: What a browser shows and a camera makes; by content, never by name.
FORMATS = ("PNG", "JPEG", "WEBP")
#: Sides that differ by more than this factor show no digit.
MAX_ASPECT = 50
#: Longest side of a picture that was read, and of what the digit is searched in and measured on.
READ_SIDE = 640
WORKING_SIDE = 144
#: Pictures with a shorter side than this show no digit.
MIN_SIDE = 5
#: Grey levels (of 1) between paper and ink below which nothing stands out.
MIN_CONTRAST = 0.06
#: Side of the ink's box when it is thinned.
THINNING_SIDE = 72
SHARPENING = 2.0
#: Half widths, in pixels of that side, from which lines are thick; and the share of it that is room for the pen.
THICK = 3.0
ROOM = 1.05
_GREY_WEIGHTS = np.array([0.299, 0.587, 0.114])
_REDUCIBLE = ("L", "LA", "RGB", "RGBA", "CMYK")


# Reading


def open_grey(image: Any, max_pixels: int = MAX_PIXELS) -> np.ndarray:
    """A picture as grey levels 0 … 1; shape (h, w), at most ``READ_SIDE`` on the longer side.

    Parameters
    ----------
    image : array, PIL image, bytes, path or binary file
    max_pixels : int
        A file with more is not decoded.
    """
    if isinstance(image, Image.Image):
        pixels, levels = _pixels(image)
    elif isinstance(image, bytes | bytearray | memoryview | str | os.PathLike) or hasattr(image, "read"):
        pixels, levels = _pixels(_open(image, max_pixels))
    else:
        pixels, levels = _checked(image)
    _check_sides(pixels.shape[1], pixels.shape[0])
    return _to_grey(_shrink(pixels, READ_SIDE) / levels)


def _open(source: Any, max_pixels: int) -> Image.Image:
    """A picture file whose head says that it may be decoded."""
    if isinstance(source, bytes | bytearray | memoryview):
        if len(source) > MAX_BYTES:
            raise DigitError(f"The file has more than {MAX_BYTES // 2**20} MB. Use a smaller picture.")
        source = io.BytesIO(source)
    try:
        image = Image.open(source, formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large(max_pixels) from error
    except (OSError, ValueError, TypeError, SyntaxError) as error:
        raise _unreadable() from error
    if image.width * image.height > max_pixels:
        raise _too_large(max_pixels)
    _check_sides(image.width, image.height)
    return image


def _check_sides(width: int, height: int) -> None:
    """Refuse what is too small or too narrow to show a digit."""
    if min(width, height) < MIN_SIDE:
        raise DigitError(f"The picture has {width} × {height} pixels, too few for a digit. Use a larger one.")
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise DigitError(f"The picture has {width} × {height} pixels, too narrow for a digit. Cut it to the digit.")


def _too_large(max_pixels: int) -> DigitError:
    return DigitError(f"The picture has more than {max_pixels // 10**6} million pixels. Use a smaller one.")


def _unreadable() -> DigitError:
    return DigitError("The file is broken or is no picture. Use a PNG, JPEG or WebP file.")


def _pixels(image: Image.Image) -> tuple[np.ndarray, float]:
    """The pixels of a PIL image, reduced where it is large, and the value of white."""
    if image.width * image.height > MAX_ARRAY:
        raise _too_large(MAX_ARRAY)
    try:
        image.draft("RGB", (READ_SIDE, READ_SIDE))  # JPEG decodes fewer pixels
        image = ImageOps.exif_transpose(image)
        if image.mode == "1":
            image = image.convert("L")
        elif image.mode not in _REDUCIBLE and image.mode[0] not in "IF":
            image = image.convert("RGBA")
        factor = max(image.size) // READ_SIDE
        if factor > 1 and image.mode in _REDUCIBLE:
            image = image.reduce(factor)
        if image.mode == "CMYK":
            image = image.convert("RGB")
        pixels = np.asarray(image)
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, MemoryError, OverflowError) as error:
        raise _unreadable() from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large(MAX_ARRAY) from error
    return _checked(pixels)


def _checked(array: Any) -> tuple[np.ndarray, float]:
    """An array as (h, w) or (h, w, channels) and the value of white in it."""
    pixels = np.asarray(array)
    if pixels.dtype.kind not in "buif":
        raise DigitError(f"A picture must be an array of numbers, got {pixels.dtype}.")
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] not in (2, 3, 4)):
        raise DigitError(f"A picture must have shape (h, w), (h, w, 3) or (h, w, 4), got {pixels.shape}.")
    if pixels.size == 0:
        raise DigitError("The picture is empty.")
    if pixels.shape[0] * pixels.shape[1] > MAX_ARRAY:
        raise _too_large(MAX_ARRAY)
    if pixels.dtype == np.uint8:
        return pixels, 255.0
    if pixels.dtype == bool:
        return pixels, 1.0
    lowest, highest = float(pixels.min()), float(pixels.max())
    if not (np.isfinite(lowest) and np.isfinite(highest)):
        raise DigitError("The picture has values that are no numbers.")
    if lowest < 0:
        pixels, highest = pixels.astype(np.float64) - lowest, highest - lowest
    # Sixteen bits and wider: no usual white, and cameras use a part of the range only.
    return pixels, highest if highest > 0 else 1.0


def _shrink(pixels: np.ndarray, side: int) -> np.ndarray:
    """Means over blocks, so that the longer side is at most ``side``; float64."""
    factor = -(-max(pixels.shape[:2]) // side)
    height, width = (max(1, length // factor) for length in pixels.shape[:2])
    if factor == 1 or min(pixels.shape[:2]) < factor:
        return pixels.astype(np.float64)
    blocks = pixels[: height * factor, : width * factor].reshape(height, factor, width, factor, *pixels.shape[2:])
    return blocks.mean(axis=(1, 3), dtype=np.float64)


def _to_grey(pixels: np.ndarray) -> np.ndarray:
    """Channels 0 … 1 as grey; what is transparent becomes the colour least like the opaque part."""
    if pixels.ndim == 2:
        return pixels
    n_colours = pixels.shape[2] - 1 + pixels.shape[2] % 2
    grey = pixels[:, :, 0] if n_colours == 1 else pixels[:, :, :3] @ _GREY_WEIGHTS
    if n_colours == pixels.shape[2]:
        return grey
    opacity = pixels[:, :, -1]
    behind = 1.0 if np.sum(grey * opacity) <= 0.5 * np.sum(opacity) else 0.0
    return grey * opacity + behind * (1 - opacity)


# Ink and paper


def find_ink(grey: np.ndarray) -> np.ndarray:
    """How much ink each pixel has, 0 … 1, cut to the digit's box; half and more is ink.

    Parameters
    ----------
    grey : ndarray of shape (h, w), 0 … 1
        Dark on light or light on dark.
    """
    coarse = _shrink(grey, WORKING_SIDE)
    ink, mask = _separate(coarse)
    if coarse.shape != grey.shape:  # look again, closer
        scale = max(grey.shape) / max(coarse.shape)
        margin = 4 + max(mask.shape) // 30
        rows, columns = (
            slice(max(0, int(scale * (box.start - margin))), int(scale * (box.stop + margin))) for box in _box(mask)
        )
        ink, mask = _separate(_shrink(grey[rows, columns], WORKING_SIDE))
    near = ndimage.binary_dilation(mask, iterations=2)
    return np.where(near, ink, 0)[_box(mask)]


def _separate(grey: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much ink each pixel has, 0 … 1, and which pixels are the digit's; both of the shape of ``grey``."""
    if np.ptp(grey) < MIN_CONTRAST:
        raise DigitError("The picture is one colour all over. Use one that shows a digit.")
    above = grey - _surface_of_frame(grey)
    # Ink is what differs most, on whichever side; the cube makes a few large differences count.
    sign = 1 if np.sum(above**3) > 0 else -1
    ink = _relative(sign * above)
    for _ in range(2):
        ink = _relative(sign * (grey - _paper(grey, ink)))
    mask = _digit_parts(ink >= 0.5)
    if not mask.any():
        raise DigitError("No digit stands out in the picture. Use a closer one with more contrast.")
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
        raise DigitError("No digit stands out in the picture. Use a closer one with more contrast.")
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


def _paper(grey: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """What the picture would look like without ink: the paper around, smoothed into the lines."""
    paper = ~ndimage.binary_dilation(ink > 0.3, iterations=max(1, max(grey.shape) // 100))
    if paper.mean() < 0.05:
        return np.full(grey.shape, np.median(grey[ink < 0.3]) if np.any(ink < 0.3) else np.median(grey))
    width = max(3, max(grey.shape) // 4)

    def blur(values: np.ndarray) -> np.ndarray:
        return ndimage.uniform_filter(ndimage.uniform_filter(values, width), width)

    weight = np.maximum(blur(paper.astype(float)), 0) + 1e-6
    return (blur(np.where(paper, grey, 0)) + 1e-6 * np.median(grey[paper])) / weight


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


# Lines


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
    kernels.thin(mask)
    lines = _smooth_lines(_without_spurs(mask, half_width))
    if half_width < THICK:
        return lines
    roomy = np.argwhere(distance > ROOM * half_width)[:, ::-1]
    return np.concatenate([lines, np.hstack([roomy, roomy])])


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
    edges = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        near = number[places[:, 0] + down, places[:, 1] + right]
        linked = near >= 0
        if down and right:  # a diagonal only where no corner joins the two
            linked &= (number[places[:, 0] + down, places[:, 1]] < 0) & (number[places[:, 0], places[:, 1] + right] < 0)
        edges.append(np.stack([np.flatnonzero(linked), near[linked]], axis=1))
    edges = np.concatenate(edges)
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
