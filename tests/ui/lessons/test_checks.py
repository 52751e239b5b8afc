"""What a learner is seen to have done."""

import pytest

from ui.lessons import checks
from ui.lessons.checks import Seen


@pytest.mark.parametrize(
    ("line", "shown", "done"),
    [
        ("value q <= 2", {"q": 2}, True),
        ("value q <= 2", {"q": 3}, False),
        ("value q < 2", {"q": 2}, False),
        ("value q = 7", {"q": 7}, True),
        ("value q = 7", {"q": 6}, False),
        ("value q >= 7", {"q": 7}, True),
        ("value alpha > 0.5", {"alpha": 0.5}, False),
        ("value alpha > 0.5", {"alpha": 0.51}, True),
        ("value q < 2", {}, False),
        ("value q < 2", {"q": None}, False),
        ("value q < 2", {"q": "1"}, False),
        ("is tab ablation", {"tab": "ablation"}, True),
        ("is tab ablation", {"tab": "tables"}, False),
        ("is tab ablation", {}, False),
    ],
)
def test_a_check_looks_at_what_is_shown(line, shown, done):
    assert checks.parse(line)(Seen("draw", shown)) is done


def test_a_choice_is_named_as_in_links():
    test = checks.parse("is view steps")
    assert test(Seen("draw", {"view": "Step by step"}, texts={"view": "steps"}))
    assert not test(Seen("draw", {"view": "steps"}, texts={"view": "code"}))


def test_a_change_is_one_since_the_step_began():
    test = checks.parse("changed atom iteration")
    assert not test(Seen("atoms", {"atom": 3, "iteration": 1}, {"atom": 3, "iteration": 1}))
    assert test(Seen("atoms", {"atom": 3, "iteration": 2}, {"atom": 3, "iteration": 1}))
    assert not test(Seen("atoms", {"atom": 4}))
    assert not test(Seen("atoms", {}, {"atom": 4}))


def test_another_page_is_seen():
    test = checks.parse("page atoms")
    assert test(Seen("atoms", {}))
    assert not test(Seen("draw", {}))


def test_all_checks_of_a_step_must_hold():
    both = [checks.parse("value read = 5"), checks.parse("value q <= 5")]
    assert checks.holds(both, Seen("draw", {"read": 5, "q": 3}))
    assert not checks.holds(both, Seen("draw", {"read": 5, "q": 9}))


def test_a_file_can_name_nothing_but_registered_checks():
    assert set(checks.CHECKS) == {"value", "is", "changed", "page"}
    for line in ("__import__('os')", "lambda: 1", "eval 1"):
        with pytest.raises(ValueError, match="unknown check"):
            checks.parse(line)
