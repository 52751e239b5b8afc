"""Strokes or a picture of one digit -> an image like MNIST's -> an answer with its reasons."""

from dasksvd.digit.judge import side_by_side
from dasksvd.digit.normalise import draw, from_image, from_strokes
from dasksvd.errors import DigitError

__all__ = ["DigitError", "draw", "from_image", "from_strokes", "side_by_side"]
