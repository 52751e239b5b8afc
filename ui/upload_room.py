"""How much of what visitors send the server keeps in its memory.

Streamlit limits the size of each file.  It keeps every file until the tab is closed, however many there are, so a
visitor who goes on sending would fill the memory for all.
"""

from typing import Any

from starlette.exceptions import HTTPException
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: Bytes of all files of a tab: two of the largest, as the images and labels of idx files.
OF_TAB = 400 * 2**20
#: Files of a tab.
FILES = 20
#: Bytes of all files of all visitors.
OF_ALL = 2 * 2**30
_TOO_LARGE, _FULL = 413, 503


def install() -> None:
    """Refuse files for which there is no room from now on; further calls change nothing."""
    if not hasattr(MemoryUploadedFileManager.add_file, "limited"):
        MemoryUploadedFileManager.add_file = _limited(MemoryUploadedFileManager.add_file)


def _limited(method: Any) -> Any:
    def add_file(manager: MemoryUploadedFileManager, session_id: str, file: Any) -> None:
        kept = {name: dict(files) for name, files in list(manager.file_storage.items())}
        own = [one for one in kept.get(session_id, {}).values() if one.file_id != file.file_id]
        if len(own) >= FILES or _size(own) + len(file.data) > OF_TAB:
            raise HTTPException(_TOO_LARGE, "these are too many files for one visit; reload the page to start anew")
        if sum(_size(files.values()) for files in kept.values()) + len(file.data) > OF_ALL:
            raise HTTPException(_FULL, "the server has no room for more files; try again in some minutes")
        method(manager, session_id, file)

    add_file.limited = True  # type: ignore[attr-defined]
    return add_file


def _size(files: Any) -> int:
    return sum(len(one.data) for one in files)


def forget(files: Any) -> None:
    """Let go of a visitor's files that have been read, as Streamlit would when the tab is closed."""
    context = get_script_run_ctx()
    remove = getattr(context and context.uploaded_file_mgr, "remove_file", None)  # not every storage has it
    for file in files if context is not None and remove is not None else ():
        remove(context.session_id, file.file_id)
