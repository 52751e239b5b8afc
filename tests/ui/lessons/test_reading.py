"""Every lesson's file says what it must, and a wrong one says where."""

import pytest

from ui import navigation
from ui.lessons.checks import Seen
from ui.lessons.reading import FOLDER, MOST_WORDS, lessons, name_of, read

STEPS = [(f"{name}.{number}", step) for name, one in lessons().items() for number, step in enumerate(one.steps, 1)]
HEAD = "title: A title\nteaches: Something.\nminutes: 3\nformula: x = x\n"


def test_every_file_is_a_lesson():
    assert list(lessons()) == [name_of(path) for path in sorted(FOLDER.iterdir()) if path.suffix == ".md"]
    assert [path.suffix for path in FOLDER.iterdir()] == [".md"] * len(lessons())


@pytest.mark.parametrize("lesson", lessons().values(), ids=lessons())
def test_a_lesson_ends_with_three_questions(lesson):
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
        "\n# Do it\npage: draw\nset: reader_q_100=2&ink=\nkeep: look\npoint: canvas way\ndone: value read = 7\n"
        "done: page atoms\n\nDraw **it**\nnow.\n---\nWell\ndone.\n\n# Why?\npage: draw\npoint: canvas\nhint: Look.\n\n"
        "Why?\n\n- [ ] no | because\n- [x] yes | of course\n"
    )
    lesson = read("one", text)
    do, ask = lesson.steps
    assert (lesson.title, lesson.minutes, lesson.formula) == ("A title", 3, "x = x")
    assert (do.title, do.page, do.text, do.after) == ("Do it", "draw", "Draw **it** now.", "Well done.")
    assert do.values == {"reader_q_100": "2", "ink": ""}
    assert (do.keep, do.point, len(do.done), do.words) == (("look",), ("canvas", "way"), 2, 5)
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
