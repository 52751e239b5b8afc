"""The dashboard: pages and the sidebar they share, nothing else."""

import numpy as np
import streamlit as st
from PIL import Image

from ui import navigation, sidebar, sources


@st.cache_resource
def icon() -> Image.Image:
    """The favicon: the first selected atom of a zero, enlarged."""
    atom = sources.reference().reselect(0, 0, 1).atoms[0].reshape(16, 16)
    grey = np.uint8(255 * (atom - atom.min()) / np.ptp(atom))
    return Image.fromarray(grey).resize((64, 64), Image.Resampling.NEAREST)


st.set_page_config("DAS-KSVD", page_icon=icon(), layout="wide")
page = navigation.build()
sidebar.show()
page.run()
sources.warm_up()  # after the first page, which would have to share the machine with it
