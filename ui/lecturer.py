"""The owner's word: with it the dashboard has a wall for the class, and whoever knows it gives the class."""

import hmac
import os

#: The variable that holds it.
WORD = "DASKSVD_WALL"


def has_wall() -> bool:
    """Whether the owner of this server wants a wall."""
    return bool(os.environ.get(WORD))


def knows_the_word(word: str) -> bool:
    """Whether a visitor has said the owner's word."""
    known = os.environ.get(WORD, "")
    return bool(known) and hmac.compare_digest(word.encode(), known.encode())
