"""``python docs/moving_picture.py``: film the Draw page for the README, in a server and a browser of its own.

Digits are drawn with a real pointer; the answer and the atoms that explain it change with the strokes.  The film goes
to docs/draw.gif.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.server import dashboard
from ui.components.canvas import SIZE, examples

FILM = Path(__file__).with_name("draw.gif")
LARGEST = 2_000_000
DIGITS = (3, 4)
#: Points of a stroke between two frames; milliseconds of a frame while the pen moves, and of a view to look at.
STEP, BRIEF, LONG = 3, 110, 1800
VIEWPORT = {"width": 1280, "height": 720}
WIDTH = 900
#: Colours of the film; the palette is that of its last picture.
COLOURS = 96

Frame = tuple[Image.Image, int]


def frames(page: Page) -> Iterator[Frame]:
    """Pictures of the page, each with the milliseconds it is shown for."""
    for digit in DIGITS:
        page.get_by_role("button", name="Clear", exact=True).click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(1000)
        for stroke in examples()[digit]:
            yield from stroke_frames(page, stroke)
        page.mouse.move(0, 0)
        page.wait_for_timeout(1500)
        yield picture(page), LONG


def stroke_frames(page: Page, stroke: list) -> Iterator[Frame]:
    """One stroke, a frame every few points."""
    box = page.locator(".sheet").bounding_box()
    scale = box["width"] / SIZE
    points = [(box["x"] + scale * x, box["y"] + scale * y) for x, y in stroke]
    page.mouse.move(*points[0])
    page.mouse.down()
    for number, point in enumerate(points[1:]):
        page.mouse.move(*point)
        if number % STEP == 0:
            page.wait_for_timeout(BRIEF)
            yield picture(page), BRIEF
    page.mouse.up()


def picture(page: Page) -> Image.Image:
    """What the window shows, smaller."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.resize((WIDTH, WIDTH * shot.height // shot.width), Image.Resampling.LANCZOS)


def main() -> None:
    """Film it."""
    with tempfile.TemporaryDirectory() as home, dashboard(Path(home)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=VIEWPORT, color_scheme="light")
        page.goto(f"{address}/draw")
        page.locator(".sheet").wait_for(timeout=120_000)
        page.wait_for_timeout(5000)  # until everything behind the first answer is loaded
        pictures, durations = zip(*frames(page), strict=True)
        browser.close()
    palette = pictures[-1].quantize(COLOURS, dither=Image.Dither.NONE)
    first, *others = (one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures)
    first.save(FILM, save_all=True, append_images=others, duration=list(durations), loop=0, optimize=True)
    size = FILM.stat().st_size
    print(f"{FILM.name}: {len(pictures)} frames, {sum(durations) / 1000:.0f} s, {size / 1e6:.2f} MB")
    if size > LARGEST:
        sys.exit(f"at most {LARGEST / 1e6} MB are wanted: raise STEP or lower WIDTH")


if __name__ == "__main__":
    main()
