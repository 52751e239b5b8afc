"""Does the paper hold?"""

from ui import sidebar

sidebar.begin("Does the paper hold?", "**Its tables beside ours, each number with the command that made it.**")
