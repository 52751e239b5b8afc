"""Which weights are best, and which other parameters?"""

import streamlit as st

from dasksvd.errors import DamagedFile
from ui import sidebar
from ui.controls import search_form
from ui.panels import search_job, sweep_map, weight_maps

view = sidebar.begin(
    "Which weights are best?",
    "**One trajectory serves every pair of weights: each cell is another choice among the same learned atoms**, "
    "scored by networks on images they were not trained on. Click one to look at its atoms on every page.",
)
try:
    search_form.show_search_at_work(view)
    over_weights = search_form.pick_search() == search_form.WEIGHTS
    plan = search_form.weights_plan(view) if over_weights else search_form.sweep_plan(view)
    if isinstance(plan, str):
        st.warning(f"This cannot be searched: {plan}.")
    else:
        search_form.start_button(view, plan)
        results = weight_maps if over_weights else sweep_map
        search_job.live(view, lambda: results.show(view, plan))
except DamagedFile as error:
    st.error(f"The scores of this run cannot be read: {error}. The next search starts from scratch.")
with st.expander("The lattice of stage 1 at three steps"):
    weight_maps.lattice_examples()
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
The atoms of a class are ranked by $m = \alpha\,m_{af} + \beta\,m_{cm} + (1-\alpha-\beta)\,m_{re}$. Weights are at
least 0 and add up to 1, so $(\alpha, \beta)$ lies in a triangle. **Stage 1** tries every point of a lattice of step
$\Delta_1$ and marks the two best regions that do not touch; **stage 2** tries every point of step $\Delta_2$ with
$(\alpha-\alpha^*)^2 + (\beta-\beta^*)^2 \le (2\Delta_2)^2$ around their centres.

Nothing that a run learns depends on the weights, so all points choose from one run, and points that choose the same
atoms share one score. For a point, the training images are coded on its atoms, several networks as wide as there are
atoms are trained on the codes, and the share of $X_{val}$ they get right is averaged; $X_{val}$ is not used for
early stopping, and the test images are not used at all. If a run's data have no $X_{val}$, a fifth of each class is
held out: neither atoms nor networks learn from it. The best of many noisy points looks better than it is: compare
its lead with the standard deviation between networks.

Other parameters change what is learned: each point of such a **sweep** is a new run with the settings of the current
one except for those that vary. If only $I$ varies, all points share one run.
"""
    )
