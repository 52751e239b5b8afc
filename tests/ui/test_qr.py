"""QR codes against another library's, and against a reader written here."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.figures import qr

LINK = "https://example.org/draw?step=12"
#: What segno 1.6.6 makes of the link: version 2, level L, bytes, filled to the last one.
SEGNO = """
1111111011111101101111111
1000001010101010101000001
1011101011010000001011101
1011101010111110101011101
1011101000110111101011101
1000001010000000001000001
1111111010101010101111111
0000000001011010000000000
1100111001001011000101111
0100100100110011010011010
1110101010110111011101100
0001100011111011010100110
1010101010000000011101111
1010100001010111100010010
0011111101111011110111100
0000100010100001000110110
1111111101100001111111100
0000000011010100100010000
1111111000011100101010000
1000001011101000100011110
1011101010010000111111101
1011101000011110011100100
1011101001011001111001010
1000001011001010001111110
1111111010000001011000111
"""


def drawn(text):
    return np.array([list(map(int, line)) for line in text.split()], np.uint8)


def mask_of(modules):
    """The mask that a code says it has."""
    bits = [modules[y, 8] for y in (0, 1, 2, 3, 4, 5, 7, 8)] + [modules[8, x] for x in (7, 5, 4, 3, 2, 1, 0)]
    said = sum(int(bit) << place for place, bit in enumerate(bits)) ^ qr.FORMAT_MASK
    assert said >> 13 == qr.LEVEL
    return said >> 10 & 7


def words_of(modules):
    """All code words in the order in which they are laid out."""
    version = (len(modules) - 17) // 4
    way = np.array(list(qr._way(qr._patterns(version)[1])))
    bits = modules[way[:, 0], way[:, 1]] ^ qr.MASKS[mask_of(modules)](way[:, 0], way[:, 1])
    return np.packbits(bits.astype(np.uint8)[: len(bits) // 8 * 8]).tolist()


def blocks_of(words, version):
    """The words of each block, data first."""
    n_blocks, n_checks = qr.BLOCKS[version - 1], qr.CHECKS[version - 1]
    short, longer = divmod(len(words) - n_blocks * n_checks, n_blocks)
    blocks = [[] for _ in range(n_blocks)]
    rest = iter(words)
    for place in range(short + 1):
        for number in range(n_blocks):
            if place < short or number >= n_blocks - longer:
                blocks[number].append(next(rest))
    data = [word for block in blocks for word in block]
    for _ in range(n_checks):
        for block in blocks:
            block.append(next(rest))
    return data, blocks


def text_of(modules):
    """A code read back, without looking at its check bytes."""
    version = (len(modules) - 17) // 4
    data, _ = blocks_of(words_of(modules), version)
    bits = "".join(f"{word:08b}" for word in data)
    count = 8 if version < 10 else 16
    assert bits[:4] == "0100"
    length = int(bits[4 : 4 + count], 2)
    start = 4 + count
    return bytes(int(bits[start + 8 * at : start + 8 * at + 8], 2) for at in range(length)).decode("utf-8")


def test_a_code_vs_segno():
    """Oracle: segno 1.6.6; which mask is best is the only thing that libraries differ in."""
    version = 2
    wanted = drawn(SEGNO)
    bits = np.unpackbits(np.array(qr._words(LINK.encode())[1], np.uint8))
    modules, free = qr._patterns(version)
    ys, xs = np.array(list(qr._way(free))).T
    padded = np.zeros(len(ys), np.uint8)
    padded[: len(bits)] = bits
    np.testing.assert_array_equal(qr._masked(modules, ys, xs, padded, version, mask_of(wanted)), wanted)
    assert text_of(wanted) == LINK


@settings(max_examples=25, deadline=None)
@given(st.text(min_size=1, max_size=300))
def test_a_text_is_read_back_from_its_code(text):
    assert text_of(qr.code(text)) == text


@pytest.mark.parametrize("version", [1, 2, 6, 7, 14, 21, 32, 40])
def test_a_code_of_every_kind_is_full_and_its_blocks_have_no_remainder(version):
    text = ("a1B2-_~" * 500)[: qr.capacity(version)]
    modules = qr.code(text)
    assert len(modules) == 17 + 4 * version
    assert text_of(modules) == text
    _, blocks = blocks_of(words_of(modules), version)
    powers, _ = qr._tables()
    for block in blocks:
        for power in range(qr.CHECKS[version - 1]):
            value = 0
            for word in block:
                value = qr._times(value, powers[power]) ^ word
            assert value == 0


def test_capacities_are_those_of_the_standard():
    """Oracle: ISO/IEC 18004, table 7, bytes at level L."""
    assert [qr.capacity(version) for version in (1, 2, 9, 10, 20, 30, 40)] == [17, 32, 230, 271, 858, 1732, 2953]


def test_a_text_that_is_too_long_is_an_error():
    qr.code("x" * 2953)
    with pytest.raises(ValueError, match="2954 bytes"):
        qr.code("x" * 2954)


def test_the_picture_has_the_codes_modules_and_a_light_border():
    modules, picture = qr.code(LINK), qr.svg(LINK)
    assert picture.count("h1v1h-1z") == modules.sum()
    assert f'viewBox="0 0 {len(modules) + 8} {len(modules) + 8}"' in picture
