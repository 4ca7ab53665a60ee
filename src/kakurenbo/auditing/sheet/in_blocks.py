"""The data sheet of a release that is written block by block: the one that the whole table gets in memory.

Counts and columns are noted of every released block on its way to its file, and are exact. What the release
may be used for is measured on people drawn by their ids, everybody where they are no more than ten thousand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.auditing.sheet.columns import described
from kakurenbo.auditing.sheet.make import idle, sheet_of
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from kakurenbo.data.sampling import (
    TARGETS,
    Fetch,
    Low,
    Sample,
    draw_and_fetch,
    fetched,
    owners_among,
    together,
)
from kakurenbo.errors import InputError
from kakurenbo.sheet.record import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.files.release_in_blocks import Told
    from kakurenbo.progress import Progress
    from kakurenbo.provenance import Provenance
    from kakurenbo.sheet.record import DataSheet, Language

_NAMES = {"customer": "customers", "receipt": "receipts"}  # each block has its own, so they are counted


@dataclass(frozen=True, eq=False)
class Noted:
    """What is noted of released blocks.

    Attributes:
        counts: what they hold, and how much of it.
        values: each value once, by table and column, but for names.
        one: all that stands under one name: the form that all blocks have.
        drawn: all that stands under the names of people who may be drawn.
    """

    counts: Mapping[str, int]
    values: Mapping[tuple[str, str], pl.Series]
    one: Purchases
    drawn: tuple[Purchases, ...] = ()

    def beside(self, other: Noted) -> Noted:
        """Return what is noted of these blocks and others."""
        counts = {name: count + other.counts[name] for name, count in self.counts.items()}
        values = {key: pl.concat([mine, other.values[key]]).unique() for key, mine in self.values.items()}
        counts["goods"] = len(values["transactions", "goods"])
        return Noted(counts, values, self.one, self.drawn + other.drawn)


@dataclass(frozen=True)
class Note:
    """Work: take note of a released block, and of the people there whom the bound lets through."""

    whom: Low | None

    def __call__(self, release: Release[Purchases]) -> Noted:
        """Return the note."""
        data, drawn = release.data, None
        if self.whom is not None:
            pairs = release.pairing.frame
            drawn = Fetch.of_named(pairs["released"].filter(self.whom.among(pairs["original"])))(data)
        one = data.of(data.customers.head(1))
        form = replace(one, master=None, goods_table=None)
        return Noted(data.counts, dict(_values(data)), form, () if drawn is None else (drawn,))


@dataclass(frozen=True, eq=False)
class SheetInBlocks:
    """Makes the data sheet while a release is written.

    Attributes:
        original: the data before; without it nothing is said about use.
        made: the plan that makes the release, and whether a seed can repeat it.
        chance: draws the people to measure on, by their ids.
        contact: whom to ask.
        language: of the page to read.
        targets: on how many people to measure.
    """

    original: Blocks | None
    made: Provenance
    chance: Chance
    contact: str = ""
    language: Language = "en"
    targets: int = TARGETS

    @property
    def work(self) -> Note:
        """What is noted of a released block."""
        if self.original is None:
            return Note(None)
        return Note(Low.of(self.original, self.targets, self.chance))

    def sheet(self, noted: Noted, told: Told, pairing: Pairing, progress: Progress) -> DataSheet:
        """Return the sheet of all blocks."""
        some = self._sample(noted.drawn, told.trees, pairing, progress.part(0.0, 0.5))
        asked = {
            "facts": told.facts, "made": self.made, "contact": self.contact, "language": self.language,
            "progress": progress.part(0.5, 1.0),
        }  # fmt: skip
        if some is None:
            sheet = sheet_of(noted.one, **asked)  # type: ignore[arg-type] # as declared there
        else:
            sheet = sheet_of(some.released, some.original, some.owners, **asked)  # type: ignore[arg-type] # the same
        return replace(
            sheet, counts=noted.counts, columns=tuple(_columns(noted, told.trees)),
            several_names=not Owners.of(pairing).one_to_one,
            no_purchases=sheet.no_purchases if self.original is None else idle(self.original),
            sampled=0 if some is None or some.complete else some.people,
        )  # fmt: skip

    def _sample(
        self,
        parts: tuple[Purchases, ...],
        trees: Mapping[str, Hierarchy],
        pairing: Pairing,
        progress: Progress,
    ) -> Sample | None:
        """Return some people before and after; None where the original, or everybody drawn, is missing."""
        if self.original is None or not parts:
            return None
        before = draw_and_fetch(self.original, self.targets, self.chance, progress=progress)
        people, everybody = len(before.customers), self.original.whole.counts["customers"]
        try:
            owners = owners_among(pairing, before.customers, people / everybody, self.chance)
        except InputError:  # none of them was released
            return None
        near = replace(together(self.original, parts), hierarchies=trees, source=None)
        return Sample(before, fetched(InMemory.of(near), owners.names), owners, people, everybody)


def _values(data: Purchases) -> Iterator[tuple[tuple[str, str], pl.Series]]:
    for role in data.roles:
        if role not in _NAMES:
            values = data.goods if role == "goods" else data.records[role]
            yield ("transactions", role), values.drop_nulls().unique()
    for column in () if data.master is None else data.master.drop("customer"):
        yield ("master", column.name), column.drop_nulls().unique()


def _columns(noted: Noted, trees: Mapping[str, Hierarchy]) -> Iterator[Column]:
    for role in noted.one.roles:
        name = noted.one.layout.name_of(role)
        if role in _NAMES:
            yield Column("transactions", name, role, "names", noted.counts[_NAMES[role]])
        else:
            yield described(noted.values["transactions", role], "transactions", name, role, trees.get(role))
    for (table, name), column in noted.values.items():
        if table == "master":
            yield described(column, table, name, "master", trees.get(name))
