"""The section on earlier releases: how names were linked with theirs, and what that adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.audit.risk import shown_rate
from kakurenbo.report.blocks import Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit, Earlier, Finding
    from kakurenbo.report.blocks import Block

_HOW: Final = (
    "Whoever holds several releases of the same people links their names by the records that they have in "
    "common, and believes of a linked name only what stands under all of its names. Every attacker was set "
    "on what is then left as well as on this release alone, and both count."
)


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the section, where earlier releases were held."""
    if not audit.earlier:
        return ()
    told = (*_added(audit), *_of_whom(audit))
    blocks: tuple[Block, ...] = (Text(_HOW), *map(Text, told), _table(audit))
    return (Section("earlier", "Held with earlier releases", blocks),)


def _added(audit: Audit) -> Iterator[str]:
    """Yield what the worst finds of those who decide, with this release alone and with all of them."""
    alone, held = (_worst(audit, several=several) for several in (False, True))
    if alone is not None and held is not None:
        yield (
            f"With this release alone {alone.attack} finds most: {shown_rate(audit, alone)}, knowing "
            f"{alone.knowledge}. With all {held.releases} releases it is {held.attack}: "
            f"{shown_rate(audit, held)}, knowing {held.knowledge}."
        )


def _of_whom(audit: Audit) -> Iterator[str]:
    """Say of how many names it is told how many were linked, where not of all."""
    asked = audit.earlier[0].asked
    if asked is not None:
        yield f"How many were linked is told of the {asked:,} names of people who were sought."


def _worst(audit: Audit, *, several: bool) -> Finding | None:
    return next(
        (one for one in audit.shown if audit.decides(one.knowledge) and (one.releases > 1) == several), None
    )


def _table(audit: Audit) -> Table:
    columns = (
        Column("fingerprint of the earlier release", "code"),
        *heads("names", "linked with names of this one", "of them rightly", kind="number"),
    )
    return Table("Earlier releases, and names linked with theirs", columns, tuple(map(_row, audit.earlier)))


def _row(one: Earlier) -> tuple[str, ...]:
    judged = "not judged" if one.rightly is None else f"{one.rightly:,}{_share(one.rightly, one.linked)}"
    return one.fingerprint, f"{one.names:,}", f"{one.linked:,}", judged


def _share(part: int, whole: int) -> str:
    return f" ({words.percent(part / whole)})" if whole else ""
