"""Pictures of one's own in a real browser, from the dropped file to the atoms of the finished run."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from benchmarks.preview import COUNT, zip_of
from dasksvd.datasets.parts import describe_kept, training_sizes
from dasksvd.datasets.proposal import proposed
from dasksvd.evaluate import Plan
from dasksvd.parameters import Settings
from dasksvd.runs.evaluation import evaluate_run
from dasksvd.runs.status import Status
from dasksvd.runs.store import Store
from dasksvd.runs.worker import compute
from tests.browser.screens import PHONE, PROJECTOR
from tests.datasets.intake.made import encoded, zipped
from tests.datasets.own_sets import own_set
from ui.texts import class_labels

#: One that Markdown would make a link of, one that is long, one as they are.
NAMES = ("www.example.com", "an exceedingly long name", "sneaker")
PATIENCE = 180_000
LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")


def pictures(tmp_path, names=NAMES, n=30):
    """A zip with a folder per class: bars in another direction for each, of many sizes."""
    rng = np.random.default_rng(3)
    members = {}
    for label, name in enumerate(names):
        for number in range(n):
            image = rng.integers(0, 60, (24, 20 + number % 5, 3), dtype=np.uint8)
            at = 4 + number % 10
            (image, image.transpose(1, 0, 2), image[:, ::-1])[label % 3][at : at + 4, : 10 + 4 * label] = 220
            members[f"{name}/{number}.png"] = encoded(image)
    return zipped(tmp_path / "pictures.zip", members)


def drop(new_page, path, **options):
    page = new_page("/train", **options)
    expect(page.get_by_text("What am I looking at?")).to_be_visible()  # the whole form has its values
    page.get_by_role("button", name="Your pictures").click()
    page.locator("input[type=file]").set_input_files(str(path))
    return page, page.get_by_role("dialog")


def test_from_a_dropped_zip_to_the_atoms_and_the_explanation_of_a_run(new_page, settle, home, tmp_path):
    page, dialog = drop(new_page, pictures(tmp_path), viewport=PROJECTOR)
    expect(dialog.get_by_text("90 pictures in 3 classes")).to_be_visible()
    expect(dialog.get_by_text(re.compile("sneaker: 30"))).to_be_visible()
    expect(dialog.get_by_text("Not all pictures are square")).to_be_visible()
    expect(dialog.locator(".st-key-own_examples img")).to_have_count(6)
    expect(dialog.get_by_role("link")).to_have_count(0)
    dialog.get_by_label("Name of the data set").fill("my pets")
    dialog.get_by_role("button", name="Keep and use").click()
    expect(dialog).to_have_count(0)
    settle(page)
    (kept,) = Store(home).library.listing()
    assert (kept.name, kept.sizes) == ("my pets", (30, 30, 30))
    expect(page.get_by_placeholder("Name: Quick, my pets")).to_be_visible()
    for label, value in (("I · iterations", 2), ("K-SVD iterations", 2)):
        field = page.get_by_role("spinbutton", name=label)
        field.fill(str(value))
        field.press("Enter")
        settle(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text(re.compile(r"Finished in \d+:\d\d"))).to_be_visible(timeout=PATIENCE)
    told = page.get_by_text(re.compile(r"^Accuracy .* on 18 held-out images"))
    expect(told).to_be_visible()
    assert float(re.search(r"Accuracy ([\d.]+) %", told.inner_text())[1]) > 60  # by chance it would be 33
    page.get_by_role("button", name="Its atoms").click()
    settle(page)
    wall = page.locator(".st-key-structured")
    for name in class_labels(kept.classes):
        expect(wall.get_by_text(name, exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("Atom .* chosen for class"))).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_role("link")).to_have_count(0)
    page.go_back()
    settle(page)
    page.get_by_role("button", name="Read a picture").click()
    settle(page)
    expect(page.get_by_role("heading", name="Read a picture")).to_be_visible()
    expect(page.get_by_text(re.compile(r"(Right|Wrong)"))).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("Why "))).to_be_visible()
    expect(page.get_by_text(re.compile("The lead is the score of"))).to_be_visible()


@pytest.mark.parametrize("options", [{"viewport": PROJECTOR}, PHONE], ids=["projector", "phone"])
def test_one_class_is_refused_kindly(new_page, home, tmp_path, options):
    before = len(Store(home).library.listing())
    page, dialog = drop(new_page, pictures(tmp_path, ["cat"]), **options)
    expect(dialog.get_by_text(re.compile("There is only one class, cat.*at least two"))).to_be_visible()
    expect(dialog.get_by_role("button", name="Keep and use")).to_be_disabled()
    assert dialog.evaluate("one => one.scrollWidth <= one.clientWidth")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert len(Store(home).library.listing()) == before


#: Keeps every value that the bar shows.
WATCH_BAR = """() => {
    window.shares = [];
    setInterval(() => {
        const bar = document.querySelector("[data-testid=stProgress] [role=progressbar]");
        if (bar) window.shares.push(Number(bar.getAttribute("aria-valuenow")));
    }, 20);
}"""


def test_a_bar_tells_how_far_the_look_at_ten_thousand_pictures_has_come(new_page, tmp_path):
    """How long it may take is said by tests/datasets/intake/test_intake.py."""
    page, dialog = drop(new_page, zip_of(tmp_path / "many.zip", 28, "PNG"), viewport=PROJECTOR)
    page.evaluate(WATCH_BAR)
    expect(dialog.get_by_text(f"{COUNT:,} pictures in 10 classes")).to_be_visible(timeout=60_000)
    shares = page.evaluate("shares")
    assert shares == sorted(shares)
    assert len({*shares}) > 5, shares


@pytest.fixture(scope="module")
def fifty(home):
    """The id of an evaluated run on fifty classes with long names."""
    store = Store(home)
    kept = store.library.add(own_set(50, 12, 8, names=[f"species number {c} of the wood" for c in range(50)]), "wood")
    settings = proposed(Settings(t=10, I=5, ksvd_iter=2), 64, training_sizes(kept.labels))
    run = store.create(describe_kept(settings, kept), "fifty")
    compute(run)
    evaluate_run(run, Plan())
    run.set_status(Status(state="finished"))
    yield run.id
    store.delete(run.id)  # other files share the server, whose pages show the newest run
    store.remove_data(kept.key)


#: Pages, each with a figure of all classes or of the likeliest, if it has one whose texts stand apart.
FIGURES = {
    "/": "dictionary",
    "/atoms": "structured",
    "/draw": "picture_bars",
    "/measures": "",
    "/accuracy?tab=mistakes": "",
}


@pytest.mark.parametrize("options", [{"viewport": PROJECTOR}, PHONE], ids=["projector", "phone"])
@pytest.mark.parametrize("page", FIGURES)
def test_fifty_classes_fit_on_every_page(new_page, fifty, options, page):
    shown = new_page(f"{page}{'&' if '?' in page else '?'}run={fifty}&reader={fifty}", **options)
    assert shown.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    if key := FIGURES[page]:
        figure = shown.locator(f".st-key-{key}")
        expect(figure.get_by_text("0 species…", exact=True).first).to_be_visible()
        shown.evaluate(LOOK)
        for problem in ("overlaps", "cut"):
            assert figure.evaluate(f"root => look.{problem}(root)") == [], problem
    if page == "/draw":
        expect(shown.get_by_role("heading", name=re.compile("Why "))).to_be_visible()


def test_a_held_out_picture_is_picked_and_one_of_ones_own_dropped(new_page, settle, tmp_path):
    page = new_page("/draw?reader=reference_clothes_reader_20", viewport=PROJECTOR)
    answer = page.locator(".st-key-picture_answer")
    expect(answer).to_contain_text(re.compile("Right|Wrong"))
    cells = page.locator(".st-key-picture .stage")
    box = cells.bounding_box()
    before = page.url
    page.mouse.click(box["x"] + 0.95 * box["width"], box["y"] + 0.2 * box["height"])
    page.wait_for_url(re.compile("picture_place="))
    assert page.url != before
    settle(page)
    page.get_by_role("button", name="Yours").click()
    path = tmp_path / "trousers.png"
    image = np.full((90, 60, 3), 255, np.uint8)
    image[5:85, 15:27] = image[5:85, 33:45] = image[5:20, 15:45] = 20
    path.write_bytes(encoded(image))
    page.locator("input[type=file]").set_input_files(str(path))
    expect(page.get_by_text("A picture of something else is read as one of the classes, too.")).to_be_visible()
    expect(answer.get_by_role("heading")).to_have_text("trousers")
    expect(page.get_by_role("heading", name="Why trousers?")).to_be_visible()
