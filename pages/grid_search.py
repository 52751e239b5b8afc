"""Which weights are best, and which other parameters?"""

import streamlit as st

from dasksvd.common.language import say
from dasksvd.errors import DamagedFile
from ui import frame, sidebar
from ui.controls import known_searches, search_form
from ui.panels import search_help, search_job, study_map, sweep_map, take_home, weight_maps

PANELS = {search_form.WEIGHTS: weight_maps, search_form.OTHERS: sweep_map, search_form.STUDY: study_map}

view = frame.begin(
    say("Which settings are best?"),
    say("Each point is **scored by networks on unseen images**."),
    controls=(sidebar.RUN, sidebar.WEIGHTS, sidebar.SIZE),
)
row, results = search_form.places()
over, plan = search_form.WEIGHTS, ""
try:
    known_searches.follow(view)
    over = search_form.pick_search(row)
    box, popover = row.container(), row.popover(say("New search …"), icon=":material/add:", key="new_search")
    with popover:
        plan = search_form.pick_plan(view, over)
    with results:
        if isinstance(plan, str):
            st.warning(say("This cannot be searched: {plan}.", plan=plan))
        else:
            known_searches.pick(view, plan, box)
            search_help.introduce(plan)
            search_job.show(view, plan, PANELS[over], popover)
except DamagedFile as error:
    st.error(say("The scores of this run cannot be read: {error}. The next search starts from scratch.", error=error))
take_home.code(lambda: take_home.of_search(view, plan))
take_home.report([view.run_id], plan)
search_help.about(over)
