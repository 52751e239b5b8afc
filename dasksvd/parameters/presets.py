"""The three presets."""

from dataclasses import replace

from dasksvd.parameters.settings import Settings

QUICK = Settings(t=150, I=10, ksvd_iter=20)
CLASSROOM = Settings(t=400, ksvd_iter=30)
PAPER = Settings()
#: The paper's settings as the shipped run and the committed results were measured with (D18).
MEASURED = replace(PAPER, streams=1)
PRESETS = {"quick": QUICK, "classroom": CLASSROOM, "paper": PAPER}
#: How long a run of each preset takes on MNIST, roughly.
DURATIONS = {"quick": "10 s", "classroom": "1 min", "paper": "2 min"}
