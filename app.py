"""The dashboard: the navigation and the page it has chosen, nothing else."""

import base64

import streamlit as st

from dasksvd.common.plugins import load_plugins
from ui import cache, figures, frame, guard, links, look, memory, navigation, speech, upload_room, wishes
from ui.components import streamlit_words
from ui.lessons import course


@st.cache_resource
def icon() -> str:
    """The favicon, the first selected atom of a zero, as a data URL."""
    atom = cache.reference().reselect(0, 0, 1).atoms[0]
    picture = figures.mosaic(atom[None], colors=figures.SIGNED_GREY, zoom=4)
    return "data:image/png;base64," + base64.b64encode(picture).decode("ascii")


load_plugins()
guard.install()
upload_room.install()
cache.read_ahead()
speech.begin()
page = navigation.build()
st.set_page_config(f"{page.title} · DAS-KSVD", page_icon=icon(), layout="wide")
st.logo(icon(), size="medium")
look.apply()
links.read(navigation.name(page))
speech.settle()
wishes.apply()
with st.container(key="lesson"):
    course.begin(navigation.name(page))
with st.sidebar:
    speech.switch()
frame.enter()
page.run()
links.write()
streamlit_words.show()
cache.warm_up()  # after the first page, which would have to share the machine with it
memory.start()
