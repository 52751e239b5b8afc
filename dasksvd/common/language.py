"""Texts for visitors in their language.

The English texts stand in the code and are the keys of the other languages' catalogues, one file for each in
``dasksvd/data/languages``, which people and the usual tools for translations (gettext's ``.po``) can edit. Logs, the
command line and whatever is written to files stay English: no language is chosen there.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

ENGLISH = "en"
FOLDER = Path(__file__).parents[1] / "data" / "languages"
#: The line of a catalogue's header with what its language calls itself.
_NAME = "X-Language-Name: "

#: Behind it stands which of two meanings a text has.
MEANT = "||"

_chosen: ContextVar[str | None] = ContextVar("language", default=None)
_known_by: list[Callable[[], str | None]] = []


def say(text: str, /, **values: object) -> str:
    """A text in the visitor's language, or as it is where nobody has translated it.

    Parameters
    ----------
    text : str
        English, as in the code; with ``values`` a template for ``str.format``. What stands behind ``||`` is not
        said: it tells two meanings of a text apart.
    values
        What its placeholders stand for.

    Examples
    --------
    >>> say("{count} points", count=3)
    '3 points'
    >>> with speaking("es"):
    ...     say("{count} points", count=3)
    '3 puntos'
    >>> say("Run||verb")
    'Run'
    """
    said = catalogue(current()).get(text) or text.partition(MEANT)[0]
    return said.format(**values) if values else said


def say_count(count: int, one: str, many: str, /, **values: object) -> str:
    """The text for one thing or the one for another number of them; both may have ``{count}``.

    Examples
    --------
    >>> say_count(1, "{count} atom", "{count} atoms"), say_count(0, "{count} atom", "{count} atoms")
    ('1 atom', '0 atoms')
    """
    return say(one if count == 1 else many, count=count, **values)


def phrase(text: str) -> str:
    """Mark a text that is a constant, to be said later: the text as it is."""
    return text


def current() -> str:
    """The code of the language that is spoken here."""
    found = _chosen.get()
    if found is None:
        found = next((code for whom in _known_by if (code := whom())), None)
        if found is None:
            return ENGLISH
        _chosen.set(found)
    return found


def choose(language: str) -> None:
    """Speak a language from now on, in this thread."""
    _chosen.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language inside a ``with`` block."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def ask(whom: Callable[[], str | None]) -> None:
    """Name who knows the language of a thread that has chosen none, such as a new one of the same visitor."""
    _known_by[:] = [whom]


@cache
def languages() -> dict[str, str]:
    """The languages with what they call themselves, by their codes: English, then one for each catalogue."""
    others = {path.stem: _own_name(catalogue(path.stem).get("", "")) for path in sorted(FOLDER.glob("*.po"))}
    return {ENGLISH: "English"} | others


def _own_name(header: str) -> str:
    return next(line.removeprefix(_NAME) for line in header.splitlines() if line.startswith(_NAME))


@cache
def catalogue(language: str) -> dict[str, str]:
    """The translations of a language by their English texts; an empty one is still to be made."""
    return {} if language == ENGLISH else read((FOLDER / f"{language}.po").read_text(encoding="utf-8"))


def read(text: str) -> dict[str, str]:
    r"""The entries of a catalogue: ``msgid`` and ``msgstr`` with their quoted texts, and lines of comments.

    Examples
    --------
    >>> read('# a comment\nmsgid "Atoms"\nmsgstr "Áto"\n"mos"')
    {'Atoms': 'Átomos'}
    """
    entries: list[tuple[str, str]] = []
    for line in text.splitlines():
        kind, _, quoted = line.partition('"')
        if kind.startswith("#") or not quoted:
            continue
        part = json.loads(f'"{quoted}')
        key, value = entries[-1] if entries else ("", "")
        match kind.strip():
            case "msgid":
                entries.append((part, ""))
                is_key = True
            case "msgstr":
                entries[-1] = (key, part)
                is_key = False
            case "":
                entries[-1] = (key + part, value) if is_key else (key, value + part)
            case _:
                raise ValueError(f"{line!r} is no line of a catalogue")
    return dict(entries)
