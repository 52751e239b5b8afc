"""A recipe, or a walk in cells, as a Jupyter notebook: format 4.5, written as plain JSON."""

import hashlib
import json
import re
from typing import Any

from dasksvd.reports.recipes import Recipe

#: What everything that Markdown reads is made of.
_MARKS = "\\`*_{}[]()#+-.!|<>~$&"


def notebook(recipe: Recipe) -> bytes:
    """The notebook of a recipe: a heading, the commands, and one cell for each piece of Python."""
    told = [f"# {_plain(recipe.title)}", *(_plain(note) for note in recipe.notes)]
    shell = "\n".join(f"    {line}" for line in recipe.shell.splitlines())
    cells = [_cell(0, "markdown", "\n\n".join([*told, f"The same from the shell:\n\n{shell}"]))]
    cells += [_cell(number, "code", text) for number, text in enumerate(recipe.cells, 1)]
    return _written(cells)


def of_walk(text: str) -> bytes:
    """The notebook of a Python file whose cells begin with ``# %%``, those of text with ``# %% [markdown]``.

    What stands before the first cell, the file's own heading, is left out.
    """
    cells = []
    for number, (mark, body) in enumerate(re.findall(r"^# %%(.*)\n((?:(?!# %%).*\n?)*)", text, re.MULTILINE)):
        is_text = "[markdown]" in mark
        lines = [re.sub("^# ?", "", line) for line in body.splitlines()] if is_text else body.splitlines()
        cells.append(_cell(number, "markdown" if is_text else "code", "\n".join(lines).strip("\n")))
    return _written(cells)


def _written(cells: list[dict[str, Any]]) -> bytes:
    content = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    """A cell; its id is the same every time, and no two of a notebook are alike."""
    mark = hashlib.sha256(f"{number} {text}".encode()).hexdigest()[:8]
    found: dict[str, Any] = {"cell_type": kind, "id": f"{number}-{mark}", "metadata": {}}
    found["source"] = text.splitlines(keepends=True)
    return found | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _plain(text: str) -> str:
    return "".join(f"\\{sign}" if sign in _MARKS else sign for sign in text)
