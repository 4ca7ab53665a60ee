"""The user's cache folder: what costs time to make again and may be lost at any moment.

The folder is the user's alone, and so is every file in it. What anybody else could have written is never
read: a folder or file of another owner, one that others may write to, a link, and content that is not what
was written under its key. Then it is as if nothing lay there. Files appear whole, by one rename, so that
several processes may write the same; whoever comes last has written it. Where nothing can be written, nothing
is, and nobody is told but the log.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakurenbo.files import disk
from kakurenbo.files.aside import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIABLE = "KAKURENBO_CACHE"
_FOLDER = 0o700
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_MOST = 16 * 2**20  # bytes of a file: more was not written by us
_KEPT = 64  # files: those of older versions are never asked for again
_LOG = logging.getLogger(__name__)


class _NotOurs(Exception):  # noqa: N818 - the reason is the message
    """What lies there could be somebody else's."""


@dataclass(frozen=True)
class PrivateCache:
    """Documents by their keys, in one folder.

    Attributes:
        folder: where they lie; None where there is no place for them.
    """

    folder: Path | None

    @classmethod
    def of_user(cls, *, apart: Iterable[Path] = ()) -> PrivateCache:
        """Return the cache of whoever runs this, never one that lies in a folder from elsewhere.

        Args:
            apart: folders that somebody else may have made, such as a release.
        """
        folder = _named_folder()
        if folder is not None and any(folder.resolve().is_relative_to(place.resolve()) for place in apart):
            _LOG.warning("The cache folder %s lies inside data that is read, so it is not used.", folder)
            folder = None
        return cls(folder)

    def read(self, key: str) -> dict[str, Any] | None:
        """Return the document that was written under this key; None without one that can be trusted."""
        if self.folder is None:
            return None
        path = _file(self.folder, key)
        try:
            _check_folder(self.folder)
            return _opened(path, key)
        except FileNotFoundError:
            return None
        except (OSError, _NotOurs) as refused:
            _LOG.warning("%s is not used: %s.", path, _reason(refused))
            return None

    def write(self, key: str, document: dict[str, Any]) -> bool:
        """Write a document under its key, in place of what stands there; return whether that was possible."""
        if self.folder is None:
            return False
        path, aside = _file(self.folder, key), self.folder / f".{secrets.token_hex(8)}.partial"
        try:
            _make(self.folder)
            _check_folder(self.folder)
            _write_new(aside, _sealed(key, document))
            aside.replace(path)
        except (OSError, _NotOurs) as refused:
            _LOG.info("%s is not kept: %s.", path, _reason(refused))
            with suppress(OSError):
                aside.unlink()
            return False
        with suppress(OSError):  # another process tidies too
            _tidy(self.folder)
        return True


def _named_folder() -> Path | None:
    """Return where this user's cache is to be, whether or not it is there."""
    named = os.environ.get(VARIABLE)
    if named:
        if Path(named).is_absolute():
            return Path(named)
        _LOG.warning("%s is not an absolute path, so it is not used.", VARIABLE)
        return None
    usual = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if Path(usual).is_absolute():
        return Path(usual) / "kakurenbo"
    try:
        home = Path.home()
    except RuntimeError:  # nobody's
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "kakurenbo"


def _make(folder: Path) -> None:
    """Make the folder, but not in somebody else's home, where it would be of no use to its owner."""
    if folder.exists():
        return
    above = next(parent for parent in folder.parents if parent.exists())
    if not (_is_own(above.stat()) or os.environ.get(VARIABLE)):
        raise _NotOurs(f"{above} belongs to somebody else")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=_FOLDER, exist_ok=True)


def _file(folder: Path, key: str) -> Path:
    return folder / f"{key}.json"


def _tidy(folder: Path) -> None:
    """Remove all but the newest files."""
    files = [(path.lstat().st_mtime, path) for path in folder.iterdir()]
    for _, path in sorted(files, reverse=True)[_KEPT:]:
        path.unlink()


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def _opened(path: Path, key: str) -> dict[str, Any]:
    """Return a document, if it is what was written under its key."""
    with disk.opened(path) as descriptor:
        _check(os.fstat(descriptor), directory=False)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(_MOST)
    try:
        document = json.loads(content)["document"]
    except (ValueError, KeyError, TypeError):
        raise _NotOurs("it cannot be read") from None
    if not isinstance(document, dict) or content != _sealed(key, document):
        raise _NotOurs("it is not what was written there")
    return document


def _sealed(key: str, document: dict[str, Any]) -> bytes:
    """Return what is written: a document with its key, and the digest of both."""
    content = json.dumps({"key": key, "document": document}, sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()
    return json.dumps({"key": key, "document": document, "sha256": digest}, sort_keys=True).encode()


def _check_folder(folder: Path) -> None:
    """Refuse a folder that is not the user's alone, or that anybody could put another in the place of."""
    _check(folder.lstat(), directory=True)
    for parent in folder.parents if os.name == "posix" else ():
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise _NotOurs(f"everybody can write to {parent}")


def _check(status: os.stat_result, *, directory: bool) -> None:
    """Refuse what is no plain folder or file, or is not the user's alone to write."""
    if not (stat.S_ISDIR if directory else stat.S_ISREG)(status.st_mode):
        raise _NotOurs(f"it is no plain {'folder' if directory else 'file'}")
    if not _is_own(status):
        raise _NotOurs("it belongs to somebody else")
    if os.name == "posix" and status.st_mode & _OTHERS:
        raise _NotOurs("others can write to it")


def _is_own(status: os.stat_result) -> bool:
    """Tell whether something is the user's; a system without numbers of users keeps such folders private."""
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _reason(refused: Exception) -> str:
    said = (refused.strerror or "the system refused") if isinstance(refused, OSError) else str(refused)
    return said[:1].lower() + said[1:]
