"""What the pages about searches say of themselves: a title for a sweep, and "What am I looking at?"."""

import streamlit as st

from dasksvd import rankings
from dasksvd.parameters import TABLE
from dasksvd.search.plans import SearchPlan, SweepPlan, WeightsPlan
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
STUDIES = r"""
A **study** varies several parameters at once. Each of its points is learned and scored with several seeds, each of
which decides the split of the images, the atoms and the network: the spread between seeds says how sure a mean is.

**What is shared.** Iteration $l$ draws its random numbers from (seed, $l$) alone, and $lpha$, $eta$, the ranking,
the encoder and the network only come in afterwards. So points that differ in nothing else share one trajectory, and a
run with a smaller $I$ is the beginning of a longer one. The number of each point is the same as that of a run of its
own.

**Designs.** A *grid* has every combination. *Random* and *Sobol* points also take ranges; a Sobol sequence leaves no
large gaps. More points begin with the same ones, so a study can be extended. Points that cannot be, such as
$lpha + eta > 1$, are left out.

**What accuracy costs.** The weights of the network are $(n+1)h + (h+1)k$ for $n$ atoms, $h$ hidden units and $k$
classes. Multiply-adds per image count the correlations with all atoms, $N n$, the steps of a pursuit, and the network.
Large dots are worth their price: no other point is as cheap and better. The best of many noisy points looks better
than it is.
"""


def introduce(plan: SearchPlan) -> None:
    """What a sweep asks; the search over the weights is what the page's title asks, unless they do not matter."""
    if isinstance(plan, SweepPlan):
        names = [f"{TABLE[name].symbol} ({TABLE[name].title})" for name in plan.axes]
        st.header(f"What {'does' if len(names) == 1 else 'do'} {' and '.join(names)} change?")
    elif isinstance(plan, WeightsPlan) and not rankings.uses_weights(plan.ranking):
        title = rankings.RANKINGS[plan.ranking].title
        st.info(f"The ranking *{title}* does not use α and β: every point selects the same atoms.")


def about(over: str) -> None:
    """What one is looking at."""
    if over == search_form.WEIGHTS:
        with st.expander("The lattice of stage 1 at three steps"):
            weight_maps.lattice_examples()
    frame.about({search_form.WEIGHTS: WEIGHTS, search_form.OTHERS: SWEEPS, search_form.STUDY: STUDIES}[over])
