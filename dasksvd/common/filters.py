"""Filters that people type, such as ``q < 0.3 and accuracy > 95``: read word by word, never evaluated as code.

A filter is made of words, which a row's texts must contain, and of comparisons of a column with a value.  ``and``,
``or``, ``not`` and parentheses join them; what stands side by side is joined by ``and``.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from dasksvd.common.language import say
from dasksvd.errors import ParameterError

#: Letters of a filter, and parentheses or ``not`` inside each other.
MAX_LETTERS, MAX_DEPTH = 400, 20
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|(<=|>=|==|!=|≤|≥|≠|<|>|=|~)|([()])|([^\s<>=!~≤≥≠()"]+|!))""")
_SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_JOINING = ("and", "or", "not")

Row = Mapping[str, Any]
Test = Callable[[Row], bool]


@dataclass(frozen=True)
class Columns:
    """What a filter can ask for.

    Parameters
    ----------
    numbers, texts : collection of str
        Names of the columns with numbers, and of those with texts.
    shares : collection of str
        Those of the numbers that lie between 0 and 1; ``30%`` of them is 0.3.
    lists : collection of str
        Those of the texts that are words with commas between them: one of them is equal, or none is.
    also : mapping of str to str
        Other names for some of them.
    """

    numbers: Collection[str]
    texts: Collection[str]
    shares: Collection[str] = ()
    lists: Collection[str] = ()
    also: Mapping[str, str] = field(default_factory=dict)

    def find(self, word: str) -> str | None:
        """The column that a word names: as it is written, else in whatever case; None if there is none."""
        names = {name: name for name in (*self.numbers, *self.texts)} | dict(self.also)
        if word in names:
            return names[word]
        folded = {name.casefold(): column for name, column in reversed(names.items())}
        return folded.get(word.casefold())

    def unknown(self, word: str) -> ParameterError:
        """What to say of a word that names no column."""
        known = (*self.numbers, *self.texts)
        near = get_close_matches(word.casefold(), known, 1)
        said = say('there is no column "{word}"', word=word[:30])
        if near:
            return ParameterError(said + say('; did you mean "{near}"?', near=near[0]))
        return ParameterError(said + say("; there are {names}", names=", ".join(known)))


@dataclass(frozen=True)
class _Token:
    kind: str  # word, quoted, sign, bracket
    text: str

    def means(self, word: str) -> bool:
        return self.kind != "quoted" and self.text.casefold() == word


def parse(text: str, columns: Columns) -> Test:
    """A test of rows, or ParameterError with what is wrong with the filter.

    Parameters
    ----------
    text : str
        Empty lets every row pass.
    columns : Columns

    Returns
    -------
    callable(row) -> bool
        A row is a mapping of names of columns to numbers, texts, or None where there is nothing.  Nothing is neither
        smaller nor larger than anything, nor equal to it.

    Examples
    --------
    >>> test = parse("q < 0.3 and accuracy > 95", Columns(("q", "accuracy"), ("name",)))
    >>> test({"q": 0.2, "accuracy": 96.1}), test({"q": 0.2, "accuracy": None})
    (True, False)
    """
    if len(text) > MAX_LETTERS:
        raise ParameterError(
            say("a filter may have at most {most} letters, got {count}", most=MAX_LETTERS, count=len(text))
        )
    return _Reader(_tokens(text), columns).whole()


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ParameterError(say("a quotation mark has no partner; close it or leave it out"))
        kind = ("quoted", "sign", "bracket", "word")[(match.lastindex or 1) - 1]
        piece = match[match.lastindex or 1]
        found.append(_Token(kind, _SAME.get(piece, piece) if kind == "sign" else piece))
        at = match.end()
    return found


class _Reader:
    """Reads tokens from the left: or, and, not, then a single test."""

    def __init__(self, tokens: list[_Token], columns: Columns):
        self.tokens, self.columns = tokens, columns
        self.at = self.depth = 0

    def whole(self) -> Test:
        if not self.tokens:
            return lambda row: True
        found = self.either()
        if self.at < len(self.tokens):
            raise ParameterError(say('a ")" has no "(" before it'))
        return found

    @property
    def next(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def takes(self, *words: str) -> bool:
        """Step over one of some words, if it comes next."""
        found = self.next is not None and any(map(self.next.means, words))
        self.at += found
        return found

    def either(self) -> Test:
        tests = [self.both()]
        while self.takes("or"):
            tests.append(self.both())
        return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)

    def both(self) -> Test:
        tests = [self.single()]
        while self.takes("and") or not (self.next is None or self.next.means("or") or self.next.means(")")):
            tests.append(self.single())
        return tests[0] if len(tests) == 1 else lambda row: all(test(row) for test in tests)

    def single(self) -> Test:
        before = self.tokens[self.at - 1].text if self.at else ""
        token = self.next
        if token is None or any(map(token.means, ("and", "or", ")"))):
            raise ParameterError(
                say('after "{word}" something is missing', word=before)
                if before
                else say('"{word}" has nothing before it', word=token and token.text)
            )
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ParameterError(say("parentheses may stand at most {most} deep", most=MAX_DEPTH))
        found = self.negated() if self.takes("not") else self.bracket() if self.takes("(") else self.test()
        self.depth -= 1
        return found

    def negated(self) -> Test:
        inner = self.single()
        return lambda row: not inner(row)

    def bracket(self) -> Test:
        inner = self.either()
        if not self.takes(")"):
            raise ParameterError(say('a "(" has no ")" behind it'))
        return inner

    def test(self) -> Test:
        """Words up to the next sign: a comparison, or one word that a row's texts must have."""
        first = self.tokens[self.at]
        if first.kind == "sign":
            raise ParameterError(say('before "{sign}" the name of a column is missing, as in q < 0.3', sign=first.text))
        self.at += 1
        if self.next is None or self.next.kind != "sign":
            return _has(first.text)
        sign, second = self.sign_and_value()
        if first.kind == "word" and self.columns.find(first.text) is None and self._is_turned(second):
            return self.turned(first, sign, second)
        return self.comparison(first, sign, second)

    def sign_and_value(self) -> tuple[str, _Token]:
        sign = self.tokens[self.at].text
        self.at += 1
        value = self.next
        if value is None or value.kind in ("sign", "bracket") or any(map(value.means, _JOINING)):
            raise ParameterError(say('after "{sign}" a value is missing, as in q < 0.3', sign=sign))
        self.at += 1
        if value.kind == "word" and self.takes("%"):  # as people write it, with a space
            value = _Token("word", f"{value.text}%")
        return sign, value

    def _is_turned(self, second: _Token) -> bool:
        return second.kind == "word" and self.columns.find(second.text) is not None

    def turned(self, value: _Token, sign: str, column: _Token) -> Test:
        """A value before its column, as in 0.1 < q, and one more behind it, as in 0.1 < q < 0.3."""
        if sign not in _TURNED:
            raise ParameterError(say('before "{sign}" the name of a column must stand', sign=sign))
        first = self.comparison(column, _TURNED[sign], value)
        if self.next is None or self.next.kind != "sign":
            return first
        second = self.comparison(column, *self.sign_and_value())
        return lambda row: first(row) and second(row)

    def comparison(self, name: _Token, sign: str, value: _Token) -> Test:
        column = self.columns.find(name.text)
        if column is None:
            raise self.columns.unknown(name.text)
        if column in self.columns.lists and sign in ("=", "!="):
            return _among(column, value.text.casefold(), sign == "=")
        if column not in self.columns.numbers:
            return _compared(column, sign, value.text.casefold(), lambda found: str(found).casefold())
        if sign == "~":
            raise ParameterError(say('{column} is a number; "~" goes with texts, such as name ~ quick', column=column))
        return _compared(column, sign, self._number(column, value.text), float)

    def _number(self, column: str, text: str) -> float:
        percent = text.endswith("%")
        try:
            number = float(text.removesuffix("%").replace(",", "."))
        except ValueError:
            raise ParameterError(say('{column} is a number, "{text}" is none', column=column, text=text[:30])) from None
        return number / 100 if percent and column in self.columns.shares else number


def _has(word: str) -> Test:
    folded = word.casefold()
    return lambda row: any(folded in value.casefold() for value in row.values() if isinstance(value, str))


def _among(column: str, word: str, wanted: bool) -> Test:
    """Whether a word is one of those in a text, or is none of them."""

    def test(row: Row) -> bool:
        found = row.get(column)
        words = [] if found is None else [one.strip() for one in str(found).casefold().split(",")]
        return bool(words) and (word in words) == wanted

    return test


_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "~": lambda one, other: other in one,
}


def _compared(column: str, sign: str, value: Any, plain: Callable[[Any], Any]) -> Test:
    compare = _SIGNS[sign]

    def test(row: Row) -> bool:
        found = row.get(column)
        return found is not None and bool(compare(plain(found), value))

    return test
