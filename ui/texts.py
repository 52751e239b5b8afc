"""Texts as people read them: numbers in one format, and names that stay plain words."""

import re

#: What Markdown, formulas and Streamlit's own marks are made of; and what links and pictures cannot do without.
_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$&^])")
_LINKS = re.compile(r"([\[\]<$])")


def percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1 as "96.1 %"."""
    return f"{100 * share:.{digits}f} %"


def plain(text: object) -> str:
    """Somebody's words for a place that reads Markdown: no link, picture or formula comes of them."""
    return _MARKS.sub(r"\\\1", str(text))


def sentence(error: object) -> str:
    """An error's words as a sentence of its own; a name in them stays a name."""
    words = _LINKS.sub(r"\\\1", str(error).rstrip("."))
    return f"{words[:1].upper()}{words[1:]}."
