"""The vault: what teams hand in, sealed at once and opened for the judge only.

Every file has a random name, mode 0600, and a key of its own: HKDF-SHA256 of the contest's key, the file's
random salt and its name. Its content is AES-256-GCM in chunks of 64 KiB, numbered, the last one marked, so
that nothing can be changed, cut, reordered or put under another name without being noticed.

```
b"KKV1" | 16 bytes salt | chunk ...        chunk = ciphertext with a tag of 16 bytes
nonce of chunk i = 11 bytes i | 1 byte: is it the last
```

Whoever hands in a file gets a commitment, SHA-256 of a random salt and the plain bytes: it binds the team and
the server, and tells nothing about the content.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import math
import os
import secrets
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MAGIC = b"KKV1"
_SALT = 16
_CHUNK = 1 << 16
_TAG = 16


@dataclass(frozen=True, slots=True)
class Sealed:
    """Where something lies in the vault, and what can be said about it: hashes are in hex."""

    name: str
    digest: str
    size: int
    commitment: str
    salt: str


class Vault:
    """A folder of sealed files.

    Args:
        folder: where they lie; nothing of it is ever served.
        key: 32 secret bytes.
    """

    def __init__(self, folder: Path, key: bytes) -> None:
        self.folder = folder
        self._key = key

    def __repr__(self) -> str:
        return f"Vault({str(self.folder)!r})"

    def put(self, content: bytes | IO[bytes], *, limit: int | None = None) -> Sealed:
        """Seal a file; when this returns, the file and its name are on the disk.

        Args:
            content: the plain bytes, or a stream of them.
            limit: bytes after which it is refused, and nothing is left of it.
        """
        stream = io.BytesIO(content) if isinstance(content, bytes) else content
        name = secrets.token_hex(16)
        try:
            sealed = self._write(name, stream, limit)
        except BaseException:
            self.remove(name)
            raise
        disk.sync_folder(self.folder)
        return sealed

    def _write(self, name: str, stream: IO[bytes], limit: int | None) -> Sealed:
        salt, binding, size = secrets.token_bytes(_SALT), secrets.token_bytes(32), 0
        digest, commitment = hashlib.sha256(), hashlib.sha256(binding)
        cipher = AESGCM(self._derive(salt, name))
        with open(self.folder / name, "xb", opener=_private) as file:
            file.write(_MAGIC + salt)
            for number, (chunk, last) in enumerate(_chunks(stream)):
                size += len(chunk)
                if limit is not None and size > limit:
                    raise InputError(f"The file has more than {limit:,} bytes.", code="limit")
                digest.update(chunk)
                commitment.update(chunk)
                file.write(cipher.encrypt(_nonce(number, last=last), chunk, None))
            file.flush()
            os.fsync(file.fileno())
        return Sealed(name, digest.hexdigest(), size, commitment.hexdigest(), binding.hex())

    def get(self, name: str) -> bytes:
        """Return the plain bytes of a file."""
        return b"".join(self._opened(name))

    def _opened(self, name: str) -> Iterator[bytes]:
        with self._path(name).open("rb") as file:
            head = file.read(len(_MAGIC) + _SALT)
            cipher = AESGCM(self._derive(head[len(_MAGIC) :], name))
            try:
                for number, (chunk, last) in enumerate(_chunks(file, _CHUNK + _TAG)):
                    yield cipher.decrypt(_nonce(number, last=last), chunk, None)
            except InvalidTag:
                raise ParameterError(
                    "A sealed file was changed, or sealed with another key.", code="contest"
                ) from None

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        self._path(name).unlink(missing_ok=True)

    def names(self, *, older: float = 0.0) -> list[str]:
        """Return the names of all files that were not touched for so many seconds."""
        before = time.time() - older
        return sorted(path.name for path in self.folder.iterdir() if _touched(path) <= before)

    def seed(self, purpose: str) -> int:
        """Return chance that only the holder of the key can foresee, and that is the same every time."""
        return int.from_bytes(hmac.digest(self._derive(b"", "seed"), purpose.encode(), "sha256")[:7], "big")

    @property
    def check(self) -> str:
        """What tells whether two vaults have the same key, and nothing else."""
        return self._derive(b"", "check").hex()

    def _derive(self, salt: bytes, name: str) -> bytes:
        return HKDF(
            algorithm=SHA256(), length=32, salt=salt, info=b"kakurenbo vault " + name.encode()
        ).derive(self._key)

    def _path(self, name: str) -> Path:
        if len(name) != 32 or not set(name) <= set("0123456789abcdef"):
            raise ParameterError("There is no such sealed file.", code="contest")
        return self.folder / name


def _touched(path: Path) -> float:
    """Return when a file was last written; one that has just been removed is not old."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _chunks(stream: IO[bytes], size: int = _CHUNK) -> Iterator[tuple[bytes, bool]]:
    """Cut a stream into chunks of one size and tell which is the last; nothing at all is one empty chunk."""
    chunk = _exactly(stream, size)
    while True:
        following = _exactly(stream, size) if len(chunk) == size else b""
        yield chunk, not following
        if not following:
            return
        chunk = following


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes unless the stream ends: a stream may give less than was asked for."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
