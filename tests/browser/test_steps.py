"""K-SVD by half-steps in a real browser: the buttons, the numbers they show, and playing."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from dasksvd.datasets import registry
from dasksvd.method import steps
from tests.browser.screens import PHONE, PROJECTOR
from ui import taken_apart


@pytest.fixture(scope="module")
def film():
    return taken_apart.take_apart(taken_apart.draw(registry.load("mnist"), "mnist", 200, 0), 16, 3, 0)


@pytest.fixture
def open_steps(new_page, started):
    def open_page(step=0, **options):
        page = new_page(f"/steps?step={step}" if step else "/steps", **options)
        expect(page.locator(".apart")).to_have_attribute("data-step", str(step))
        return page

    return open_page


def at(page, step):
    expect(page.locator(".apart")).to_have_attribute("data-step", step if isinstance(step, re.Pattern) else str(step))


def numbers(cells):
    return [float(text.replace("−", "-")) for text in cells.all_inner_texts()]


def test_a_signal_is_coded_with_the_numbers_of_the_core(open_steps, film):
    page = open_steps(viewport=PROJECTOR)
    look, _, second, refit = list(steps.encode(film.sample.signals[0], film.iterations[0].atoms, 3))[:4]
    forward = page.locator(".forward")
    forward.click()
    at(page, 1)
    assert numbers(page.locator(".atoms span")) == pytest.approx(look.correlations, abs=0.0056)
    chosen = page.locator(".atoms button").evaluate_all("all => all.findIndex((one) => one.className === 'chosen')")
    assert chosen == look.taken
    expect(page.locator(".formula")).to_contain_text(f"{np.abs(look.correlations).max():.3f}")
    for _ in range(3):
        forward.press("Enter")
    at(page, 4)
    cells = [numbers(table.locator("td")) for table in page.locator(".system table").all()]
    for shown, expected in zip(cells, (refit.gram.ravel(), refit.right, refit.coefficients), strict=True):
        assert shown == pytest.approx(expected, abs=0.0056)
    left, start = np.linalg.norm(refit.residual), np.linalg.norm(film.sample.signals[0])
    expect(page.locator(".formula")).to_contain_text(f"from {np.linalg.norm(second.residual):.3f} to {left:.3f}")
    expect(page.locator(".formula")).to_contain_text(f"{100 * left / start:.1f} %")
    page.wait_for_function("location.search.includes('step=4')")


def test_an_atom_is_renewed_and_the_next_iteration_comes_by_itself(open_steps, film):
    end = film.starts[1] - 1
    page = open_steps(step=end - 32)
    update = film.iterations[0].updates[0]
    expect(page.locator(".formula")).to_contain_text(f"{update.n_users} of 200 signals use it")
    page.get_by_role("button", name="Step: renew atom 1").click()
    expect(page.locator(".formula")).to_contain_text(f"{update.error_before:.3f} → {update.error:.3f}")
    shares = f"{100 * update.error / film.energy:.2f} %"
    expect(page.locator(".curve .title")).to_contain_text(shares)
    page.get_by_role("button", name="All atoms").click()
    at(page, end)
    expect(page.locator(".formula")).to_contain_text(f"{film.iterations[0].checked.error:.4f}")
    page.get_by_role("button", name="Step: next iteration").click()
    at(page, end + 1)
    expect(page.locator(".apart")).to_have_attribute("data-iteration", "2")
    page.keyboard.press("ArrowLeft")
    at(page, end)
    expect(page.locator(".apart")).to_have_attribute("data-iteration", "1")
    page.get_by_role("button", name="Restart").click()
    at(page, 0)
    page.wait_for_function("!location.search.includes('step=')")


def test_the_steps_play_without_the_server_and_over_the_end_of_an_iteration(open_steps, film):
    start = film.starts[1] - 30
    page = open_steps(step=start)
    page.get_by_role("combobox", name="Speed").select_option("brisk")
    sent = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", lambda event: sent.append(event))
    page.get_by_role("button", name="Play").click()
    at(page, re.compile("|".join(str(start + more) for more in range(3, 20))))
    assert sent == []
    page.get_by_role("combobox", name="Speed").select_option("units")
    expect(page.locator(".apart")).to_have_attribute("data-iteration", "2")
    page.get_by_role("button", name="Pause").click()
    step = page.locator(".apart").get_attribute("data-step")
    page.wait_for_function(f"location.search.includes('step={step}')")
    at(page, int(step))


def test_another_sample_begins_at_its_beginning(open_steps):
    page = open_steps(step=9)
    page.get_by_role("button", name="Sample").click()
    page.locator(".st-key-sample_atoms").get_by_role("slider").press("ArrowRight")
    expect(page.locator(".atoms button")).to_have_count(17)
    at(page, 0)
    page.wait_for_function("location.search.includes('sample_atoms=17')")


def test_on_a_phone_the_button_and_the_pictures_are_seen_together(open_steps):
    page = open_steps(step=4, **PHONE)
    for name in (".forward", ".atoms", ".pictures figure >> nth=2"):
        box = page.locator(name).bounding_box()
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"], name
        assert box["x"] + box["width"] <= PHONE["viewport"]["width"], name
