"""What dictionary learners in the manner of scikit-learn share: checked signals, and codes on their atoms."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dasksvd.encoders import DEFAULT, encode_by, levels_of
from dasksvd.method.omp import check_matrix
from dasksvd.parameters import check_real, n_nonzero
from dasksvd.parameters.checks import is_between


class SparseCoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What estimators with ``components_``, a sparsity ``q``, an ``encoder`` and its ``level`` share: codes."""

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Sparse codes of signals on the learned atoms, by the estimator's encoder.

        Parameters
        ----------
        X : array of shape (n_signals, N)

        Returns
        -------
        ndarray of shape (n_signals, n_atoms), float32
        """
        return self._codes(X, self.encoder)

    def _check_encoder(self) -> None:
        """Raise ParameterError before anything is learned for codes that cannot be made."""
        if levels_of(self.encoder):
            check_real("level", self.level, "0 <= level <= 1", is_between(self.level, 0, 1))

    def _codes(self, X: np.ndarray, encoder: str = DEFAULT) -> np.ndarray:
        """Codes by an encoder, which need not be the estimator's own."""
        check_is_fitted(self, "components_")
        X = check_signals(self, X, reset=False)
        return encode_by(encoder, X, self.components_, n_nonzero(self.q, len(self.components_)), self.level)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


def check_signals(estimator: BaseEstimator, X: Any, *, reset: bool = True) -> np.ndarray:
    """X as :func:`dasksvd.method.omp.check_matrix` accepts it, of the length that the estimator knows."""
    signals = check_matrix("X", X)
    validate_data(estimator, X, skip_check_array=True, reset=reset)  # length and names of the columns
    return signals


def check_labelled(estimator: BaseEstimator, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Signals as in :func:`check_signals`, and one class label for each."""
    signals, y = validate_data(estimator, check_matrix("X", X), y, dtype=np.float32)
    check_classification_targets(y)
    validate_data(estimator, X, skip_check_array=True)
    return signals, y
