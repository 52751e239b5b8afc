"""The Train page as the app's first page, so that the test harness keeps the address for it."""

import streamlit as st

from ui import frame, guard, links

guard.install()
page = st.navigation([st.Page("../../pages/train.py", default=True)])
links.read("train")
frame.enter()
page.run()
links.write()
