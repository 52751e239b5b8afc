"""``python docs/reference.py FOLDER``: write the reference of the Python interface, from the docstrings."""

import pkgutil
import sys
from pathlib import Path

import pdoc

sys.path.insert(0, str(Path(__file__).parents[1]))
import dasksvd


def main(folder: Path) -> None:
    """Write one page per module."""
    for name in dasksvd.__all__:  # loaded when asked for, which pdoc does not do
        setattr(dasksvd, name, getattr(dasksvd, name))
    pdoc.render.configure(docformat="numpy", footer_text=f"dasksvd {dasksvd.__version__}")
    # With an `__all__`, pdoc goes only into the packages that it names.
    others = {module.name for module in pkgutil.iter_modules(dasksvd.__path__)} - {*dasksvd.__all__, "__main__"}
    pdoc.pdoc("dasksvd", *(f"dasksvd.{name}" for name in sorted(others)), output_directory=folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs"))
