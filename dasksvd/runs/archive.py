"""A run as one zip file, out and back in; a file from a stranger is not trusted."""

import io
import os
import re
import shutil
import stat
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO

from dasksvd.common.files import open_zip, write_json
from dasksvd.common.language import say
from dasksvd.datasets.description import Description
from dasksvd.datasets.library import FACTS, FILES, PICTURES
from dasksvd.datasets.registry import OWN
from dasksvd.errors import DamagedFile, StoreError
from dasksvd.runs.folder import Run
from dasksvd.runs.kept import home_of
from dasksvd.runs.records import FINE_TUNED
from dasksvd.runs.soundness import SIDE_FILES, check_description, check_sound
from dasksvd.runs.status import About, Status
from dasksvd.runs.store import Store, checked_line, checked_name, checked_note, checked_tags

_RECORD = re.compile(r"iteration_\d{3,6}\.npz")
#: What a run's zip may hold, and how large each may be unpacked.
_ALLOWED = {
    re.compile(r"settings\.json"): 2**20,
    re.compile(r"status\.json"): 2**20,
    re.compile(r"about\.json"): 2**16,
    re.compile(r"metrics\.json"): 2**22,
    re.compile(r"classifier\.npz"): 2**25,
    re.compile(r"data\.npz"): 2**28,
    re.compile(re.escape(FINE_TUNED)): 2**25,
    re.compile(re.escape(PICTURES)): 2**28,
    re.compile(re.escape(FACTS)): 2**16,
    _RECORD: 2**25,
}
_ALLOWED |= {re.compile(re.escape(file.title)): 2**22 for file in SIDE_FILES.entries()}
MAX_MEMBERS = 1000
MAX_UNPACKED = 2**29
#: Largest zip in MB, out and in; a run at the paper's settings has 6.
MAX_ZIP_MB = 50


def export_zip(run: Run) -> bytes:
    """The run's files as a zip that :func:`import_zip` accepts."""
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for name in _parts(run):
                archive.write(_place(run, name), name)
                if buffer.tell() > MAX_ZIP_MB * 2**20:
                    raise StoreError(
                        say(
                            "{id} is larger than {max_zip_mb} MB; copy its folder in the store instead",
                            id=run.id,
                            max_zip_mb=MAX_ZIP_MB,
                        )
                    )
    except OSError as error:
        raise StoreError(say("cannot read {id}: {strerror}", id=run.id, strerror=error.strerror)) from error
    except DamagedFile as error:
        raise StoreError(say("cannot read {id}: {error}", id=run.id, error=error)) from error
    return buffer.getvalue()


def _parts(run: Run) -> list[str]:
    """Names of the files that make up a run, without what only lies beside them."""
    names = sorted(path.name for path in run.folder.iterdir() if _limit(path.name) is not None)
    if run.description.pictures:
        names = sorted({*names, *FILES})
    finished = [run.record_path(iteration).name for iteration in range(run.n_finished())]
    return [name for name in names if _belongs(name, run.description, names) and not _RECORD.fullmatch(name)] + finished


def _place(run: Run, name: str) -> Path:
    """Where a file of a run lies: pictures that runs share are beside them."""
    return (home_of(run.folder, run.description.pictures) if name in FILES else run.folder) / name


def _belongs(name: str, description: Description, names: list[str]) -> bool:
    """Whether a file has a place in a run of that description, beside the other files."""
    if name == "data.npz":
        return description.data == OWN and not description.pictures
    if name in FILES:
        return bool(description.pictures)
    if name == "classifier.npz":
        return "metrics.json" in names
    if name == FINE_TUNED:
        return description.settings.fine_tune > 0
    return True


def import_zip(store: Store, file: BinaryIO) -> Run:
    """Unpack a zip of :func:`export_zip` as a new run of the store.

    Everything is checked before it counts as a run: names and sizes before unpacking, then
    every file's content; see :mod:`dasksvd.runs.soundness`.

    Raises
    ------
    StoreError
        If the zip is not one of a run; nothing is left behind then.
    """
    folder = store.new_folder()
    # A dot keeps the half-unpacked folder out of the list of runs.
    unpacked = store.root / f".import-{folder.name}"
    try:
        unpacked.mkdir(parents=True)
        with open_zip(file) as archive:
            _unpack_all(archive, unpacked)
        run = Run(unpacked)
        check_sound(run)
        _make_own(run)
        _share_pictures(store, run)
        os.replace(unpacked, folder)
    except StoreError:
        raise
    except DamagedFile as error:
        raise StoreError(say("this is not a sound run: {error}", error=error)) from error
    except Exception as error:  # zipfile answers hostile files with many kinds of exceptions
        raise StoreError(say("cannot import this file: {error}", error=str(error)[:200])) from error
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    return Run(folder)


def unpacked_size(file: BinaryIO) -> int:
    """Bytes that a run's zip announces, its own size and its names and sizes checked."""
    if file.seek(0, os.SEEK_END) > MAX_ZIP_MB * 2**20:
        raise StoreError(
            say(
                "a run's zip has at most {max_zip_mb} MB; copy its folder into the store instead", max_zip_mb=MAX_ZIP_MB
            )
        )
    try:
        with open_zip(file) as archive:
            return sum(member.file_size for member in _checked_members(archive))
    except StoreError:
        raise
    except Exception as error:  # as in import_zip
        raise StoreError(say("cannot import this file: {error}", error=str(error)[:200])) from error


def _unpack_all(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack the settings first: they tell what else has a place in the run."""
    members = {member.filename: member for member in _checked_members(archive)}
    first = members.pop("settings.json", None)
    if first is None:
        raise DamagedFile("settings.json is missing")
    _unpack(archive, first, folder / first.filename)
    description = Run(folder).description
    check_description(description)
    for name, member in members.items():
        if not _belongs(name, description, list(members)):
            raise DamagedFile(f"{name} has no place in it")
        _unpack(archive, member, folder / name)


def _limit(name: str) -> int | None:
    """Largest unpacked size of a file of that name, None if it has no place in a run."""
    return next((limit for pattern, limit in _ALLOWED.items() if pattern.fullmatch(name)), None)


def _checked_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise StoreError(
            say(
                "the zip holds {count} files, at most {max_members} are allowed",
                count=len(members),
                max_members=MAX_MEMBERS,
            )
        )
    names = [member.filename for member in members]
    if len(set(names)) != len(names):
        raise StoreError(say("the zip holds two files of one name"))
    for member in members:
        limit = _limit(member.filename)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise StoreError(say("the zip is packed in a way that is not accepted"))
        if limit is None or kind not in (0, stat.S_IFREG):
            raise StoreError(
                say("the zip holds {filename!r}, which has no place in a run", filename=member.filename[:80])
            )
        if member.file_size > limit:
            raise StoreError(
                say(
                    "{filename} unpacks to {file_size:,} bytes, at most {limit:,} are allowed",
                    filename=member.filename,
                    file_size=member.file_size,
                    limit=limit,
                )
            )
    found = sorted(name for name in names if _RECORD.fullmatch(name))
    if found != sorted(f"iteration_{number + 1:03d}.npz" for number in range(len(found))):
        raise StoreError(say("the zip holds an iteration, but not all before it"))
    if sum(member.file_size for member in members) > MAX_UNPACKED:
        raise StoreError(say("the zip unpacks to more than {max_unpacked:,} bytes", max_unpacked=MAX_UNPACKED))
    return members


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """Copy at most the announced size: the announcement may be a lie."""
    with archive.open(member) as source, open(target, "xb") as file:
        shutil.copyfileobj(_Limited(source, member.file_size), file, 2**20)


class _Limited:
    """A file that must not give more bytes than announced."""

    def __init__(self, source, size: int):
        self.source, self.left = source, size

    def read(self, size: int = -1) -> bytes:
        content = self.source.read(size)
        self.left -= len(content)
        if self.left < 0:
            raise StoreError(say("the zip is larger than it announces"))
        return content


def _share_pictures(store: Store, run: Run) -> None:
    """Keep the pictures that came with a run in the store once; their sum is compared."""
    wanted = run.description.pictures
    if wanted:
        store.library.take_up(run.folder, wanted)
        for name in FILES:
            (run.folder / name).unlink()


def _make_own(run: Run) -> None:
    """Forget the sender's processes and queue; keep what was said of it, but not its pin."""
    done = run.n_finished()
    state = "new" if done == 0 else "cancelled" if run.missing else "finished"
    status = Status(state=state, iteration=done)
    write_json(run.folder / "status.json", asdict(status))
    about = run.about
    try:
        said = About(checked_name(about.name), False, about.created, checked_line("group", about.group))
        said = replace(said, tags=checked_tags(about.tags), note=checked_note(about.note))
    except ValueError:
        said = About(created=about.created)
    write_json(run.folder / "about.json", asdict(said))
