"""Pictures of digits: every odd thing a visitor brings."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import dasksvd
from dasksvd.digit import from_image
from dasksvd.errors import DigitError
from tests.digit.drawn import painted, placed


@pytest.fixture(scope="module")
def seven(drawings):
    """A crossed seven on a canvas of 280, light on dark; uint8."""
    return painted(placed(drawings[7], 170, (0.4, 0.6)), 16)


def read(image):
    return int(dasksvd.load_default_model().predict(from_image(image)[None])[0])


def encoded(image, kind="PNG", **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def test_mnist_itself_passes_through():
    """A normalised training image still has its label for the shipped model (held to 97 %)."""
    data = dasksvd.load_mnist()
    images = np.stack([from_image(image) for image in data.test_images[:100]])
    assert np.mean(dasksvd.load_default_model().predict(images) == data.test_labels[:100]) >= 0.97


def test_dark_on_light_is_the_same_as_light_on_dark(seven):
    difference = from_image(seven).astype(int) - from_image(255 - seven)
    assert np.abs(difference).max() <= 2


def shadow(shape):
    down, across = np.mgrid[: shape[0], : shape[1]] / max(shape)
    return 0.45 + 0.35 * across + 0.2 * down * across


PICTURES = {
    "light on dark": lambda x: x,
    "dark on light": lambda x: 255 - x,
    "floats": lambda x: x / 255,
    "sixteen bits": lambda x: x.astype(np.uint16) * 200 + 300,
    "negative": lambda x: x.astype(float) - 128,
    "truth": lambda x: x > 128,
    "colour": lambda x: np.dstack([255 - x, 255 - x // 2, 200 - x // 3]),
    "RGBA, opaque": lambda x: np.dstack([x, x, x, np.full_like(x, 255)]),
    "RGBA, dark ink on glass": lambda x: np.dstack([np.zeros_like(x)] * 3 + [x]),
    "RGBA, light ink on glass": lambda x: np.dstack([np.full_like(x, 255)] * 3 + [x]),
    "one channel": lambda x: x[:, :, None],
    "uneven light": lambda x: np.uint8((255 - 0.6 * x) * shadow(x.shape)),
    "faint": lambda x: np.uint8(200 - x * 0.15),
    "noisy": lambda x: np.uint8(np.clip(220.0 - 0.7 * x + np.random.default_rng(0).normal(0, 12, x.shape), 0, 255)),
    "wide margins": lambda x: np.pad(255 - x, 400, constant_values=255),
    "no margins": lambda x: x[np.ix_(np.flatnonzero(x.max(axis=1)), np.flatnonzero(x.max(axis=0)))],
    "wide": lambda x: np.pad(x, ((0, 0), (300, 10))),
    "with specks": lambda x: np.where(np.random.default_rng(1).random(x.shape) < 0.001, 255, x).astype(np.uint8),
    "edge of the table": lambda x: np.where(np.arange(x.shape[1]) < 12, 40, 255 - x).astype(np.uint8),
    "Pillow image": Image.fromarray,
    "CMYK": lambda x: Image.fromarray(255 - x).convert("RGB").convert("CMYK"),
    "palette": lambda x: Image.fromarray(x).convert("P"),
    "one bit": lambda x: Image.fromarray(x).convert("1"),
    "I;16": lambda x: Image.fromarray(x.astype(np.uint16) * 256),
    "PNG": lambda x: encoded(Image.fromarray(x)),
    "CMYK JPEG": lambda x: encoded(Image.fromarray(255 - x).convert("CMYK"), "JPEG", quality=60),
    "file": lambda x: io.BytesIO(encoded(Image.fromarray(x), "WEBP")),
    "tiny": lambda x: np.asarray(Image.fromarray(x).resize((16, 16), Image.Resampling.BOX)),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_seven_is_a_seven_in_every_kind_of_picture(kind, seven):
    assert read(PICTURES[kind](seven)) == 7


def test_a_photo_taken_sideways_is_turned(seven):
    turned = Image.fromarray(seven).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6  # "rotate 90° clockwise to see it upright"
    assert read(encoded(turned.convert("RGB"), "JPEG", exif=exif)) == 7


def test_fifty_megapixels_in_memory_are_read(seven):
    assert read(Image.fromarray(255 - seven).resize((7100, 7100), Image.Resampling.BILINEAR)) == 7


@pytest.mark.parametrize(("kind", "options"), [("PNG", {"compress_level": 1}), ("JPEG", {}), ("WEBP", {"method": 0})])
def test_a_phones_photo_is_read(seven, kind, options):
    photo = Image.fromarray(255 - seven).resize((3024, 4032), Image.Resampling.BILINEAR)
    assert read(encoded(photo, kind, **options)) == 7


def png_head(width, height):
    """A PNG that claims a size and has no pixels: whoever decodes it finds it broken."""
    whole = encoded(Image.new("1", (1, 1)))
    size = struct.pack(">II", width, height)
    head = b"IHDR" + size + whole[24:29]
    return whole[:12] + head + struct.pack(">I", zlib.crc32(head)) + whole[33:]


@pytest.mark.parametrize(
    ("width", "height", "message"),
    [(1, 80_000_000, "million pixels"), (4001, 4000, "16 million"), (1, 900, "too few"), (10, 5000, "too narrow")],
)
def test_a_pictures_size_is_judged_by_its_head(width, height, message):
    with pytest.raises(DigitError, match=message):
        from_image(png_head(width, height))


def test_a_smaller_limit_can_be_asked_for(seven):
    picture = encoded(Image.fromarray(seven))
    assert from_image(picture, max_pixels=280 * 280).shape == (28, 28)
    with pytest.raises(DigitError, match="pixels"):
        from_image(picture, max_pixels=280 * 280 - 1)


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PPM", "ICO"])
def test_only_kinds_that_browsers_and_cameras_make_are_opened(kind, seven):
    with pytest.raises(DigitError, match="PNG, JPEG or WebP"):
        from_image(encoded(Image.fromarray(seven).resize((64, 64)), kind))


BROKEN = {
    "nothing": (b"", "damaged or not a picture"),
    "text": (b"not a picture", "damaged or not a picture"),
    "cut off": (encoded(Image.effect_noise((64, 64), 50))[:200], "damaged or not a picture"),
    "no file": ("/no/such/file.png", "damaged or not a picture"),
    "one pixel": (np.zeros((1, 1), np.uint8), "1 × 1 pixels, too few"),
    "one pixel file": (encoded(Image.new("RGB", (1, 1))), "1 × 1 pixels, too few"),
    "a row": (np.zeros((1, 500), np.uint8), "too few"),
    "black": (np.zeros((280, 280), np.uint8), "only one colour"),
    "white": (np.full((280, 280, 3), 255, np.uint8), "only one colour"),
    "transparent": (np.zeros((50, 50, 4), np.uint8), "only one colour"),
    "empty": (np.zeros((0, 5), np.uint8), "empty"),
    "four axes": (np.zeros((2, 8, 8, 3), np.uint8), r"got \(2, 8, 8, 3\)"),
    "words": (np.array([["a", "b"]]), "array of numbers"),
    "not a number": (np.full((20, 20), np.nan), "not numbers"),
    "too large": (Image.new("1", (10_000, 9_000)), "more than 80 million pixels"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_picture_of_a_digit_is_said_kindly(kind):
    image, message = BROKEN[kind]
    with pytest.raises(DigitError, match=message):
        from_image(image)


@given(st.integers(5, 60), st.integers(5, 60), st.integers(0, 2**32 - 1))
def test_any_noise_gives_an_image_or_a_kind_error(height, width, seed):
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, (height, width)).astype(np.uint8)
    try:
        image = from_image(noise)
    except DigitError:
        return
    assert image.shape == (28, 28)
    assert image.max() > 0
