"""Every lesson's file says what it must, and a wrong one says where."""

import re

import pytest

from dasksvd.common.language import ENGLISH, catalogue, languages
from ui import navigation
from ui.lessons.checks import Seen
from ui.lessons.reading import FOLDER, MOST_WORDS, lessons, name_of, read, translate

OTHERS = [code for code in languages() if code != ENGLISH]
LESSONS = [(code, lesson) for code in languages() for lesson in lessons(code).values()]
STEPS = [(f"{code}/{one.name}.{number}", step) for code, one in LESSONS for number, step in enumerate(one.steps, 1)]
HEAD = "title: A title\nteaches: Something.\nminutes: 3\nformula: x = x\n"


def test_every_file_is_a_lesson():
    files = {folder.name: sorted(path.name for path in folder.iterdir()) for folder in FOLDER.iterdir()}
    assert set(files) == set(languages())
    for names in files.values():
        assert names == files[ENGLISH]
        assert [name_of(FOLDER / name) for name in names] == list(lessons())


def what_it_does(step):
    """All of a step but its words."""
    right = [answer.right for answer in step.answers]
    done = [repr(test) for test in step.done]
    return step.page, step.values, step.keep, step.point, step.then, step.hide, len(done), right


@pytest.mark.parametrize("code", OTHERS)
def test_all_languages_have_the_same_lessons_in_other_words(code):
    assert list(lessons(code)) == list(lessons())
    for ours, theirs in zip(lessons().values(), lessons(code).values(), strict=True):
        assert (ours.name, ours.minutes) == (theirs.name, theirs.minutes)
        assert [what_it_does(step) for step in ours.steps] == [what_it_does(step) for step in theirs.steps]
        for one, other in zip(ours.steps, theirs.steps, strict=True):
            assert one.text != other.text
            assert [answer.why for answer in one.answers] == [] or one.answers != other.answers
            assert bool(one.after) == bool(other.after)
            assert numbers(one) == numbers(other), other.title


def numbers(step):
    """Those of a step's texts; a thousand may be written with a comma or a space, and small ones as words."""
    texts = " ".join((step.text, step.after, *(f"{answer.text} {answer.why}" for answer in step.answers)))
    return sorted(re.findall(r"\d+\.\d+|\d\d+", re.sub(r"(?<=\d)[, ](?=\d{3})", "", texts)))


@pytest.mark.parametrize("code", OTHERS)
def test_buttons_are_called_what_the_pages_call_them(code):
    for path in (FOLDER / code).iterdir():
        for called in re.findall(r"\{([^{}]+)\}", path.read_text(encoding="utf-8")):
            assert catalogue(code).get(called), f"{path.name}: {called!r} is not in the catalogue"


ENGLISH_STEP = (
    "# Do\npage: draw\n\nText.\n---\nAfter.\n# Ask\npage: draw\nhint: Look.\n\nWhy?\n\n- [x] a | b\n- [ ] c | d\n"
)
OTHER_HEAD = "title: Un\nteaches: Algo.\nformula: x = x\n"
OTHER_STEP = "# Haz\n\nTexto.\n---\nDespués.\n# Di\nhint: Mira.\n\n¿Por qué?\n\n- [x] a | b\n- [ ] c | d\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("- [x] a | b\n- [ ] c", "- [ ] a | b\n- [x] c", "es/one, step 2: its answers"),
        ("- [ ] c | d\n", "", "es/one, step 2: its answers"),
        ("---\nDespués.\n", "", "es/one, step 1: it has more or less"),
        ("hint: Mira.\n", "", "es/one, step 2: it has more or less"),
        ("# Di\n", "# Di\npage: draw\n", "es/one, step 2: 'page: draw' is no line"),
        ("# Haz\n\nTexto.\n---\nDespués.\n", "", "has 1 steps, the English lesson 2"),
    ],
)
def test_a_translation_that_is_another_lesson_says_where(old, new, said):
    english = read("one", HEAD + ENGLISH_STEP)
    found = translate(english, OTHER_HEAD + OTHER_STEP, "es")
    assert [step.text for step in found.steps] == ["Texto.", "¿Por qué?"]
    assert (found.title, found.minutes) == ("Un", 3)
    with pytest.raises(ValueError, match="one") as caught:
        translate(english, OTHER_HEAD + OTHER_STEP.replace(old, new), "es")
    assert said in str(caught.value)


@pytest.mark.parametrize(("code", "lesson"), LESSONS, ids=[f"{code}-{lesson.name}" for code, lesson in LESSONS])
def test_a_lesson_ends_with_three_questions(code, lesson):
    assert all(step.answers for step in lesson.steps[-3:])
    assert 3 <= lesson.minutes <= 8
    assert lesson.formula
    assert lesson.teaches.endswith(".")


@pytest.mark.parametrize(("place", "step"), STEPS, ids=[place for place, _ in STEPS])
def test_a_step_is_short_and_speaks_of_what_there_is(place, step):
    assert 0 < step.words <= MOST_WORDS
    assert step.text
    assert step.page in navigation.PAGES
    assert step.point, "nothing is framed"
    assert step.after or step.answers
    assert not any(test(Seen("", {})) for test in step.done), "is done although nothing is shown"


@pytest.mark.parametrize(("place", "step"), STEPS, ids=[place for place, _ in STEPS])
def test_a_question_has_one_right_answer_a_hint_and_reasons(place, step):
    if not step.answers:
        return
    assert sum(answer.right for answer in step.answers) == 1
    assert len({answer.text for answer in step.answers}) == len(step.answers) >= 3
    assert step.hint
    assert all(answer.why for answer in step.answers)
    assert len(" ".join((step.hint, *(answer.why for answer in step.answers))).split()) <= MOST_WORDS


def test_right_answers_stand_in_different_places():
    places = [[answer.right for answer in step.answers].index(True) for _, step in STEPS if step.answers]
    assert set(places) == {0, 1, 2}
    assert all(
        len({*map(tuple, [[a.right for a in s.answers] for s in one.questions])}) > 1 for one in lessons().values()
    )


def test_a_step_is_read_as_it_is_written():
    text = HEAD + (
        "\n# Do it\npage: draw\nset: reader_q_100=2&ink=\nkeep: look\npoint: canvas way\nthen: way\n"
        "done: value read = 7\ndone: page atoms\n\n"
        "Draw **it**\nnow.\n---\nWell\ndone.\n\n# Why?\npage: draw\npoint: canvas\nhint: Look.\n\n"
        "Why?\n\n- [ ] no | because\n- [x] yes | of course\n"
    )
    lesson = read("one", text)
    do, ask = lesson.steps
    assert (lesson.title, lesson.minutes, lesson.formula) == ("A title", 3, "x = x")
    assert (do.title, do.page, do.text, do.after) == ("Do it", "draw", "Draw **it** now.", "Well done.")
    assert do.values == {"reader_q_100": "2", "ink": ""}
    assert (do.keep, do.point, do.then, len(do.done), do.words) == (("look",), ("canvas", "way"), ("way",), 2, 5)
    assert [(answer.text, answer.right, answer.why) for answer in ask.answers] == [
        ("no", False, "because"),
        ("yes", True, "of course"),
    ]
    assert ask.hint == "Look."
    assert lesson.questions == [ask]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("page: nowhere\n\nText.", "nowhere"),
        ("\nText.", "page"),
        ("page: draw\nwords: 3\n\nText.", "words"),
        ("page: draw\npoint: a{b}\n\nText.", "no key"),
        ("page: draw\ndone: fly\n\nText.", "unknown check 'fly'"),
        ("page: draw\ndone: value q ~ 3\n\nText.", "none of"),
        ("page: draw\ndone: value q < many\n\nText.", "many"),
        ("page: draw\ndone: value q\n\nText.", "value q"),
        ("page: draw\ndone: changed\n\nText.", "which control"),
        ("page: draw\ndone: page nowhere\n\nText.", "nowhere"),
    ],
)
def test_a_wrong_step_says_where_and_why(step, said):
    with pytest.raises(ValueError, match="one, step 1") as caught:
        read("one", f"{HEAD}\n# Title\n{step}\n")
    assert said in str(caught.value)


@pytest.mark.parametrize("head", ["", "title: A\n", HEAD.replace("minutes", "hours")])
def test_a_lesson_without_its_lines_is_none(head):
    with pytest.raises(ValueError, match="one"):
        read("one", f"{head}\n# Title\npage: draw\n\nText.\n")
