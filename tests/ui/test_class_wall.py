"""Who may send how much to the class's wall, and who gives the class."""

import pytest

from dasksvd.errors import StoreError
from ui import class_wall, lecturer
from ui.class_wall import Allowance


def test_the_wall_is_the_owners_choice_and_its_word_the_lecturers(monkeypatch):
    monkeypatch.delenv(lecturer.WORD, raising=False)
    assert not lecturer.has_wall()
    assert not lecturer.knows_the_word("")
    monkeypatch.setenv(lecturer.WORD, "apple tree")
    assert lecturer.has_wall()
    assert lecturer.knows_the_word("apple tree")
    assert not any(map(lecturer.knows_the_word, ("", "apple", "Apple tree", "äpfel")))


def test_a_visitor_has_so_many_and_gets_them_back_after_a_while():
    allowance = Allowance(2, 60.0)
    assert [allowance.take("one", now) for now in (0.0, 10.0, 20.0, 59.9)] == [True, True, False, False]
    assert [allowance.take("one", now) for now in (60.1, 61.0)] == [True, False]


def test_one_visitor_takes_nothing_from_another():
    allowance = Allowance(1, 60.0)
    assert [allowance.take(name, 0.0) for name in ("one", "other", "one")] == [True, True, False]


def test_nobody_is_remembered_for_longer_than_needed():
    allowance = Allowance(1, 60.0)
    for number in range(50):
        allowance.take(f"visitor {number}", 0.0)
    allowance.take("late", 100.0)
    assert list(allowance._times) == ["late"]


def test_a_browser_that_forgets_who_it_is_guesses_no_word(monkeypatch):
    monkeypatch.setenv(lecturer.WORD, "apple tree")
    allowances = {"words": Allowance(10), "wrong": Allowance(class_wall.TRIED_BY_ALL)}
    monkeypatch.setattr(class_wall, "_allowances", lambda: allowances)
    names = (f"visitor {number}" for number in range(10**6))
    monkeypatch.setattr(class_wall.visitor, "name", lambda: next(names))
    monkeypatch.setattr(class_wall.st, "session_state", {})
    class_wall.enter("apple tree")
    for _ in range(class_wall.TRIED_BY_ALL):
        with pytest.raises(StoreError, match="not the lecturer's word"):
            class_wall.enter("pear tree")
    with pytest.raises(StoreError, match="Too many words"):
        class_wall.enter("apple tree")
