"""Provenance: what was made from what, by which plan, with which versions; enough to file and to repeat.

Releases, audits and studies share it. It holds no id, no value and no seed: only whether there was one.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version

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
