"""The class's wall: drawings sent on purpose, without names."""

from dasksvd.common.language import say
from ui import frame, sidebar, texts
from ui.panels import class_wall

view = frame.begin(
    say("The class's wall"),
    say("**Drawings of the class, alike beside alike.** Pick one to see why it was read so."),
    controls=(sidebar.LOOK,),
)
class_wall.show(view.colors)
frame.about(texts.whole("wall"))
