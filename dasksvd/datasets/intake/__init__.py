"""Pictures that people have, in whatever files, become a data set of one's own.

Nothing in the files is trusted: they are read in a process of its own with limits of time and
memory, sizes are checked before anything is unpacked, and no name in them is used as a path.
"""

from dasksvd.datasets.intake.findings import Example, Findings, Problem
from dasksvd.datasets.intake.reader import look, look_at_picture, take

__all__ = ["Example", "Findings", "Problem", "look", "look_at_picture", "take"]
