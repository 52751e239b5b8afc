"""A registry: what there is of one kind, each registered once under its name.

Whoever lists the entries (a command, a control, a test) goes over the registry, so that a new
entry appears there by itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

from dasksvd.errors import ParameterError

T = TypeVar("T")


@dataclass(frozen=True)
class Entry(Generic[T]):
    """Something registered.

    Attributes
    ----------
    name : str
        What it is called on the command line, in files and in links.
    title : str
        What people read.
    load : callable() -> object
        Gives what was registered: a function or a class.
    facts : dict
        What else was said of it.
    """

    name: str
    title: str
    load: Callable[[], T]
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> T:
        """What was registered."""
        return self.load()


class Registry(Generic[T]):
    """All entries of one kind, in the order in which they were registered.

    Parameters
    ----------
    kind : str
        What an entry is called in messages, such as ``"data set"``.

    Examples
    --------
    >>> colours = Registry("colour")
    >>> @colours.register("red", title="Red", hue=0)
    ... def red():
    ...     return "#f00"
    >>> list(colours), colours["red"].title, colours["red"].value(), colours["red"].facts["hue"]
    (['red'], 'Red', '#f00', 0)
    """

    def __init__(self, kind: str):
        self.kind = kind
        self._entries: dict[str, Entry[T]] = {}

    def register(self, name: str, *, title: str, **facts: Any) -> Callable[[T], T]:
        """A decorator that registers what it decorates; the same name again replaces the entry."""

        def add(value: T) -> T:
            self.add(Entry(name, title, lambda: value, facts))
            return value

        return add

    def declare(self, name: str, home: str, *, title: str, **facts: Any) -> None:
        """Register something by its place, ``"module:attribute"``, which is loaded when it is first asked for."""
        module, _, attribute = home.partition(":")
        self.add(Entry(name, title, lambda: getattr(import_module(module), attribute), facts))

    def add(self, entry: Entry[T]) -> None:
        """Register an entry as it is."""
        if not entry.name.isidentifier():
            raise ParameterError(f"the name of a {self.kind} must be letters, digits and _, got {entry.name!r}")
        self._entries[entry.name] = entry

    def unregister(self, name: str) -> None:
        """Forget an entry."""
        del self._entries[self[name].name]

    def __getitem__(self, name: str) -> Entry[T]:
        """The entry of a name; an unknown name is a ParameterError that lists the known ones."""
        if not isinstance(name, str) or name not in self._entries:
            raise ParameterError(f"unknown {self.kind} {name!r}; known are {', '.join(self._entries)}")
        return self._entries[name]

    def check(self, name: Any) -> str:
        """The name if there is an entry of it; an unknown name is a ParameterError."""
        return self[name].name

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def entries(self) -> list[Entry[T]]:
        """All entries."""
        return list(self._entries.values())
