"""One picture of any kind becomes grey, square and small."""

import io

import numpy as np
import pytest
from PIL import Image

from dasksvd.datasets.intake.picture import MAX_PIXELS, Broken, decode, levels
from dasksvd.datasets.reduction import reduce_to_bytes
from tests.datasets.intake.made import encoded

#: Dark on the left, light on the right.
STEPS = np.repeat(np.repeat(np.array([[0, 80, 160, 240]], np.uint8), 4, axis=1), 16, axis=0)

NOISE = np.random.default_rng(0).integers(0, 256, (16, 16), dtype=np.uint8)


def after(content, side=16, fit="pad"):
    return decode(content, side, fit).after


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF", "PPM"])
def test_what_has_the_wanted_size_stays_as_it_is(kind):
    np.testing.assert_array_equal(after(encoded(STEPS, kind)), STEPS)


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_lossy_pictures_stay_nearly_as_they_are(kind):
    assert np.abs(after(encoded(STEPS, kind, quality=95)).astype(int) - STEPS).max() < 12


def test_pictures_of_28_pixels_are_reduced_as_mnist_is(rng):
    image = rng.integers(0, 256, (28, 28), dtype=np.uint8)
    np.testing.assert_array_equal(after(encoded(image)), reduce_to_bytes(image[None])[0])


@pytest.mark.parametrize("side", [8, 16, 28, 32])
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (7, 5), (28, 28), (300, 200)])
@pytest.mark.parametrize("fit", ["pad", "crop"])
def test_any_size_becomes_the_wanted_one(side, shape, fit):
    found = after(encoded(np.full(shape, 130, np.uint8)), side, fit)
    np.testing.assert_array_equal(found, np.full((side, side), 130, np.uint8))


def test_a_picture_is_padded_with_its_border_or_cropped_to_its_middle():
    image = np.full((16, 32), 200, np.uint8)
    image[4:12, 12:20] = 0
    padded, cropped = (after(encoded(image), 32, fit) for fit in ("pad", "crop"))
    assert (padded[:8] == 200).all()
    assert (padded[13:19, 13:19] < 10).all()
    assert (padded < 100).mean() == pytest.approx(64 / 1024, abs=0.02)
    assert (cropped < 100).mean() == pytest.approx(64 / 256, abs=0.05)


def test_sixteen_bits_have_the_levels_of_eight():
    np.testing.assert_array_equal(after(encoded(STEPS.astype(np.uint16) * 257)), STEPS)
    deep = Image.fromarray(STEPS.astype(np.uint16) * 257)
    np.testing.assert_array_equal(after(encoded(deep, "TIFF")), STEPS)
    np.testing.assert_array_equal(after(encoded(np.float32(STEPS / 255), "TIFF")), STEPS)
    assert after(encoded(STEPS.astype(np.uint16))).max() <= 1  # nearly black of 65,535


@pytest.mark.parametrize("mode", ["LA", "RGBA", "PA"])
def test_what_is_transparent_is_white(mode):
    image = Image.fromarray(STEPS).convert("RGBA")
    image.putalpha(Image.fromarray(np.uint8(np.repeat([[255, 0]], 8, axis=1).repeat(16, axis=0))))
    found = after(encoded(image.quantize(16) if mode == "PA" else image.convert(mode)))
    assert np.abs(found[:, :8].astype(int) - STEPS[:, :8]).max() <= 2
    assert (found[:, 8:] > 250).all()


def test_the_transparent_colour_of_a_palette_is_white():
    image = Image.fromarray(STEPS).convert("P")
    found = after(encoded(image, "PNG", transparency=0))
    assert (found[:, :4] == 255).all()
    assert np.abs(found[:, 4:].astype(int) - STEPS[:, 4:]).max() <= 2


def test_colours_become_grey():
    image = np.zeros((16, 16, 3), np.uint8)
    image[:, :, 1] = 255
    for picture in (Image.fromarray(image), Image.fromarray(image).convert("P")):
        assert np.abs(after(encoded(picture)).astype(int) - 150).max() <= 2


def test_cmyk_is_read():
    image = Image.fromarray(STEPS).convert("RGB").convert("CMYK")
    for kind in ("JPEG", "TIFF"):
        assert np.abs(after(encoded(image, kind)).astype(int) - STEPS).max() < 16


def test_the_first_frame_of_an_animation_is_taken():
    frames = [Image.fromarray(np.full((16, 16), level, np.uint8)) for level in (40, 200, 90)]
    for kind in ("GIF", "PNG", "WEBP", "TIFF"):
        options = {"lossless": True} if kind == "WEBP" else {}
        content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
        assert Image.open(io.BytesIO(content)).n_frames == 3
        assert np.abs(after(content).astype(int) - 40).max() <= 2


@pytest.mark.parametrize(("turn", "expected"), [(1, STEPS), (3, STEPS[::-1, ::-1]), (6, np.rot90(STEPS, -1))])
def test_a_picture_is_turned_as_its_camera_was(turn, expected):
    exif = Image.Exif()
    exif[0x0112] = turn
    np.testing.assert_array_equal(after(encoded(STEPS, "PNG", exif=exif)), expected)
    found = decode(encoded(STEPS.repeat(9, 0).repeat(9, 1), "JPEG", exif=exif, quality=95), 16, "pad", True)
    assert np.abs(found.after.astype(int) - expected).max() < 20
    small = np.asarray(Image.fromarray(found.before).convert("L").resize((16, 16)))
    assert np.abs(small.astype(int) - expected).mean() < 12


def test_damaged_notes_of_a_camera_do_no_harm():
    content = encoded(STEPS, "PNG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff\xff")
    np.testing.assert_array_equal(after(content), STEPS)


def test_an_example_is_small_and_in_colour():
    image = np.zeros((300, 600, 3), np.uint8)
    image[..., 0] = 250
    before = decode(encoded(image, "JPEG"), 16, "pad", True).before
    assert before.shape == (48, 96, 3)
    assert before[..., 0].min() > 200 > 50 > before[..., 1].max()


def test_a_picture_does_not_depend_on_whether_it_is_an_example(rng):
    noise = Image.fromarray(rng.integers(0, 256, (9, 9, 3), dtype=np.uint8)).resize((500, 400))
    content = encoded(noise, "JPEG")
    np.testing.assert_array_equal(decode(content, 16, "pad", True).after, decode(content, 16, "pad").after)


def bomb(side):
    """A small file that says it has a huge picture."""
    content = bytearray(encoded(np.zeros((4, 4), np.uint8), "BMP"))
    content[18:26] = np.array([side, side], "<i4").tobytes()
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a picture"),
        (b"hello", "not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a picture"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "HEIC and AVIF cannot be read here: save as JPEG"),
        (b"\0\0\0\x18ftypmp42" + bytes(40), "damaged or not a picture"),
        (encoded(NOISE)[:150], "damaged"),
        (encoded(STEPS, "JPEG")[:-200], "damaged"),
        (bomb(MAX_PIXELS**0.5 + 1), "more than 50 million pixels"),
        (bomb(40_000), "too many pixels"),
    ],
)
def test_what_is_broken_is_said(content, message):
    with pytest.raises(Broken, match=message):
        after(content)


def test_numbers_of_any_type_become_levels():
    for array in (STEPS, STEPS.astype(np.int64), STEPS / 255, STEPS.astype(float), STEPS.astype(np.uint16)):
        np.testing.assert_array_equal(levels(array), STEPS)
    np.testing.assert_array_equal(levels(STEPS.astype(np.uint16) * 257), STEPS)
    np.testing.assert_array_equal(levels(np.array([True, False])), [255, 0])
    assert levels(np.array([0.0, 1e300])).tolist() == [0, 255]
    for bad in (np.array([-1]), np.array([np.nan]), np.array(["a"]), np.array([1j])):
        with pytest.raises(Broken):
            levels(bad)
