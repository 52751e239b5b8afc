"""Draw a digit: read while the pen moves, and explained. Readers of other pictures have them picked or dropped."""

from dasksvd.common.language import say
from ui import frame, readers, sidebar, texts
from ui.panels import picture_reader, reader, reader_choice, take_home

offered = readers.offered()
draws = reader_choice.looked_at(offered).draws
view = frame.begin(
    say("Draw a digit") if draws else say("Read a picture"),
    say("**Read as you draw**, and explained atom by atom.")
    if draws
    else say("**Read as you pick**, and explained atom by atom."),
    controls=(sidebar.LOOK,),
)
(reader if draws else picture_reader).panel(offered, view.run_id, view.colors)
if draws:
    take_home.code(take_home.of_drawing)
frame.about(texts.whole("draw" if draws else "pictures"))
