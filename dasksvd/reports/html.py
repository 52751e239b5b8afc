"""Pieces of HTML for reports; every text is escaped."""

from collections.abc import Sequence
from html import escape
from typing import Any

#: Nothing may be fetched, whatever a text in the report says.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; }
h2 { margin: 1.8rem 0 .4rem; font-size: 1.2rem; border-top: 1px solid #ccc; padding-top: .8rem; }
h3 { margin: 1rem 0 .3rem; font-size: 1rem; }
table { border-collapse: collapse; margin: .4rem 0; }
th, td { text-align: left; padding: .15rem .7rem .15rem 0; border-bottom: 1px solid #e4e4e4; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f4f5f6; padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
img { image-rendering: pixelated; max-width: 100%; }
svg { max-width: 100%; height: auto; }
.side { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.side > div { max-width: 460px; }
.big { font-size: 1.25rem; }
.small { color: #555; font-size: .85rem; }
"""


def table(rows: Sequence[Sequence[Any]], heads: Sequence[str] = ()) -> str:
    """A table of texts and numbers; numbers stand at the right.

    Examples
    --------
    >>> table([["<b>", 2]], ["name", "n"])
    '<table><tr><th>name</th><th>n</th></tr><tr><td>&lt;b&gt;</td><td class="n">2</td></tr></table>'
    """
    lines = ["".join(map(_cell, row)) for row in rows]
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    if head:
        lines.insert(0, head)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(value: Any) -> str:
    kind = ' class="n"' if isinstance(value, int | float) else ""
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return f"<td{kind}>{escape(text)}</td>"


def page(title: str, body: str) -> str:
    """A whole page that fetches nothing."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )
