"""The idx format, in which MNIST is published."""

import math
from pathlib import Path

import numpy as np

from dasksvd.errors import DataError


def parse_idx(content: bytes, path: Path) -> np.ndarray:
    """The array in an idx file of unsigned bytes: magic 0 0 8 rank, then big-endian sizes."""
    if len(content) < 4 or content[:3] != b"\x00\x00\x08":
        raise DataError(f"{path} is not an idx file of unsigned bytes (it starts with {content[:4]!r})")
    rank = content[3]
    header = 4 + 4 * rank
    shape = tuple(np.frombuffer(content[4:header], ">u4").tolist())
    if len(shape) != rank or len(content) != header + math.prod(shape):
        raise DataError(f"{path} is cut off or too long: {len(content)} bytes for an idx array of shape {shape}")
    return np.frombuffer(content, np.uint8, offset=header).reshape(shape)
