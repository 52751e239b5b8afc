"""Fixtures of all tests of pages."""

from tests.ui.harness import home  # noqa: F401
