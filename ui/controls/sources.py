"""What a new run can learn from: registered data sets, and those of one's own that the store keeps."""

from collections.abc import Callable
from dataclasses import dataclass

from dasksvd.common.language import say
from dasksvd.datasets import DATASETS, parts
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import Kept
from dasksvd.datasets.proposal import PROPOSED, proposed
from dasksvd.errors import DataError, ParameterError
from dasksvd.parameters import PRESETS, Settings
from ui import cache, texts

#: Letters of a key in the names of controls; a link's names are short.
_SHORT = 8


@dataclass(frozen=True)
class Source:
    """Data to learn from.

    Attributes
    ----------
    title : str
        What people read.
    tag : str
        A name for its own controls, where their values depend on the data; empty for the first data set.
    fitted : tuple of str
        Parameters whose proposed values depend on it.
    base : callable(preset) -> Settings
        The settings of a preset that suit it.
    describe : callable(settings) -> Description
    """

    title: str
    tag: str
    fitted: tuple[str, ...]
    base: Callable[[str], Settings]
    describe: Callable[[Settings], Description]


def titles() -> dict[str, str]:
    """The names of all sources for links, the registered ones first, and what people read."""
    own = {kept.key: say("{name} (own)", name=kept.name) for kept in cache.store().library.listing()}
    return texts.titles(DATASETS) | own


def source(name: str) -> Source:
    """The source of a name in :func:`titles`."""
    if name in DATASETS:
        return _registered(name)
    return _own(cache.store().library.find(name))


def _registered(name: str) -> Source:
    tag = "" if name == next(iter(DATASETS)) else name

    def base(preset: str) -> Settings:
        try:
            return parts.preset(preset, name)
        except (DataError, ParameterError):  # such data are refused with a reason when the run is described
            return PRESETS[preset]

    return Source(DATASETS[name].title, tag, PROPOSED, base, lambda settings: parts.describe(settings, name))


def _own(kept: Kept) -> Source:
    def describe(settings: Settings) -> Description:
        return parts.describe_kept(settings, kept)

    return Source(kept.name, kept.key[:_SHORT], PROPOSED, lambda preset: suited(PRESETS[preset], kept), describe)


def suited(settings: Settings, kept: Kept) -> Settings:
    """The settings that are proposed for a data set of one's own."""
    return proposed(settings, kept.side**2, parts.training_sizes(kept.labels))
