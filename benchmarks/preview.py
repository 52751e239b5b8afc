"""How long the first look at a zip of 10,000 pictures takes: ``python -m benchmarks.preview``."""

import io
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from dasksvd.datasets.intake import look

#: Pictures, and how many of them differ.
COUNT, DIFFERENT = 10_000, 200
#: Pixels along a side and kind of file; the last is as large as a dropped file may be.
KINDS = ((28, "PNG"), (64, "JPEG"), (200, "JPEG"), (500, "JPEG"))
#: What we want, in seconds.
WANTED = 5.0


def zip_of(path: Path, side: int, kind: str) -> Path:
    """A zip of ten classes with pictures of blots."""
    rng = np.random.default_rng(0)
    contents = []
    for _ in range(DIFFERENT):
        buffer = io.BytesIO()
        Image.fromarray(rng.integers(0, 255, (9, 9, 3), dtype=np.uint8)).resize((side, side)).save(buffer, kind)
        contents.append(buffer.getvalue())
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(COUNT):
            archive.writestr(f"class {number % 10}/{number}.{kind.lower()}", contents[number % DIFFERENT])
    return path


def main() -> None:
    """Print one line for each kind: by the clock, and what of it the processor has worked."""
    import resource  # which not every system has

    with tempfile.TemporaryDirectory() as folder:
        for side, kind in KINDS:
            path = zip_of(Path(folder) / "a.zip", side, kind)
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            found = look(path)
            seconds = time.perf_counter() - started
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"{COUNT:,} {kind}, {side}×{side}, {path.stat().st_size / 2**20:.0f} MB: {seconds:.1f} s "
                f"({worked:.1f} s at work; wanted {WANTED:g}), {found.checked:,} decoded"
            )


if __name__ == "__main__":
    main()
