"""Which texts the code has for visitors, and which of them go through the catalogue."""

import ast
import re
from itertools import pairwise
from pathlib import Path

from ui.components import words

ROOT = Path(__file__).parents[2]
SAYERS = {"say": 1, "phrase": 1, "say_count": 3}
SOURCES = [*(ROOT / "dasksvd").rglob("*.py"), *(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
SOURCES += [*(ROOT / "reproduce").rglob("*.py"), ROOT / "app.py"]


def parsed(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node
    return tree


def sayer(node):
    """The function of a call, if it is one that says a text."""
    function = node.func if isinstance(node, ast.Call) else None
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name if name in SAYERS else ""


def said_in(tree):
    """The texts that a file says: each with the node that has it."""
    for node in ast.walk(tree):
        if name := sayer(node):
            for argument in node.args[: SAYERS[name]]:
                for part in (argument.body, argument.orelse) if isinstance(argument, ast.IfExp) else (argument,):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part, part.value


def of_python():
    """The texts of all Python files, with the files in which they stand."""
    found = {}
    for path in SOURCES:
        if "dasksvd.common.language" not in path.read_text(encoding="utf-8"):
            continue  # another function of that name
        for _, text in said_in(parsed(path)):
            found.setdefault(text, str(path.relative_to(ROOT)))
    return found


def of_components():
    """The texts of components' HTML and scripts, with their files."""
    found = {}
    for path in (ROOT / "ui" / "components").rglob("*"):
        read = {".html": words.in_html, ".js": words.in_script}.get(path.suffix)
        for text in read(path.read_text(encoding="utf-8")) if read else ():
            found.setdefault(text, str(path.relative_to(ROOT)))
    return found


def of_tables():
    """The texts of registries and tables, which are said where they are shown."""
    from dasksvd import rankings
    from dasksvd.datasets.registry import DATASETS
    from dasksvd.encoders import ENCODERS
    from dasksvd.networks import NETWORKS
    from dasksvd.parameters import ABOUT_BEST, PRESETS, TABLE
    from dasksvd.runs.reference import SHIPPED
    from dasksvd.runs.status import STATES
    from dasksvd.search.space import DESIGN_TITLES, SCORING
    from ui.navigation import PAGES
    from ui.panels import run_table

    found = [
        entry.title for table in (rankings.RANKINGS, DATASETS, ENCODERS, NETWORKS, PAGES) for entry in table.entries()
    ]
    found += [table.kind for table in (rankings.RANKINGS, ENCODERS, NETWORKS)]
    for row in TABLE.values():
        found += [row.title, row.meaning, row.subject, row.limits, *map(str, row.titles.values())]
    found += [ABOUT_BEST, *map(str.capitalize, PRESETS), *DESIGN_TITLES.values(), *(one[0] for one in SCORING.values())]
    found += [*_of_results(), *run_table.ALL, *(one.name for one in SHIPPED.values()), *STATES]
    return {text: "tables" for text in found if text and re.search(r"[A-Za-z]{2}", text)}


def _of_results():
    """The texts of the page about the paper: claims, dictionaries, networks."""
    from reproduce import claims, descriptions, lines, report
    from reproduce.paper import SIZES
    from reproduce.verdicts import Verdict

    found = [
        *Verdict,
        "new runs",
        "shipped run",
        "better",
        "worse",
        "cannot be told apart",
        "one round cannot tell",
        "died",
        *report.NAMES.values(),
        *report.ENCODER_NAMES.values(),
        report.ABOUT_CUT_SHORT,
    ]
    found += [name.removesuffix(", 200 atoms") for name in report.NAMES.values()]
    for claim in claims.CLAIMS:
        found += [claim.said, claim.source, *claim.sides, claim.part]
        found += [text for name, text in getattr(claim.tell, "keywords", {}).items() if name != "evidence"]
    found += [text for words in descriptions.DESCRIPTIONS.values() for text in words]
    found += [title for title, _ in lines.OTHERS.values()]
    found += [f"{few} → {many} atoms per class" for few, many in pairwise(SIZES)]
    found += [f"{I} atoms per class" for I in SIZES] + [f"{hidden} hidden units" for hidden in report.WIDTHS]
    return map(str, found)


#: Keywords of calls whose texts nobody reads.
UNREAD = ("key", "type", "icon", "width", "height", "gap", "mode", "mime", "language", "file_name", "unit")
#: Two words, or one that begins like a label.
_WORDS = re.compile(r"[A-Za-zα-ω]{2,}[,:;]? +[A-Za-zα-ω(]{2,}|^[A-Z][a-z]+( …)?$")
_VALUE = "{}"


def unsaid(path):
    """Texts with words in a file that nobody says: not docstrings, names of things or what is compared."""
    tree = parsed(path)
    said = {id(node) for node, _ in said_in(tree)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if not (is_text or isinstance(node, ast.JoinedStr)) or id(node) in said or _is_for_the_code(node):
            continue
        parts = [node] if is_text else node.values
        text = "".join(part.value if isinstance(part, ast.Constant) else _VALUE for part in parts)
        if _WORDS.search(text):
            yield " ".join(text.split())


def _is_for_the_code(node):
    above = node.parent
    if isinstance(above, ast.Expr | ast.JoinedStr | ast.FormattedValue | ast.Compare | ast.arg):
        return True
    if isinstance(above, ast.Subscript):  # what is put under a name may become a line of a table
        return isinstance(above.ctx, ast.Load)
    if isinstance(above, ast.FunctionDef) or (isinstance(above, ast.keyword) and above.arg in UNREAD):
        return True
    return isinstance(above, ast.AnnAssign) and node is above.annotation


def said_too_early(path):
    """Texts that a file says while it is imported, when nobody's language is known."""
    tree = parsed(path)
    for node in ast.walk(tree):
        if sayer(node) in ("say", "say_count") and not _is_in_a_function(node):
            yield ast.unparse(node)


def _is_in_a_function(node):
    while (above := getattr(node, "parent", None)) is not None:
        if isinstance(above, ast.Lambda) or (isinstance(above, ast.FunctionDef) and node in above.body):
            return True
        node = above
    return False
