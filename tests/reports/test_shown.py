"""A report's page is checked, too: what was changed there alone is noticed, what a browser writes anew is not."""

import re
from dataclasses import replace

import pytest

from dasksvd.__main__ import main
from dasksvd.reports import verify as checking
from dasksvd.reports.facts import read_report
from dasksvd.reports.machine import machine
from dasksvd.reports.shown import when_made
from dasksvd.statistics import share_text
from tests.reports.reported import checked, written

TAMPERED = {
    "a better accuracy": (r"<b>\d\d\.\d %", "<b>99.9 %", "the page shows “99.9 %"),
    "another count of confused": (
        r'<td class="n">\d+</td></tr></table><h3>The same',
        '<td class="n">777</td></tr></table><h3>The same',
        "“777”",
    ),
    "another setting": ("<td>30</td>", "<td>31</td>", "“31” where “30”"),
    "another seed in the text": (r"Seed \d\.", "Seed 99.", "Seed 99"),
    "another picture": ("base64,iVBOR", "base64,iVB0R", "another picture of the atoms"),
    "another curve": (r'points="\d', 'points="9', "the page has “<polyline"),
    "a sentence more": ("<h3>Settings", "<p>Checked by the lecturer.</p><h3>Settings", "the page has “<p>”"),
    "a sentence at the end": ("</body>", "<p>Checked by the lecturer.</p></body>", "where nothing comes out"),
    "a sentence less": (r"<p>Learned from.*?</p>", "", "the page"),
    "a hidden part": ('<div class="side">', '<div class="side" style="display:none">', "style=display:none"),
    "a style more": ("</style>", "table{display:none}</style>", "the page shows"),
    "a script": ("<h3>Settings", "<script>x</script><h3>Settings", "the page has “<script>”"),
    "a comment around it": ("<h3>Settings</h3>", "<!--<h3>Settings</h3>-->", "the page"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_on_the_page_alone_is_noticed(what, runs, tmp_path, capsys):
    """The facts in the file are true, and nobody reads them."""
    pattern, other, words = TAMPERED[what]
    path = written(tmp_path, runs[1:])
    text = path.read_text(encoding="utf-8")
    changed = re.sub(pattern, other, text, count=1, flags=re.DOTALL)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    assert main(["verify", str(path), "--jobs", "1"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert words in said[0]
    assert said[-1].startswith("different")


def test_a_page_that_a_browser_has_saved_anew_is_the_same(runs, tmp_path):
    def saved(text):
        text = text.replace("<!DOCTYPE html>\n", "<!DOCTYPE html>\r\n<!-- saved from url=(0014)about:internet -->\r\n")
        return text.replace("/>", "></line>").replace("</p><h3>", "</p>\n\n<h3>").replace("“", "&ldquo;")

    assert checked(written(tmp_path, runs[1:]), saved).words == "identical"


def test_what_is_quoted_of_a_strangers_file_is_safe_for_a_terminal(runs, tmp_path):
    (words, *_) = checked(
        written(tmp_path, runs[1:]), lambda text: text.replace("Seed", "\x1b[2J" + 99 * "x", 1)
    ).differences
    assert "\x1b" not in words
    assert len(words) < 200


def test_on_another_machine_words_and_accuracies_of_the_page_are_compared(runs, tmp_path, monkeypatch):
    path = written(tmp_path, runs)
    monkeypatch.setattr(checking, "machine", lambda: machine() | {"processor": "another"})

    def rounded(text):  # what other rounding changes
        return re.sub(r'points="\d', 'points="9', text).replace("base64,iVBOR", "base64,iVB0R")

    found = checked(path, rounded)
    assert found.words == "the same within tolerance, on another kind of machine"
    assert "only words and accuracies" in found.notes[-1]
    for pattern, other in (
        (r"<b>\d\d\.\d %", "<b>99.9 %"),
        ("Learned", "Not learned"),
        ("<h3>Atoms", "<p>x</p><h3>Atoms"),
    ):
        assert checked(path, lambda text, one=(pattern, other): re.sub(*one, text, count=1)).differences


def test_on_another_machine_the_page_must_have_the_accuracies_of_the_facts(runs, tmp_path, monkeypatch):
    """Here one image more is read right than there, which is within the tolerance."""
    facts, page = read_report(written(tmp_path, runs[1:]))
    monkeypatch.setattr(checking, "machine", lambda: machine() | {"processor": "another"})
    (mine,) = facts.runs
    there = replace(mine, accuracy=mine.accuracy - 1 / mine.n_scored)
    shown = page.replace(share_text(mine.accuracy, mine.n_scored), share_text(there.accuracy, there.n_scored))
    assert shown != page
    told = replace(facts, runs=[there])
    assert checking.verify(told, page=shown).differences == []
    assert checking.verify(told, page=page).differences
    forged = page.replace(share_text(mine.accuracy, mine.n_scored), "99.9 % ± 0.1")
    assert checking.verify(told, page=forged).differences


@pytest.mark.parametrize("text", ["", "Made yesterday.", "Made 2026-99-99 99:99 UTC."])
def test_a_page_that_does_not_say_when_it_was_made_is_of_no_time(text):
    assert when_made(text) == 0.0
    assert when_made("<p>Made 1970-01-02 00:01 UTC.") == 86460.0
