"""The key of a contest: 32 random bytes in hex, in `private/key` or in KAKURENBO_CONTEST_KEY.

A key that others can read or that anybody could guess seals nothing, so a contest does not open with one.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

VARIABLE = "KAKURENBO_CONTEST_KEY"
_BYTES = 32
_FEWEST = 12  # different bytes: 32 random ones have fewer once in 10^17 keys
_WORDS = ("", "kakurenbo", "secret", "password", "changeme", "default", "test", "key", "contest")
_KNOWN = {
    bytes(range(_BYTES)),
    bytes(range(1, _BYTES + 1)),
    *(hashlib.sha256(word.encode()).digest() for word in _WORDS),
}


def new_key() -> str:
    """Return a key as it is written."""
    return secrets.token_hex(_BYTES)


def read_key(path: Path) -> bytes:
    """Return the key from the environment if it stands there, else from the file; refuse a weak one."""
    text = os.environ.get(VARIABLE)
    return _checked(_file(path) if text is None else text)


def _file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise ParameterError(
                    "Others can read the contest's key: let only its owner (chmod 600 private/key).",
                    code="contest",
                )
            return file.read(1000).decode("ascii", "replace")
    except FileNotFoundError:
        raise ParameterError(
            f"The contest's key is missing: it belongs into private/key or {VARIABLE}.", code="contest"
        ) from None
    except OSError:
        raise ParameterError("The contest's key cannot be read.", code="contest") from None


def _checked(text: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        raise ParameterError("The contest's key must be written in hex digits.", code="contest") from None
    if len(key) != _BYTES:
        raise ParameterError(
            f"The contest's key must have {_BYTES} bytes, {2 * _BYTES} hex digits.", code="contest"
        )
    if len(set(key)) < _FEWEST or key in _KNOWN:
        raise ParameterError("The contest's key can be guessed: it must be random.", code="contest")
    return key
