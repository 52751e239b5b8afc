"""The one way to say how large something is, how sure that is, and whether two things differ.

Takes numbers only: accuracies of rounds, of networks, or shares of signals.
"""

from dasksvd.statistics.components import Components, variance_components
from dasksvd.statistics.corrections import Corrected, corrected, holm
from dasksvd.statistics.differences import Difference, paired, probability_better, unpaired
from dasksvd.statistics.noise import Noise, pooled_noise
from dasksvd.statistics.shares import paired_shares, share_half_width, share_text, unpaired_shares
from dasksvd.statistics.summaries import Summary, plus_minus, summarise

__all__ = [
    "Components",
    "Corrected",
    "Difference",
    "Noise",
    "Summary",
    "corrected",
    "holm",
    "paired",
    "paired_shares",
    "plus_minus",
    "pooled_noise",
    "probability_better",
    "share_half_width",
    "share_text",
    "summarise",
    "unpaired",
    "unpaired_shares",
    "variance_components",
]
