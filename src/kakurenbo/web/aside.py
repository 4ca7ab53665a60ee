"""Files put aside while a request lasts: in a folder of their own that only this process may read."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
import unicodedata
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool as in_thread

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

_PREFIX: Final = "upload-"
_SMALL: Final = 1 << 16  # bytes that no thread is woken for
_OLD: Final = 24 * 3600  # seconds after which what was put aside belongs to nobody
_LONGEST_NAME: Final = 120


@dataclass(frozen=True)
class Upload:
    """A file that was sent.

    Attributes:
        path: where it lies until the request ends.
        name: what its sender called it, fit to be shown; never a path.
        size: its bytes.
        sha256: their hash.
    """

    path: Path
    name: str
    size: int
    sha256: str


class Writing:
    """A file while it comes."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = shown_name(name)
        self.size = 0
        self._digest = hashlib.sha256()
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")

    def write(self, piece: bytes) -> None:
        """Add a piece."""
        self.size += len(piece)
        self._digest.update(piece)
        self._file.write(piece)

    def close(self) -> None:
        """Stop writing."""
        self._file.close()

    def done(self) -> Upload:
        """Return the whole file."""
        return Upload(self.path, self.name, self.size, self._digest.hexdigest())


@asynccontextmanager
async def aside(place: Path | None) -> AsyncIterator[Path]:
    """Give a new folder within a place, and remove it with all that is in it."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    try:
        yield folder
    finally:
        size = sum(path.stat().st_size for path in folder.iterdir())
        await done(size, shutil.rmtree, folder, ignore_errors=True)


async def done(size: int, work: Callable[..., Any], *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - any work
    """Do some work on the disk: what is small at once, for a thread would take longer than the work."""
    if size <= _SMALL:
        work(*arguments, **named)
    else:
        await in_thread(work, *arguments, **named)


def tidy(place: Path) -> None:
    """Make the place of uploads, and remove what processes that were killed left in it."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in place.glob(f"{_PREFIX}*"):
        if time.time() - left.stat().st_mtime > _OLD:
            shutil.rmtree(left, ignore_errors=True)


def shown_name(name: str) -> str:
    """Return what a file was called, as text: its last part, one line, not long."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    return "".join(letter for letter in last if letter.isprintable())[-_LONGEST_NAME:].strip()
