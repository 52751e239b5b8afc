"""Tests of the core, the pages and the command line."""
