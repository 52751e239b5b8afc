"""Everything the package raises on purpose.  One root, so that one ``except`` is enough.

Each message says what is wrong, with the numbers in it, and what to do.
"""

from collections.abc import Sequence
from typing import Any

#: What can be changed when a class has no atom and nothing more is known.
ADVICE = "raise t (more signals), r_f (more atoms) or ksvd_iter, or lower q"


class DasksvdError(Exception):
    """The root of all errors of this package."""


class ParameterError(DasksvdError, ValueError):
    """A parameter or an input is not usable."""


class NotNumbers(ParameterError, TypeError):
    """An input does not hold numbers."""


class DataError(DasksvdError, RuntimeError):
    """A data file is missing, damaged or not what it should be; the message names it."""


class DigitError(ParameterError):
    """A drawing or picture shows no digit, or cannot be read."""


#: Classes that a message names.
MAX_NAMED = 5


class NoAtomForClass(DasksvdError, ValueError):
    """Some class has no discriminative atom.

    Parameters
    ----------
    classes : sequence
        The classes without an atom.
    reason : str
        What is the matter and what to do.

    Attributes
    ----------
    classes : list
        The classes without an atom.
    """

    def __init__(self, classes: Sequence[Any], reason: str = ADVICE):
        self.classes = list(classes)
        names = ", ".join(str(label) for label in self.classes[:MAX_NAMED])
        more = f" and {len(self.classes) - MAX_NAMED} more" if len(self.classes) > MAX_NAMED else ""
        super().__init__(f"no atom is used most by class {names}{more}; {reason}")


class DamagedFile(DasksvdError, RuntimeError):
    """A file of a run is missing, cut off or not what it should be."""


class ForeignFile(DamagedFile):
    """A sound file of another run."""


class StoreError(DasksvdError, RuntimeError):
    """The store cannot do what was asked."""


class Busy(StoreError):
    """Somebody else holds the store's lock."""


class Cancelled(Exception):
    """Somebody asked the run to stop; its finished iterations are kept.  Nothing is wrong, so it is no error."""
