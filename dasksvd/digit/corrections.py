"""What a reader learns from a few corrections: drawings like a corrected one are read as that one was meant.

Nothing of the network changes.  The corrected drawings are kept as the network sees them, by the values of its last
hidden units.  A drawing that looks much like one of them there gets a higher score for its digit; to one that does not,
nothing happens.  So what was read right before stays right, and forgetting a correction leaves no trace.
"""

from dataclasses import dataclass

import numpy as np

#: Cosine of the hidden units from which on two drawings are alike, and what a drawing adds to a digit's score at most.
ALIKE = 0.55
STRENGTH = 4.0
#: The same from which on it is the same drawing, and what that adds besides: enough to outvote any network.
SAME = 0.98
CERTAIN = 16.0


@dataclass(frozen=True)
class Corrections:
    """Corrected drawings as a network sees them.

    Attributes
    ----------
    hidden : ndarray of shape (n, h), float32
        Values of the last hidden units, each row of length one.
    labels : ndarray of shape (n,), int
        What the drawings were meant to be.
    """

    hidden: np.ndarray
    labels: np.ndarray

    def added(self, hidden: np.ndarray, n_classes: int) -> np.ndarray:
        """What is added to the scores of drawings with hidden units (n, h); shape (n, n_classes)."""
        likeness = unit_rows(hidden) @ self.hidden.T
        votes = STRENGTH * np.maximum(likeness - ALIKE, 0) / (1 - ALIKE)
        votes += CERTAIN * np.maximum(likeness - SAME, 0) / (1 - SAME)
        found = np.zeros((len(hidden), n_classes), votes.dtype)
        for label in np.unique(self.labels):
            found[:, label] = votes[:, self.labels == label].max(axis=1)
        return found


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """Rows scaled to length one; rows of zeros stay."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
