"""The presets."""

from dataclasses import replace

from dasksvd.parameters.settings import Settings

QUICK = Settings(t=150, I=10, ksvd_iter=20)
CLASSROOM = Settings(t=400, ksvd_iter=30)
PAPER = Settings()
#: The paper's settings, and then what reads better than pixels.
BEST = replace(PAPER, fine_tune=25)
#: The paper's settings as the shipped run and results of earlier protocols were measured with (D18).
MEASURED = replace(PAPER, streams=1)
PRESETS = {"quick": QUICK, "classroom": CLASSROOM, "paper": PAPER, "best": BEST}
#: How long a run of each preset takes on MNIST, roughly.
DURATIONS = {"quick": "10 s", "classroom": "1 min", "paper": "2 min", "best": "2 min"}
#: What "best" is and what it is not; docs/RESULTS.md has the numbers.
ABOUT_BEST = (
    "Best: the paper's settings, then the selected atoms are fine-tuned by a small network. Their codes beat raw "
    "pixels at equally many network weights. Random images, fine-tuned, do just as well: the gain is the fine-tuning's."
)
