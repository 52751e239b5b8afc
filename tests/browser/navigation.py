"""The pages as the navigation registers them, so that a test of every page needs no list of its own."""

from ui import navigation

#: Names in the sidebar, and paths behind the server's address, in the same order.
TITLES = [page.title for page in navigation.PAGES.entries()]
PATHS = [navigation.path(name) for name in navigation.PAGES]
