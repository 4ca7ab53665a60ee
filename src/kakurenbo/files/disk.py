"""What the file system can do in one step: take a free name, exchange two names, lock, make durable."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # not on every system: there, nothing can be told to be alive, so nothing is tidied
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_AT_FDCWD = -100
_NOREPLACE, _EXCHANGE = 1, 2
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def rename_new(source: Path, target: Path) -> None:
    """Rename onto a name that must be free (a plain rename would replace a file or an empty folder)."""
    if _renamed(source, target, _NOREPLACE):
        return
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    if source.is_file():
        with suppress(PermissionError, NotImplementedError):  # a system without links
            os.link(source, target)
            source.unlink()
            return
    source.rename(target)


def exchange(first: Path, second: Path) -> bool:
    """Swap two names in one step; return whether the system can."""
    return _renamed(first, second, _EXCHANGE)


def _renamed(source: Path, target: Path, flag: int) -> bool:
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if not rename(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flag):
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(target))


def lock(descriptor: int, *, wait: bool = False) -> bool:
    """Lock an open file or folder for as long as it is open; return False where another process holds it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


@contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Open what stands under a name, but not what a link leads to."""
    descriptor = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        yield descriptor
    finally:
        with suppress(OSError):  # nothing was written through it that could be lost
            os.close(descriptor)


def is_at(descriptor: int, path: Path) -> bool:
    """Tell whether the open file or folder is the one that stands under this name."""
    try:
        there = path.lstat()
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
            return False
        raise
    return os.path.samestat(os.fstat(descriptor), there)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Make the content of a file durable."""
    with opened(path) as descriptor:
        os.fsync(descriptor)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable, on systems that can."""
    try:
        sync(path.resolve())
    except PermissionError:  # a folder one may write to but not list
        return
    except OSError as error:
        if error.errno not in _CANNOT:
            raise


def sync_tree(folder: Path) -> None:
    """Make a folder with all that is in it durable."""
    for entry in (*folder.rglob("*"), folder):
        sync_folder(entry) if entry.is_dir() else sync(entry)
