"""Draw a digit"""

from ui import sidebar

sidebar.begin("Draw a digit", "**Classified while the pen moves, and explained atom by atom.**")
