"""Compiled kernels that draw lines, thin drawn lines, and fill what they enclose."""

import numpy as np

from dasksvd.common.compiled import compiled


@compiled
def draw_lines(segments, radius, softness, image):
    """Draw round-ended lines into ``image``, each pixel keeping the largest cover.

    A pixel's cover falls from 1 to 0 over ``softness`` pixels around the distance ``radius``.

    Parameters
    ----------
    segments : ndarray of shape (n, 4), float64
        Ends x0, y0, x1, y1 in pixels; pixel (row, column) lies at y = row, x = column.
    image : ndarray of shape (height, width), float64
        Changed in place.
    """
    height, width = image.shape
    outer = radius + 0.5 * softness
    for s in range(len(segments)):
        x0, y0, x1, y1 = segments[s, 0], segments[s, 1], segments[s, 2], segments[s, 3]
        dx, dy = x1 - x0, y1 - y0
        squared = dx * dx + dy * dy
        top = max(0, int(np.floor(min(y0, y1) - outer)))
        bottom = min(height - 1, int(np.ceil(max(y0, y1) + outer)))
        left = max(0, int(np.floor(min(x0, x1) - outer)))
        right = min(width - 1, int(np.ceil(max(x0, x1) + outer)))
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                along = 0.0
                if squared > 0:
                    along = min(1.0, max(0.0, ((column - x0) * dx + (row - y0) * dy) / squared))
                away = np.hypot(x0 + along * dx - column, y0 + along * dy - row)
                cover = min(1.0, (outer - away) / softness)
                if cover > image[row, column]:
                    image[row, column] = cover


@compiled
def thin(ink):
    """Thin a picture to lines one pixel wide, in place (Guo and Hall's parallel thinning).

    Parameters
    ----------
    ink : ndarray of shape (height, width), uint8
        0 or 1, with a margin of zeros.
    """
    height, width = ink.shape
    doomed = np.empty((height * width, 2), np.int64)
    changed = True
    while changed:
        changed = False
        for half in range(2):
            count = 0
            for row in range(1, height - 1):
                for column in range(1, width - 1):
                    if ink[row, column] == 0:
                        continue
                    n = ink[row - 1, column]
                    ne = ink[row - 1, column + 1]
                    e = ink[row, column + 1]
                    se = ink[row + 1, column + 1]
                    s = ink[row + 1, column]
                    sw = ink[row + 1, column - 1]
                    w = ink[row, column - 1]
                    nw = ink[row - 1, column - 1]
                    crossings = (
                        ((1 - n) & (ne | e)) + ((1 - e) & (se | s)) + ((1 - s) & (sw | w)) + ((1 - w) & (nw | n))
                    )
                    if crossings != 1:
                        continue
                    pairs = min((nw | n) + (ne | e) + (se | s) + (sw | w), (n | ne) + (e | se) + (s | sw) + (w | nw))
                    if pairs < 2 or pairs > 3:
                        continue
                    side = ((n | ne | (1 - se)) & e) if half == 0 else ((s | sw | (1 - nw)) & w)
                    if side == 0:
                        doomed[count, 0], doomed[count, 1] = row, column
                        count += 1
            for i in range(count):
                ink[doomed[i, 0], doomed[i, 1]] = 0
            changed = changed or count > 0


@compiled
def fill_pits(levels, filled):
    """Lower ``filled``, in place, to the lowest picture above ``levels`` without pits that its start allows.

    Every pixel becomes the highest level on the lowest way to a pixel that ``filled`` has right from the start.

    Parameters
    ----------
    levels, filled : ndarray of shape (height, width), float64
        ``filled`` is nowhere below ``levels``; where it is to be lowered, it is as high as any of them.
    """
    height, width = levels.shape
    changed = True
    while changed:
        changed = False
        for turn in range(2):  # down and right, then up and left
            step = 1 - 2 * turn
            for i in range(height):
                row = i if turn == 0 else height - 1 - i
                for j in range(width):
                    column = j if turn == 0 else width - 1 - j
                    lowest = filled[row, column]
                    if 0 <= row - step < height:
                        lowest = min(lowest, filled[row - step, column])
                    if 0 <= column - step < width:
                        lowest = min(lowest, filled[row, column - step])
                    lowest = max(lowest, levels[row, column])
                    if lowest < filled[row, column]:
                        filled[row, column] = lowest
                        changed = True
