"""What the pages about searches say of themselves: a title for a sweep, and "What am I looking at?"."""

import streamlit as st

from dasksvd import rankings
from dasksvd.parameters import TABLE
from dasksvd.search.plans import SearchPlan, SweepPlan
from ui import frame
from ui.controls import search_form
from ui.panels import weight_maps

SCORING = r"""
Training images are coded on the atoms, several networks as wide as there are atoms are trained on the codes, and
the share of $X_{val}$ they get right is averaged; $X_{val}$ is not used for early stopping, and the test images are
not used at all. If a run's data have no $X_{val}$, a fifth of each class is held out: neither atoms nor networks
learn from it.

**Noise.** Networks that differ only in their random start differ in what they get right. Their standard deviation,
pooled over all points, gives the 95 % interval of a mean and of a difference of two means. Of many differences some
are large by chance, so the p-values of all points' differences to the best are corrected for their number (Holm).
Points that then do not differ from it are marked ≈: they cannot be told from the best. The best of many noisy points
looks better than it is, so even a gap beyond the noise may be luck.
"""
WEIGHTS = (
    r"""
The atoms of a class are ranked by $m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$. Weights are at
least 0 and add up to 1, so $(\alpha, \beta)$ lies in a triangle. **Stage 1** tries every point of a lattice of step
$\Delta_1$ and marks the two best regions that do not touch, R1 and R2; **stage 2** tries every point of step
$\Delta_2$ with $(\alpha-\alpha^*)^2 + (\beta-\beta^*)^2 \le (2\Delta_2)^2$ around their centres.

Nothing that a run learns depends on the weights, so all points choose from one run, and points that choose the same
atoms share one score.
"""
    + SCORING
)
SWEEPS = (
    r"""
The other parameters change what is learned. Each point of a **sweep** is a new run with the settings of the current
one except for those that vary; α, β and the ranking are those that are set. If only $I$ varies, all points share one
run. One parameter gives a curve, two give a map.
"""
    + SCORING
    + """
The intervals are about the networks only. Each point is one run with one seed; another seed would give other atoms.
"""
)


def introduce(plan: SearchPlan) -> None:
    """What a sweep asks; the search over the weights is what the page's title asks, unless they do not matter."""
    if isinstance(plan, SweepPlan):
        names = [f"{TABLE[name].symbol} ({TABLE[name].title})" for name in plan.axes]
        st.header(f"What {'does' if len(names) == 1 else 'do'} {' and '.join(names)} change?")
    elif not rankings.uses_weights(plan.ranking):
        title = rankings.RANKINGS[plan.ranking].title
        st.info(f"The ranking *{title}* does not use α and β: every point selects the same atoms.")


def about(over: str) -> None:
    """What one is looking at."""
    if over == search_form.WEIGHTS:
        with st.expander("The lattice of stage 1 at three steps"):
            weight_maps.lattice_examples()
    frame.about(WEIGHTS if over == search_form.WEIGHTS else SWEEPS)
