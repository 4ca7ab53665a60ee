"""Files and folders that appear whole or not at all.

Everything is written aside, flushed to the disk, and put in place by one rename: a crash at any moment
leaves what was there before or what was meant to be there, never a mixture. What a killed process leaves
behind is a hidden `.NAME.*.partial` beside the target, which may be deleted.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
from typing import TYPE_CHECKING

from kakurenbo.errors import KakurenboError, WriteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def write_file(path: Path, content: bytes, *, mode: int = 0o644, overwrite: bool = True) -> None:
    """Put a file in place atomically and durably, with this mode from its first moment on."""
    with _plain_refusals(path):
        aside = _aside(path)
        try:
            descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                aside.replace(path)
            else:
                _link_new(aside, path)
        finally:
            aside.unlink(missing_ok=True)
        _sync_folder(path.parent)


def write_folder(path: Path, fill: Callable[[Path], None], *, overwrite: bool = False) -> None:
    """Let `fill` write into a folder aside, then put it in place with one rename.

    With `overwrite` an existing folder is exchanged for the new one in one step, and then removed.
    """
    with _plain_refusals(path):
        aside = _aside(path)
        try:
            aside.mkdir()
            fill(aside)
            for entry in (*aside.rglob("*"), aside):
                _sync_folder(entry) if entry.is_dir() else _sync(entry)
            if overwrite and path.exists():
                _exchange(aside, path)
            else:
                _rename_new(aside, path)
            _sync_folder(path.parent)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _aside(path: Path) -> Path:
    return path.parent / f".{path.name}.{secrets.token_hex(6)}.partial"


def _link_new(source: Path, target: Path) -> None:
    """Give a file a name that must be free; where links do not exist, look before renaming."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        _rename_new(source, target)


def _rename_new(source: Path, target: Path) -> None:
    """Rename onto a name that must be free (a plain rename would silently replace an empty folder)."""
    if target.exists():
        raise FileExistsError(target)
    source.rename(target)


def _exchange(first: Path, second: Path) -> None:
    """Swap two folders in one step; only Linux can, so elsewhere overwriting is refused."""
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if exchange is None:
        raise FileExistsError(second)
    if exchange(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(path: Path) -> None:
    with contextlib.suppress(OSError):  # some systems cannot: the rename itself is done by then
        _sync(path)


@contextlib.contextmanager
def _plain_refusals(path: Path) -> Iterator[None]:
    """Turn the system's refusal into one plain sentence with a stable code."""
    try:
        yield
    except KakurenboError:
        raise
    except FileExistsError:
        raise WriteError(
            f"{path.name} exists already; choose another name, or remove it first.", code="exists"
        ) from None
    except OSError as error:
        raise WriteError(
            f"{path} could not be written: {(error.strerror or 'the system refused').lower()}.", code="write"
        ) from None
