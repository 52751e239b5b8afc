"""What a data set of one's own may be called, and how it is told from the sum of its content."""

import re

from dasksvd.common.language import say
from dasksvd.datasets.description import SUM
from dasksvd.datasets.registry import DATASETS, OWN
from dasksvd.errors import ParameterError

MAX_NAME = 40
#: Words of letters and digits joined by one sign.
_NAME = re.compile(r"[^\W_]+([ _-][^\W_]+)*")


def is_key(text: object) -> bool:
    """Whether a text can be the sum of a data set."""
    return isinstance(text, str) and SUM.fullmatch(text) is not None


def is_name(text: object) -> bool:
    """Whether a data set can be called so: no path, no HTML and no Markdown."""
    return isinstance(text, str) and len(text) <= MAX_NAME and _NAME.fullmatch(text) is not None


def means_something_else(name: str) -> bool:
    """Whether a name is that of a registered data set, of all own pictures, or a sum."""
    return name.casefold() in {OWN, *map(str.casefold, DATASETS)} or is_key(name)


def checked_name(name: str) -> str:
    """A name for a new data set, without spaces around it; ParameterError if it cannot be one."""
    name = str(name).strip()
    if not is_name(name):
        raise ParameterError(
            say(
                "a data set's name may have at most {most} letters and digits, in words joined by a space, - or _; "
                "got {name!r}",
                most=MAX_NAME,
                name=name[:60],
            )
        )
    if means_something_else(name):
        raise ParameterError(say("{name!r} means something else already; choose another name", name=name))
    return name
