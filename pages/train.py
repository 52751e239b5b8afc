"""Set the parameters, press Run, watch."""

import streamlit as st

from dasksvd.common.progress import clock
from dasksvd.cost import run_cost
from dasksvd.datasets.parts import describe
from dasksvd.errors import DataError, ParameterError, StoreError
from ui import cache, sidebar, texts, visitor
from ui.controls import run_names, settings_form
from ui.panels import jobs_panel

view = sidebar.begin(
    "Learn your own atoms", "**Every parameter of the method, and the atoms appearing class by class while it runs.**"
)
choice = settings_form.choose_settings(view.alpha, view.beta, view.ranking)
description, problem = None, choice.problem
if choice.settings is not None:
    try:
        description = describe(choice.settings, choice.data)
        cache.jobs().limits.check_run(description, choice.plan)
    except (DataError, ParameterError) as error:
        description, problem = None, str(error)
if problem:
    st.warning(f"These settings cannot run: {problem}.")
else:
    cost = run_cost(description, choice.plan.classifier, choice.plan.hidden)
    st.caption(
        f"Estimated time on this machine: about {clock(cost.total)}.",
        help=f"Start {clock(cost.start)}, atoms {clock(cost.atoms)}, codes of all images {clock(cost.coding)}, "
        f"classifier {clock(cost.network)}. It may end sooner because of early stopping.",
    )

name = st.text_input("Name", max_chars=80, placeholder="a name to find it by", key="name")
if st.button("Run", type="primary", disabled=description is None, key="run_button"):
    try:
        run = cache.jobs().submit(
            description,
            name,
            owner=visitor.name(),
            plan=choice.plan,
        )
        st.session_state["watched"] = run.id
    except (ParameterError, StoreError) as error:
        st.error(texts.sentence(error))

recent = [line for line in cache.store().listing() if line.description is not None]
if recent:
    chosen = run_names.pick("Watch", cache.run_names_of(recent), key="watched", linked=True)
    jobs_panel.show(cache.store().run(chosen), view.colors)
else:
    st.info("No run of your own yet. Quick takes about ten seconds.")
    st.header("Until then: the reference run")
    jobs_panel.show_reference(view.colors)
with st.expander("What am I looking at?"):
    st.markdown(
        r"""
A run repeats, for $l = 1 \dots I$: draw $t$ signals per class by their odds; multiply the odds of the drawn ones by
$\tau_1$; add noise of size $(l-1)\,\tau_2\,\sigma_i$; learn $M = r_f N$ atoms by K-SVD with at most $qM$ non-zeros per
signal; measure every atom; keep the best one of each class. Then a network is trained on the sparse codes of the
training images and scored on held-out images, which are also used for early stopping. The run is a process of its own:
you can leave the page, come back or close the browser, and nothing is lost.
"""
    )
