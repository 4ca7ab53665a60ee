"""Where a table was read from, and which of its columns were not, so that an audit can look there too."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kakurenbo.plan import Plan


@dataclass(frozen=True)
class Said:
    """What a folder on a cluster's storage says of itself; a folder here is looked at when that is asked.

    Attributes:
        beside: the names of what stands beside the table and is none of ours.
        changed: what is not as its manifest says.
        reproducible: whether the manifest says that a seed was used, None without one.
        plan: what made the release, where the manifest says it.
    """

    beside: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    reproducible: bool | None = None
    plan: Plan | None = None


@dataclass(frozen=True)
class Source:
    """The file or folder behind a table. Only tables that were read have one: a release of ours has none.

    Attributes:
        place: the file or folder.
        tables: the files that were read, the records first.
        unread: columns of the records that have no role, and so were not loaded.
        opened: how the files were opened: encoding, header, separator, limits.
        trees: the files of a release that say what its words stand for.
        taken: how an unknown layout was read, where nobody said and there was no doubt.
        said: what the folder says of itself, where it lies on a cluster's storage.
    """

    place: Path
    tables: tuple[Path, ...]
    unread: tuple[str, ...]
    opened: Mapping[str, Any] = field(default_factory=dict)
    trees: tuple[Path, ...] = ()
    taken: Mapping[str, Any] | None = None
    said: Said | None = None

    def at(self, place: Path) -> Source:
        """Return the same of a file or folder that was moved here, or is called otherwise from here."""

        def moved(path: Path) -> Path:
            return place / path.relative_to(self.place) if path.is_relative_to(self.place) else path

        return replace(
            self, place=place, tables=tuple(map(moved, self.tables)), trees=tuple(map(moved, self.trees))
        )
