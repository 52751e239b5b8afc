"""The command line: ``python -m dasksvd train …``."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from dasksvd.commands import build_parser
from dasksvd.common.plugins import load_plugins
from dasksvd.errors import Cancelled, DasksvdError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without Greek letters shows ? instead of failing
            stream.reconfigure(errors="replace")
    try:
        load_plugins()
        options = build_parser().parse_args(arguments)
        return options.command(options)
    except DasksvdError as error:
        print(f"dasksvd: error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dasksvd: error: cannot read or write {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, Cancelled):
        print("\ndasksvd: stopped; finished iterations are kept, `resume` goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
