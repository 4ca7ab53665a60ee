"""What of a release nobody looked at: rows left out, columns without a role, files beside the tables.

An attacker can only be tried on what is read. Whatever else was handed out is counted here, so that an audit
can say that it did not see it, and need not call a release good that carries its secret in a corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kakurenbo.plan import Plan


def spoken(rows: Mapping[str, int]) -> str:
    """Return counts of rows by reason as people read them."""
    return ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in rows.items() if count)


@dataclass(frozen=True)
class UnreadColumn:
    """A released column that no attacker read.

    Attributes:
        name: its name, or its place where the name itself tells of a person.
        holds: what of the original stands in it, empty where nothing was recognised.
        share: the share of its rows that do.
    """

    name: str
    holds: str = ""
    share: float = 0.0


@dataclass(frozen=True)
class ForeignFile:
    """A file in the release folder, or a part of a file, that is none of its tables.

    Attributes:
        name: its name, or its place where the name itself tells of a person.
        what: what it is or holds, empty where nothing was recognised.
    """

    name: str
    what: str = ""


@dataclass(frozen=True)
class Unseen:
    """All that was not looked at.

    Attributes:
        rows: released rows that were left out, by reason.
        columns: released columns that were not read, those apart that say the same in every row.
        files: what is in the folder beside the tables.
        changed: tables that are not as the release's manifest says.
        labelled: whether the manifest says that a seed was used, None without one.
        plan: what made the release, where the manifest says it.
    """

    rows: Mapping[str, int] = field(default_factory=dict)
    columns: tuple[UnreadColumn, ...] = ()
    files: tuple[ForeignFile, ...] = ()
    changed: tuple[str, ...] = ()
    labelled: bool | None = None
    plan: Plan | None = None

    def __bool__(self) -> bool:
        return bool(self.rows or self.columns or self.files)
