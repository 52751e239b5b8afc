"""The page's address (URL): the one place that reads and writes it.

A control that belongs into links is drawn by :func:`draw`, which gives it its value and remembers
what it shows. Values are kept here while their page is not shown. The address is read when somebody
came by it: at the start of a visit, and when Back or Forward was pressed. Otherwise it is only
written, after the script: a message of the browser may still carry an older one.

Streamlit's own binding of a control to the address names things by their labels, loses a default that
depends on the run, and leaves an older value behind quick key presses.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dasksvd.common import language
from ui import unheard
from ui.components.address import show as show_address
from ui.kinds import NUMBER, SWITCH, WHOLE, WORD, Kind, many, named, number, one_of, short, switch, whole  # noqa: F401

#: Values of an address that are looked at, letters of a name, and letters of all of them together.
MAX_FIELDS, MAX_NAME, MAX_LETTERS = 100, 40, 4000
#: The page of values that belong to every page.
EVERYWHERE = ""
_STATE, _LEFT = "address", "left_page"
#: What a lecturer can wish of the pages by the address, beside the values of controls.
WISHES = ("hide", "fix", "present")
#: Asked at the end of every run and of every piece of one for what the browser should learn with the address.
TELLERS: list[Callable[[], dict[str, Any] | None]] = []
#: Called whenever a value is shown: most of its page may still have to be drawn.
WATCHERS: list[Callable[[], None]] = []


@dataclass
class _Address:
    """What is known of a visit's address: the texts in it, by the names of their controls."""

    kept: dict[str, str] = field(default_factory=dict)
    incoming: dict[str, str] = field(default_factory=dict)
    due: set[str] = field(default_factory=set)
    pages: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    page: str = EVERYWHERE
    stamp: int = 0
    search: str = ""
    entered: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    was_read: bool = False
    complete: bool = False


def draw(
    control: Callable | None,
    label: str,
    *args: Any,
    key: str,
    kind: Kind,
    default: Any,
    check: Callable[[Any], bool] = lambda value: True,
    everywhere: bool = False,
    **options: Any,
) -> Any:
    """Draw a control that links carry, and return its value.

    Parameters
    ----------
    control : callable or None
        Such as ``st.slider``, or a container's. None draws nothing and keeps what was chosen on other pages.
    key : str
        The control's name, in the address too.
    kind : Kind
    default : object
        What it shows if nobody said anything else; then it does not stand in the address.
    check : callable
        Whether it can show a value.
    everywhere : bool
        Whether it stands on every page.
    """
    if control is None:
        value = look_up(key, kind, default, check)
        note(key, kind, value, default, everywhere)
        return value
    address = _address()
    address.labels[key] = label
    if key in address.fixed:
        address.due.add(key)
        options["disabled"] = True
    ends = [value for value in args if isinstance(value, int | float)]
    prepare(key, kind, default, check, shape=(ends, options.get("step"), options.get("max_selections")))
    value = control(label, *args, key=key, **options)
    if value is None:  # no choice at all, as a forged message can say
        value = default
    note(key, kind, value, default, everywhere)
    return value


def choose(
    control: Callable | None, label: str, names: Mapping[Any, str], *, key: str, default: Any = None, **options: Any
) -> Any:
    """Draw a control for one of some named values, as :func:`draw` does; the first one is the default."""
    names = dict(names)
    return draw(
        control,
        label,
        list(names),
        key=key,
        kind=one_of(list(names), names),
        default=next(iter(names)) if default is None else default,
        check=names.__contains__,
        format_func=lambda value: language.say(names.get(value, value)),
        **options,
    )


def prepare(key: str, kind: Kind, default: Any, check: Callable[[Any], bool], shape: Any = None) -> None:
    """Give a control its value before it is drawn, unless it has one that it can show.

    A control whose shape changes, such as a slider with another end, is a new one to Streamlit and
    would begin at its left end; so is a control that stands on another page.
    """
    address = _address()
    shape = (address.page, shape)
    remade = address.shapes.get(key, shape) != shape
    address.shapes[key] = shape
    told = key in address.due or key in address.incoming
    current = st.session_state.get(key)
    if key in st.session_state and not told and _fits(current, check):
        if not remade:
            unheard.say_again(key)
            return
        if current != address.shown.get(key):  # moved in the same moment
            unheard.say(key, current, remade)
            return
    wanted = look_up(key, kind, default, check)
    address.due.discard(key)
    unheard.say(key, wanted, remade)


def look_up(key: str, kind: Kind, default: Any, check: Callable[[Any], bool] = lambda value: True) -> Any:
    """The value from the link or an earlier choice, or the default if that is not valid."""
    address = _address()
    if key in address.incoming:
        address.kept[key] = address.incoming.pop(key)
    try:
        value = kind.parse(address.kept[key])
    except (KeyError, ValueError, OverflowError):
        return default
    return value if _fits(value, check) else default


def take(key: str, kind: Kind, default: Any) -> Any:
    """The value of something that has no control; whoever asks shows it from now on."""
    _address().due.discard(key)
    return look_up(key, kind, default)


def note(key: str, kind: Kind, value: Any, default: Any, everywhere: bool = False) -> None:
    """Remember what is shown, so that the address contains it after the script."""
    address = _address()
    address.pages[key] = EVERYWHERE if everywhere else address.page
    if value == default:
        address.kept.pop(key, None)
    else:
        address.kept[key] = kind.format(value)
    tell(key, value)


def put(key: str, text: str) -> None:
    """Set a control's value for the next time that it is drawn, unless a lecturer has fixed it."""
    address = _address()
    if key in address.fixed:
        return
    address.kept[key] = text
    address.incoming.pop(key, None)
    address.due.add(key)


def tell(key: str, value: Any) -> None:
    """Say what a page shows that no link carries, such as what was read; lessons look at it."""
    address = _address()
    address.shown[key] = value
    address.fresh.add(key)
    if not address.complete:
        for watcher in WATCHERS:
            watcher()


def forget_all_but(keys: Sequence[str], page: str) -> None:
    """Give a page's values, and those of every page, their defaults when they are drawn next."""
    address = _address()
    of_page = {key for key, its in address.pages.items() if its in (EVERYWHERE, page)}
    unknown = (address.kept.keys() | address.incoming.keys()) - address.pages.keys()
    for key in (of_page | unknown) - set(keys):
        address.kept.pop(key, None)
        address.incoming.pop(key, None)
        address.due.add(key)


def says_nothing_but(keys: Sequence[str]) -> bool:
    """Whether the address has just been read and names no control but these."""
    return not _address().incoming.keys() - set(keys)


def fix(keys: Sequence[str]) -> None:
    """Make controls keep the values that they have."""
    _address().fixed = frozenset(keys)


def drawn() -> dict[str, str]:
    """The controls of the page that is shown, and of every page, with their labels."""
    address = _address()
    here = (EVERYWHERE, address.page)
    return {key: label for key, label in address.labels.items() if address.pages.get(key) in here}


def search() -> dict[str, str]:
    """What the address says."""
    return dict(parse_qsl(_address().search, keep_blank_values=True))


def page() -> str:
    """The page that is shown."""
    return _address().page


def shown() -> Mapping[str, Any]:
    """The values of controls, and what panels have told."""
    return _address().shown


def fresh() -> frozenset[str]:
    """The names of what this run of the whole script has shown so far."""
    return frozenset(_address().fresh)


def texts() -> Mapping[str, str]:
    """The values that are not as usual, as links write them."""
    return _address().kept


def leave() -> dict[str, str]:
    """What the address says, to be said until another page is shown: emptied, it would be one more step for Back."""
    st.session_state[_LEFT] = True
    return search()


def mark_due(key: str) -> None:
    """Make a control use its stored value when it is drawn next."""
    _address().due.add(key)


def is_due(key: str) -> bool:
    """Whether a value was chosen that its control does not show yet."""
    return key in _address().due


def text(key: str) -> str:
    """What a link or an earlier choice says of a control; empty if that is its default."""
    return _address().incoming.get(key) or _address().kept.get(key, "")


def coming(key: str) -> str:
    """What will be said of a control once the address is read, which needs the page."""
    back = getattr(get_script_run_ctx(), "is_history_navigation", False)
    return _found().get(key, "") if _STATE not in st.session_state or back else text(key)


def is_new(key: str) -> bool:
    """Whether the address has just brought a value that no control has used yet."""
    return key in _address().incoming


def knows(key: str) -> bool:
    """Whether a link or a visitor has said anything about a control."""
    return key in _address().kept or key in _address().incoming


def read(page: str) -> None:
    """Begin a run of the whole script: use the values in the address if the visitor came by a link."""
    first = _STATE not in st.session_state
    address = _address()
    context = get_script_run_ctx()
    back = not first and getattr(context, "is_history_navigation", False)
    left = st.session_state.pop(_LEFT, False)
    linked = not first and page != address.page and len(st.query_params) > 0 and not left
    if back or page != address.page:
        address.entered = None  # what the page shows first is told at the end of this run
    address.page, address.complete = page, False
    address.fresh.clear()
    address.was_read = address.was_read or first or back
    if not (first or back or linked):
        return
    if back:  # what the address does not name has its default again
        for key in (key for key, its in address.pages.items() if its in (EVERYWHERE, page)):
            address.kept.pop(key, None)
            address.due.add(key)
        address.incoming.clear()
    address.incoming |= _found()


def _found() -> dict[str, str]:
    """The values in the address, without those that are too long."""
    given = [(name, st.query_params[name]) for name in st.query_params if len(name) <= MAX_NAME]
    if sum(len(text) for _, text in given) > MAX_LETTERS:
        return {}
    return dict(given[:MAX_FIELDS])


def write(place: str = "page") -> None:
    """End a run: the address shows what the page shows.

    Parameters
    ----------
    place : str
        A name for each piece of a page that runs by itself. While the whole script runs, only its
        end knows everything.
    """
    address = _address()
    if place == "page":
        address.complete = True
    if address.complete:
        names = [key for key, page in address.pages.items() if page in (EVERYWHERE, address.page)]
        address.search = urlencode({key: address.kept[key] for key in names if key in address.kept})
        address.entered = address.search if address.entered is None else address.entered
        address.stamp += 1
    told = [told for teller in TELLERS if (told := teller()) is not None]
    said = {"search": address.search, "entered": address.entered or "", "mended": address.was_read}
    show_address(place, told, page=address.page, stamp=address.stamp, **said)
    address.was_read &= not address.complete


def _address() -> _Address:
    return st.session_state.setdefault(_STATE, _Address())


def _fits(value: Any, check: Callable[[Any], bool]) -> bool:
    try:
        return bool(check(value))
    except (TypeError, ValueError, OverflowError):
        return False
