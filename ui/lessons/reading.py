"""Lessons as their files have them.

A file begins with lines ``name: value`` about the lesson. Each step is a heading ``# Title``, lines of its own, an
empty line, what the learner should do, and after ``---`` what is true then. A question has a list of answers,
``- [x]`` before the right one; behind ``|`` stands why an answer is right or wrong.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from ui import navigation
from ui.lessons import checks

FOLDER = Path(__file__).parent / "texts"
#: Words that a step may say, before and after it is done together.
MOST_WORDS = 60
ABOUT = ("title", "teaches", "minutes", "formula")
KNOWN = ("page", "set", "keep", "point", "hide", "done", "hint")
_KEY = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Answer:
    """An answer to a question, whether it is right, and why."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes
    ----------
    title, page : str
    text, after : str
        What to do, and what is true when it is done. The only markup is ``**bold**``.
    values : dict
        Controls by name, with the texts that a link would give them.
    keep : tuple of str
        Controls that stay as the learner has left them; all others get their defaults.
    point : tuple of str
        Keys of what is framed.
    hide : tuple of str
        Keys of what is not shown yet.
    done : tuple of callable
        What must hold; see :mod:`ui.lessons.checks`.
    answers : tuple of Answer
        Those of a question, empty otherwise.
    hint : str
    """

    title: str
    page: str
    text: str
    after: str = ""
    values: dict[str, str] | None = None
    keep: tuple[str, ...] = ()
    point: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    done: tuple[checks.Test, ...] = ()
    answers: tuple[Answer, ...] = ()
    hint: str = ""

    @property
    def words(self) -> int:
        """How many words it says."""
        return len(f"{self.text} {self.after}".split())


@dataclass(frozen=True)
class Lesson:
    """A lesson; its name stands in links."""

    name: str
    title: str
    teaches: str
    minutes: int
    formula: str
    steps: tuple[Step, ...]

    @property
    def questions(self) -> list[Step]:
        """The steps that ask."""
        return [step for step in self.steps if step.answers]


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons by name, in the order of their files."""
    files = {name_of(path): path for path in sorted(FOLDER.glob("*.md"))}
    return {name: read(name, path.read_text(encoding="utf-8")) for name, path in files.items()}


def name_of(path: Path) -> str:
    """A lesson's name: its file is called by its place in the list, ``-`` and the name."""
    return path.stem.partition("-")[2]


def read(name: str, text: str) -> Lesson:
    """A lesson from the text of its file; ValueError says where it is wrong."""
    head, *parts = re.split(r"^# ", text, flags=re.MULTILINE)
    about = dict(_lines(head, ABOUT, name))
    if not _KEY.fullmatch(name) or not parts or set(about) != set(ABOUT):
        raise ValueError(f"lesson {name!r} needs {', '.join(ABOUT)} and a step")
    steps = tuple(_step(part, f"{name}, step {number}") for number, part in enumerate(parts, 1))
    return Lesson(name, about["title"], about["teaches"], int(about["minutes"]), about["formula"], steps)


def _step(part: str, where: str) -> Step:
    title, _, rest = part.partition("\n")
    head, _, body = rest.strip("\n").partition("\n\n")
    facts = _lines(head, KNOWN, where)
    said = dict(facts)
    answers = tuple(_answer(line) for line in body.splitlines() if line.startswith("- ["))
    text, _, after = "\n".join(line for line in body.splitlines() if not line.startswith("- [")).partition("\n---\n")
    try:
        return Step(
            title.strip(),
            navigation.PAGES.check(said.get("page", "")),
            _one_line(text),
            _one_line(after),
            dict(parse_qsl(said.get("set", ""), keep_blank_values=True)),
            _keys(said.get("keep", "")),
            _keys(said.get("point", "")),
            _keys(said.get("hide", "")),
            tuple(checks.parse(line) for name, line in facts if name == "done"),
            answers,
            said.get("hint", ""),
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _lines(head: str, known: tuple[str, ...], where: str) -> list[tuple[str, str]]:
    """Lines ``name: value``; only known names."""
    found = []
    for line in filter(None, map(str.strip, head.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or name not in known:
            raise ValueError(f"{where}: {line!r} is no line of {', '.join(known)}")
        found.append((name, value.strip()))
    return found


def _answer(line: str) -> Answer:
    text, _, why = line[5:].partition("|")
    return Answer(text.strip(), line.startswith("- [x]"), why.strip())


def _keys(text: str) -> tuple[str, ...]:
    found = tuple(text.split())
    if not all(map(_KEY.fullmatch, found)):
        raise ValueError(f"{text!r} has something that is no key")
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())
