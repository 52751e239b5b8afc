"""Many runs in a real browser: sorted, filtered, brushed, compared; a study from start to end, its code, its report."""

import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from dasksvd.evaluate import Plan
from dasksvd.parameters import QUICK
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute, describe
from dasksvd.search.job import Search
from dasksvd.search.outcomes import outcomes
from tests.browser.test_runs import click_row, picked, runs  # noqa: F401  # a fixture
from tests.reports.running import as_script, in_shell
from tests.ui.harness import own_run

#: A study of eight networks on a busy machine.
PATIENCE = 240_000


@pytest.fixture
def three(runs):  # noqa: F811
    """Three evaluated runs, the newest one first in the table."""
    found = []
    for number, q in enumerate((0.1, 0.2, 0.3)):
        run = own_run(runs, f"run q {q}", q=q)
        evaluate_run(run, Plan("fixed", 5))
        run.set_about(created=4_000_000_000.0 - number)
        found.append(run)
    return found


def chart(page):
    return page.get_by_role("figure", name=re.compile("each a line through its settings"))


def runs_in(page, count):
    """Wait until the chart's sentence beside the views says how many runs are left."""
    expect(page.get_by_role("button", name=re.compile(rf"^{count} of \d+ runs"))).to_be_visible()


def test_the_table_is_sorted_by_numbers_and_filtered(started, new_page, settle, three):
    page = new_page("/runs")
    table = page.locator(".st-key-table canvas").first
    expect(table).to_be_visible()
    # All runs of one data set: rows are picked after sorting by a click on the head of the accuracy's column.
    page.get_by_label("Find runs").fill("q < 0.25 and name ~ run")
    page.get_by_label("Find runs").press("Enter")
    expect(page).to_have_url(re.compile("find=q"))
    settle(page)
    box = table.bounding_box()
    page.mouse.click(box["x"] + 33 + 160 + 34 + 70 + 40, box["y"] + 17)
    best = max(three[:2], key=lambda run: json.loads((run.folder / "metrics.json").read_text())["accuracy"])
    worst = next(run for run in three[:2] if run is not best)
    click_row(page, 0)
    expect(picked(page)).to_have_text(re.compile(f"^{re.escape(worst.about.name)}"))
    page.get_by_label("Find runs").fill("q <")
    page.get_by_label("Find runs").press("Enter")
    expect(page.get_by_text("a value is missing")).to_be_visible()


def test_a_brush_hides_runs_everywhere_by_pointer_and_by_keyboard(started, new_page, settle, three):
    page = new_page("/runs?view=lines&find=name+~+%22run+q%22")
    expect(chart(page)).to_be_visible()
    axis = page.locator('.axis[data-axis="q"]')
    box = axis.bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + 0.75 * box["height"])
    page.mouse.down()
    page.mouse.move(x, box["y"] + 0.3 * box["height"], steps=4)
    page.mouse.up()
    runs_in(page, 1)
    expect(page).to_have_url(re.compile("brush=q"))
    settle(page)
    handle = page.get_by_role("slider", name="q (%), lower end")
    handle.focus()
    handle.press("Home")
    runs_in(page, 2)
    settle(page)
    page.get_by_role("main").get_by_text("Accuracy", exact=True).click()
    expect(page.get_by_role("figure", name=re.compile("^Accuracies of 2 runs"))).to_be_visible()
    other = new_page("/runs" + page.url.partition("/runs")[2])
    expect(other.get_by_role("figure", name=re.compile("^Accuracies of 2 runs"))).to_be_visible()
    page.get_by_role("button", name=re.compile("show all")).click()
    expect(page.get_by_role("figure", name=re.compile("^Accuracies of 3 runs"))).to_be_visible()


def test_three_runs_are_compared(started, new_page, settle, three):
    page = new_page(f"/runs?picked={'~'.join(run.id for run in three)}")
    expect(page.get_by_text("They differ in q (0.1, 0.2, 0.3)")).to_be_visible()
    for run in three:
        expect(page.get_by_role("figure", name=f"Selected atoms of the run {run.about.name}")).to_be_visible()
    page.goto(page.url + "&view=match")
    settle(page)
    expect(page.get_by_text(re.compile("selected atoms are found among the 20"))).to_be_visible()
    expect(page.get_by_role("figure", name=re.compile("^Most alike"))).to_be_visible()


@pytest.fixture
def studied(home):
    """A run of the quick preset on the small digits, of two iterations."""
    run = Store(home).create(describe(replace(QUICK, t=30, I=2), "digits"), "studied")
    compute(run)
    run.set_status(replace(run.status, state="finished"))
    return run


def test_a_study_from_start_to_end_then_its_code_and_its_report(started, new_page, settle, browser, studied, tmp_path):
    axes = "study_names=alpha~I&axis_alpha=0.0%2C+0.5&axis_I=1%2C+2&study_seeds=2"
    page = new_page(f"/grid_search?run={studied.id}&search_over=study&{axes}")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("figure", name=re.compile("4 of 4 points"))).to_be_visible(timeout=PATIENCE)
    settle(page)
    (plan,) = Search(studied).plans().values()
    told = [100 * one.summary.mean for one in outcomes(studied, plan)]
    page.get_by_role("main").get_by_text("What mattered?").click()
    expect(page.get_by_text("4 different settings with a score, and it takes 12")).to_be_visible()
    page.get_by_role("button", name="Code").click()
    code = page.locator(".st-key-code_texts code").nth(1)
    expect(code).to_contain_text("StudyPlan")
    printed = as_script(code.text_content(), tmp_path)
    found = [float(mean) for mean in re.findall(r"\} (\d+\.\d+) ±", printed)]
    assert found == pytest.approx(told, abs=0.0051), printed  # two decimals are printed
    page.keyboard.press("Escape")
    with page.expect_download(timeout=PATIENCE) as found:
        page.get_by_role("button", name="Report").click()
    report = tmp_path / "report.html"
    report.write_bytes(found.value.path().read_bytes())
    asked = []
    offline = browser.new_context(offline=True)
    sheet = offline.new_page()
    sheet.on("request", lambda request: asked.append(request.url))
    sheet.goto(report.as_uri())
    expect(sheet.get_by_role("heading", name="studied").first).to_be_visible()
    offline.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert in_shell(f"python -m dasksvd verify {report.name}", tmp_path).splitlines()[-1] == "identical"
