"""What is being written stands beside its target under a hidden name, until one rename puts it in place.

`.NAME.TOKEN.partial` is being filled, or being removed: whoever finds one that no living process has locked
may remove it. `.NAME.TOKEN.ready` is whole and about to take the target's place, or is what stood there and
has just been exchanged; since that could be somebody else's, it is removed only if it is recognised as ours.
The token holds a check sum, so that no other file is taken for one of these because of its name.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.files import disk
from kakurenbo.files.interrupts import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Recognise: TypeAlias = Callable[[Path], bool]

PRIVATE, PUBLIC = 0o600, 0o644
_PARTIAL, _READY = ".partial", ".ready"
_LONGEST = 200  # bytes of a name that are kept, so that what is added still fits
_TOKEN, _CHECK = 12, 4


def located(path: str | Path) -> Path:
    """Return the absolute path with its folder free of links and dots; its last part may be a link."""
    given = Path(path)
    return given.resolve() if given.name in {"", ".."} else given.parent.resolve() / given.name


def hidden_name(name: str) -> str:
    """Return the beginning of the hidden names that belong to a name; a long one is cut and gets a digest."""
    encoded = os.fsencode(name)
    if len(encoded) <= _LONGEST:
        return f".{name}"
    cut = encoded[: _LONGEST - 20].decode("utf-8", "ignore")
    return f".{cut}.{hashlib.blake2b(encoded, digest_size=8).hexdigest()}"


class Aside:
    """A file or folder on its way to its target, locked for as long as its writer lives."""

    def __init__(self, target: Path, create: Callable[[Path], int]) -> None:
        self.target = target
        while True:
            self.path = _named(target, _PARTIAL)
            self.descriptor = create(self.path)
            disk.lock(self.descriptor, wait=True)
            if disk.is_at(self.descriptor, self.path):  # nobody tidied it away before it was locked
                return
            os.close(self.descriptor)

    @property
    def in_place(self) -> bool:
        """Whether it stands under the name of its target."""
        return disk.is_at(self.descriptor, self.target)

    def write(self, content: bytes) -> None:
        """Write a file's content and make it durable."""
        with open(self.descriptor, "wb", closefd=False) as file:
            file.write(content)
        os.fsync(self.descriptor)

    def ready(self) -> None:
        """Say by the name that it is whole."""
        with held():
            whole = self.path.with_suffix(_READY)
            disk.rename_new(self.path, whole)
            self.path = whole

    def take(self) -> None:
        """Take the target's name, which must be free."""
        disk.rename_new(self.path, self.target)

    def replace(self, recognise: Recognise) -> Path | None:
        """Take the place of what stands at the target if it is recognised; return where that is now."""
        with disk.opened(self.target) as old:
            if not disk.lock(old):
                raise busy(self.target)
            if not recognise(self.target):
                raise FileExistsError
            _no_wider(self.path, self.target)
            with held():
                if not disk.exchange(self.path, self.target):
                    self._replace_file()
                    return None
                try:
                    ours = disk.is_at(old, self.path) and recognise(self.path)
                except BaseException:
                    disk.exchange(self.path, self.target)
                    raise
                if not ours:  # another took its place in the meantime
                    disk.exchange(self.path, self.target)
                    raise FileExistsError
                return self.path

    def _replace_file(self) -> None:
        """Replace a file where names cannot be exchanged; a folder cannot be replaced in one step there."""
        if self.path.is_dir():
            raise ParameterError(
                f"Folders cannot be exchanged in one step here; remove {self.target} first.", code="exists"
            )
        self.path.replace(self.target)

    def leave(self) -> None:
        """Remove it if it is still on its way, and give up the lock."""
        with held():
            with suppress(OSError):  # the next run tidies it
                if disk.is_at(self.descriptor, self.path):
                    disk.remove(self.path)
            with suppress(OSError):  # what it holds is on the disk by now, or gone
                os.close(self.descriptor)


@contextmanager
def aside_file(target: Path, mode: int) -> Iterator[Aside]:
    """Begin a file beside its target; a private one is so from the first moment, whatever the umask."""
    with held():
        made = Aside(target, lambda path: _new_file(path, mode))
    try:
        yield made
    finally:
        made.leave()


@contextmanager
def aside_folder(target: Path) -> Iterator[Aside]:
    """Begin a folder beside its target."""
    with held():
        made = Aside(target, _new_folder)
    try:
        yield made
    finally:
        made.leave()


def discard(path: Path, target: Path) -> None:
    """Remove what stood at a target: under a name that says so, because removing a folder takes time."""
    doomed = _named(target, _PARTIAL)
    try:
        disk.rename_new(path, doomed)
        disk.remove(doomed)
    except FileNotFoundError:  # tidied away by another run
        return
    except OSError:
        left = doomed if doomed.exists() else path
        raise WriteError(
            f"{target.name} is in place, but what stood there before could not be removed: it is {left}.",
            code="write",
        ) from None


def tidy(target: Path, recognise: Recognise | None = None, *, keep: Path | None = None) -> None:
    """Remove what killed runs left beside a target; what cannot be removed is left to the next run."""
    with suppress(OSError):
        for path in target.parent.iterdir():
            if path != keep and _is_aside(target, path):
                with suppress(OSError, WriteError), held():
                    _remove_stale(path, target, recognise)


def busy(target: Path) -> WriteError:
    """Return the error for a target that a living process is writing."""
    return WriteError(f"Another run is writing {target.name} at this moment; wait for its end.", code="busy")


def _remove_stale(path: Path, target: Path, recognise: Recognise | None) -> None:
    if path.lstat().st_uid != getattr(os, "geteuid", lambda: path.lstat().st_uid)():
        return
    with disk.opened(path) as descriptor:
        if disk.lock(descriptor) and disk.is_at(descriptor, path):
            if path.suffix == _PARTIAL:
                disk.remove(path)
            elif recognise is not None and recognise(path):
                discard(path, target)


def _named(target: Path, ending: str) -> Path:
    token = secrets.token_hex(_TOKEN // 2)
    start = hidden_name(target.name)
    return target.parent / f"{start}.{token}{_check(start + token)}{ending}"


def _is_aside(target: Path, path: Path) -> bool:
    start = f"{hidden_name(target.name)}."
    token = path.name[len(start) : -len(path.suffix)]
    return (
        path.name.startswith(start)
        and path.suffix in {_PARTIAL, _READY}
        and len(token) == _TOKEN + _CHECK
        and token[_TOKEN:] == _check(start[:-1] + token[:_TOKEN])
    )


def _check(text: str) -> str:
    return hashlib.blake2b(os.fsencode(text), digest_size=_CHECK // 2, person=b"kakurenbo").hexdigest()


def _new_file(path: Path, mode: int) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    if mode == PRIVATE:
        try:
            path.chmod(mode)
        except BaseException:
            os.close(descriptor)
            path.unlink()
            raise
    return descriptor


def _new_folder(path: Path) -> int:
    path.mkdir()
    try:
        return os.open(path, os.O_RDONLY)
    except BaseException:
        path.rmdir()
        raise


def _no_wider(new: Path, old: Path) -> None:
    """Let nobody read what takes a place who could not read what stood there."""
    for path in (new, *(new.rglob("*") if new.is_dir() else ())):
        twin = old / path.relative_to(new)
        if twin.exists() and not twin.is_symlink():
            had, has = (stat.S_IMODE(one.stat().st_mode) for one in (twin, path))
            narrowed = has & (had | stat.S_IRWXU)
            if narrowed != has:
                path.chmod(narrowed)
