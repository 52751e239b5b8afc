"""A visitor's way through a lesson, under Streamlit's own harness."""
# ruff: noqa: F811 (``home`` is a fixture that is imported)

import json
from contextlib import nullcontext

import pytest
from streamlit.testing.v1 import AppTest

from dasksvd.common.language import ENGLISH, languages
from tests.ui.harness import APP, address, button, home, open_page, shown_by  # noqa: F401
from tests.ui.test_language import english_in
from tests.ui.test_links import send
from ui.lessons import course
from ui.lessons.reading import lessons


def arrive(**said):
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, text in said.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception, at.exception
    return at


def use(at, what):
    """Press something on the card."""
    send(at, "lesson_card", event="events", json_trigger_value=json.dumps([{"event": "used", "value": what}]))
    assert not at.exception, at.exception


def told(at):
    """What the browser learned last about the step."""
    found = [json.loads(one.proto.json) for one in at.get("bidi_component") if "stamp" in one.proto.json]
    return max(found, key=lambda data: data["stamp"])["told"]


def test_a_link_to_a_step_opens_its_page_with_its_values(home):
    at = arrive(lesson="noisier.2")
    assert at.title[0].value == "Atoms that tell digits apart"
    assert at.slider(key="method_step").value == 1
    assert address(at) == {"lesson": "noisier.2", "method_step": "1"}
    card = shown_by(at, "lesson_card")
    assert (card["place"], card["number"], card["here"]) == ("noisier.2", 2, True)


def test_what_the_learner_does_is_noticed_in_the_same_run(home):
    at = arrive(lesson="noisier.2")
    assert told(at) == [{"place": "noisier.2", "done": False}]
    at.slider(key="method_step").set_value(19).run()
    assert told(at) == [{"place": "noisier.2", "done": False}]
    at.slider(key="method_step").set_value(20).run()
    assert told(at) == [{"place": "noisier.2", "done": True}]
    at.slider(key="method_step").set_value(3).run()
    assert told(at) == [{"place": "noisier.2", "done": True}]


def told_early(at):
    """What the browser learned while the page was still being drawn; the address stays as it is then."""
    found = [json.loads(one.proto.json) for one in at.get("bidi_component") if "stamp" in one.proto.json]
    return [one["told"] for one in found if one["stamp"] == 0]


def test_the_browser_learns_it_before_the_page_is_drawn(home):
    at = arrive(lesson="noisier.2")
    at.slider(key="method_step").set_value(19).run()
    assert told_early(at) == []
    at.slider(key="method_step").set_value(20).run()
    assert told_early(at) == [[{"place": "noisier.2", "done": True}]]
    at.slider(key="method_step").set_value(20).run()
    assert told_early(at) == []  # it knows


def test_what_a_page_has_not_shown_again_is_not_believed(monkeypatch):
    """Now q is 2, and what was read belongs to the q before."""
    found = course._Course(course.Place("sum", 7), before={}, room=nullcontext())
    shown, fresh, told = {"read": 5, "reader_q_100": 2}, {"reader_q_100"}, []
    monkeypatch.setattr(course, "_course", lambda: found)
    for name, value in {"fresh": fresh, "texts": {}, "shown": shown, "page": "draw"}.items():
        monkeypatch.setattr(course.links, name, lambda value=value: value)
    monkeypatch.setattr(course.address, "show", lambda *args, **options: told.append(args))
    course.look_early()
    assert (told, found.done) == ([], set())
    fresh.add("read")
    course.look_early()
    assert told == [("early", [{"place": "sum.7", "done": True}])]
    course.look_early()
    assert len(told) == 1


def test_what_is_no_digit_counts_when_the_pen_is_lifted(home):
    """A digit begins as a dash, and a dash under a moving pen is not yet the answer."""
    at = arrive(lesson="sum.8")
    dash = {"id": 1, "strokes": [[[90, 70], [130, 66]]], "photo": None, "brush": 20, "live": True}
    at.session_state["canvas"] = {"drawing": dash}
    at.run()
    assert told(at) == [{"place": "sum.8", "done": False}]
    at.session_state["canvas"] = {"drawing": dash | {"id": 2, "live": False}}
    at.run()
    assert told(at) == [{"place": "sum.8", "done": True}]


def test_the_next_step_begins_with_its_own_values_on_its_own_page(home):
    at = arrive(lesson="noisier.2", look="grey")
    at.slider(key="alpha").set_value(0.4).run()
    use(at, "next")
    assert at.title[0].value == "One atom per class and iteration"
    assert address(at) == {"lesson": "noisier.3", "look": "grey"}
    use(at, "back")
    assert address(at) == {"lesson": "noisier.2", "method_step": "1", "look": "grey"}


def test_a_link_with_values_is_believed(home):
    at = arrive(lesson="noisier.2", method_step="7")
    assert at.slider(key="method_step").value == 7
    assert address(at) == {"lesson": "noisier.2", "method_step": "7"}


def test_a_step_keeps_what_it_says(home):
    drawing = lessons()["sum"].steps[2].values["ink"]
    at = arrive(lesson="sum.3")
    use(at, "back")
    assert address(at) == {"lesson": "sum.2", "ink": drawing}
    use(at, "back")
    assert address(at) == {"lesson": "sum.1"}


def test_whoever_leaves_the_page_is_led_back(home):
    at = arrive(lesson="noisier.2")
    at.switch_page("pages/measures.py").run()
    assert address(at)["lesson"] == "noisier.2"
    assert not shown_by(at, "lesson_card")["here"]
    use(at, "here")
    assert at.title[0].value == "Atoms that tell digits apart"


def test_leaving_ends_the_lesson_where_it_is_and_the_list_goes_on_there(home):
    at = arrive(lesson="noisier.2")
    at.slider(key="method_step").set_value(20).run()
    use(at, "leave")
    assert address(at) == {"method_step": "20"}
    assert told(at) == []
    with pytest.raises(StopIteration):
        shown_by(at, "lesson_card")
    at.query_params.clear()  # the browser's part
    at.switch_page("pages/lessons.py").run()
    assert button(at, "Go on at step 2").click().run().title[0].value == "Atoms that tell digits apart"
    assert address(at)["lesson"] == "noisier.2"


def test_the_last_step_ends_at_the_handout(home):
    at = arrive(lesson=f"sum.{len(lessons()['sum'].steps)}")
    use(at, "answered")
    assert told(at)[0]["done"]
    use(at, "next")
    assert at.title[0].value == "Handout"
    assert address(at) == {"handout": "sum"}
    assert lessons()["sum"].title in [line.value for line in at.header]


def test_reading_a_step_is_doing_it(home):
    at = arrive(lesson="holds.1")
    use(at, "next")
    use(at, "next")
    at.switch_page("pages/lessons.py").run()
    assert json.loads(next(one.proto.json for one in at.get("bidi_component") if "heard" in one.proto.json))[
        "done"
    ] == ("holds.1 holds.2")


def test_the_browser_remembers_earlier_visits_and_nonsense_is_left_out(home):
    at = open_page("lessons")
    for text in ("sum.1 sum.2 sum.99 nothing.1 sum.x <b> sum.1e999", 7, None, ["sum.3"], "x" * 6000):
        send(at, "lesson_memory", json_value=json.dumps({"found": text}))
        assert not at.exception
    assert button(at, "Go on at step 2")


def test_again_is_a_lesson_whose_answers_are_not_shown_yet(home):
    at = open_page("lessons")
    total = len(lessons()["discriminative"].steps)
    every = " ".join(f"discriminative.{number}" for number in range(1, total + 1))
    send(at, "lesson_memory", json_value=json.dumps({"found": f"{every} sum.2"}))
    button(at, "Again").click().run()
    assert told(at) == [{"place": "discriminative.1", "done": False}]
    assert not any(shown_by(at, "lesson_card")["done"])
    use(at, "leave")
    at.query_params.clear()  # the browser's part
    at.switch_page("pages/lessons.py").run()
    assert button(at, "Go on at step 2")  # of the other lesson
    with pytest.raises(StopIteration):
        button(at, "Again")


@pytest.mark.parametrize(
    "text", ["sum", "sum.0", "sum.99", "nothing.1", "sum.x", "sum.1e999", ".", "sum.-1", "sum.nan"]
)
def test_a_link_to_no_step_shows_no_lesson(home, text):
    at = arrive(lesson=text)
    assert address(at) == {}
    assert told(at) == []


@pytest.mark.parametrize("forged", [7, None, ["next"], {"to": 3}, "fly", "next next", "x" * 1000])
def test_a_forged_message_of_the_card_moves_nothing(home, forged):
    at = arrive(lesson="noisier.2")
    use(at, forged)
    assert address(at)["lesson"] == "noisier.2"


def test_a_page_without_a_lesson_has_nothing_of_it(home):
    at = open_page("measures")
    assert told(at) == []
    assert not [one for one in at.get("html") if "--lesson-" in one.proto.body]


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("name", lessons())
def test_every_step_opens_in_every_language(home, code, name):
    """Its values lead to states of the pages that a page's own test may not know."""
    for number, step in enumerate(lessons(code)[name].steps, 1):
        at = arrive(lesson=f"{name}.{number}", lang=code)
        card = shown_by(at, "lesson_card")
        assert (card["place"], card["here"], card["title"]) == (f"{name}.{number}", True, step.title)
        if code != ENGLISH:
            assert english_in(at) == [], card["place"]
