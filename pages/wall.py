"""The class's wall: drawings sent on purpose, without names."""

from ui import frame, sidebar
from ui.panels import class_wall

view = frame.begin(
    "The class's wall",
    "**Drawings of the class, alike beside alike.** Pick one to see why it was read so.",
    controls=(sidebar.LOOK,),
)
class_wall.show(view.colors)
frame.about(
    r"""
Every drawing was sent on purpose, from the Draw page. It hangs here as 28 × 28 pixels, without a name, and is gone
after a day or when whoever gives the class empties the wall. What the lecturer picks, all see at once.

Each drawing has a sparse code $a$ over the atoms of the shipped reader. Two drawings are alike if their codes point the
same way: $\cos(a, a') = a \cdot a' / (\|a\|\,\|a'\|)$. The order is found by joining what is most alike, pairs first
(average linkage), then turning the joined groups so that neighbours fit best. So drawings stand together that use the
same atoms, whatever digit they were meant to be.
"""
)
