"""The Train page as the app's first page, so that the test harness keeps the address for it."""

import streamlit as st

from ui import guard, links, sidebar

guard.install()
page = st.navigation([st.Page("../../pages/train.py", default=True)])
links.read("train")
sidebar.show()
page.run()
links.write()
