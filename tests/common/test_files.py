"""Files written whole or not at all, and read with suspicion."""

import time
import zipfile

import numpy as np
import pytest

from dasksvd.common.files import read_json, read_npz, write_atomically, write_json, write_npz
from dasksvd.errors import DamagedFile

SPECS = {"a": (np.float32, (3, 4)), "b": (np.int64, ())}


@pytest.fixture
def saved(tmp_path, rng):
    arrays = {"a": rng.standard_normal((3, 4)).astype(np.float32), "b": np.array(7)}
    path = tmp_path / "saved.npz"
    write_npz(path, arrays)
    return path, arrays


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "status.json"
    write_json(path, {"state": "old"})

    def fail(file):
        file.write(b"half a fi")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match=r"No space left on device.*status.json"):
        write_atomically(path, fail)
    assert read_json(path) == {"state": "old"}
    assert list(tmp_path.iterdir()) == [path]


def test_arrays_come_back_bit_by_bit(saved):
    path, arrays = saved
    for name, array in read_npz(path, SPECS).items():
        np.testing.assert_array_equal(array, arrays[name])
    with np.load(path, allow_pickle=False) as loaded:  # oracle: numpy's own reader
        np.testing.assert_array_equal(loaded["a"], arrays["a"])


def test_equal_arrays_give_equal_bytes_at_any_time(saved, monkeypatch):
    path, arrays = saved
    before = path.read_bytes()
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write_npz(path, arrays)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ({"a": (np.float32, (3, 4))}, "holds a.npy, b.npy"),
        ({"a": (np.float64, (3, 4)), "b": (np.int64, ())}, "a is float32 of shape .3, 4., not float64"),
        ({"a": (np.float32, (4, 3)), "b": (np.int64, ())}, r"not float32 of \(4, 3\)"),
    ],
)
def test_other_arrays_than_expected_are_damage(saved, specs, message):
    with pytest.raises(DamagedFile, match=message):
        read_npz(saved[0], specs)


def test_every_cut_and_every_flipped_byte_is_noticed_or_harmless(saved):
    """Nothing but the right arrays or DamagedFile, whatever happens to the file."""
    path, arrays = saved
    whole = path.read_bytes()
    noticed = 0
    for place in range(0, len(whole), 7):
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        for content in (whole[:place], bytes(flipped)):
            path.write_bytes(content)
            try:
                read = read_npz(path, SPECS)
            except DamagedFile:
                noticed += 1
            else:
                np.testing.assert_array_equal(read["a"], arrays["a"])
                np.testing.assert_array_equal(read["b"], arrays["b"])
    assert noticed > len(whole) / 7


def test_nan_is_damage(tmp_path):
    write_npz(tmp_path / "a.npz", {"a": np.array([1, np.nan])})
    with pytest.raises(DamagedFile, match="a has NaN"):
        read_npz(tmp_path / "a.npz", {"a": (np.float64, (2,))})


def test_a_header_of_ten_gigabytes_allocates_nothing(tmp_path):
    header = (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f4', 'fortran_order': False, 'shape': (2684354560,), }".ljust(117)
        + b"\n"
    )
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", header)
    with pytest.raises(DamagedFile, match=r"shape \(2684354560,\)"):
        read_npz(tmp_path / "a.npz", {"a": (np.float32, (4,))})


def test_objects_are_never_unpickled(tmp_path):
    np.savez(tmp_path / "a.npz", a=np.array([{"evil": 1}], dtype=object))
    with pytest.raises(DamagedFile, match="a is object"):
        read_npz(tmp_path / "a.npz", {"a": (np.float32, (1,))})


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"a": NaN', "\x00", "[" * 100000])
def test_bad_json_is_damage(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(DamagedFile, match=r"a\.json"):
        read_json(tmp_path / "a.json")
