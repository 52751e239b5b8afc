# %% [markdown]
# # Many runs: a study, what mattered, and its scores for other programs
# Every cell runs by itself after those above it, and the whole file by `python many_runs.py`, once `dasksvd` is
# installed. It takes some seconds. The dashboard shows the same runs: start it with `DASKSVD_HOME` set to the folder.

# %%
import tempfile
from dataclasses import replace
from pathlib import Path

from dasksvd.common.filters import Columns, parse
from dasksvd.datasets.parts import describe
from dasksvd.parameters import QUICK
from dasksvd.reports.scores import search_rows
from dasksvd.reports.tables import as_csv
from dasksvd.runs.store import Store
from dasksvd.search.engine import Engine, search
from dasksvd.search.importance import curve, sentence, what_mattered
from dasksvd.search.study_plan import StudyPlan

home = Path(tempfile.mkdtemp())
run = Store(home).create(describe(replace(QUICK, t=40, ksvd_iter=4), "digits"), "the base of a study")

# %% [markdown]
# ## 1. A designed experiment
# Points that differ in α and I only share a trajectory, so 60 networks need 3 of them, one for each seed.

# %%
plan = StudyPlan({"I": (1, 2, 3, 4, 6), "alpha": (0.0, 0.25, 0.5, 1.0)}, seeds=3)
search(run, plan, Engine(n_jobs=1))
rows = search_rows(run, plan)
print(f"{len(rows)} networks in {len(list((run.folder / 'search' / 'trajectories').iterdir()))} trajectories")

# %% [markdown]
# ## 2. What mattered?
# Small forests predict scores that they have not seen. What a parameter is worth is what shuffling its values costs.

# %%
answer = what_mattered(rows, [row["accuracy"] for row in rows], list(plan.axes))
print(sentence(answer, {"alpha": "α"}))
for one in answer.importances:
    print(f"{one.name}: {one.mean:.0%} of the variance, {one.low:.0%} to {one.high:.0%}")
for value, summary in curve(rows, [row["accuracy"] for row in rows], "I").items():
    print(f"I = {value}: {summary.text} %")

# %% [markdown]
# ## 3. Only some of them
# The same words that the Runs page understands.

# %%
keep = parse("I = 4 and alpha < 0.5", Columns(numbers=("I", "alpha"), texts=()))
print(f"{sum(map(keep, rows))} of them have four atoms for each class and a small α")

# %% [markdown]
# ## 4. For other programs
# A tidy table with one line for each network; `as_parquet` writes the same as Parquet. From a shell:
# `python -m dasksvd table --scores --out scores.csv`, and `python -m dasksvd mlflow` logs runs to MLflow.

# %%
(home / "scores.csv").write_text(as_csv(rows), encoding="utf-8")
print((home / "scores.csv").read_text(encoding="utf-8").splitlines()[0])
