# %% [markdown]
# # A walk through DAS-KSVD from Python
# Every cell runs by itself after those above it, in Jupyter, VS Code or Spyder, and the whole file by
# `python walk.py`, once `dasksvd` is installed. It takes some seconds.

# %% [markdown]
# ## 1. Signals and labels
# Rows are signals. Here they are scikit-learn's small digits, 64 grey levels each, scaled to 0 … 1.

# %%
import tempfile
from pathlib import Path
from typing import ClassVar

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline, make_pipeline

import dasksvd
from dasksvd.figures import mosaic

X, y = load_digits(return_X_y=True)
X = (X / 16).astype(np.float32)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=300, stratify=y, random_state=0)
print(f"{len(X_train)} signals of {X.shape[1]} values to learn from, {len(X_test)} to be scored on")

# %% [markdown]
# ## 2. A pipeline
# `DASKSVD` learns a structured dictionary, `I` atoms for each class, and turns signals into sparse codes. Any
# classifier can read them.

# %%
settings = {"t": 60, "I": 5, "ksvd_iter": 8, "random_state": 0}
model = make_pipeline(dasksvd.DASKSVD(**settings), LogisticRegression(max_iter=500))
model.fit(X_train, y_train)
print(f"test accuracy {model.score(X_test, y_test):.1%}")

# %% [markdown]
# Its atoms are small pictures, iteration by iteration and class by class. The mosaic has one row per class.

# %%
learned = model[0]
atoms = learned.components_.reshape(learned.I, len(learned.classes_), -1).transpose(1, 0, 2)
folder = Path(tempfile.mkdtemp())
(folder / "atoms.png").write_bytes(mosaic(atoms, zoom=6))
print(f"{learned.components_.shape[0]} atoms, drawn in {folder / 'atoms.png'}")

# %% [markdown]
# ## 3. Other weights, without learning again
# The weights α and β only choose among atoms that are learned already.

# %%
other = learned.reselect(alpha=1.0, beta=0.0)
usual = learned.reselect(alpha=0.0, beta=0.0)
print(f"α = 1 takes {np.sum(other.index != usual.index)} of {usual.index.size} other atoms than α = β = 0")

# %% [markdown]
# ## 4. A grid search that learns once for each fold
# `GridSearchCV` fits a new estimator for each pair of weights. This one remembers the trajectory of a training
# part, so all pairs share it: the search learns as often as there are folds, and once more at its end.


# %%
class OneTrajectory(dasksvd.DASKSVD):
    """DAS-KSVD that learns once from the same signals, whatever the weights are."""

    learned: ClassVar[dict] = {}  # shared by all copies that scikit-learn makes

    def fit(self, X, y):
        kept = {name: value for name, value in self.get_params().items() if name not in ("alpha", "beta")}
        key = (hash(X.tobytes()), hash(y.tobytes()), repr(kept))
        if key not in self.learned:
            self.learned[key] = vars(super().fit(X, y))
        vars(self).update(self.learned[key] | {"alpha": self.alpha, "beta": self.beta})
        selection = self.reselect(self.alpha, self.beta)
        self.components_, self.atom_classes_ = selection.atoms, self.classes_[selection.classes]
        return self


pipeline = Pipeline([("codes", OneTrajectory(**settings)), ("classifier", LogisticRegression(max_iter=500))])
weights = [
    {"codes__alpha": [alpha], "codes__beta": [beta]}
    for alpha in (0.0, 0.5, 1.0)
    for beta in (0.0, 0.5, 1.0)
    if alpha + beta <= 1
]
search = GridSearchCV(pipeline, weights, cv=3).fit(X_train, y_train)
print(f"{len(weights)} pairs of weights × 3 folds, {len(OneTrajectory.learned)} trajectories learned")
for chosen, mean, spread in zip(
    search.cv_results_["params"],
    search.cv_results_["mean_test_score"],
    search.cv_results_["std_test_score"],
    strict=True,
):
    print(f"α = {chosen['codes__alpha']:.1f}, β = {chosen['codes__beta']:.1f}: {mean:.1%} ± {spread:.1%}")

# %% [markdown]
# Look at the spread before you believe in the best pair: with so few folds the differences are mostly noise.

# %% [markdown]
# ## 5. Pictures of your own
# Pictures in folders, arrays or idx files become a data set by the same reading that the dashboard uses. It says
# what is wrong with them, and settings that suit their number and size are proposed.

# %%
from dasksvd.datasets.dataset import as_signals  # noqa: E402
from dasksvd.datasets.intake import take  # noqa: E402
from dasksvd.datasets.proposal import PROPOSED, proposed  # noqa: E402

rng = np.random.default_rng(0)
images = rng.integers(0, 80, (90, 20, 20), dtype=np.uint8)
names = np.repeat(["left", "middle", "right"], 30)
for place, name in enumerate(("left", "middle", "right")):
    images[names == name, :, 3 + 6 * place : 6 + 6 * place] += 150
np.savez(folder / "bars.npz", images=images, labels=names)

findings, data = take(folder / "bars.npz", side=16)
for problem in findings.problems:
    print(problem.text, problem.remedy)
signals, labels = as_signals(data.train_images), data.train_labels
suited = proposed(dasksvd.Settings(), signals.shape[1], np.bincount(labels).tolist())
options = {name: getattr(suited, name) for name in PROPOSED}
print(f"{findings.sizes}; proposed: {options}")
codes = dasksvd.DASKSVD(**options, ksvd_iter=5, random_state=0).fit_transform(signals, labels)
print(f"codes of shape {codes.shape}, {np.mean(codes != 0):.0%} of them not zero")

# %% [markdown]
# To have them in the dashboard, keep them under a name, `python -m dasksvd data add bars.npz --name bars`, and start
# a run, `python -m dasksvd train --data bars --out runs/bars`; or press “Your pictures …” on the Train page.
