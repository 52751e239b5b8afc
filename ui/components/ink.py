"""A drawing in a link: strokes as a short text of characters that are safe in URLs."""

import base64
import binascii
import math
import zlib
from collections.abc import Iterator, Sequence

#: Letters that a link spends on a drawing at most.
MAX_LETTERS = 1500
#: Points may lie so far outside of the sheet: the pen is followed there.
REACH = 1000
MAX_STROKES, MAX_POINTS = 200, 5000

Stroke = Sequence[Sequence[float]]


def pack(strokes: Sequence[Stroke]) -> str:
    """Strokes as text: whole pixels, each point by its distance from the one before.

    Points on an almost straight line are left out, more of them the longer the drawing is, until it fits.
    """
    slack = 0.5
    while True:
        text = _pack([_thinned(stroke, slack) for stroke in strokes[:MAX_STROKES] if len(stroke)])
        if len(text) <= MAX_LETTERS:
            return text
        if slack > REACH:  # more strokes than fit, each a dot by now
            strokes = strokes[: len(strokes) // 2]
        slack *= 1.5


def unpack(text: str) -> list[list[list[float]]]:
    """The strokes in a text of :func:`pack`; ValueError if it is not one."""
    if not 0 < len(text) <= MAX_LETTERS:
        raise ValueError("this is not a drawing")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        engine = zlib.decompressobj(-15)
        content = engine.decompress(packed, 4 * MAX_POINTS)  # a small text can stand for a very long one
        if engine.unconsumed_tail or not engine.eof:
            raise ValueError("this is not a whole drawing")
    except (binascii.Error, zlib.error) as error:
        raise ValueError("this is not a drawing") from error
    return _strokes(_numbers(content))


def _pack(strokes: list[list[tuple[int, int]]]) -> str:
    content = bytearray()
    for stroke in strokes:
        _append(content, len(stroke))
        last = (0, 0)
        for point in stroke:
            for now, before in zip(point, last, strict=True):
                step = now - before
                _append(content, 2 * step if step >= 0 else -2 * step - 1)
            last = point
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = engine.compress(bytes(content)) + engine.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _append(content: bytearray, number: int) -> None:
    """A number from 0 on in as many bytes as it needs, seven bits in each."""
    while number > 127:
        content.append(128 | number & 127)
        number >>= 7
    content.append(number)


def _numbers(content: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
        elif shift > 28:
            raise ValueError("a number is too large")


def _strokes(numbers: Iterator[int]) -> list[list[list[float]]]:
    strokes = []
    try:
        for count in numbers:
            if not 0 < count <= MAX_POINTS or len(strokes) == MAX_STROKES:
                raise ValueError("too many points")
            stroke, x, y = [], 0, 0
            for _ in range(count):
                across, down = next(numbers), next(numbers)
                x, y = x + _step(across), y + _step(down)
                if max(abs(x), abs(y)) > REACH:
                    raise ValueError("a point is far outside of the sheet")
                stroke.append([float(x), float(y)])
            strokes.append(stroke)
    except StopIteration as error:
        raise ValueError("the drawing ends too early") from error
    return strokes


def _step(number: int) -> int:
    return number // 2 if number % 2 == 0 else -(number + 1) // 2


def _thinned(stroke: Stroke, slack: float) -> list[tuple[int, int]]:
    """Whole pixels without the points that are nearer than ``slack`` to the line between their neighbours.

    Ramer, Douglas and Peucker's way, with a list of its own in place of calling itself.
    """
    points = [(_pixel(x), _pixel(y)) for x, y in stroke]
    kept, pieces = {0, len(points) - 1}, [(0, len(points) - 1)]
    while pieces:
        first, last = pieces.pop()
        distances = [_distance(points[i], points[first], points[last]) for i in range(first + 1, last)]
        if distances and max(distances) > slack:
            farthest = first + 1 + distances.index(max(distances))
            kept.add(farthest)
            pieces += [(first, farthest), (farthest, last)]
    return [points[i] for i in sorted(kept)]


def _pixel(value: float) -> int:
    return max(-REACH, min(REACH, round(value)))


def _distance(point: tuple[int, int], start: tuple[int, int], end: tuple[int, int]) -> float:
    """Distance of a point from the line segment between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length
    along = max(0.0, min(1.0, along))
    return math.hypot(point[0] - start[0] - along * dx, point[1] - start[1] - along * dy)
