"""``dashboard`` starts the dashboard: the same as ``streamlit run app.py``, from any folder."""

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from dasksvd.commands.options import Commands
from dasksvd.errors import DasksvdError, DataError

_PACKAGE = Path(__file__).parents[1]
#: An installed wheel has the app inside the package, a checkout beside it.
PLACES = (_PACKAGE / "dashboard" / "app.py", _PACKAGE.parent / "app.py")


def add(commands: Commands) -> None:
    """Add the command."""
    dashboard = commands.add_parser(
        "dashboard",
        help="open the dashboard in the browser",
        description="Open the dashboard in the browser; the same as `streamlit run app.py`.",
    )
    dashboard.add_argument(
        "options", nargs="*", metavar="OPTION", help="options of streamlit, after --: `-- --server.port 8600`"
    )
    dashboard.set_defaults(command=run_dashboard)


def run_dashboard(options: argparse.Namespace) -> int:
    """Start the server and stay until it ends."""
    command = streamlit_command(options.options)
    if os.name == "posix":
        # In the place of this process, so that whoever stops this process stops the server.
        os.execv(command[0], command)
    return subprocess.call(command)


def streamlit_command(options: list[str]) -> list[str]:
    """The command that starts the dashboard.

    Streamlit reads ``.streamlit/config.toml`` beside the app, whatever the current folder is.
    """
    if find_spec("streamlit") is None:
        raise DasksvdError('the dashboard needs streamlit: pip install "dasksvd[dashboard]"')
    return [sys.executable, "-m", "streamlit", "run", str(find_app()), *options]


def find_app() -> Path:
    """The dashboard's first file."""
    for path in PLACES:
        if path.is_file():
            return path
    raise DataError(
        f"there is no app.py in {' or '.join(str(path.parent) for path in PLACES)}; install dasksvd anew: "
        'pip install --force-reinstall "dasksvd[dashboard]"'
    )
