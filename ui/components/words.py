"""Which texts a component's HTML and JavaScript have: the keys that the browser is told in the visitor's language."""

import json
import re
from html.parser import HTMLParser

from dasksvd.common.language import ENGLISH, current, say

#: Attributes that people read or hear.
SPOKEN = ("aria-label", "title", "placeholder", "alt")
_SAID = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')
_WORDS = re.compile(r"[^\W\d_]{2}")


class _Reader(HTMLParser):
    """Collects what stands between tags and in spoken attributes."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_data(self, data):
        self.found.append(" ".join(data.split()))


def in_html(source: str) -> list[str]:
    """The texts with words of a piece of HTML."""
    reader = _Reader()
    reader.feed(source)
    return list(dict.fromkeys(text for text in reader.found if _WORDS.search(text)))


def in_script(source: str) -> list[str]:
    """The texts that a script says: ``say("…")``, the English text first."""
    return list(dict.fromkeys(json.loads(text) for text in _SAID.findall(source)))


def told(keys: list[str]) -> dict[str, dict[str, str]]:
    """What a component's data have for its texts: nothing in English, which the component has itself."""
    return {} if current() == ENGLISH else {"said": {key: say(key) for key in keys}}
