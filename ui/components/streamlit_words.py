"""Streamlit's own words in the visitor's language: of its menu, its tables, its dialogs and its room for files.

It writes them in English and has no option for another language, so the browser replaces them.
"""

from dasksvd.common.language import ENGLISH, current, phrase, say
from ui import components

KEY = "streamlit_words"
#: Where Streamlit writes words of its own; whatever else stands on a page is ours or the visitor's.
PLACES = (
    "stFileUploader",
    "stMainMenuPopover",
    "stStatusWidget",
    "stTooltipContent",
    "stSkipToContent",
    "stSelectboxVirtualDropdown",
    "stMultiSelectVirtualDropdown",
)
#: Also names and helps of elements: "aria-label", "title" and "placeholder".
WORDS = (
    phrase("Upload"),
    phrase("Add files"),
    phrase("Drag and drop a file here"),
    phrase("Drag and drop files here"),
    phrase("file upload"),
    phrase("Close"),
    phrase("Open"),
    phrase("Choose an option"),
    phrase("Choose options"),
    phrase("Clear all"),
    phrase("Select all"),
    phrase("No results"),
    phrase("Copy to clipboard"),
    phrase("Copied"),
    phrase("Show/hide columns"),
    phrase("Download as CSV"),
    phrase("Search"),
    phrase("Close fullscreen"),
    phrase("Main menu"),
    phrase("Print"),
    phrase("Rerun"),
    phrase("Theme"),
    phrase("System"),
    phrase("Light"),
    phrase("Dark"),
    phrase("Sidebar"),
    phrase("Expand sidebar"),
    phrase("Collapse sidebar"),
    phrase("App pages"),
    phrase("Navigate to home page"),
    phrase("Skip to main content"),
    phrase("Link to heading"),
    phrase("Running..."),
    phrase("Stop"),
    phrase("Stop script"),
    phrase("Zoom in"),
    phrase("Zoom out"),
    phrase("Reset axes"),
    phrase("Download plot"),
    phrase("Fullscreen"),
    phrase("Help"),
)
#: Words around a value: what stands before ``{value}`` and after it.
AROUND = (
    phrase("{value} per file"),
    phrase("Help for {value}"),
    phrase("Show/hide columns: {value}"),
    phrase("Download as CSV: {value}"),
    phrase("Search: {value}"),
    phrase("Fullscreen: {value}"),
    phrase("Remove {value}"),
)

_component = components.declare(KEY, "streamlit_words_files", "words_of_streamlit")


def show() -> None:
    """Say them in the visitor's language; in English there is nothing to do."""
    if current() == ENGLISH:
        return
    around = [(*text.split("{value}"), *say(text).split("{value}")) for text in AROUND]
    places = ", ".join(f'[data-testid="{place}"]' for place in PLACES)
    _component(
        key=KEY,
        data={"words": {text: say(text) for text in WORDS}, "around": tuple(around), "places": places},
    )
