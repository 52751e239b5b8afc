"""Drawings and pictures of digits: laws of their normalisation, and every odd thing a visitor brings."""

import io
import struct
import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

import dasksvd
from dasksvd import digit
from dasksvd.digit import from_image, from_strokes, pictures, side_by_side
from dasksvd.errors import DigitError
from reproduce import strokes as pens

SCALES = (60, 90, 120, 150, 180)
PLACES = [(across, down) for across in (0.0, 0.5, 1.0) for down in (0.0, 0.5, 1.0)]
BRUSHES = (8, 15, 22, 29, 36)


@pytest.fixture(scope="module")
def drawings():
    """One drawing of each digit in a plain style, of height or width 1."""
    styles = ("round", "short flag", "corner", "round", "open", "two strokes", "curl", "crossed", "S first")
    plain = [pens.TEMPLATES[number][style] for number, style in enumerate((*styles, "curved tail"))]
    return [unit([pens.curve(np.array(stroke)) for stroke in template]) for template in plain]


def unit(strokes):
    points = np.concatenate(strokes)
    return [(stroke - points.min(axis=0)) / np.ptp(points, axis=0).max() for stroke in strokes]


def placed(strokes, scale, place, canvas=280, margin=20):
    extent = np.ptp(np.concatenate(strokes), axis=0)
    free = canvas - 2 * margin - scale * extent
    return [stroke * scale + margin + free * np.array(place) for stroke in strokes]


def painted(strokes, brush, canvas=280):
    """The canvas as a picture, drawn by Pillow with a round brush; light on dark."""
    picture = Image.new("L", (canvas, canvas))
    pen = ImageDraw.Draw(picture)
    for stroke in strokes:
        points = [tuple(map(float, point)) for point in stroke]
        pen.line(points, fill=255, width=brush)
        for x, y in points:
            pen.ellipse([x - brush / 2, y - brush / 2, x + brush / 2, y + brush / 2], fill=255)
    return np.asarray(picture)


def centre_of_mass(image):
    places = np.arange(28)
    return np.array([image.sum(axis=0) @ places, image.sum(axis=1) @ places]) / image.sum()


def test_strokes_look_like_mnist(drawings):
    """Field, middle and amount of ink as in the training images."""
    images = np.stack([from_strokes(strokes, 1) for strokes in drawings])
    assert images.shape == (10, 28, 28)
    assert images.dtype == np.uint8
    for image in images:
        rows, columns = (np.flatnonzero(image.max(axis=axis) > 64) for axis in (1, 0))
        assert 19 <= max(np.ptp(rows), np.ptp(columns)) + 1 <= 21
        np.testing.assert_allclose(centre_of_mass(image), 14, atol=0.3)
    mnist = dasksvd.load_mnist().train_images
    assert images.mean() == pytest.approx(mnist.mean(), rel=0.15)


points = st.tuples(st.floats(0, 280), st.floats(0, 280))


@given(
    st.lists(st.lists(points, min_size=1, max_size=12), min_size=1, max_size=4),
    st.floats(0.3, 3),
    st.floats(-500, 500),
    st.floats(-500, 500),
)
def test_size_and_place_change_nothing(strokes, scale, right, down):
    moved = [np.array(stroke) * scale + (right, down) for stroke in strokes]
    extent = np.ptp(np.concatenate(moved), axis=0).max()
    if extent < 10:  # near the size of a dot, rounding decides which side it is on
        return
    once, again = from_strokes(strokes, 280).astype(int), from_strokes(moved, 280).astype(int)
    assert np.abs(once - again).max() <= 1


@given(st.lists(points, min_size=2, max_size=12))
def test_direction_of_the_pen_changes_nothing(stroke):
    np.testing.assert_array_equal(from_strokes([stroke], 280), from_strokes([stroke[::-1]], 280))


@given(st.lists(st.lists(points, max_size=6), min_size=1, max_size=4))
def test_every_drawing_becomes_an_image_with_ink_inside(strokes):
    if not any(strokes):
        with pytest.raises(DigitError, match="Nothing is drawn"):
            from_strokes(strokes, 280)
        return
    image = from_strokes(strokes, 280)
    assert image.max() > 200
    assert image.shape == (28, 28)


def test_more_points_on_the_same_line_change_nothing(drawings):
    for strokes in drawings:
        finer = [np.vstack([np.linspace(a, b, 5)[:-1] for a, b in pairwise(s)] + [s[-1:]]) for s in strokes]
        difference = from_strokes(strokes, 1).astype(int) - from_strokes(finer, 1)
        assert np.abs(difference).max() <= 1


def test_answer_depends_on_neither_size_nor_place_nor_brush(drawings):
    """5 scales × 9 places × 5 brushes; a brush only changes the picture, never the strokes."""
    model = dasksvd.load_default_model()
    for number, strokes in enumerate(drawings):
        drawn = [from_strokes(placed(strokes, scale, place), 280) for scale in SCALES for place in PLACES]
        answers = model.predict(np.stack(drawn))
        assert np.mean(np.repeat(answers, len(BRUSHES)) == number) >= 0.99


def test_pictures_answer_the_same_for_every_brush(drawings):
    """The law for pictures: each brush with every scale at which it leaves loops open, at three of the places."""
    model = dasksvd.load_default_model()
    right = {brush: [] for brush in BRUSHES}
    turn = 0
    for number, strokes in enumerate(drawings):
        for brush in BRUSHES:
            for scale in (scale for scale in SCALES if scale >= 4.5 * brush):
                turn += 1
                places = PLACES[turn % 3 :: 3]
                images = [from_image(painted(placed(strokes, scale, place), brush)) for place in places]
                right[brush].extend(model.predict(np.stack(images)) == number)
    assert sum(map(len, right.values())) == 450
    assert np.mean(np.concatenate(list(right.values()))) >= 0.99
    assert min(np.mean(answers) for answers in right.values()) >= 0.97


@given(st.integers(0, 9), st.integers(8, 22), st.floats(100, 180), st.floats(0, 1), st.floats(0, 1))
def test_a_painted_drawing_is_nearly_the_drawing(drawings, number, brush, scale, across, down):
    """Whatever the brush, size and place, the picture's image is like the strokes' own."""
    strokes = placed(drawings[number], scale, (across, down))
    drawn, read_back = from_strokes(strokes, 280).astype(float), from_image(painted(strokes, brush)).astype(float)
    assert np.corrcoef(drawn.ravel(), read_back.ravel())[0, 1] > 0.85


def test_nothing_drawn_is_said_kindly():
    for nothing in ([], [[]], [np.empty((0, 2))]):
        with pytest.raises(DigitError, match="Nothing is drawn yet"):
            from_strokes(nothing, 280)


def test_a_dot_stays_a_dot():
    dot = from_strokes([[(30, 40)]], 280)
    shaky = from_strokes([[(30, 40), (32, 41), (31, 39)]], 280)
    np.testing.assert_array_equal(dot, shaky)
    assert dot[14, 14] == 255
    assert 4 <= np.count_nonzero(dot > 128) <= 16


def test_a_line_is_read_as_one():
    model = dasksvd.load_default_model()
    assert model.predict(from_strokes([[(140, 20), (142, 260)]], 280)[None])[0] == 1


def test_two_digits_are_noticed_and_one_is_not(drawings):
    pair = [*placed(drawings[3], 100, (0, 0.5)), *placed(drawings[8], 100, (1, 0.5))]
    assert side_by_side(from_strokes(pair, 280))
    assert not any(side_by_side(from_strokes(strokes, 1)) for strokes in drawings)
    mnist = dasksvd.load_mnist().train_images[:2000]
    assert np.mean([side_by_side(image) for image in mnist]) < 0.01


@pytest.mark.parametrize(
    ("strokes", "size", "message"),
    [
        ([[(1, 2, 3)]], 280, r"shape \(points, 2\), got \(1, 3\)"),
        ([["a", "b"]], 280, "list of points"),
        ([[(np.nan, 2), (3, 4)]], 280, "finite"),
        ([[(np.inf, 2), (3, 4)]], 280, "finite"),
        ([[(1, 2), (3, 4)]], 0, "positive size, got 0"),
        ([np.zeros((digit.MAX_POINTS + 2, 2))], 280, "more than 200000 points"),
    ],
)
def test_wrong_strokes_are_named(strokes, size, message):
    with pytest.raises(DigitError, match=message):
        from_strokes(strokes, size)


# Pictures


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
    "nothing": (b"", "broken or is no picture"),
    "text": (b"not a picture", "broken or is no picture"),
    "cut off": (encoded(Image.effect_noise((64, 64), 50))[:200], "broken or is no picture"),
    "no file": ("/no/such/file.png", "broken or is no picture"),
    "one pixel": (np.zeros((1, 1), np.uint8), "1 × 1 pixels, too few"),
    "one pixel file": (encoded(Image.new("RGB", (1, 1))), "1 × 1 pixels, too few"),
    "a row": (np.zeros((1, 500), np.uint8), "too few"),
    "black": (np.zeros((280, 280), np.uint8), "one colour all over"),
    "white": (np.full((280, 280, 3), 255, np.uint8), "one colour all over"),
    "transparent": (np.zeros((50, 50, 4), np.uint8), "one colour all over"),
    "empty": (np.zeros((0, 5), np.uint8), "empty"),
    "four axes": (np.zeros((2, 8, 8, 3), np.uint8), r"got \(2, 8, 8, 3\)"),
    "words": (np.array([["a", "b"]]), "array of numbers"),
    "not a number": (np.full((20, 20), np.nan), "no numbers"),
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


def test_thinning_keeps_parts_and_holes():
    """Guo and Hall's thinning keeps the topology (oracle: counts by scipy's label)."""
    from scipy import ndimage

    from dasksvd.method import kernels

    for image in dasksvd.load_mnist().train_images[:60]:
        mask = np.pad(np.kron(image > 128, np.ones((3, 3))), 1).astype(np.uint8)
        thinned = mask.copy()
        kernels.thin(thinned)
        assert np.all(thinned <= mask)
        eight, four = np.ones((3, 3)), None
        assert ndimage.label(thinned, eight)[1] == ndimage.label(mask, eight)[1]
        assert ndimage.label(thinned == 0, four)[1] == ndimage.label(mask == 0, four)[1]


def test_centre_lines_of_a_drawn_line_are_its_middle():
    ink = np.zeros((60, 20))
    ink[:, 6:13] = 1
    lines = pictures.centre_lines(ink[:, 6:13])
    ends = lines.reshape(-1, 2)
    assert np.ptp(ends[:, 0]) < 2
    assert np.ptp(ends[:, 1]) > 0.8 * pictures.THINNING_SIDE


@pytest.mark.parametrize("radius", [10, 14, 18])
def test_a_loop_that_a_thick_pen_filled_stays_filled(radius):
    angles = np.linspace(0, 2 * np.pi, 40)
    loop = np.stack([140 + radius * np.cos(angles), 215 + radius * np.sin(angles)], axis=1)
    image = from_image(painted([np.array([[140, 40], [140, 200]]), loop], 36))
    widths = np.sum(image > 128, axis=1)
    stem, blob = widths[8:14], widths[18:23].max()
    assert stem.min() == stem.max() == 3
    assert blob >= 5
