"""Modules of a user's own that register data sets, networks, encoders or rankings.

What a program registers is known to that program only.  The dashboard computes a run in another
process, and a search in several, perhaps on other machines: they must import the same modules.
The environment variable ``DASKSVD_PLUGINS`` names them, separated by commas::

    PYTHONPATH=. DASKSVD_PLUGINS=my_data,my_network streamlit run app.py

imports ``my_data.py`` and ``my_network.py`` of the current folder.  The command line and the
dashboard read the variable when they start; the processes that they start inherit it.  Only who
starts the program can set it: neither a run's folder nor a visitor of the dashboard names code.
"""

import os
from collections.abc import Iterable
from importlib import import_module

from dasksvd.errors import ParameterError

#: Environment variable that names the modules.
PLUGINS = "DASKSVD_PLUGINS"


def plugin_names() -> list[str]:
    """The modules that the environment names."""
    names = (name.strip() for name in os.environ.get(PLUGINS, "").split(","))
    return [name for name in names if name]


def load_plugins(names: Iterable[str] | None = None) -> None:
    """Import modules, by default those that the environment names; each is imported once.

    Raises
    ------
    ParameterError
        If one cannot be imported.
    """
    for name in plugin_names() if names is None else names:
        try:
            import_module(name)
        except Exception as error:  # it may run any code
            raise ParameterError(
                f"cannot import {name}, which {PLUGINS} names: {type(error).__name__}: {error}; "
                "its folder must be in PYTHONPATH"
            ) from error
