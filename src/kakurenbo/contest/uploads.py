"""Uploads: from what a team hands in, a CSV, a Parquet file or a zip of them, to names and bytes in memory.

A zip is somebody else's program for filling a disk. Here nothing of it is written anywhere: its members are
read one by one, the bytes that really come out are counted while they come, and names are only looked up.
Refused are: too many members or bytes, zips in zips, links, encrypted members, names with `..`, with a root
or a drive, and two members of one name. A folder around the files is ignored, as are the files that file
managers add on their own.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from kakurenbo.contest.rules import Limits

MOST_MEMBERS = 64
_ENDINGS = (".csv", ".parquet")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_PIECE = 1 << 16
_LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


class UploadError(InputError):
    """A file that cannot be taken as it is; the message names no value, the name of a member at most."""


def unpack(upload: bytes | Path, name: str, limits: Limits) -> dict[str, bytes]:
    """Return the files of an upload by their names.

    Args:
        upload: its bytes, or where it lies.
        name: what its owner calls it, which says what it is: `.csv`, `.parquet` or `.zip`.
        limits: how many megabytes it may have, packed and unpacked.
    """
    most = limits.megabytes * 1_000_000
    content = _read(upload, most)
    plain = _last(name)
    ending = PurePosixPath(plain).suffix.lower()
    if ending == ".zip":
        return _members(content, most)
    if ending not in _ENDINGS:
        raise UploadError("A submission is a .csv, a .parquet or a .zip of them.", code="submission")
    _check_content(plain, content)
    return {plain: content}


def _read(upload: bytes | Path, most: int) -> bytes:
    if isinstance(upload, Path):
        with upload.open("rb") as file:
            upload = file.read(most + 1)
    if len(upload) > most:
        raise UploadError(f"The file has more than {most:,} bytes.", code="limit")
    if not upload:
        raise UploadError("The file is empty.", code="submission")
    return upload


def _members(content: bytes, most: int) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in _wanted(archive):
                name = _last(member.filename)
                if name in files:
                    raise UploadError("Two files of the zip have the same name.", code="submission")
                files[name] = _inflated(archive, member, most - sum(map(len, files.values())))
                _check_content(name, files[name])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError):
        raise UploadError("The zip is broken.", code="submission") from None
    if not files:
        raise UploadError("The zip holds no .csv and no .parquet file.", code="submission")
    return files


def _wanted(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the members that are read; refuse an archive that holds anything else than tables."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise UploadError(f"The zip holds more than {MOST_MEMBERS} files.", code="limit")
    wanted = [member for member in members if not member.is_dir() and not _is_litter(member.filename)]
    for member in members:
        _check_member(member)
    for member in wanted:
        if PurePosixPath(member.filename).suffix.lower() not in _ENDINGS:
            raise UploadError("The zip may hold .csv and .parquet files only.", code="submission")
    return wanted


def _check_member(member: zipfile.ZipInfo) -> None:
    path = member.filename.replace("\\", "/")
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or ":" in path or "\0" in path or not path.isprintable():
        raise UploadError("A file of the zip has a name that leads out of it.", code="submission")
    if stat.S_IFMT(member.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise UploadError("The zip holds a link, or something that is no file.", code="submission")
    if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
        raise UploadError("The zip is encrypted or packed in an unusual way.", code="submission")


def _inflated(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """Unpack a member; what counts is what comes out, whatever the zip says."""
    parts, size = [], 0
    with archive.open(member) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > most:
                raise UploadError("The zip holds more bytes than a submission may have.", code="limit")
            parts.append(piece)
    return b"".join(parts)


def _check_content(name: str, content: bytes) -> None:
    """Refuse what is not what its name says."""
    is_parquet = content[:4] == b"PAR1"
    if is_parquet != name.lower().endswith(".parquet") or content[:4] == b"PK\x03\x04":
        raise UploadError("A file is not what its name says: CSV or Parquet.", code="submission")


def _is_litter(path: str) -> bool:
    return any(part in _LITTER or part.startswith("._") for part in path.replace("\\", "/").split("/"))


def _last(name: str) -> str:
    """Return the last part of a name: the only one that is looked at."""
    return PurePosixPath(name.replace("\\", "/")).name
