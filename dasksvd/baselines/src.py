"""SRC, classification by sparse representation (Wright and others, 2009): whose atoms rebuild the signal best?"""

import numpy as np


def class_residuals(signals: np.ndarray, codes: np.ndarray, atoms: np.ndarray, atom_classes: np.ndarray) -> np.ndarray:
    """Squared length of what the atoms of each class alone leave of a signal.

    The code is that on all atoms; for each class only its atoms' coefficients are kept.

    Parameters
    ----------
    signals : ndarray of shape (n, N)
    codes : ndarray of shape (n, M)
    atoms : ndarray of shape (M, N)
    atom_classes : ndarray of shape (M,), int
        Classes 0 … k - 1.

    Returns
    -------
    ndarray of shape (n, k), float64
    """
    left = []
    for label in range(atom_classes.max() + 1):
        mine = atom_classes == label
        remainder = signals - codes[:, mine] @ atoms[mine]
        left.append(np.einsum("ij,ij->i", remainder, remainder, dtype=np.float64))
    return np.stack(left, axis=1)


def predict(signals: np.ndarray, codes: np.ndarray, atoms: np.ndarray, atom_classes: np.ndarray) -> np.ndarray:
    """The class whose atoms leave least, shape (n,); of equals the first."""
    return class_residuals(signals, codes, atoms, atom_classes).argmin(axis=1)
