"""Which atoms of one dictionary are in another: an atom and its opposite say the same."""

import numpy as np

from dasksvd.errors import ParameterError


def match(atoms: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each atom the most similar other one, by |cosine|.

    Parameters
    ----------
    atoms : ndarray of shape (n_atoms, N)
    others : ndarray of shape (n_others, N)

    Returns
    -------
    index : ndarray of shape (n_atoms,), int
        Several atoms may have the same nearest one.
    cosine : ndarray of shape (n_atoms,)
        With its sign.

    Examples
    --------
    >>> index, cosine = match(np.eye(2), np.array([[0.0, -2.0], [1.0, 1.0]]))
    >>> index.tolist(), cosine.round(2).tolist()
    ([1, 0], [0.71, -1.0])
    """
    if atoms.ndim != 2 or others.ndim != 2 or atoms.shape[1] != others.shape[1] or not len(others):
        raise ParameterError(f"atoms of one length are compared, got {atoms.shape} and {others.shape}")
    sizes = np.linalg.norm(atoms, axis=1)[:, None] * np.linalg.norm(others, axis=1)
    products = atoms @ others.T
    cosines = np.divide(products, sizes, out=np.zeros(sizes.shape, products.dtype), where=sizes > 0)
    index = np.abs(cosines).argmax(axis=1)
    return index, cosines[np.arange(len(atoms)), index]
