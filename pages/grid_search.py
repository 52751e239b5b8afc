"""Which weights are best?"""

from ui import sidebar

sidebar.begin("Which weights are best?", "**One trajectory serves every pair of weights α, β.**")
