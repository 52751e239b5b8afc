"""Lessons as their files have them.

A file begins with lines ``name: value`` about the lesson. Each step is a heading ``# Title``, lines of its own, an
empty line, what the learner should do, and after ``---`` what is true then. A question has a list of answers,
``- [x]`` before the right one; behind ``|`` stands why an answer is right or wrong.

``texts`` has a folder for each language. The English files have everything; a file of the same name in another
language has the same steps with their words only, and ``{Run}`` where it says what the page calls its button Run.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from dasksvd.common.language import ENGLISH, current, say, speaking
from ui import navigation
from ui.lessons import checks

FOLDER = Path(__file__).parent / "texts"
#: Words that a step may say, before and after it is done together.
MOST_WORDS = 60
ABOUT = ("title", "teaches", "minutes", "formula")
KNOWN = ("page", "set", "keep", "point", "then", "hide", "done", "hint")
#: Of these, what each language says for itself.
SPOKEN_ABOUT, SPOKEN = ("title", "teaches", "formula"), ("hint",)
_CALLED = re.compile(r"\{([^{}]+)\}")
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
    then : tuple of str
        Keys of what is framed, too, when the step is done: what it has made to be seen elsewhere on the page.
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
    then: tuple[str, ...] = ()
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


def lessons(language: str = "") -> dict[str, Lesson]:
    """All lessons by name, in the order of their files, in the visitor's language or another one."""
    return _lessons(language or current())


@cache
def _lessons(language: str) -> dict[str, Lesson]:
    found = {}
    for path in sorted((FOLDER / ENGLISH).glob("*.md")):
        lesson = read(name_of(path), path.read_text(encoding="utf-8"))
        other = FOLDER / language / path.name
        if language != ENGLISH and other.exists():
            lesson = translate(lesson, other.read_text(encoding="utf-8"), language)
        found[lesson.name] = lesson
    return found


def name_of(path: Path) -> str:
    """A lesson's name: its file is called by its place in the list, ``-`` and the name."""
    return path.stem.partition("-")[2]


def read(name: str, text: str) -> Lesson:
    """A lesson from the text of its file; ValueError says where it is wrong."""
    about, parts = _about_and_steps(name, text, ABOUT)
    if not _KEY.fullmatch(name):
        raise ValueError(f"lesson {name!r} has no name that can stand in a link")
    steps = tuple(_step(part, f"{name}, step {number}") for number, part in enumerate(parts, 1))
    return Lesson(name, about["title"], about["teaches"], int(about["minutes"]), about["formula"], steps)


def translate(lesson: Lesson, text: str, language: str) -> Lesson:
    """A lesson with the words of its file in another language; ValueError says where that is not the same lesson."""
    with speaking(language):
        text = _CALLED.sub(lambda called: say(called[1]), text)
    about, parts = _about_and_steps(f"{language}/{lesson.name}", text, SPOKEN_ABOUT)
    if len(parts) != len(lesson.steps):
        raise ValueError(f"{language}/{lesson.name} has {len(parts)} steps, the English lesson {len(lesson.steps)}")
    pairs = enumerate(zip(lesson.steps, parts, strict=True), 1)
    steps = tuple(_translated(step, part, f"{language}/{lesson.name}, step {number}") for number, (step, part) in pairs)
    return replace(lesson, **about, steps=steps)


def _about_and_steps(name: str, text: str, known: tuple[str, ...]) -> tuple[dict[str, str], list[str]]:
    head, *parts = re.split(r"^# ", text, flags=re.MULTILINE)
    about = dict(_lines(head, known, name))
    if not parts or set(about) != set(known):
        raise ValueError(f"lesson {name!r} needs {', '.join(known)} and a step")
    return about, parts


def _step(part: str, where: str) -> Step:
    facts, words = _facts_and_words(part, KNOWN, where)
    said = dict(facts)
    try:
        return Step(
            page=navigation.PAGES.check(said.get("page", "")),
            values=dict(parse_qsl(said.get("set", ""), keep_blank_values=True)),
            keep=_keys(said.get("keep", "")),
            point=_keys(said.get("point", "")),
            then=_keys(said.get("then", "")),
            hide=_keys(said.get("hide", "")),
            done=tuple(checks.parse(line) for name, line in facts if name == "done"),
            hint=said.get("hint", ""),
            **words,
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _translated(step: Step, part: str, where: str) -> Step:
    facts, words = _facts_and_words(part, SPOKEN, where)
    found = replace(step, hint=dict(facts).get("hint", ""), **words)
    if [answer.right for answer in found.answers] != [answer.right for answer in step.answers]:
        raise ValueError(f"{where}: its answers are not those of the English step")
    if bool(found.after) != bool(step.after) or bool(found.hint) != bool(step.hint):
        raise ValueError(f"{where}: it has more or less to say than the English step")
    return found


def _facts_and_words(part: str, known: tuple[str, ...], where: str) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    """The lines of a step, and its title, texts and answers."""
    title, _, rest = part.partition("\n")
    head, _, body = rest.partition("\n\n") if rest.strip("\n") and not rest.startswith("\n") else ("", "", rest)
    lines = body.splitlines()
    text, _, after = "\n".join(line for line in lines if not line.startswith("- [")).partition("\n---\n")
    answers = tuple(_answer(line) for line in lines if line.startswith("- ["))
    words = {"title": title.strip(), "text": _one_line(text), "after": _one_line(after), "answers": answers}
    return _lines(head, known, where), words


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
