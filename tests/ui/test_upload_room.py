"""What visitors send: it fills neither the server's memory nor stays there after it was read."""

import pytest
from starlette.exceptions import HTTPException
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dasksvd.datasets.intake.findings import MAX_BYTES
from ui import upload_room


@pytest.fixture
def room(monkeypatch):
    """A server's files, with room for 10 bytes a tab and 25 in all."""
    for name, limit in (("OF_TAB", 10), ("FILES", 3), ("OF_ALL", 25)):
        monkeypatch.setattr(upload_room, name, limit)
    upload_room.install()
    upload_room.install()  # as every run of the app does
    return MemoryUploadedFileManager("/upload")


def send(room, tab, number, size):
    room.add_file(tab, UploadedFileRec(str(number), "a.zip", "", bytes(size)))


def kept(room):
    return {tab: sorted(len(file.data) for file in files.values()) for tab, files in room.file_storage.items()}


def test_a_tab_keeps_no_more_than_its_share(room):
    send(room, "a", 1, 6)
    for number, size in ((2, 5), (3, 11)):
        with pytest.raises(HTTPException, match="too many files") as refused:
            send(room, "a", number, size)
        assert refused.value.status_code == 413
    send(room, "a", 1, 10)  # in place of the first
    assert kept(room) == {"a": [10]}


def test_a_tab_keeps_few_files(room):
    for number in range(3):
        send(room, "a", number, 0)
    with pytest.raises(HTTPException, match="too many files"):
        send(room, "a", 3, 0)


def test_all_tabs_together_keep_no_more_than_the_server_has_room_for(room):
    for tab in "ab":
        send(room, tab, 1, 10)
    with pytest.raises(HTTPException, match="no room") as refused:
        send(room, "c", 1, 6)
    assert refused.value.status_code == 503
    room.remove_session_files("a")
    send(room, "c", 1, 6)
    assert kept(room) == {"b": [10], "c": [6]}


def test_files_that_were_read_are_let_go(room, monkeypatch):
    class Tab:
        session_id, uploaded_file_mgr = "a", room

    send(room, "a", 1, 5)
    send(room, "a", 2, 3)
    upload_room.forget([])
    monkeypatch.setattr(upload_room, "get_script_run_ctx", Tab)
    upload_room.forget([room.file_storage["a"]["1"]])
    assert kept(room) == {"a": [3]}


def test_two_of_the_largest_files_fit():

    assert 2 * MAX_BYTES <= upload_room.OF_TAB <= upload_room.OF_ALL
