"""The lessons: what each teaches, how long it takes, how far one is; and its handout."""

from ui import frame
from ui.lessons import handout, overview

lesson = handout.chosen()
if lesson is None:
    frame.begin(
        "Lessons",
        "**Short courses that lead through the real pages** and notice what you do.",
        controls=(),
    )
    overview.show()
else:
    frame.begin("Handout", "**One page to take home.**", controls=())
    handout.show(lesson)
frame.about(
    """
Each step opens a page, frames what it speaks of, and says one thing. It notices what you do there; **Skip** goes on
without. The step stands in the address, so a link or a bookmark brings you back to it. Your browser remembers how far
you are; nobody else does. The last three steps are questions.
"""
)
