"""Files from strangers can neither run code, fill the memory nor keep anybody waiting."""

import gzip
import os
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dasksvd import DataError, ParameterError
from dasksvd.datasets.description import CLASS_NAME
from dasksvd.datasets.intake import look, look_at_picture, reader, take
from dasksvd.datasets.intake.child import set_limits
from dasksvd.datasets.intake.examine import examine
from dasksvd.datasets.intake.findings import MAX_BYTES, class_names, shown
from dasksvd.datasets.intake.folders import MAX_DEPTH, folders_of, naturally
from tests.datasets.intake.made import encoded, folder_zip, npz, pictures_of, zipped
from tests.datasets.own_sets import own_set


def found_in(path, labels=None, **wish):
    """What is found in this process, which is quicker."""
    return examine(Path(path), labels, **{"whole": True} | wish)


def forged(path, *changes):
    """A zip whose bytes were changed after it was packed."""
    content = path.read_bytes()
    for old, new in changes:
        assert old in content
        content = content.replace(old, new)
    path.write_bytes(content)
    return path


def test_names_in_a_zip_are_never_paths_html_or_markdown(tmp_path):
    wild = ["../../etc", "C:\\windows", "<script>x", "[a](http://x)", "**b**", "a\u202eb", "$x^2$", "`c`", ".."]
    members = {f"{name}/{n}.png": encoded(np.eye(16, k=n) > 0) for name in wild for n in range(10)}
    findings, data = found_in(zipped(tmp_path / "a.zip", members))
    assert data is not None
    for name in findings.sizes:
        assert CLASS_NAME.fullmatch(name)
        assert not set(name) & set("/\\<>[]()*`$")
    assert not (tmp_path.parent / "etc").exists()
    assert os.listdir(tmp_path) == ["a.zip"]
    assert not set(shown("../<b>[x](y)*`$\n" + "x" * 99)) & set("<>[]()*`$\n")


def test_class_names_are_never_alike():
    names = class_names(["a", "a*", "a?", "<a>", "", "  ", "x" * 300, "x" * 301])
    assert len({*names}) == len(names)
    assert all(CLASS_NAME.fullmatch(name) for name in names)


def test_links_passwords_and_odd_packing_are_left_out(tmp_path):
    members = pictures_of(own_set(2, 12, 16))
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        link = zipfile.ZipInfo("kind 0/link.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("kind 1/odd.png", members["kind 0/1.png"], zipfile.ZIP_LZMA)
    findings, data = found_in(path)
    assert len(data.train_labels) == 24
    assert "The zip cannot give out 2 files: kind 0/link.png, kind 1/odd.png" in findings.problems[0].text


def test_a_member_larger_than_it_announces_is_broken(tmp_path):
    content = encoded(own_set(1, 1, 16).train_images[0], "BMP")
    path = folder_zip(tmp_path / "a.zip", 2, **{"kind 0/big.bmp": content})
    size, less = (np.array([length], "<u4").tobytes() for length in (len(content), len(content) - 9))
    findings, _ = found_in(forged(path, (size, less)))
    assert "kind 0/big.bmp" in findings.problems[0].text


def test_a_member_with_another_checksum_is_broken(tmp_path):
    content = encoded(np.full((16, 16), 77, np.uint8), "BMP")
    path = zipped(tmp_path / "a.zip", pictures_of(own_set(2, 12, 16)) | {"kind 0/x.bmp": content}, zipfile.ZIP_STORED)
    findings, _ = found_in(forged(path, (bytes([77] * 100), bytes([78] * 100))))
    assert "1 file is no picture that can be read: kind 0/x.bmp (" in findings.problems[0].text


def test_members_with_a_password_are_left_out(tmp_path):
    path = folder_zip(tmp_path / "a.zip", 2)
    content = bytearray(path.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "The zip cannot give out 1 file: kind 1/12.png" in found_in(path)[0].problems[0].text


def test_bombs_are_not_unpacked(tmp_path):
    many = {f"a/{n}.bmp": bytes(2**26) for n in range(13)}
    with pytest.raises(DataError, match=r"unpacks to 872,415,232 bytes"):
        found_in(zipped(tmp_path / "a.zip", many))
    huge = folder_zip(tmp_path / "b.zip", 2, **{"kind 0/huge.bmp": bytes(MAX_BYTES + 1)})
    assert "The zip cannot give out 1 file: kind 0/huge.bmp" in found_in(huge)[0].problems[0].text
    (tmp_path / "images.gz").write_bytes(gzip.compress(bytes(900 * 2**20), 1))
    (tmp_path / "labels").write_bytes(b"\0\0\x08\x01\0\0\0\x01\0")
    with pytest.raises(DataError, match="unpacks to more than"):
        take(tmp_path / "images.gz", tmp_path / "labels")


def test_too_large_and_missing_files_are_named_at_once(tmp_path):
    with open(tmp_path / "a.zip", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(DataError, match=r"a\.zip has 200 MB, at most 200 can be read"):
        look(tmp_path / "a.zip")
    with pytest.raises(DataError, match=r"cannot read b\.zip: No such file"):
        look(tmp_path / "b.zip")
    with pytest.raises(ParameterError, match="size must be 8, 16, 28, 32, got 17"):
        look(tmp_path / "a.zip", side=17)
    (tmp_path / "c.zip").write_bytes(b"GIF89a")
    with pytest.raises(DataError, match=r"c\.zip is none of what can be read"):
        look(tmp_path / "c.zip")


def test_a_file_that_cannot_be_unpacked_is_named_once(tmp_path):
    path = zipped(tmp_path / "a.zip", pictures_of(own_set(2, 12, 16)), zipfile.ZIP_STORED)
    content = bytearray(path.read_bytes())
    content[content.index(b"IDAT") + 20] ^= 255
    path.write_bytes(content)
    findings, _ = found_in(path)
    told = "1 file is no picture that can be read: kind 0/1.png (it cannot be unpacked)."
    assert [problem.text for problem in findings.problems] == [told]


def test_names_of_any_length_are_sorted_by_their_beginning_and_their_last_folders():
    """A zip can have names of 65,535 letters; 400 of them took half a minute."""
    assert len(naturally("1a" * 30_000)) < 500
    assert folders_of("ab/" * 21_000 + "cat/1.png") == (*["ab"] * (MAX_DEPTH - 1), "cat")


def test_sixteen_bits_take_little_more_memory_than_they_must(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    path.write_bytes(encoded(np.full((5000, 5000), 257 * 9, np.uint16)))
    monkeypatch.setattr(reader, "MEMORY", 2**29 + 2**28)
    assert (look_at_picture(path, side=16).after == 9).all()


def test_thousands_of_folders_are_no_classes(tmp_path):
    path = zipped(tmp_path / "a.zip", {f"{n}/a.png": b"x" for n in range(3000)})
    with pytest.raises(DataError, match="3,000 folders with pictures"):
        found_in(path)


def test_a_reader_that_takes_too_long_is_ended(tmp_path):
    started = time.monotonic()
    with pytest.raises(DataError, match="took too long or too much memory"):
        look(folder_zip(tmp_path / "a.zip"), seconds=0.01)
    assert time.monotonic() - started < 30


def test_a_reader_that_takes_too_much_memory_is_ended(tmp_path, monkeypatch):
    data = own_set(2, 20, 8)
    images = np.zeros((40, 1000, 1000), np.uint8)
    images[:20, :500] = images[20:, 500:] = 9
    path = npz(tmp_path / "a.npz", data, images=images)
    monkeypatch.setattr(reader, "MEMORY", 2**29)
    assert take(path)[0].is_ready
    path = npz(tmp_path / "a.npz", data, images=images.astype(np.uint16))
    with pytest.raises(DataError, match="memory"):
        take(path)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_the_limits_are_those_of_the_process():
    script = "import resource as r; from dasksvd.datasets.intake.child import set_limits; set_limits(2.5, 10**9); "
    script += "print(*(r.getrlimit(getattr(r, n))[0] for n in ('RLIMIT_CPU', 'RLIMIT_AS', 'RLIMIT_CORE')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", str(10**9), "0"]
    assert callable(set_limits)


def test_a_reader_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    path = folder_zip(tmp_path / "a.zip")

    def stop(share):
        raise KeyboardInterrupt

    look(path)
    with pytest.raises(DataError):
        look(path, seconds=0.01)
    with pytest.raises(KeyboardInterrupt):
        look(folder_zip(tmp_path / "b.zip", 4, 60), on_progress=stop)
    assert os.listdir(tmp_path / "tmp") == []
