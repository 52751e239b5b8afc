"""What explains a drawing, in a real browser: the strip under the sheet, the steps of the pursuit, the votes."""

import re

import pytest
from playwright.sync_api import expect

from dasksvd.digit import from_strokes
from dasksvd.digit.reader import load_default_model
from tests.browser.pens import draw_with_mouse, verdict
from tests.browser.screens import PHONE
from ui.components.canvas import SIZE, examples
from ui.components.way import N_ATOMS

#: Two digits of a number that was sent with three.
ROUNDED = 0.0056


def load(page, number):
    page.get_by_label(f"Load an example of the digit {number}").click()
    expect(verdict(page)).to_have_text(str(number))


def load_any(page, number):
    """Load an example that may be misread."""
    page.get_by_label(f"Load an example of the digit {number}").click()
    expect(page.locator(".way .stage.empty")).to_have_count(0)


def explained(number):
    model = load_default_model()
    return model, model.explain(from_strokes(examples()[number], SIZE))


def numbers(found):
    """Numbers of some elements, whose signs are real ones."""
    return [float(text.replace("−", "-").rstrip(" →")) for text in found.all_inner_texts()]


def test_an_empty_strip_is_outlined_and_not_black(draw_page):
    page = draw_page()
    stages = page.locator(".way :is(.stage, .atom)")
    expect(stages).to_have_count(4 + N_ATOMS)
    for stage in stages.all():
        picture = stage.locator("svg, canvas")
        assert picture.evaluate("one => getComputedStyle(one).borderStyle") == "dashed"
        assert picture.evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    load(page, 2)
    expect(page.locator(".way .empty")).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator(".way .empty")).to_have_count(4 + N_ATOMS)


def test_the_strip_tells_the_code_of_the_drawing(draw_page):
    page = draw_page()
    load(page, 8)
    model, found = explained(8)
    values = numbers(page.locator(".way .atom .weight span"))
    assert values == pytest.approx(found.coefficients[:N_ATOMS], abs=ROUNDED)
    classes = page.locator(".way .atom .weight b").all_inner_texts()
    assert classes == [f"class {model.atom_classes[atom]}" for atom in found.atoms[:N_ATOMS]]
    expect(page.locator(".way .rest")).to_have_text(f"+ {len(found.atoms) - N_ATOMS} more")
    left = 100 * found.residuals[-1] / found.residuals[0]
    expect(page.locator(".way .left")).to_have_text(f"{left:.1f} % left over")


def test_the_pictures_of_the_strip_stay_in_their_places(draw_page):
    """Whether nothing is drawn, all atoms are taken or two: only what is in them changes."""
    stages = "all => all.map((one) => Math.round(one.getBoundingClientRect().x))"
    seen = []
    for query in ("", "?reader_q_100=2"):
        page = draw_page(path=f"/draw{query}")
        seen.append(page.locator(".way .stage").evaluate_all(stages))
        load_any(page, 8)
        seen.append(page.locator(".way .stage").evaluate_all(stages))
    assert all(places == seen[0] for places in seen)


def test_the_strip_runs_over_no_window_with_a_sidebar(draw_page):
    for width in (1060, 1120, 1200, 1280):
        page = draw_page(viewport={"width": width, "height": 720})
        load(page, 4)
        ends = [page.locator(name).last.bounding_box() for name in (".way .stage", ".way")]
        last, strip = (box["x"] + box["width"] for box in ends)
        assert last <= strip + 1, width
        page.context.close()


def test_answer_and_strip_change_in_the_same_moment(draw_page):
    """In the same turn of the browser, so that no frame shows one without the other; also while the pen is down."""
    page = draw_page()
    load(page, 1)
    page.evaluate(
        """() => {
          const find = (name, root = document) => {
            for (const node of root.querySelectorAll('*')) {
              if (node.classList?.contains(name)) return node;
              const inside = node.shadowRoot && find(name, node.shadowRoot);
              if (inside) return inside;
            }
          };
          window.turns = {desk: [], way: []};
          let turn = 0;
          const count = () => { turn += 1; requestAnimationFrame(count); };
          count();
          const watch = (name, node, what) =>
            new MutationObserver(() => window.turns[name].push(turn)).observe(node, what);
          watch('desk', find('desk'), {attributes: true, attributeFilter: ['data-seen']});
          watch('way', find('drawn'), {childList: true});
        }"""
    )
    draw_with_mouse(page, examples()[3][:1], lift=False)
    expect(verdict(page)).to_have_text("3")
    page.wait_for_timeout(500)
    turns = page.evaluate("window.turns")
    assert len(turns["desk"]) >= 1
    assert set(turns["desk"]) <= set(turns["way"])
    page.mouse.up()


def test_q_changes_answer_and_strip_and_all_are_in_sight(draw_page, settle):
    page = draw_page(viewport={"width": 1280, "height": 720})
    load(page, 8)
    page.get_by_role("slider", name="q · non-zeros").press("Home")
    expect(page.locator(".way .atom:visible")).to_have_count(1)
    expect(page.locator(".way .rest")).to_have_text("")
    settle(page)
    for name in (".sheet", ".verdict", ".bars", ".way", ".st-key-reader_q_100", ".st-key-collection"):
        box = page.locator(name).bounding_box()
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= 720, name
    assert page.locator(".sheet").bounding_box()["width"] >= 280


def test_on_a_phone_sheet_and_answer_are_seen_together_then_q_then_the_strip(draw_page):
    page = draw_page(**PHONE)
    places = [page.locator(name).bounding_box() for name in (".sheet", ".bars", ".st-key-reader_q_100", ".way")]
    assert 270 <= places[0]["width"] <= 330
    assert places[1]["y"] + places[1]["height"] <= PHONE["viewport"]["height"]
    tops = [place["y"] for place in places]
    assert tops == sorted(tops)
    for button in page.locator(".tools button, .examples button").all():
        assert button.bounding_box()["height"] >= 40


def test_an_atom_of_the_strip_opens_on_the_atoms_page_by_mouse_and_key(draw_page, settle):
    page = draw_page()
    load(page, 4)
    _, found = explained(4)
    page.wait_for_function("location.search.includes('ink')")
    page.locator(".way .atom").nth(2).click()
    iteration, label = divmod(int(found.atoms[2]), 10)
    page.wait_for_url(re.compile(rf"/atoms\?.*atom={label}\.{iteration + 1}"))
    settle(page)
    page.go_back()
    expect(verdict(page)).to_have_text("4")
    page.locator(".way .atom").nth(1).press("Enter")
    page.wait_for_url(re.compile(r"/atoms"))


@pytest.fixture
def steps(draw_page, settle):
    page = draw_page()
    load(page, 7)
    page.get_by_role("radio", name="Step by step").click()
    settle(page)
    expect(page.locator(".pursuit")).to_have_attribute("data-step", "8")
    return page


def test_a_step_shows_candidates_refit_and_what_is_left(steps):
    model, found = explained(7)
    trace = model.trace(found)
    similar = [trace.correlations[7, atom] for atom in trace.candidates(5)[7]]
    cards = steps.locator(".candidates .card")
    assert numbers(cards.locator("b")) == pytest.approx(similar, abs=ROUNDED / 10)
    expect(cards.first).to_have_class(re.compile("chosen"))
    expect(steps.locator(".candidates .chosen")).to_have_count(1)
    after = numbers(steps.locator(".refit .card b"))
    assert after == pytest.approx(trace.coefficients[7, :8], abs=ROUNDED)
    before = steps.locator(".refit .before")
    expect(before.nth(7)).to_have_text("new")
    old = numbers(steps.locator(".refit :not(.chosen) > .before"))
    assert old == pytest.approx(trace.coefficients[6, :7], abs=ROUNDED)
    assert old != after[:7]
    expect(steps.locator(".fall")).to_contain_text(f"{trace.residuals[7]:.3f} to {trace.residuals[8]:.3f}")
    expect(steps.locator(".curve .title")).to_contain_text(f"{100 * trace.residuals[8] / trace.residuals[0]:.1f} %")


def test_steps_go_forward_and_back_and_the_link_follows(steps, new_page, server):
    steps.get_by_role("button", name="Step ▶").click()
    expect(steps.locator(".pursuit .at")).to_have_text("Step 9 of 40")
    steps.get_by_role("button", name="◀ Back").press("Enter")
    steps.get_by_role("button", name="◀ Back").press("Enter")
    expect(steps.locator(".refit .card")).to_have_count(7)
    steps.wait_for_function("location.search.includes('step_40=7')")
    slider = steps.get_by_role("slider", name="Step")
    slider.press("End")
    expect(steps.locator(".refit .card")).to_have_count(40)
    expect(steps.get_by_role("button", name="Step ▶")).to_be_disabled()
    slider.press("Home")
    expect(steps.get_by_role("button", name="◀ Back")).to_be_disabled()
    steps.wait_for_function("location.search.includes('step_40=1&') || location.search.endsWith('step_40=1')")
    other = new_page(steps.url.removeprefix(server))
    expect(other.locator(".pursuit")).to_have_attribute("data-step", "1")


def test_the_steps_play_and_pause_without_the_server(steps):
    steps.wait_for_timeout(500)
    sent = []
    session = steps.context.new_cdp_session(steps)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", lambda event: sent.append(event))
    steps.get_by_role("button", name="▶ Play").click()
    expect(steps.locator(".pursuit")).to_have_attribute("data-step", "11")
    assert sent == []
    steps.get_by_role("button", name="⏸ Pause").click()
    at = steps.locator(".pursuit").get_attribute("data-step")
    steps.wait_for_function(f"location.search.includes('step_40={at}')")
    steps.wait_for_timeout(1200)
    expect(steps.locator(".pursuit")).to_have_attribute("data-step", at)
    assert sent != []


def test_nothing_plays_by_itself(steps):
    steps.wait_for_timeout(2000)
    expect(steps.locator(".pursuit")).to_have_attribute("data-step", "8")


def test_votes_have_pictures_and_open_their_atoms(draw_page):
    page = draw_page()
    load(page, 6)
    rows = page.locator(".votes .row")
    expect(page.locator(".votes .for h3")).to_have_text("Atoms for 6")
    expect(rows.locator("canvas")).to_have_count(rows.count())
    assert page.locator(".js-plotly-plot").count() == 0
    rows.first.click()
    page.wait_for_url(re.compile(r"/atoms\?.*atom=\d\.\d+"))
