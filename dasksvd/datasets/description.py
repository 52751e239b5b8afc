"""What decides the result of a run: its settings and its data."""

import math
import re
from dataclasses import dataclass
from typing import Any

from dasksvd.datasets.registry import OWN, check_name
from dasksvd.errors import ParameterError
from dasksvd.parameters import Settings

#: What a class may be called: no path, HTML or Markdown.
CLASS_NAME = re.compile(r"[\w .,'+/-]{1,40}")
#: The sum of a data set's content.
SUM = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Description:
    """What decides the result of a run.

    Attributes
    ----------
    settings : Settings
    data : str
        The name of a registered data set, or "own" for a user's own pictures.
    classes : list of str or int
        Labels; class number c means ``classes[c]``.
    n_signals : int
        What the atoms are learned from.
    signal_length : int
    held_out : int
        Further signals of the same data, which neither atoms nor networks learn from.  0 for a
        data set with a split of its own, whose validation images are always held out, and for
        runs on other data made before there was such a part: their atoms have seen every signal.
    pictures : str
        The sum of a user's own pictures that are kept in the store once for all runs; empty for a
        registered data set, and for runs that have their pictures in their own folder.
    """

    settings: Settings
    data: str
    classes: list[str | int]
    n_signals: int
    signal_length: int
    held_out: int = 0
    pictures: str = ""

    def __post_init__(self) -> None:
        check_name(self.data)
        if self.pictures and (self.data != OWN or not SUM.fullmatch(str(self.pictures))):
            raise ParameterError(f"pictures must be the sum of own pictures, got {str(self.pictures)[:60]!r}")
        labels = all(isinstance(label, str | int) for label in self.classes)
        if not 2 <= len(self.classes) <= 1000 or not labels:
            raise ParameterError(
                f"a run needs 2 to 1000 classes named by text or whole numbers, got {len(self.classes)}"
            )
        if len({str(label) for label in self.classes}) != len(self.classes):
            raise ParameterError("two classes have the same name")
        # Names stand in headings, tables and charts, where other signs would become links or formulas.
        odd = next((label for label in self.classes if not CLASS_NAME.fullmatch(str(label))), None)
        if odd is not None:
            raise ParameterError(
                f"a class's name may have at most 40 letters, digits, spaces and . , ' + - _ /, got {str(odd)[:60]!r}"
            )
        for name, least, largest in (("n_signals", 1, 2**31), ("signal_length", 1, 2**16), ("held_out", 0, 2**31)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= largest:
                raise ParameterError(f"{name} must be a whole number in {least} … {largest}, got {value!r}")

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON.

        No held-out part has no entry, and no kept pictures neither: so it was before there were
        such, and the sums over a run's description must stay what they were.
        """
        values = vars(self) | {"settings": self.settings.as_dict()}
        if not self.held_out:
            del values["held_out"]
        if not self.pictures:
            del values["pictures"]
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Description":
        """The description in plain values."""
        if not isinstance(values["classes"], list):
            raise ParameterError("classes must be a list")
        return cls(**values | {"settings": Settings.from_dict(values["settings"])})

    @property
    def n_atoms(self) -> int:
        """Atoms of an auxiliary dictionary."""
        return self.settings.n_atoms(self.signal_length)

    @property
    def is_square(self) -> bool:
        """Whether its signals can be shown as square pictures."""
        return math.isqrt(self.signal_length) ** 2 == self.signal_length
