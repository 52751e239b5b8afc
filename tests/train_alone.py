"""The Train page as the app's first page, so that the test harness keeps the address for it."""

import streamlit as st

from ui import sidebar

page = st.navigation([st.Page("../pages/train.py", default=True)])
sidebar.show()
page.run()
