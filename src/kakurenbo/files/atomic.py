"""Files and folders that appear whole or not at all, and replace only what is recognised as ours.

Everything is written aside, flushed to the disk, and put in place by one rename: a crash at any moment
leaves what was there before or what was meant to be there, never a mixture. What a killed run leaves behind
is recognised and tidied by the next one with the same target (`aside.py`, `pending.py`).
"""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kakurenbo.errors import KakurenboError, ParameterError, WriteError
from kakurenbo.files import disk
from kakurenbo.files.aside import PUBLIC, Aside, aside_file, aside_folder, discard, located, tidy
from kakurenbo.files.interrupts import held
from kakurenbo.files.pending import Journal, Note, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kakurenbo.files.aside import Recognise


def write_file(path: Path, content: bytes, *, mode: int = PUBLIC, replaces: Recognise | None = None) -> None:
    """Put a file in place atomically and durably, with this mode from its first moment on.

    Args:
        path: the file.
        content: what it shall hold.
        mode: PRIVATE (0600) whatever the umask, or PUBLIC.
        replaces: tells whether what stands there may be replaced; None: it must be new.
    """
    target = located(path)
    with refusals(path), Journal(target) as journal:
        journal.claim()
        known = _either(replaces, journal)
        tidy(target, known)
        with aside_file(target, mode) as aside:
            aside.write(content)
            _put(aside, hashlib.sha256(content).hexdigest(), journal, known)


def write_large(path: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` write a file aside that need not fit memory, then put it in place, which must be free."""
    target = located(path)
    with refusals(path), Journal(target) as journal:
        journal.claim()
        known = _either(None, journal)
        tidy(target, known)
        with aside_file(target, PUBLIC) as aside:
            fill(aside.path)
            os.fsync(aside.descriptor)
            _put(aside, digest(aside.path), journal, known)


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` write into a folder aside, then put it in place, which must be free, with one rename."""
    target = located(path)
    with refusals(path), Journal(target) as journal:
        journal.claim()
        known = _either(None, journal)
        tidy(target, known)
        with aside_folder(target) as aside:
            fill(aside.path)
            disk.sync_tree(aside.path)
            _put(aside, digest(aside.path), journal, known)


def _either(replaces: Recognise | None, journal: Journal) -> Recognise:
    """Recognise what may be replaced, and what a killed run put in place."""
    left = journal.note.digests if journal.unfinished and journal.note else ()
    return lambda path: digest(path) in left or (replaces is not None and replaces(path))


def _put(aside: Aside, new: str, journal: Journal, known: Recognise) -> None:
    """Put it in place: over what is known as ours, or under a name that is free."""
    target, old, unfinished = aside.target, None, journal.unfinished
    with held():
        journal.write(Note((new, *(journal.note.digests if unfinished and journal.note else ()))))
        try:
            if os.path.lexists(target):
                aside.ready()
                old = aside.replace(known)
            else:
                aside.take()
            disk.sync_folder(target.parent)
        except BaseException:
            if aside.in_place and old is None:
                disk.rename_new(target, aside.path)
            if not aside.in_place and not unfinished:
                journal.remove()
            raise
        if old is not None:
            discard(old, target)
        journal.done()


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn the system's refusal into one plain sentence with a stable code."""
    try:
        yield
    except KakurenboError:
        raise
    except FileExistsError:
        raise ParameterError(
            f"{path.name} exists already; choose another name, or remove it first.", code="exists"
        ) from None
    except OSError as error:
        raise WriteError(
            f"{path} could not be written: {(error.strerror or 'the system refused').lower()}.", code="write"
        ) from None
