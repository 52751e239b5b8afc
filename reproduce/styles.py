"""Ways to write the ten digits.

MNIST's writers hardly cross a seven, hook a nine or leave a four open; other people do.  Each style
is one line: points ``x,y`` in percent of the digit's height, y down, in the order of the pen.  A
smooth curve goes through them.  ``x,y!`` is a corner, ``@x,y,rx,ry,a,b`` an arc about x, y from
angle a to b in degrees (0 is right, 90 is down), ``/`` lifts the pen.
"""

from reproduce.styles_high import HIGH
from reproduce.styles_low import LOW

#: Digit -> name of the style -> its strokes.
STYLES: dict[int, dict[str, str]] = LOW | HIGH
