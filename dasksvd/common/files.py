"""Files written whole or not at all, and read with suspicion."""

import json
import os
import secrets
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from dasksvd.errors import DamagedFile

#: Largest JSON file that is read.
MAX_JSON_BYTES = 2**22
#: Largest list of members, in bytes, of a zip that is opened.
MAX_ZIP_LIST = 2**18

#: What an array must be: dtype and shape.
Spec = tuple[type | np.dtype, tuple[int, ...]]


#: What tells one state of a file from another: time of writing, size, place on the disk; None if it is missing.
Stamp = tuple[int, int, int] | None


def stamp(path: Path | str) -> Stamp:
    """The state of a file; whoever keeps what was read from it reads it again when this has changed."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def write_atomically(path: Path, write: Callable[[BinaryIO], Any], *, durable: bool = True) -> None:
    """Write to a temporary name, then rename: a reader never sees half a file.

    Parameters
    ----------
    path : Path
    write : callable(file)
        Writes the content.
    durable : bool, default=True
        Wait until the content is on the disk, so that it survives a power cut too.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            write(file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        _rename(temporary, path)
    except OSError as error:  # a full disk does not name the file by itself
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _rename(source: Path, target: Path) -> None:
    """Rename over the target; on Windows a reader holds it for a moment."""
    for _ in range(50):
        try:
            return os.replace(source, target)
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(0.02)
    return os.replace(source, target)


def tree_size(folder: Path) -> int:
    """Bytes of all files below a folder; links are not followed, and what vanishes meanwhile counts as nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


def write_json(path: Path, value: Any, *, durable: bool = True) -> None:
    """Write JSON atomically."""
    content = (json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
    write_atomically(path, lambda file: file.write(content), durable=durable)


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        with open(path, "rb", buffering=0) as file:
            small = os.fstat(file.fileno()).st_size <= MAX_JSON_BYTES
            value = json.loads(file.read()) if small else None
    except FileNotFoundError as error:
        raise DamagedFile(f"{path.name} is missing") from error
    except OSError as error:
        raise DamagedFile(f"{path.name} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{path.name} is not valid JSON ({error})") from error
    if not isinstance(value, dict):
        raise DamagedFile(f"{path.name} does not hold a JSON object")
    return value


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays atomically; equal arrays give equal bytes.

    ``numpy.savez`` puts the time of day into the file.
    """

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays.items():
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    npy.write_array(member, np.asarray(array, order="C"), version=(1, 0), allow_pickle=False)

    write_atomically(path, write)


def read_npz(path: Path, expected: Mapping[str, Spec], *, finite: bool = True) -> dict[str, np.ndarray]:
    """Read exactly the expected arrays.

    Nothing is unpickled, and nothing is allocated before the header was seen to be the
    expected one, so a file from a stranger can neither run code nor fill the memory.

    Parameters
    ----------
    path : Path
    expected : mapping of name to (dtype, shape)
    finite : bool, default=True
        Whether NaN and infinity are damage.
    """
    try:
        with open(path, "rb") as file, open_zip(file) as archive:
            names = archive.namelist()
            if sorted(names) != sorted(f"{name}.npy" for name in expected):
                raise DamagedFile(f"{path.name} holds {', '.join(sorted(names))[:200] or 'nothing'}")
            arrays = {name: _read_member(archive, path.name, name, spec) for name, spec in expected.items()}
    except DamagedFile:
        raise
    except FileNotFoundError as error:
        raise DamagedFile(f"{path.name} is missing") from error
    except Exception as error:  # zipfile answers damage with many kinds of exceptions
        raise DamagedFile(f"{path.name} cannot be read ({error})") from error
    for name, array in arrays.items():
        if finite and array.dtype.kind == "f" and not np.isfinite(array).all():
            raise DamagedFile(f"{path.name}: {name} has NaN or infinite values")
    return arrays


def open_zip(file: BinaryIO, most: int = MAX_ZIP_LIST) -> zipfile.ZipFile:
    """Open a zip whose list of members is small.

    ``zipfile`` reads the whole list at once, and a list of millions packs very well.

    Parameters
    ----------
    file : binary file
    most : int
        Bytes of the largest list that is read.
    """
    file.seek(0, os.SEEK_END)
    size = file.tell()
    file.seek(max(0, size - 2**16 - 22))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    listed = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if listed > most:
        raise DamagedFile("the zip lists too many files")
    file.seek(0)
    return zipfile.ZipFile(file)


def _read_member(archive: zipfile.ZipFile, file_name: str, name: str, spec: Spec) -> np.ndarray:
    dtype, shape = np.dtype(spec[0]), spec[1]
    # Stored as it is, an array cannot be larger than the file that holds it.
    if archive.getinfo(f"{name}.npy").compress_type != zipfile.ZIP_STORED:
        raise DamagedFile(f"{file_name}: {name} is compressed")
    with archive.open(f"{name}.npy") as member:
        if npy.read_magic(member) != (1, 0):
            raise DamagedFile(f"{file_name}: {name} has an unknown format")
        found_shape, fortran_order, found_dtype = npy.read_array_header_1_0(member, max_header_size=1000)
        if (found_shape, fortran_order, found_dtype) != (shape, False, dtype):
            raise DamagedFile(f"{file_name}: {name} is {found_dtype} of shape {found_shape}, not {dtype} of {shape}")
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        content = member.read(size)
        if len(content) != size or member.read(1):  # reading to the end also verifies the checksum
            raise DamagedFile(f"{file_name}: {name} is cut off or too long")
    return np.frombuffer(content, dtype).reshape(shape)
