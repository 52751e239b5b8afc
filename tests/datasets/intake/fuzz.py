"""Read files broken by a seed, in one process: ``python -m tests.datasets.intake.fuzz FOLDER COUNT SEED``.

Prints how it went as JSON.  Whatever a reader raises, but for the errors that it raises on
purpose, ends this process with a traceback.
"""

import json
import os
import signal
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from dasksvd.datasets.intake.child import set_limits
from dasksvd.datasets.intake.examine import examine
from dasksvd.datasets.intake.picture import decode
from dasksvd.errors import DataError
from tests.datasets.intake.made import encoded, idx_members, npz, pictures_of, zipped
from tests.datasets.own_sets import own_set

#: Seconds that one file may take.
PATIENCE = 10
PICTURES = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM")
#: Numbers that heads are easily fooled with.
VALUES = (0, 1, 2**15, 2**31 - 1, 2**32 - 1)
NUMBERS = [np.array([value], order).tobytes() for value in VALUES for order in ("<u4", ">u4")]


def originals(folder):
    """Good files of every kind: name -> content."""
    data = own_set(2, 10, 16)
    noise = np.random.default_rng(0).integers(0, 256, (24, 20, 4), dtype=np.uint8)
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "a picture"
    found = {kind: encoded(noise[..., :3], kind) for kind in PICTURES}
    found |= {kind: encoded(noise[..., :3], kind, exif=exif) for kind in ("PNG", "JPEG")}
    found["RGBA"] = encoded(noise)
    found["deep"] = encoded(noise[..., 0].astype(np.uint16) * 257)
    frames = [Image.fromarray(noise[..., channel]) for channel in range(3)]
    found["animated"] = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    found["CMYK"] = encoded(Image.fromarray(noise, "RGBA").convert("RGB").convert("CMYK"), "JPEG")
    files = {
        "zip": zipped(folder / "a.zip", pictures_of(data)),
        "stored zip": zipped(folder / "b.zip", pictures_of(data, "JPEG"), zipfile.ZIP_STORED),
        "npz": npz(folder / "a.npz", data, class_names=np.array(["a", "b"])),
        "packed npz": folder / "b.npz",
        "zip of idx": zipped(folder / "c.zip", idx_members(data), zipfile.ZIP_STORED),
    }
    np.savez_compressed(files["packed npz"], images=data.train_images / 255, labels=data.train_labels)
    found |= {name: path.read_bytes() for name, path in files.items()}
    return found | {"idx": idx_members(data, packed=False)["train-images-idx3-ubyte"]}


def broken(content, rng):
    """A file with some bytes changed, lost, doubled or put elsewhere."""
    content = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        at, length = int(rng.integers(len(content))), int(rng.integers(1, 40))
        # Heads and lists of members decide more than pixels do.
        at = int(rng.choice([at, min(at, 60), max(0, len(content) - 1 - at % 200)]))
        match rng.integers(6):
            case 0:
                content[at] ^= 1 << int(rng.integers(8))
            case 1:
                content[at : at + 4] = NUMBERS[rng.integers(len(NUMBERS))]
            case 2:
                content[at : at + length] = rng.bytes(length)
            case 3:
                del content[at : at + length]
            case 4:
                content[at:at] = content[at : at + length]
            case 5:
                del content[max(at, 1) :]
        content = content or bytearray(b"\0")
    return bytes(content)


def read(name, content, folder):
    """What becomes of a file: "read" or "refused"."""
    if name in PICTURES or name in ("RGBA", "deep", "animated", "CMYK"):
        shape = decode(content, 16, "pad", keep_before=True).after.shape
        assert shape == (16, 16)
        return "read"
    path, labels = folder / "broken", folder / "labels"
    path.write_bytes(content)
    labels.write_bytes(idx_members(own_set(2, 10, 16), packed=False)["train-labels-idx1-ubyte"])
    findings, data = examine(path, labels if name == "idx" else None, whole=True)
    assert findings.is_ready == (data is not None)
    json.dumps(findings.as_dict(), allow_nan=False)
    return "read"


def too_long(*_):
    raise TimeoutError(f"a file took more than {PATIENCE} seconds")


def used():
    """Open files and most memory of this process."""
    import resource  # which not every system has

    return len(os.listdir("/proc/self/fd")), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(folder, count, seed):
    """Break and read so many files; print how many were read and what it took."""
    warnings.simplefilter("error")
    set_limits(600, 3 * 2**30)
    signal.signal(signal.SIGALRM, too_long)
    good, rng = originals(folder), np.random.default_rng(seed)
    for name, content in good.items():
        assert read(name, content, folder) == "read"
    before = used()
    outcomes = {"read": 0, "refused": 0}
    for number in range(count):
        name = list(good)[number % len(good)]
        content = broken(good[name], rng)
        (folder / "last").write_bytes(content)  # to look at, if this is the end
        signal.alarm(PATIENCE)
        try:
            outcomes[read(name, content, folder)] += 1
        except DataError as error:
            outcomes["refused" if str(error).isprintable() else "odd"] += 1
        signal.alarm(0)
    after = used()
    print(json.dumps(outcomes | {"files": after[0] - before[0], "megabytes": (after[1] - before[1]) // 1024}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
