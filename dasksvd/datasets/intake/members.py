"""The members of somebody's zip file, read by the rules for files from strangers."""

import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from dasksvd.common.files import open_zip
from dasksvd.common.language import say, say_count
from dasksvd.datasets.intake.findings import MAX_BYTES, Problem, shown, some
from dasksvd.datasets.library import MAX_PICTURES
from dasksvd.errors import DataError

#: Largest list of members, in bytes: that many pictures with names of usual length.
MAX_LIST = 2**25
#: Arrays of floats take more room than the pictures that they become.
MAX_UNPACKED = 4 * MAX_BYTES
#: What systems put into a zip by themselves.
_LITTER = ("__MACOSX", "Thumbs.db", "desktop.ini")


def open_members(file: BinaryIO, name: str) -> zipfile.ZipFile:
    """A zip whose list of members may be read."""
    try:
        return open_zip(file, MAX_LIST)
    except Exception as error:  # zipfile answers damage with many kinds of exceptions
        raise DataError(
            say("{name} is damaged, cut off or not a zip file; copy it again, or pack it again", name=name)
        ) from error


def checked_members(archive: zipfile.ZipFile) -> tuple[list[zipfile.ZipInfo], list[Problem]]:
    """The members that can be read, and what is wrong with the others."""
    members = [one for one in archive.infolist() if not _is_litter(one.filename)]
    if len(members) > MAX_PICTURES:
        raise DataError(
            say(
                "the zip holds {count:,} files, at most {max_pictures:,} can be read; take some out",
                count=len(members),
                max_pictures=MAX_PICTURES,
            )
        )
    if len({one.filename for one in members}) != len(members):
        raise DataError(say("the zip holds two files of one name; pack it again"))
    total = sum(one.file_size for one in members)
    if total > MAX_UNPACKED:
        raise DataError(
            say(
                "the zip unpacks to {total:,} bytes, at most {max_unpacked:,} can be read; take some out",
                total=total,
                max_unpacked=MAX_UNPACKED,
            )
        )
    sound = [one for one in members if _is_readable(one)]
    odd = [shown(one.filename) for one in members if not _is_readable(one)]
    if not odd:
        return sound, []
    text = say(
        "The zip cannot give out {count}: {odd}.",
        count=say_count(len(odd), "{count:,} file", "{count:,} files"),
        odd=some(odd),
    )
    return sound, [Problem(text, say("What it cannot is left out; pack plain files, without a password."))]


def _is_litter(name: str) -> bool:
    """Whether a member is no file of the user's."""
    if not name or name.endswith("/"):  # a folder
        return True
    parts = PurePosixPath(name).parts
    return any((part.startswith(".") and part not in (".", "..")) or part in _LITTER for part in parts)


def _is_readable(member: zipfile.ZipInfo) -> bool:
    plain = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG)
    packed = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return plain and packed and not member.flag_bits & 1 and 0 < member.file_size <= MAX_BYTES


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int | None = None) -> bytes:
    """What a member holds, or only its beginning; never more than it announces."""
    try:
        with archive.open(member) as file:
            wanted = member.file_size if most is None else min(most, member.file_size)
            content = file.read(wanted)  # never more than announced; the end also verifies the checksum
    except Exception as error:  # as above
        raise DataError(say("{filename} cannot be unpacked", filename=shown(member.filename))) from error
    if len(content) != wanted:
        raise DataError(say("{filename} is not as large as it announces", filename=shown(member.filename)))
    return content


def check_size(path: Path, most: int = MAX_BYTES) -> None:
    """Raise DataError unless a file is there and may be read."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise DataError(say("cannot read {name}: {strerror}", name=path.name, strerror=error.strerror)) from error
    if size > most:
        raise DataError(
            say(
                "{name} has {size:,.0f} MB, at most {most} can be read; take some pictures out, or make them smaller",
                name=path.name,
                size=size / 2**20,
                most=most // 2**20,
            )
        )
