"""A file that only grows: lines of JSON, each carrying the SHA-256 of the one before.

Whoever changes, drops or puts in a line breaks the chain, and that is told by the line's number. A chain
alone does not show that its last lines were cut off; so a small file beside it, the head, says how many there
were and how the last one reads. Who removes both is not caught here: that is what copies and printed numbers
are for. Writers wait for each other. A line is durable before it is told; what a killed run left half
written is no line, is told, and gives way to the next.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.errors import InputError, ParameterError, WriteError
from kakurenbo.files import disk
from kakurenbo.files.aside import PRIVATE
from kakurenbo.files.atomic import refusals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

BEFORE: Final = "before"  # the key of the SHA-256 of the line before
_LARGEST: Final = 1 << 28
_END: Final = b"\n"


@dataclass(frozen=True)
class Chain:
    """What stands in the file.

    Attributes:
        lines: the documents of its whole lines, in order, without the digests that chain them.
        digests: the SHA-256 of each of them, digests included.
        half: bytes at the end that are no whole line: what a killed run left.
    """

    lines: tuple[Mapping[str, Any], ...]
    digests: tuple[str, ...] = ()
    half: int = 0

    @property
    def last(self) -> str:
        """The SHA-256 of the last line, which the next will carry."""
        return self.digests[-1] if self.digests else ""


def read(path: Path) -> Chain:
    """Read a chain and check every link of it; a file that is none, or was changed, is refused."""
    try:
        with disk.opened(path) as descriptor:
            disk.lock(descriptor, wait=True)  # nobody is in the middle of a line
            return _checked(path, descriptor)
    except FileNotFoundError:
        raise InputError("The ledger does not exist.", code="path-missing", parameter="ledger") from None
    except OSError:
        raise InputError("The ledger cannot be read.", code="path-unreadable", parameter="ledger") from None


def begun(path: Path, first: Mapping[str, Any]) -> Chain:
    """Return the chain of a file; where there is none, or an empty one, it is begun with this line."""
    with refusals(path), _alone(path) as descriptor:
        found = _checked(path, descriptor)
        return found if found.lines else _added(path, descriptor, first, found)


def append(path: Path, document: Mapping[str, Any]) -> Chain:
    """Add a line, durably, and return the chain with it."""
    with refusals(path), _alone(path) as descriptor:
        return _added(path, descriptor, document, _checked(path, descriptor))


def _added(path: Path, descriptor: int, document: Mapping[str, Any], found: Chain) -> Chain:
    if found.half:
        os.ftruncate(descriptor, os.fstat(descriptor).st_size - found.half)
    found = _written(descriptor, document, found)
    os.fsync(descriptor)
    disk.sync_folder(path.parent)
    _write_head(path, found)
    return found


def _checked(path: Path, descriptor: int) -> Chain:
    found = _parsed(_content(descriptor))
    _check_head(path, found)
    return found


@contextmanager
def _alone(path: Path) -> Iterator[int]:
    """Open the file for its owner's eyes only, and hold it against other writers while they wait."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, PRIVATE)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ParameterError("The ledger must be a plain file.", code="exists", parameter="ledger")
        if not disk.lock(descriptor, wait=True):
            raise WriteError("The ledger cannot be locked here, so nothing was written into it.", code="busy")
        os.fchmod(descriptor, PRIVATE)
        yield descriptor
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    if size > _LARGEST:
        raise InputError(f"The ledger is larger than {_LARGEST >> 20} MiB.", code="limit", parameter="ledger")
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return file.read()


def _parsed(content: bytes) -> Chain:
    """Return the whole lines, each of which must name the one before."""
    *lines, half = content.split(_END)
    documents: list[Mapping[str, Any]] = []
    digests = [""]
    for number, line in enumerate(lines):
        document = _document(line)
        if document is None or document.pop(BEFORE, None) != digests[-1]:
            raise broken("it was changed, or a line before it was dropped or put in", row=number)
        documents.append(document)
        digests.append(hashlib.sha256(line).hexdigest())
    return Chain(tuple(documents), tuple(digests[1:]), len(half))


def _document(line: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _written(descriptor: int, document: Mapping[str, Any], found: Chain) -> Chain:
    text = json.dumps({**document, BEFORE: found.last}, ensure_ascii=True, allow_nan=False)
    line = text.encode()
    left = memoryview(line + _END)
    while left:
        left = left[os.write(descriptor, left) :]
    digest = hashlib.sha256(line).hexdigest()
    return Chain((*found.lines, dict(document)), (*found.digests, digest))


def _head(path: Path) -> Path:
    return path.with_name(f".{path.name}.head")


def _write_head(path: Path, found: Chain) -> None:
    """Replace the head in one step; only who holds the chain's lock does."""
    head = _head(path)
    aside = head.with_name(f"{head.name}.partial")
    disk.remove(aside)
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    try:
        os.write(descriptor, f"{len(found.lines)} {found.last}\n".encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    aside.replace(head)
    disk.sync_folder(path.parent)


def _read_head(path: Path) -> tuple[int, str] | None:
    try:
        number, digest = path.read_text(encoding="ascii").split()
        return int(number), digest
    except (OSError, ValueError):
        return None


def _check_head(path: Path, found: Chain) -> None:
    """Refuse a file that has lost lines since the last were written; the head may lag behind a killed run."""
    head = _read_head(_head(path))
    if head is not None and head[0] > len(found.lines):
        raise broken(f"{head[0] - len(found.lines):,} of its last lines were cut off")
    if head is not None and head[0] and found.digests[head[0] - 1] != head[1]:
        raise broken("it was changed since it was written", row=head[0] - 1)


def broken(why: str, row: int | None = None) -> InputError:
    """Return the refusal of a chain that is not whole."""
    return InputError(
        f"The ledger cannot be relied on: {why}. Take it from a copy that is whole.",
        code="ledger",
        row=row,
        parameter="ledger",
    )
