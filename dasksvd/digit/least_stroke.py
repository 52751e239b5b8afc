"""The smallest change of a drawing that makes its reader answer otherwise, and the atom that made the difference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dasksvd.digit.normalise import from_strokes
from dasksvd.digit.reader import DigitModel, Explanation
from dasksvd.errors import DigitError

#: Lengths of a change that are tried, as shares of the drawing's longer side, from the smallest on.
LENGTHS = (0.04, 0.08, 0.12, 0.16, 0.2, 0.26, 0.32, 0.4, 0.5, 0.65, 0.8)
#: Directions in which a stroke may go on.
DIRECTIONS = 12

Strokes = list[np.ndarray]


@dataclass(frozen=True)
class Change:
    """A changed drawing.

    Attributes
    ----------
    strokes : list of ndarray of shape (m, 2)
        The drawing after it.
    piece : ndarray of shape (m, 2)
        The line that was added or taken away.
    added : bool
        Which of the two.
    length : float
        Of the piece, as a share of the drawing's longer side.
    """

    strokes: Strokes
    piece: np.ndarray
    added: bool
    length: float


@dataclass(frozen=True)
class Flip:
    """A change that makes another digit of a drawing.

    Attributes
    ----------
    change : Change
    before, after : Explanation
    atom : int
        The atom whose part in the lead of the old answer over the new one fell most.
    parts : tuple of float
        That part before and after.
    """

    change: Change
    before: Explanation
    after: Explanation
    atom: int
    parts: tuple[float, float]


def least_stroke(model: DigitModel, strokes: Sequence[np.ndarray], size: float) -> Flip | None:
    """The shortest line that, added to a stroke's end or taken from it, changes the answer; None if none does.

    Parameters
    ----------
    strokes : sequence of ndarray of shape (m, 2)
        As :func:`dasksvd.digit.from_strokes` takes them.
    size : float
        Side of the canvas.
    """
    drawing = [np.asarray(stroke, float) for stroke in strokes if len(stroke)]
    before = model.explain(from_strokes(drawing, size))
    answer = int(before.probabilities.argmax())
    for length in LENGTHS:
        changes, images = [], []
        for change in _changes(drawing, length, size):
            try:
                images.append(from_strokes(change.strokes, size))
            except DigitError:
                continue
            changes.append(change)
        if not images:
            continue
        shares = model.predict_proba(np.stack(images))
        flipped = np.flatnonzero(shares.argmax(axis=1) != answer)
        # Of equally long changes the one after which the reader is surest; what is no digit any more is no answer.
        for place in flipped[np.argsort(-shares[flipped].max(axis=1))]:
            after = model.explain(images[place])
            if after.doubt is None and int(after.probabilities.argmax()) != answer:
                return _flip(model, changes[place], before, after)
    return None


def _flip(model: DigitModel, change: Change, before: Explanation, after: Explanation) -> Flip:
    old, new = int(before.probabilities.argmax()), int(after.probabilities.argmax())
    parts = np.stack([model.lead_parts(found, old, new)[0] for found in (before, after)])
    atom = int(np.argmin(parts[1] - parts[0]))
    return Flip(change, before, after, atom, (float(parts[0, atom]), float(parts[1, atom])))


def _changes(drawing: Strokes, share: float, size: float) -> Iterator[Change]:
    """Every stroke a little shorter or longer at either end, or gone if it is that short."""
    points = np.concatenate(drawing)
    extent = max(float(np.ptp(points, axis=0).max()), 1e-9)
    length = share * extent
    for place, stroke in enumerate(drawing):
        for backwards in (False, True):
            line = stroke[::-1] if backwards else stroke
            ways = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))]) if len(line) > 1 else [0.0]
            if ways[-1] > length:
                rest, piece = _cut(line, np.asarray(ways), ways[-1] - length)
                yield Change([*drawing[:place], rest, *drawing[place + 1 :]], piece, False, share)
            elif len(drawing) > 1 and not backwards:
                yield Change([*drawing[:place], *drawing[place + 1 :]], line, False, share)
            for angle in np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS:
                end = line[-1] + length * np.array([np.cos(angle), np.sin(angle)])
                if (end < 0).any() or (end > size).any():
                    continue
                longer = np.vstack([line, end])
                yield Change([*drawing[:place], longer, *drawing[place + 1 :]], longer[-2:], True, share)


def _cut(line: np.ndarray, ways: np.ndarray, at: float) -> tuple[np.ndarray, np.ndarray]:
    """A line's part up to a way along it, and the part after."""
    where = np.array([np.interp(at, ways, line[:, axis]) for axis in (0, 1)])
    kept = ways < at
    return np.vstack([line[kept], where]), np.vstack([where, line[~kept]])
