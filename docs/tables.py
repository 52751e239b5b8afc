"""Write the tables that are made from the code: ``python -m docs.tables``."""

from collections.abc import Sequence
from pathlib import Path

from dasksvd.parameters import parameter_table

ROOT = Path(__file__).parents[1]


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, ["---"] * len(headings), *rows))


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that docstrings can have, in reStructuredText."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    border = ["=" * width for width in widths]
    lines = (border, headings, border, *rows, border)
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def parameters_for_people() -> str:
    """Symbol, option, meaning, default and range of each parameter."""
    rows = [(row.symbol, f"`{row.name}`", row.meaning, row.default, row.range) for row in parameter_table()]
    return markdown_table(("paper", "option", "meaning", "default", "range"), rows)


def parameters_for_docstring() -> str:
    """The same in fewer words."""
    rows = [(row.symbol, row.title, f"``{row.name}``", row.range) for row in parameter_table()]
    return f"\n{plain_table(('paper', 'meaning', 'name', 'range'), rows)}\n"


#: The lines before and after a table, and what makes it.
PLACES = (
    (
        "<!-- parameters: made by `python -m docs.tables` -->",
        "<!-- end of parameters -->",
        parameters_for_people,
    ),
    (
        ".. parameters: made by python -m docs.tables",
        ".. end of parameters",
        parameters_for_docstring,
    ),
)


def files_with(mark: str) -> list[Path]:
    """The documents and docstrings that have a line of their own for a table."""
    files = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "dasksvd" / "__init__.py")
    return [path for path in files if mark in path.read_text(encoding="utf-8").splitlines()]


def updated(text: str, begin: str, end: str, table: str) -> str:
    """A text with the table between two marks."""
    before, found, rest = text.partition(f"{begin}\n")
    _, closed, after = rest.partition(f"{end}\n")
    if not found or not closed:
        raise ValueError(f"the marks {begin!r} and {end!r} are not there")
    return f"{before}{begin}\n{table}\n{end}\n{after}"


def main() -> None:
    """Write all tables."""
    for begin, end, make in PLACES:
        for path in files_with(begin):
            text = path.read_text(encoding="utf-8")
            path.write_text(updated(text, begin, end, make()), encoding="utf-8")


if __name__ == "__main__":
    main()
