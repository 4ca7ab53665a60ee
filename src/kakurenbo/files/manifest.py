"""The manifest of a release folder: which files this program put there, by their SHA-256.

A folder may be replaced only by what made it, and is told by its content, not by its name: it is a release
of ours if a manifest stands in it that lists exactly the files there are, each as it is. Who receives the
release can check with it that nothing was lost on the way. It says nothing of the seed, the secret or any
person, but it does say whether the release was drawn with a seed and so must not be handed out, and by which
plan it was made: an attacker is taken to know the method anyway, and an audit carries it out once more.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from kakurenbo.errors import InputError
from kakurenbo.files import disk
from kakurenbo.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

NAME = "release.json"
_KIND = "kakurenbo release"
LARGEST = 1 << 20  # bytes of a manifest; what is larger is none
_STEPS = 10
_SETTINGS = 20


@dataclass(frozen=True)
class Manifest:
    """What a release folder says of itself.

    Attributes:
        made_by: that this program made it.
        files: the name of every other file in the folder -> its SHA-256.
        reproducible: drawn with a seed, so whoever knows the seed can undo the pseudonyms: not for release.
        plan: what made it, None where that is not known.
    """

    made_by: str
    files: Mapping[str, str]
    reproducible: bool
    plan: Plan | None = None

    @classmethod
    def of(cls, folder: Path, *, reproducible: bool, plan: Plan | None = None) -> Manifest:
        """Return the manifest of the files that stand in a folder now."""
        files = {path.name: disk.sha256(path) for path in _others(folder)}
        return cls.listing(files, reproducible=reproducible, plan=plan)

    @classmethod
    def listing(cls, files: Mapping[str, str], *, reproducible: bool, plan: Plan | None) -> Manifest:
        """Return the manifest of files whose SHA-256 are known."""
        return cls(_KIND, files, reproducible, plan)

    def describes(self, folder: Path) -> bool:
        """Tell whether the folder holds exactly what the manifest lists, unchanged."""
        there = _others(folder)
        if any(path.is_symlink() or not path.is_file() for path in there):
            return False
        return {path.name: disk.sha256(path) for path in there} == self.files

    def to_json(self) -> str:
        """Return the manifest as the text of its file."""
        plan = None if self.plan is None else self.plan.to_dict()
        return json.dumps({**asdict(replace(self, plan=None)), "plan": plan}, indent=2, sort_keys=True) + "\n"


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest that stands in a folder, None where there is none of ours."""
    path = folder / NAME
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    try:
        return parsed(path.read_bytes())
    except OSError:
        raise InputError("The release folder's manifest cannot be read.", code="path-unreadable") from None


def parsed(body: bytes) -> Manifest | None:
    """Return the manifest that a file's content is, None where it is none of ours."""
    try:
        return _checked(json.loads(body.decode()))
    except (ValueError, RecursionError, InputError):
        return None


def is_release(folder: Path) -> bool:
    """Tell whether a folder is a release of ours with nothing added, lost or changed."""
    manifest = read_manifest(folder) if folder.is_dir() and not folder.is_symlink() else None
    return manifest is not None and manifest.describes(folder)


def _checked(document: Any) -> Manifest | None:  # noqa: ANN401 - whatever JSON holds
    """Return the manifest, if the document is one to the letter."""
    match document:
        case {"made_by": str(kind), "files": dict(files), "reproducible": bool(seeded), **rest}:
            plain = all(isinstance(digest, str) for digest in files.values())
            plan: Any = rest.pop("plan", None)
            if kind == _KIND and plain and not rest and (plan is None or _modest(plan)):
                return Manifest(kind, files, seeded, None if plan is None else Plan.from_dict(plan))
    return None


def _modest(plan: Any) -> bool:  # noqa: ANN401 - whatever JSON holds
    """Whether a plan is no longer than a plan is, and has no room for anything but settings."""
    match plan:
        case {"kind": str(), "steps": [_, *_] as steps, **rest}:
            short = not rest and len(steps) <= _STEPS and all(isinstance(step, dict) for step in steps)
            return short and all(len(step) <= _SETTINGS and _settings(step.values()) for step in steps)
    return False


def _settings(values: Iterable[Any]) -> bool:
    return all(
        value is None
        or isinstance(value, bool | int | float)
        or _is_word(value)
        or (isinstance(value, list) and len(value) <= _SETTINGS and all(map(_is_word, value)))
        for value in values
    )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z_ ,-]{0,60}", value) is not None


def _others(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.name != NAME]
