"""One picture of any kind becomes grey and square, and gets the size that is learned from."""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageOps

from dasksvd.common.language import say
from dasksvd.datasets.reduction import REDUCED_SIDE, reduce_to_bytes
from dasksvd.errors import DataError

#: By content, never by name.
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
#: Largest number of pixels of a picture that is decoded: a phone's photo has 12 to 50 million.
MAX_PIXELS = 50_000_000
#: Longest side of an example as it came.
EXAMPLE_SIDE = 96
#: A JPEG is decoded at the smallest of its scales that has so many times the wanted pixels.
_FINER = 4
_WITH_ALPHA = ("LA", "PA", "RGBA", "La", "RGBa")
#: How the files begin that many phones make, after four bytes with a length.
_OF_PHONES = tuple(b"ftyp" + brand for brand in (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif", b"avis"))


class Broken(DataError):
    """A picture that cannot be read; the message says why."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """A picture as it came, in small, and as it will be."""

    before: np.ndarray | None
    after: np.ndarray


def open_head(content: bytes) -> Image.Image:
    """The head of a picture, whose size may be decoded."""
    try:
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise Broken(say("it has too many pixels")) from error
    except Exception as error:  # damaged heads raise whatever their format's code stumbles over
        if content[4:].startswith(_OF_PHONES):
            raise Broken(say("HEIC and AVIF cannot be read here: save as JPEG")) from error
        raise Broken(say("it is damaged or not a picture")) from error
    if not 0 < image.width * image.height <= MAX_PIXELS:
        raise Broken(say("it has more than {max_pixels} million pixels", max_pixels=MAX_PIXELS // 10**6))
    return image


def decode(content: bytes, side: int, fit: str, keep_before: bool = False) -> Decoded:
    """A picture as it will be learned from.

    Parameters
    ----------
    content : bytes
        A picture file.
    side : int
    fit : {"pad", "crop"}
    keep_before : bool
        Whether the picture as it came is wanted, too.
    """
    image = open_head(content)
    try:
        image.draft("L", (_FINER * side, _FINER * side))
        after = to_square(to_grey(_turned(image)), side, fit)  # of an animation, this is the first frame
        return Decoded(small_copy(open_head(content)) if keep_before else None, after)
    except Exception as error:  # as above
        raise Broken(say("it is damaged")) from error


def _turned(image: Image.Image) -> Image.Image:
    """A picture as its camera says that it was held."""
    image.load()  # what is wrong with the pixels is no fault of what the camera says
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # damaged notes of a camera raise many kinds of exceptions
        return image


def to_grey(image: Image.Image) -> Image.Image:
    """A picture of any mode in grey; what is transparent becomes white."""
    if image.mode.startswith(("I", "F")):
        return Image.fromarray(levels(np.asarray(image), 255.0 if image.mode == "F" else 65535.0))
    if image.mode in _WITH_ALPHA or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image).convert("L")
    return image.convert("RGB").convert("L") if image.mode not in ("L", "1", "RGB") else image.convert("L")


def levels(array: np.ndarray, white: float = 255.0) -> np.ndarray:
    """Numbers of any type as grey levels 0 … 255.

    Parameters
    ----------
    array : ndarray
    white : float
        What is white.  Floats up to 1 are scaled all the same, and so are numbers above it: up to
        65,535 as those of sixteen bits, others by the largest.
    """
    if array.dtype == np.uint8:
        return array
    if array.dtype == bool:
        return array.astype(np.uint8) * np.uint8(255)
    if array.dtype.kind not in "uif" or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise Broken(say("it has values that are no numbers"))
    lowest, highest = (float(array.min()), float(array.max())) if array.size else (0.0, 0.0)
    if lowest < 0:
        raise Broken(say("it has values below 0"))
    if array.dtype.kind == "f" and highest <= 1:
        factor = 255.0
    elif highest <= white:
        factor = 255 / white
    elif highest <= 65535:
        factor = 255 / 65535
    else:
        factor = 255 / highest
    scaled = array * factor
    np.clip(scaled, 0, 255, out=scaled)  # in place: the largest pictures would need gigabytes otherwise
    return np.rint(scaled, out=scaled).astype(np.uint8)


def to_square(grey: Image.Image, side: int, fit: str) -> np.ndarray:
    """A grey picture padded with the usual colour of its border, or cropped to its middle, and resized."""
    width, height = grey.size
    if width != height and fit == "crop":
        short = min(width, height)
        left, top = (width - short) // 2, (height - short) // 2
        grey = grey.crop((left, top, left + short, top + short))
    elif width != height:
        # Reduced before it is padded: the square around a long line could fill the memory.
        grey.thumbnail((_FINER * side, _FINER * side), Image.Resampling.BICUBIC, reducing_gap=3.0)
        long = max(grey.size)
        padded = Image.new("L", (long, long), _border(np.asarray(grey)))
        padded.paste(grey, ((long - grey.width) // 2, (long - grey.height) // 2))
        grey = padded
    if grey.size == (28, 28) and side == REDUCED_SIDE:
        return reduce_to_bytes(np.asarray(grey)[None])[0]  # as MNIST is reduced (D12)
    if grey.size != (side, side):
        grey = grey.resize((side, side), Image.Resampling.BICUBIC, reducing_gap=3.0)
    return np.asarray(grey)


def _border(pixels: np.ndarray) -> int:
    edges = (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1])
    return int(np.median(np.concatenate(edges)))


def small_copy(image: Image.Image) -> np.ndarray:
    """A picture in small, in colour, on white."""
    image.draft("RGB", (2 * EXAMPLE_SIDE, 2 * EXAMPLE_SIDE))
    image = _turned(image)
    if image.mode.startswith(("I", "F")):
        image = to_grey(image)
    white = Image.new("RGBA", image.size, "white")
    small = Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    small.thumbnail((EXAMPLE_SIDE, EXAMPLE_SIDE))
    return np.asarray(small)
