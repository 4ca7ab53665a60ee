"""One run at a time: a lock beside a file, held by a process and gone with it.

The lock is the operating system's (`flock`), so a killed run lets go of it; the small file that carries it
says who holds it and since when, for the sentence that the second run ends with. It lies beside the file and
not in it because SQLite has locks of its own there, and systems disagree on how the two kinds get along.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.files import disk

if TYPE_CHECKING:
    from pathlib import Path

_WORDS = "kakurenbo, process "
_LONGEST = 200


@dataclass(frozen=True)
class Lock:
    """A lock that this process holds until `release`."""

    path: Path
    descriptor: int

    @classmethod
    def taken(cls, file: Path) -> Lock:
        """Take the lock of a file; where another run holds it, say which."""
        path = file.with_name(f".{file.name}.lock")
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                _hold(path, descriptor)
                if disk.is_at(descriptor, path):  # else the last owner has just removed it
                    _sign(path, descriptor)
                    return cls(path, descriptor)
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def release(self) -> None:
        """Remove the lock's file and let go."""
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def _hold(path: Path, descriptor: int) -> None:
    content = os.pread(descriptor, _LONGEST, 0).decode(errors="replace")
    if content and not content.startswith(_WORDS):
        raise ParameterError(f"{path.name} is not a lock of this program; move it away first.", code="exists")
    if not disk.lock(descriptor):
        who = f"The process {content.removeprefix(_WORDS).strip()}" if content else "Another process"
        raise WriteError(f"{who} is at this study; wait for it, or end it.", code="busy")


def _sign(path: Path, descriptor: int) -> None:
    """Write who holds the lock; where even that cannot be written, leave no lock behind."""
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    try:
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"{_WORDS}{os.getpid()} (since {since})\n".encode(), 0)
    except OSError:
        path.unlink(missing_ok=True)
        raise
