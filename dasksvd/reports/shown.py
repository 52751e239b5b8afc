"""Does a report show what comes out?  Its page is compared with one that is written anew from what was computed again.

People read the page, not the facts in it: a number that was changed there alone must be noticed, too.  Compared is what
a browser shows, piece by piece, so that a file that a browser or a mail program has written anew is still the same.
"""

import calendar
import re
import time
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import zip_longest

#: Differences that are named, letters of a text in them, and those before the place where it differs.
MOST, LETTERS, BEFORE = 3, 60, 20
_MADE = re.compile(r"Made (\d{4}-\d\d-\d\d \d\d:\d\d) UTC\.")
_NUMBER = re.compile(r"\d[\d.,]*(?:e[-+]\d+)?")
#: Tags of drawings: on another kind of machine they have other numbers, and as many ticks as these need.
_DRAWN = ("svg", "img")


class _Pieces(HTMLParser):
    """The tags with their attributes and the texts of a page, without the block of facts."""

    def __init__(self, with_drawings: bool):
        super().__init__()
        self.with_drawings = with_drawings
        self.found: list[str] = []
        self.silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_drawn = tag in _DRAWN and not self.with_drawings
        if not self.silent and not is_drawn:
            self.found.append(f"<{' '.join([tag, *(f'{name}={value}' for name, value in sorted(attrs))])}>")
        if tag == "script" or (is_drawn and tag == "svg"):
            self.silent = self.silent or tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        before = self.silent
        self.handle_starttag(tag, attrs)
        self.silent = before

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if words and not self.silent:
            self.found.append(words)


def pieces(text: str, with_drawings: bool = True) -> list[str]:
    """What a browser shows of a page, in order.

    Examples
    --------
    >>> pieces('<p class="big">Accuracy <b>96.1 %</b><script>{}</script></p>')
    ['<p class=big>', 'Accuracy', '<b>', '96.1 %', '<script>']
    """
    reader = _Pieces(with_drawings)
    reader.feed(text)
    reader.close()
    return reader.found


def when_made(text: str) -> float:
    """When a page says that it was made, in seconds since 1970; 0 if it does not say that."""
    found = _MADE.search(text)
    try:
        return float(calendar.timegm(time.strptime(found[1], "%Y-%m-%d %H:%M"))) if found else 0.0
    except ValueError:
        return 0.0


def differences(told: str, ours: str, exact: Mapping[str, str] | None = None) -> list[str]:
    """What a page shows and should not.

    Parameters
    ----------
    told, ours : str
        The page, and what it should be.
    exact : mapping of str to str, optional
        On another kind of machine drawings and numbers may differ, but for these texts of ours: each with what the page
        must show in its place.
    """
    theirs, mine = pieces(told, exact is None), pieces(ours, exact is None)
    if exact is not None:
        mine = [exact.get(piece, _without_numbers(piece)) for piece in mine]
        known = set(exact.values())
        theirs = [piece if piece in known else _without_numbers(piece) for piece in theirs]
    wrong = [(one, other) for one, other in zip_longest(theirs, mine, fillvalue="") if one != other]
    if len(theirs) != len(mine):
        wrong = wrong[:1]  # behind it all the pieces have moved
    more = [f"the page differs in {len(wrong) - MOST} more places"] if len(wrong) > MOST else []
    return [_words(one, other) for one, other in wrong[:MOST]] + more


def _without_numbers(piece: str) -> str:
    return piece if piece.startswith("<") else _NUMBER.sub("#", piece)


def _words(theirs: str, ours: str) -> str:
    if theirs.startswith("<img") and ours.startswith("<img"):
        return "the page shows another picture of the atoms than comes out"
    same = next((at for at, pair in enumerate(zip(theirs, ours, strict=False)) if pair[0] != pair[1]), 0)
    first = same - BEFORE if same > LETTERS - BEFORE else 0
    verb = "has" if theirs.startswith("<") and ours.startswith("<") else "shows"
    return f"the page {verb} {_quoted(theirs, first)} where {_quoted(ours, first)} comes out"


def _quoted(text: str, first: int) -> str:
    """A part of a text of a stranger's file, safe for a terminal."""
    if not text:
        return "nothing"
    plain = "".join(sign if sign.isprintable() else "?" for sign in text[first : first + LETTERS])
    return f"“{'…' if first else ''}{plain}{'…' if len(text) > first + LETTERS else ''}”"
