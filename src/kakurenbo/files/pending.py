"""The note that a run leaves beside an output until its answer was told: `.NAME.pending`.

Some outputs are never replaced: secrets, lists of people, plans, pictures, folders. A run that is killed
after one of them appeared, but before it ended, must not stand in the way when the same command is given
again. So each run notes, before such an output appears, what it is about to put there (its SHA-256), and
removes the note when all is done and told. The living process holds a lock on its note. A note whose lock is
free was left by a killed run: what stands at the target and has that SHA-256 is the killed run's and may be
replaced, and nothing else is. The user may delete a note; what it spoke of is then kept like anything else.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.files import disk
from kakurenbo.files.aside import PRIVATE, aside_file, busy, hidden_name, tidy
from kakurenbo.files.interrupts import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import TracebackType

    from kakurenbo.files.aside import Aside

_KIND = "kakurenbo pending"
_LARGEST = 1 << 16


@dataclass(frozen=True)
class Note:
    """What a run is about to put in place.

    Attributes:
        digests: of what may be found at the target if the run is killed.
        folder: for a secret, the release folder it belongs to.
        aside: the hidden name beside that folder, under which the release is until it appears.
        manifest: SHA-256 of the release's manifest.
        made_by: that this program made the note.
    """

    digests: tuple[str, ...]
    folder: str = ""
    aside: str = ""
    manifest: str = ""
    made_by: str = _KIND


class Journal:
    """The note beside one target; a context that gives up the lock, but not the note, at its end."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.parent / f"{hidden_name(target.name)}.pending"
        self.note: Note | None = None
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self not in (_told.get() or ()):
            self.close()

    def claim(self) -> None:
        """Take over the note of a killed run, if there is one; that of a living run is refused."""
        while self._descriptor is None and os.path.lexists(self.path):
            with suppress(FileNotFoundError), disk.opened(self.path) as descriptor:
                if not disk.lock(descriptor):
                    raise busy(self.target)
                if disk.is_at(descriptor, self.path):
                    self.note = _read(self.path)
                    self._descriptor = os.dup(descriptor)

    @property
    def unfinished(self) -> bool:
        """Whether what stands at the target is what a killed run put there by itself, without a release."""
        return self.note is not None and not self.note.folder and digest(self.target) in self.note.digests

    def write(self, note: Note) -> None:
        """Make a note durable, in place of the one that was claimed."""
        with aside_file(self.path, PRIVATE) as aside, held():
            aside.write(json.dumps(asdict(note)).encode())
            descriptor = os.dup(aside.descriptor)  # first of all: it may be one open file too many
            try:
                self._appear(aside)
            except BaseException:
                os.close(descriptor)
                raise
            self._descriptor, self.note = descriptor, note
            disk.sync_folder(self.path.parent)

    def _appear(self, aside: Aside) -> None:
        """Put the note where none stands, or where the one that was claimed does."""
        if self._descriptor is None:
            try:
                aside.take()
            except FileExistsError:
                raise busy(self.target) from None
        else:
            aside.path.replace(self.path)
            os.close(self._descriptor)

    def done(self) -> None:
        """Remove the note, or where the run has an answer to tell, leave it until that was told."""
        told = _told.get()
        if told is None:
            self.remove()
        else:
            told.append(self)

    def remove(self) -> None:
        """Remove the note: what it spoke of stands, or is gone."""
        if self._descriptor is None:
            return
        try:
            with held():
                if disk.is_at(self._descriptor, self.path):
                    self.path.unlink()
                    with suppress(OSError):  # the run is over: a note that comes back does no harm
                        disk.sync_folder(self.path.parent)
        finally:
            self.close()
        tidy(self.path)

    def close(self) -> None:
        """Give up the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


_told: ContextVar[list[Journal] | None] = ContextVar("told", default=None)


@contextmanager
def until_told() -> Iterator[Callable[[], None]]:
    """Keep the notes of all that is written until the function given here is called: the answer was told."""
    notes: list[Journal] = []
    token = _told.set(notes)

    def told() -> None:
        while notes:
            note = notes.pop()
            try:
                note.remove()
            except OSError:
                raise WriteError(
                    f"All is written, but {note.path} could not be removed; remove it by hand.", code="write"
                ) from None

    try:
        yield told
    finally:
        _told.reset(token)
        for note in notes:
            note.close()


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of a folder with all that is in it; of nothing and of links none."""
    if path.is_symlink() or not path.exists():
        return ""
    if path.is_file():
        return disk.sha256(path)
    inner = sorted((str(part.relative_to(path)), _kind(part)) for part in path.rglob("*"))
    return hashlib.sha256(json.dumps(inner).encode()).hexdigest()


def _kind(path: Path) -> str:
    return "folder" if path.is_dir() and not path.is_symlink() else digest(path)


def _read(path: Path) -> Note:
    """Return the note; a file of that name that is none is left alone."""
    try:
        document: Any = json.loads(path.read_bytes()[:_LARGEST])
        note = Note(**{**document, "digests": tuple(document["digests"])})
        if note.made_by == _KIND and "/" not in note.aside and all(map(_is_text, asdict(note).values())):
            return note
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise ParameterError(
        f"{path} stands where this program leaves a note, but is none of its own; move it.", code="exists"
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, tuple) and all(isinstance(v, str) for v in value))
