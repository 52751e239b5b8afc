"""``python docs/reference.py FOLDER``: write the reference of the Python interface, from the docstrings."""

import pkgutil
import re
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import dasksvd

#: Explained by ``dasksvd --help``, and not to be called from Python.
NO_INTERFACE = {"commands"}


def main(folder: Path) -> None:
    """Write one page per module."""
    import pdoc

    for name in dasksvd.__all__:  # loaded when asked for, which pdoc does not do
        setattr(dasksvd, name, getattr(dasksvd, name))
    # With an `__all__`, pdoc goes only into the packages that it names.
    found = {module.name for module in pkgutil.iter_modules(dasksvd.__path__) if not module.name.startswith("_")}
    rooms = found - NO_INTERFACE
    for name in rooms:
        setattr(dasksvd, name, import_module(f"dasksvd.{name}"))
    dasksvd.__all__ = sorted({*dasksvd.__all__, *rooms})
    dasksvd.__doc__ = with_markdown_tables(dasksvd.__doc__)
    pdoc.render.configure(docformat="numpy", footer_text=f"dasksvd {dasksvd.__version__}")
    pdoc.pdoc("dasksvd", output_directory=folder)


def with_markdown_tables(text: str) -> str:
    r"""A docstring whose tables are written in Markdown instead of reStructuredText; comments are left out.

    Examples
    --------
    >>> print(with_markdown_tables("=  ==\na  b\n=  ==\n1  22\n=  =="))
    <BLANKLINE>
    | a | b |
    | --- | --- |
    | 1 | 22 |
    <BLANKLINE>
    """
    lines, starts, rules = [], [], 0
    for line in text.splitlines():
        if re.fullmatch(r"=+(?: +=+)+", line):
            starts = [column.start() for column in re.finditer("=+", line)]
            rules = rules % 3 + 1
            lines.append(f"|{' --- |' * len(starts)}" if rules == 2 else "")
        elif rules in (1, 2):
            ends = [*starts[1:], None]
            cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
            lines.append(f"| {' | '.join(cells)} |")
        elif not line.startswith(".. "):
            lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs"))
