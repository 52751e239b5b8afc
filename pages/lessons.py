"""The lessons: what each teaches, how long it takes, how far one is; and its handout."""

from dasksvd.common.language import say
from ui import frame, texts
from ui.lessons import handout, overview

lesson = handout.chosen()
if lesson is None:
    frame.begin(
        say("Lessons"),
        say("**Short courses that lead through the real pages** and notice what you do."),
        controls=(),
    )
    overview.show()
else:
    frame.begin(say("Handout"), say("**One page to take home.**"), controls=())
    handout.show(lesson)
frame.about(texts.whole("lessons"))
