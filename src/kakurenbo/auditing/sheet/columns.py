"""In which grain a release speaks, read off the release itself: times by month, prices to 2 decimals.

A plan says what was meant; the tables say what came of it, also where data was coarse before anybody touched
it. Of values there are only counts here: a month is the most that is told of a time. Purchases are noted
block by block, each on the way to its file, or as the one block that a table in memory is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

import polars as pl

from kakurenbo.data.table import ByKind
from kakurenbo.mappings.periods import MONDAY, RECURRING, Period, rounded
from kakurenbo.sheet.record import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

_DATED = [period for period in reversed(get_args(Period)) if period not in RECURRING]  # the coarsest first
_FINER = {"hour of a day": "1h", "minute": "1m"}
_DECIMALS = 9
_NAMES = {"customer": "customers", "receipt": "receipts"}  # each block has its own, so they are counted
_FORMS = {
    "ranges": r"^\[.+\.\..+\]$",
    "masked": r"[^*]\*+$",
    "sets": r"^\{.+\}$|^\*$",
}  # our methods write so


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

    @classmethod
    def of(cls, data: Purchases, drawn: Purchases | None = None) -> Noted:
        """Take note of a block."""
        form = replace(data.of(data.customers.head(1)), master=None, goods_table=None)
        return cls(data.counts, dict(_values(data)), form, () if drawn is None else (drawn,))

    def beside(self, other: Noted) -> Noted:
        """Return what is noted of these blocks and others."""
        counts = {name: count + other.counts[name] for name, count in self.counts.items()}
        values = {key: pl.concat([mine, other.values[key]]).unique() for key, mine in self.values.items()}
        counts["goods"] = len(values["transactions", "goods"])
        return Noted(counts, values, self.one, self.drawn + other.drawn)


def _values(data: Purchases) -> Iterator[tuple[tuple[str, str], pl.Series]]:
    for role in data.roles:
        if role not in _NAMES:
            values = data.goods if role == "goods" else data.records[role]
            yield ("transactions", role), values.drop_nulls().unique()
    for column in () if data.master is None else data.master.drop("customer"):
        yield ("master", column.name), column.drop_nulls().unique()


def _of_purchases(data: Purchases, noted: Noted | None = None) -> Iterator[Column]:
    """Yield the columns of a table, or of all blocks of which this one has the form and words."""
    known = noted or Noted.of(data)
    for role in data.roles:
        name = data.layout.name_of(role)
        if role in _NAMES:
            yield Column("transactions", name, role, "names", known.counts[_NAMES[role]])
        else:
            values = known.values["transactions", role]
            yield _described(values, "transactions", name, role, data.hierarchies.get(role))
    for (table, name), values in known.values.items():
        if table == "master":
            yield _described(values, table, name, "master", data.hierarchies.get(name))


def _of_microdata(data: Microdata, _: Noted | None = None) -> Iterator[Column]:
    if data.id_column:
        yield _described(data.ids, "microdata", data.id_column, "id", None)
    for values in data.records:
        role = "qi" if values.name in data.qi else "sa"
        yield _described(values, "microdata", values.name, role, data.hierarchies.get(values.name))


# The columns of a release, each in its grain.
columns: ByKind[Iterator[Column]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)


def _described(values: pl.Series, table: str, name: str, role: str, tree: Hierarchy | None) -> Column:
    """Return what is said of a column, given its values, or each of them once."""
    distinct = values.drop_nulls().unique()
    if role == "id":
        return Column(table, name, role, "names", len(distinct))
    if distinct.dtype.is_temporal() and len(distinct):
        first, last = distinct.sort().dt.strftime("%Y-%m").gather([0, -1])
        return Column(table, name, role, _period(distinct), len(distinct), since=first, until=last)
    if distinct.dtype.is_numeric():
        decimals = _decimals(distinct)
        return Column(
            table, name, role, "decimals" if decimals else "whole", len(distinct), decimals=decimals
        )
    if tree is not None:
        levels = _levels(distinct.cast(pl.String), tree)
        return Column(table, name, role, "words", len(distinct), levels=levels, stands_for=tree.frame.height)
    texts = distinct.cast(pl.String)
    form = next((form for form, written in _FORMS.items() if texts.str.contains(written).any()), "text")
    return Column(table, name, role, form, len(distinct))


def _period(times: pl.Series) -> str:
    """Return the coarsest period whose first moments these times are."""
    frame = times.cast(pl.Datetime("us")).to_frame("time")
    day = frame["time"].dt.date()
    away = (day >= MONDAY).all() and (day <= MONDAY.replace(day=MONDAY.day + 6)).all()
    for period in (*(("hour", "weekday", "weekday-hour") if away else ()), *_DATED):
        if frame.select((rounded(pl.col("time"), cast("Period", period)) == pl.col("time")).all()).item():
            return str(period)
    for word, every in _FINER.items():
        if frame.select((pl.col("time").dt.truncate(every) == pl.col("time")).all()).item():
            return word
    return "second"


def _decimals(numbers: pl.Series) -> int:
    if numbers.dtype.is_integer():
        return 0
    for places in range(_DECIMALS):
        if (numbers.round(places) == numbers).all():
            return places
    return _DECIMALS


def _levels(words: pl.Series, tree: Hierarchy) -> tuple[int, ...]:
    """Return how many of the words are of each level, each counted at its finest."""
    counts, rest = [], words
    for level in tree.frame:
        there = rest.is_in(level.implode())
        counts.append(int(there.sum()))
        rest = rest.filter(~there)
    return tuple(counts)
