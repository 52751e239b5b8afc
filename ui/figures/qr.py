"""QR codes (ISO/IEC 18004) for links, drawn here so that no link leaves the machine.

A text becomes bytes; these are cut into blocks with Reed-Solomon check bytes, and laid out as dark and light modules.
Error correction level L (about 7 % of a code may be unreadable): links are long, and screens are clean.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

#: For versions 1 to 40 at level L: check bytes of each block, and the number of blocks.
CHECKS = [
    *(7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28),
    *(28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30),
]
BLOCKS = [
    *(1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8),
    *(8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25),
]
#: Light modules that a reader needs around a code.
QUIET = 4
#: Bits that say level L, and that say "bytes follow".
LEVEL, BYTES = 0b01, 0b0100
#: Generators of the checks of format and version, and what is added to the format.
FORMAT, VERSION, FORMAT_MASK = 0b10100110111, 0b1111100100101, 0b101010000010010
#: The eight masks: which modules are turned, by row and column.
MASKS = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)


def code(text: str) -> np.ndarray:
    """The modules of a text's QR code, dark ones 1; ValueError if the text is too long for any.

    Returns
    -------
    ndarray of shape (size, size), uint8
        Without the light border.
    """
    version, words = _words(text.encode("utf-8"))
    bits = np.unpackbits(np.array(words, np.uint8))
    modules, free = _patterns(version)
    ys, xs = np.array(list(_way(free))).T
    padded = np.zeros(len(ys), np.uint8)  # a few modules may be left over
    padded[: len(bits)] = bits
    found = [_masked(modules, ys, xs, padded, version, number) for number in range(len(MASKS))]
    return min(found, key=_penalty)


def svg(text: str) -> str:
    """A text's QR code as a picture that scales: dark on white in every theme."""
    modules = code(text)
    size = len(modules) + 2 * QUIET
    path = "".join(f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, x in np.argwhere(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges" role="img" '
        f'aria-label="QR code of the link"><rect width="{size}" height="{size}" fill="#fff"/>'
        f'<path d="{path}" fill="#000"/></svg>'
    )


def capacity(version: int) -> int:
    """Bytes of text that a version can carry."""
    return _data_words(version) - (2 if version < 10 else 3)


def _data_words(version: int) -> int:
    whole = int(_patterns(version)[1].sum()) // 8
    return whole - CHECKS[version - 1] * BLOCKS[version - 1]


def _words(data: bytes) -> tuple[int, list[int]]:
    """The smallest version that carries some bytes, and all its code words in the order in which they are laid out."""
    version = next((one for one in range(1, 41) if capacity(one) >= len(data)), None)
    if version is None:
        raise ValueError(f"{len(data)} bytes are too many for a QR code")
    count = 8 if version < 10 else 16
    bits = f"{BYTES:04b}{len(data):0{count}b}" + "".join(f"{byte:08b}" for byte in data)
    room = 8 * _data_words(version)
    bits += "0" * min(4, room - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    words += [(0xEC, 0x11)[number % 2] for number in range(room // 8 - len(words))]
    return version, _interleaved(words, version)


def _interleaved(words: list[int], version: int) -> list[int]:
    """Words in blocks, of which the last ones may be longer by one, with their checks: first words first."""
    n_blocks, n_checks = BLOCKS[version - 1], CHECKS[version - 1]
    short, longer = divmod(len(words), n_blocks)
    blocks, at = [], 0
    for number in range(n_blocks):
        length = short + (number >= n_blocks - longer)
        blocks.append(words[at : at + length])
        at += length
    checks = [_checks(block, n_checks) for block in blocks]
    rows = [block[place] for place in range(short + 1) for block in blocks if place < len(block)]
    return rows + [check[place] for place in range(n_checks) for check in checks]


@cache
def _tables() -> tuple[list[int], dict[int, int]]:
    """Powers of 2 in the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1, and their logarithms."""
    powers = [1]
    for _ in range(254):
        powers.append(powers[-1] << 1 ^ (0x11D if powers[-1] & 0x80 else 0))
    return powers, {value: power for power, value in enumerate(powers)}


def _times(a: int, b: int) -> int:
    powers, logs = _tables()
    return powers[(logs[a] + logs[b]) % 255] if a and b else 0


@cache
def _generator(degree: int) -> tuple[int, ...]:
    """∏ (x − 2ⁱ) for i below the degree, its highest coefficient, 1, left out."""
    found = [1]
    for power in range(degree):
        shifted = [*found, 0]
        for place, value in enumerate(found):
            shifted[place + 1] ^= _times(value, _tables()[0][power])
        found = shifted
    return tuple(found[1:])


def _checks(block: list[int], count: int) -> list[int]:
    """The remainder of a block by the generator."""
    rest = [0] * count
    for word in block:
        factor = word ^ rest[0]
        rest = [old ^ _times(value, factor) for old, value in zip([*rest[1:], 0], _generator(count), strict=True)]
    return rest


@cache
def _patterns(version: int) -> tuple[np.ndarray, np.ndarray]:
    """The modules that do not depend on the text, and which are free for it."""
    size = 17 + 4 * version
    modules, free = np.zeros((size, size), np.uint8), np.ones((size, size), bool)
    modules[6, ::2] = modules[::2, 6] = 1
    free[6] = free[:, 6] = False
    for y, x in ((0, 0), (0, size - 7), (size - 7, 0)):
        ring = np.maximum(*np.abs(np.mgrid[-3:4, -3:4]))
        free[max(0, y - 1) : y + 8, max(0, x - 1) : x + 8] = False
        modules[max(0, y - 1) : y + 8, max(0, x - 1) : x + 8] = 0
        modules[y : y + 7, x : x + 7] = ring != 2
    for y, x in _alignments(version):
        modules[y - 2 : y + 3, x - 2 : x + 3] = np.maximum(*np.abs(np.mgrid[-2:3, -2:3])) != 1
        free[y - 2 : y + 3, x - 2 : x + 3] = False
    free[:9, 8] = free[8, :9] = free[8, -8:] = free[-8:, 8] = False
    modules[size - 8, 8] = 1
    if version >= 7:
        bits = _with_checks(version, VERSION, 12)
        for place in range(18):
            y, x = place // 3, size - 11 + place % 3
            modules[y, x] = modules[x, y] = bits >> place & 1
            free[y, x] = free[x, y] = False
    return modules, free


def _alignments(version: int) -> Iterator[tuple[int, int]]:
    """The middles of the small squares."""
    if version == 1:
        return
    count, last = version // 7 + 2, 10 + 4 * version
    step = 26 if version == 32 else (4 * version + 2 * count + 1) // (2 * count - 2) * 2
    places = [6, *sorted(last - step * number for number in range(count - 1))]
    corners = {(6, 6), (6, last), (last, 6)}
    yield from ((y, x) for y in places for x in places if (y, x) not in corners)


def _with_checks(value: int, generator: int, count: int) -> int:
    """A number with the remainder of its division by a generator behind it."""
    rest = value << count
    while rest.bit_length() > count:
        rest ^= generator << (rest.bit_length() - generator.bit_length())
    return value << count | rest


def _way(free: np.ndarray) -> Iterator[tuple[int, int]]:
    """The free modules in the order in which bits are laid out: up and down, two columns at a time, from the right."""
    size = len(free)
    right = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    for number, x in enumerate(right):
        rows = range(size) if number % 2 else range(size - 1, -1, -1)
        yield from ((y, column) for y in rows for column in (x, x - 1) if free[y, column])


def _masked(modules: np.ndarray, ys, xs, bits: np.ndarray, version: int, number: int) -> np.ndarray:
    """The whole code with one of the masks, and with the bits that say which."""
    found, size = modules.copy(), len(modules)
    found[ys, xs] = bits ^ MASKS[number](ys, xs)
    said = _with_checks(LEVEL << 3 | number, FORMAT, 10) ^ FORMAT_MASK
    first = [(y, 8) for y in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, x) for x in (7, 5, 4, 3, 2, 1, 0)]
    second = [(8, size - 1 - x) for x in range(8)] + [(size - 7 + y, 8) for y in range(7)]
    for place in range(15):
        for y, x in (first[place], second[place]):
            found[y, x] = said >> place & 1
    return found


def _penalty(modules: np.ndarray) -> int:
    """How hard a code is to read: runs, squares, false corners, and too much of one colour."""
    size = len(modules)
    points = 10 * int(abs(modules.mean() - 0.5) * 20)
    same = modules[1:, 1:] == modules[:-1, 1:]
    same &= (modules[1:, 1:] == modules[1:, :-1]) & (modules[1:, 1:] == modules[:-1, :-1])
    points += 3 * int(same.sum())
    for lines in (modules, modules.T):
        for line in lines:
            edges = np.flatnonzero(np.diff(line, prepend=2, append=2))
            runs = np.diff(edges)
            points += int((runs[runs >= 5] - 2).sum())
        text = ["".join(map(str, line)) for line in lines]
        points += sum(40 for line in text for at in range(size - 10) if line[at : at + 11] in FALSE_CORNERS)
    return points


FALSE_CORNERS = ("10111010000", "00001011101")
