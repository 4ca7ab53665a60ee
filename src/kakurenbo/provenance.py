"""Provenance: what was made from what, by which plan, with which versions; enough to file and to repeat.

Releases, audits and studies share it. It holds no id, no value and no seed: only whether there was one.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kakurenbo.plan import Plan

_STANDS_ON = ("kakurenbo", "numpy", "scipy", "polars", "numba", "scikit-learn")


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of this program and of what it stands on."""
    return {"python": platform.python_version(), **{name: _version(name) for name in _STANDS_ON}}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # run from its sources
        return "unknown"


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    Attributes:
        plan: the plan that made the release, where it is known.
        reproducible: whether a seed was given, None where it is not known. Then chance can be repeated, and a
            release undone: not for release.
        fingerprints: SHA-256 of the content of each table, whatever its file, by name.
        versions: of this program and what it stands on.
    """

    plan: Plan | None = None
    reproducible: bool | None = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=versions)


@dataclass(frozen=True)
class Filed:
    """A file that was read.

    Attributes:
        role: what it was read as: original, release, secret.
        name: its name without its folder, or with the folder that was given.
        sha256: of its bytes, as `sha256sum` prints it.
    """

    role: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Filing:
    """What a filed report must say of how it came about. Only who is named asks to be.

    Attributes:
        at: date and time with the zone, to the second, as ISO 8601 writes it; empty where it is not known.
        by: who ran it, as he wants to be named; never looked up.
        command: what was typed, files by their names only; empty from Python.
        files: what was read, in the order it was given; none from Python.
    """

    at: str = ""
    by: str = ""
    command: str = ""
    files: tuple[Filed, ...] = ()


def now() -> str:
    """Return date and time of day here, with the zone."""
    return dt.datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")


def filed(role: str, place: Path) -> Iterable[Filed]:
    """Yield a file, or every file of a folder, with the SHA-256 of its bytes."""
    inside = sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
    for path in inside:
        with path.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        inner = path.relative_to(place)
        yield Filed(role, (Path(place.resolve().name) / inner).as_posix(), digest)
