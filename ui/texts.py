"""Formats texts for people: numbers in one format, names without any markup."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from dasksvd import rankings
from dasksvd.common.language import ENGLISH, current, phrase, say
from dasksvd.common.registry import Registry

#: What Markdown, formulas and Streamlit's own marks are made of; and what links and pictures cannot do without.
_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$&^])")
_LINKS = re.compile(r"([\[\]<$])")
#: Where Markdown makes a link of its own, whether it is escaped or not: www.…, http://…, name@…
_ADDRESSES = re.compile(r"(?i)www(?=\.)|https?:(?=//)|@")
#: Joins words without being seen; an address with it is none.
_JOINER = "\u2060"
#: The folders of an absolute path; they are nobody's business but the server's.
_FOLDERS = re.compile(r"""(?:(?<=[\s'"(])|^)(?:[A-Za-z]:)?[\\/](?=[\w.~])(?:[^\\/:*?"'<>|\n]+[\\/])*""")
_NUMBERS = re.compile(r"\d+")
#: What processes say they do.
STAGES = (
    phrase("Fine-tuning the atoms: epoch {} of {}"),
    phrase("Fine-tuning the atoms"),
    phrase("Coding all signals for the classifier"),
    phrase("Training the classifier: epoch {}"),
)
ABOUT = Path(__file__).parent / "about"
#: Letters of a class's name in figures.
LONGEST = 11
#: A reason is a sentence, not a report.
MAX_REASON = 300


def percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1 as "96.1 %"."""
    return f"{100 * share:.{digits}f} %"


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign, "+0.25"; what rounds to zero has none.

    Examples
    --------
    >>> signed(0.254), signed(-0.254), signed(-0.001)
    ('+0.25', '-0.25', '0.00')
    """
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def ranked_by(ranking: str, alpha: float, beta: float) -> str:
    """What atoms are ranked by: the weights if they matter, and the ranking unless it is the paper's."""
    title = [] if ranking == rankings.DEFAULT else [say(rankings.RANKINGS[ranking].title)]
    weights = [f"α = {alpha:.2f}", f"β = {beta:.2f}"] if rankings.uses_weights(ranking) else []
    return ", ".join(title + weights)


def titles(registry: Registry) -> dict[str, str]:
    """What people read for the entries of a registry, by their names."""
    return {entry.name: say(entry.title) for entry in registry.entries()}


def stage(text: str) -> str:
    """What a process is doing; it tells it in English, with numbers in it."""
    return say(_NUMBERS.sub("{}", text)).format(*_NUMBERS.findall(text))


def whole(name: str) -> str:
    """A long text with a file of its own, ``ui/about/LANGUAGE/NAME.md``."""
    return _read(current(), name) or _read(ENGLISH, name)


@cache
def _read(language: str, name: str) -> str:
    file = ABOUT / language / f"{name}.md"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def shortened(text: str, most: int) -> str:
    """The beginning of a text that is too long for its place.

    Examples
    --------
    >>> shortened("sneaker", 8), shortened("ankle boot", 8)
    ('sneaker', 'ankle b…')
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def class_labels(names: Iterable[object], most: int = LONGEST) -> list[str]:
    """Names of classes that fit below a chart, no two alike: where they would be, their numbers come first.

    Examples
    --------
    >>> class_labels(["coat", "a very long name"]), class_labels(["long word one", "long word two"])
    (['coat', 'a very lon…'], ['0 long wor…', '1 long wor…'])
    """
    names = [str(name) for name in names]
    labels = [shortened(name, most) for name in names]
    if len({*labels}) == len(names):
        return labels
    return [shortened(f"{number} {name}", most) for number, name in enumerate(names)]


def plain(text: object) -> str:
    """Escape a text for Markdown, so that it cannot make a link, a picture or a formula."""
    return _MARKS.sub(r"\\\1", _without_addresses(str(text)))


def reason(error: object) -> str:
    """An error's message for use in a sentence: one line, without the server's paths and without markup."""
    return _LINKS.sub(r"\\\1", _without_addresses(_line(error)))


def sentence(error: object) -> str:
    """An error's message as a sentence."""
    return _as_sentence(reason(error))


def plain_sentence(error: object) -> str:
    """The same without any markup, for messages that name what is in a stranger's file."""
    return plain(_as_sentence(_line(error)))


def _without_addresses(text: str) -> str:
    return _ADDRESSES.sub(rf"\g<0>{_JOINER}", text)


def _line(error: object) -> str:
    line = next(iter(str(error).strip().splitlines()), "")
    return _FOLDERS.sub("", line)[:MAX_REASON].rstrip(".")


def _as_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
