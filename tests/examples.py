"""The examples of docs/EXTENDING.md.  The document is the only place where they stand: tests run its very text."""

import re
from contextlib import contextmanager
from pathlib import Path

from dasksvd import datasets, encoders, networks, rankings
from ui import navigation

DOCUMENT = Path(__file__).parents[1] / "docs" / "EXTENDING.md"
REGISTRIES = (datasets.DATASETS, networks.NETWORKS, encoders.ENCODERS, rankings.RANKINGS, navigation.PAGES)


def python_blocks(text):
    """The python blocks of a document by the heading that they stand under; a second one is numbered."""
    found = {}
    for section in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        heading = section.partition("\n")[0].strip()
        for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL), 1):
            found[heading if number == 1 else f"{heading} {number}"] = block
    return found


EXAMPLES = python_blocks(DOCUMENT.read_text(encoding="utf-8"))


@contextmanager
def registered(*headings):
    """Run the examples under some headings; forget afterwards what they registered."""
    before = [set(registry) for registry in REGISTRIES]
    try:
        for heading in headings:
            exec(compile(EXAMPLES[heading], heading, "exec"), {"__name__": "example"})
        yield
    finally:
        for registry, known in zip(REGISTRIES, before, strict=True):
            for name in set(registry) - known:
                registry.unregister(name)
