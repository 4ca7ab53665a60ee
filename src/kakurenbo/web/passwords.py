"""Passwords: kept as argon2id hashes with the library's parameters, and refused where everybody tries them.

A hash takes 64 MiB while it is computed, so only a few are at a time, however many sign in; whoever asks from
an asynchronous route does so in a thread.
"""

from __future__ import annotations

import os
import unicodedata
from importlib.resources import files
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from kakurenbo.errors import ParameterError

SHORTEST: Final = 10
LONGEST: Final = 1_000
_HASHER: Final = PasswordHasher()
_AT_ONCE: Final = BoundedSemaphore(max(2, os.cpu_count() or 1))
_COMMON: Final = frozenset(  # those of the usual lists that are long enough
    files(__package__).joinpath("common_passwords.txt").read_text(encoding="utf-8").split()
)


def check_password(text: str, name: str) -> None:
    """Refuse a password that is short, endless, the person's own name, or one that everybody tries first."""
    plain, own = text.casefold(), name.casefold().strip()
    if len(text) < SHORTEST:
        raise _refused(f"A password has at least {SHORTEST} characters.")
    if len(text) > LONGEST:
        raise _refused(f"A password has at most {LONGEST} characters.")
    if own and own in plain and plain.replace(own, "").strip("0123456789!?.-_ ") == "":
        raise _refused("A password must not be one's own name.")
    if plain in _COMMON or len(set(plain)) < 4:
        raise _refused("This password is among those that are tried first.")


def hash_password(text: str) -> str:
    """Return what is kept of a password."""
    with _AT_ONCE:
        return _HASHER.hash(_same(text))


def verify_password(kept: str, text: str) -> bool:
    """Return whether a password is the one that was kept; never an error, whatever was."""
    if len(text) > LONGEST:
        return False
    try:
        with _AT_ONCE:
            return _HASHER.verify(kept, _same(text))
    except (Argon2Error, InvalidHashError, UnicodeError):
        return False


def needs_rehash(kept: str) -> bool:
    """Return whether a password should be hashed anew, since hashes have become stronger."""
    try:
        return _HASHER.check_needs_rehash(kept)
    except InvalidHashError:
        return True


def _same(text: str) -> str:
    """Return a password as one spelling, for keyboards compose the same letters in different ways."""
    return unicodedata.normalize("NFKC", text)


def _refused(message: str) -> ParameterError:
    return ParameterError(message, code="parameter")


# Checked where there is no such person, so that an answer takes the same time.
MISSING_HASH: Final = (
    "$argon2id$v=19$m=65536,t=3,p=4$m2sb/Qeter/6ERZtg8Jy3g$qbSC7dQz6z99YdO+Ri1yemsxAUrz9Cwn6zGOypQYM5Y"
)
