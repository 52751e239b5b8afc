"""Several tabs and several browsers at one queue."""

import os

import pytest
from playwright.sync_api import expect

from dasksvd.parameters import Settings
from dasksvd.runs.folder import Status
from dasksvd.runs.jobs import Jobs
from dasksvd.runs.processes import identity
from dasksvd.runs.store import Store
from dasksvd.runs.worker import describe

REFUSED = "You already have a run waiting; let it start, or cancel it."


@pytest.fixture
def taken(home):
    """The server's one place is taken by this process, so that every run has to wait."""
    store = Store(home)
    jobs = Jobs(store, places=0)
    busy = store.create(describe(Settings(), "mnist"), "busy")
    busy.set_status(Status(state="running", **identity(os.getpid())))
    yield store
    for run in store:
        if run.status.state == "queued":
            jobs.cancel(run)
            jobs.delete(run)
    busy.set_status(Status(state="cancelled"))
    jobs.delete(busy)


def press_run(page):
    page.get_by_role("button", name="Run", exact=True).click()


def waiting(store):
    return [run for run in store if run.status.state == "queued"]


def test_a_browser_has_one_run_waiting_however_many_tabs_it_opens(new_page, settle, server, taken):
    first = new_page("/train")
    press_run(first)
    expect(first.get_by_text("Waiting, place 1 in the queue")).to_be_visible()
    second = first.context.new_page()
    second.goto(f"{server}/train")
    settle(second)
    press_run(second)
    expect(second.get_by_text(REFUSED)).to_be_visible()
    assert len(waiting(taken)) == 1
    stranger = new_page("/train")
    press_run(stranger)
    expect(stranger.get_by_text("Waiting, place 2 in the queue")).to_be_visible()
    assert len({run.status.owner for run in waiting(taken)}) == 2
    (cookie,) = [found for found in first.context.cookies() if found["name"] == "_streamlit_xsrf"]
    assert not any(cookie["value"] in path.read_text() for path in taken.root.rglob("*.json"))
