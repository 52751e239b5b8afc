"""Any picture, in a file or in memory -> grey levels."""

import io
import os
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from dasksvd.common.language import say
from dasksvd.errors import DigitError

#: Largest number of pixels of a file that is opened: a phone's photo has 12 million.
MAX_PIXELS = 16_000_000
#: The same for a picture that is already in memory.
MAX_ARRAY = 80_000_000
MAX_BYTES = 32 * 2**20
#: What a browser shows and a camera makes; by content, never by name.
FORMATS = ("PNG", "JPEG", "WEBP")
#: Sides that differ by more than this factor show no digit.
MAX_ASPECT = 50
#: Longest side of a picture that was read.
READ_SIDE = 640
#: Pictures with a shorter side than this show no digit.
MIN_SIDE = 5
_GREY_WEIGHTS = np.array([0.299, 0.587, 0.114])
_REDUCIBLE = ("L", "LA", "RGB", "RGBA", "CMYK")


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
    return _to_grey(shrink(pixels, READ_SIDE) / levels)


def _open(source: Any, max_pixels: int) -> Image.Image:
    """A picture file whose head says that it may be decoded."""
    if isinstance(source, bytes | bytearray | memoryview):
        if len(source) > MAX_BYTES:
            raise DigitError(
                say("The file has more than {max_bytes} MB. Use a smaller picture.", max_bytes=MAX_BYTES // 2**20)
            )
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
        raise DigitError(
            say(
                "The picture has {width} × {height} pixels, too few for a digit. Use a larger one.",
                width=width,
                height=height,
            )
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise DigitError(
            say(
                "The picture has {width} × {height} pixels, too narrow for a digit. Crop it to the digit.",
                width=width,
                height=height,
            )
        )


def _too_large(max_pixels: int) -> DigitError:
    return DigitError(
        say("The picture has more than {max_pixels} million pixels. Use a smaller one.", max_pixels=max_pixels // 10**6)
    )


def _unreadable() -> DigitError:
    return DigitError(say("The file is damaged or not a picture. Use a PNG, JPEG or WebP file."))


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
        raise DigitError(say("The picture is empty."))
    if pixels.shape[0] * pixels.shape[1] > MAX_ARRAY:
        raise _too_large(MAX_ARRAY)
    if pixels.dtype == np.uint8:
        return pixels, 255.0
    if pixels.dtype == bool:
        return pixels, 1.0
    lowest, highest = float(pixels.min()), float(pixels.max())
    if not (np.isfinite(lowest) and np.isfinite(highest)):
        raise DigitError(say("The picture has values that are not numbers."))
    if lowest < 0:
        pixels, highest = pixels.astype(np.float64) - lowest, highest - lowest
    # Sixteen bits and wider: no usual white, and cameras use a part of the range only.
    return pixels, highest if highest > 0 else 1.0


def shrink(pixels: np.ndarray, side: int) -> np.ndarray:
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
