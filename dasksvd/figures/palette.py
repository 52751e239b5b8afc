"""The colours of all figures."""

#: One colour per class, distinct for colour-blind eyes and on light and dark pages.
CLASS_COLORS = (
    "#4477AA",
    "#33B5E5",
    "#228833",
    "#CCAA22",
    "#E65566",
    "#AA3377",
    "#EE7733",
    "#009988",
    "#9970C1",
    "#888888",
)
#: Negative, zero, positive: zero takes the page's own background, so both themes work.
SIGNED = [[0.0, "rgb(214, 104, 36)"], [0.5, "rgba(128, 128, 128, 0.10)"], [1.0, "rgb(20, 140, 157)"]]
GREY = [[0.0, "rgba(128, 128, 128, 0.06)"], [1.0, "rgb(110, 124, 140)"]]
