"""A visitor's way through a lesson: which step, whether it is done, and what comes next.

The step stands in the address; it is the only thing that is asked for the place. What is done is kept for the visit,
and by the browser for the next one.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from ui import components, frame, kinds, links, speech
from ui.components import address, lesson_card
from ui.lessons import checks
from ui.lessons.reading import Lesson, Step, lessons

#: The step's name in links, and the page that lists the lessons.
KEY, LIST = "lesson", "lessons"
#: What a step leaves as it is: whatever is the visitor's own taste, or the lecturer's wish.
UNTOUCHED = (KEY, "look", speech.KEY, *links.WISHES)
_STATE = "course"
#: What the card's buttons do to the number of the step.
MOVES = {"next": 1, "back": -1, "here": 0}


class Place(NamedTuple):
    """A step, from 1, of a lesson."""

    lesson: str
    number: int

    @property
    def of(self) -> Lesson:
        """The lesson."""
        return lessons()[self.lesson]

    @property
    def step(self) -> Step:
        """The step."""
        return self.of.steps[self.number - 1]


def _parsed(text: str) -> Place:
    name, _, number = text.partition(".")
    place = Place(name, kinds.whole(number))
    if name not in lessons() or not 1 <= place.number <= len(place.of.steps):
        raise ValueError(text)
    return place


PLACE = kinds.Kind(_parsed, lambda place: f"{place.lesson}.{place.number}")


@dataclass
class _Course:
    """What is known of a visitor: where, what is done, the farthest step of each lesson."""

    place: Place | None = None
    is_sent: bool = False
    finished: str = ""
    before: dict[str, Any] | None = None
    done: set[Place] = field(default_factory=set)
    reached: dict[str, int] = field(default_factory=dict)
    has_heard: bool = False
    room: Any = None


def begin(page: str) -> None:
    """Begin a run of the whole script: find the step, open its page, and show its card."""
    course = _course()
    course.room = None
    if course.finished:
        name, course.finished = course.finished, ""
        frame.go(LIST, {"handout": name})
    place = links.take(KEY, PLACE, None)
    is_new, course.place = place != course.place, place
    links.note(KEY, PLACE, place, None, everywhere=True)
    if place is None:
        return
    course.reached[place.lesson] = max(place.number, course.reached.get(place.lesson, 0))
    if is_new:
        course.before = None
        if course.is_sent or links.says_nothing_but(UNTOUCHED):
            course.is_sent = False
            _set_up(place.step, page)
    course.room = st.container(key="lesson_news")
    _show(course, place, page)


def _set_up(step: Step, page: str) -> None:
    """Give the controls of a step its values, and open its page."""
    links.forget_all_but((*UNTOUCHED, *step.keep), step.page)
    for name, text in (step.values or {}).items():
        links.put(name, text)
    if step.page != page:
        frame.go(step.page)


def _show(course: _Course, place: Place, page: str) -> None:
    done = [Place(place.lesson, number) in course.done for number in range(1, len(place.of.steps) + 1)]
    lesson_card.show(place.of, place.number, done, page == place.step.page, _take)


def look() -> dict[str, Any] | None:
    """See what the learner has done, at the end of every run and of every piece of one; what the card is told."""
    course = _course()
    place, page, shown = course.place, links.page(), links.shown()
    if place is None:
        return None
    step = place.step
    if course.before is None and page == step.page:
        course.before = dict(shown)
    seen = checks.Seen(page, shown, course.before or {}, links.texts())
    if step.done and course.before is not None and checks.holds(step.done, seen):
        course.done.add(place)
    return {"place": PLACE.format(place), "done": place in course.done}


def look_early() -> None:
    """See it as soon as the page knows, and not only when all is drawn; then the browser learns it at once."""
    course = _course()
    place, room = course.place, course.room
    if place is None or room is None or course.before is None or place in course.done or not place.step.done:
        return
    # What this run has not shown yet is as it was before the learner did something.
    fresh, texts = links.fresh(), links.texts()
    shown = {name: value for name, value in links.shown().items() if name in fresh}
    said = {name: text for name, text in texts.items() if name in fresh}
    if checks.holds(place.step.done, checks.Seen(links.page(), shown, course.before, said)):
        course.done.add(place)
        with room:
            address.show("early", [{"place": PLACE.format(place), "done": True}], page=links.page())


def start(name: str, number: int = 1) -> None:
    """Go to a step of a lesson, from the next run of the script on."""
    course = _course()
    course.place, course.is_sent = None, True
    links.put(KEY, PLACE.format(Place(name, number)))


def start_afresh(name: str) -> None:
    """Go to a lesson's first step as if it had never been taken; the browser still remembers what was done."""
    course = _course()
    course.done = {place for place in course.done if place.lesson != name}
    course.reached.pop(name, None)
    start(name)


def leave() -> None:
    """End the lesson; the page stays as it is."""
    links.put(KEY, "")


def progress(lesson: Lesson) -> tuple[int, int]:
    """The farthest step that was reached, from 1, 0 if none was; and how many are done."""
    course = _course()
    return course.reached.get(lesson.name, 0), sum(place.lesson == lesson.name for place in course.done)


def known() -> dict[str, Any]:
    """What the browser should remember: the steps that are done, and whether it has told what it knows."""
    course = _course()
    return {"done": " ".join(sorted(map(PLACE.format, course.done))), "heard": course.has_heard}


def remember(text: str) -> None:
    """Take over the steps that the browser says were done in earlier visits; what is none is left out."""
    course = _course()
    course.has_heard = True
    for word in text.split():
        try:
            place = _parsed(word)
        except (ValueError, OverflowError):
            continue
        course.done.add(place)
        course.reached[place.lesson] = max(place.number, course.reached.get(place.lesson, 0))


def _take() -> None:
    """The card was used."""
    course, sent = _course(), components.sent_by(lesson_card.KEY, "used")
    place = course.place
    if place is None or not isinstance(sent, str):
        return
    read = sent == "next" and not (place.step.done or place.step.answers)
    if read or sent == "answered":
        course.done.add(place)
    if sent == "leave":
        leave()
    elif sent == "next" and place.number == len(place.of.steps):
        course.finished = place.lesson
        leave()
    elif sent in MOVES:
        start(place.lesson, max(1, place.number + MOVES[sent]))


def _course() -> _Course:
    return st.session_state.setdefault(_STATE, _Course())


links.TELLERS.append(look)
links.WATCHERS.append(look_early)
