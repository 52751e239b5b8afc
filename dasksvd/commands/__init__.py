"""The commands of ``python -m dasksvd``: each module adds those of one group to the parser."""

import argparse

from dasksvd.commands import dashboard, data, looking, reports, scoring, searches, storage, studies, train

GROUPS = (train, data, scoring, looking, searches, studies, reports, storage, dashboard)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; what it parses has the function to call as ``command``."""
    parser = argparse.ArgumentParser(prog="python -m dasksvd", description="Discriminant atom selection K-SVD.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for group in GROUPS:
        group.add(commands)
    return parser
