"""Lifetimes: how long a released name lives, seen from the release alone.

A release may give a person another name every month, or every receipt. Then nobody's history stands under one
name, and who looks for whole people finds next to nothing. But it shows: each name lives for one month only,
and people do not. Whoever sees that cuts what he knows of everybody alike and looks for a person's month.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import polars as pl

from kakurenbo.mappings import EVERY

if TYPE_CHECKING:
    from kakurenbo.attacks.base import Tables
    from kakurenbo.data.purchases import Purchases

Unit = Literal["receipt", "day", "week", "month", "quarter", "year"]

_UNITS: tuple[Unit, ...] = ("receipt", *EVERY)
_NEARLY = 0.98  # of the names live for one unit only
_APART = 0.05  # by which share people must live longer than names do
_DATED = 0.9  # of the released records stand in a period that the original has
_SAID: dict[Unit, str] = {
    "receipt": "a new name for every receipt", "day": "a new name every day", "week": "a new name every week",
    "month": "a new name every month", "quarter": "a new name every quarter",
    "year": "a new name every year",
}  # fmt: skip


@dataclass(frozen=True)
class Lifetime:
    """How long names live in a release.

    Attributes:
        unit: what one name stands for of a person.
        period: the calendar period that every name lies in and that both tables show; None where there is
            none, because times are not shown or were moved as a whole.
        names: how many names there are.
        people: how many people the original has.
    """

    unit: Unit
    period: Unit | None
    names: int
    people: int

    def __str__(self) -> str:
        return f"{_SAID[self.unit]}: {self.names:,} names, where the original has {self.people:,} people"

    def of(self, finest: Unit) -> Unit:
        """Return what one name stands for to somebody who sees nothing finer than this."""
        return max(self.unit, finest, key=_UNITS.index)


def lifetime(original: Purchases, released: Purchases) -> Lifetime | None:
    """Return how long names live, where that is shorter than people do; None where a name is a person.

    The shortest unit of which nearly every name has but one, while more of the people have several; where
    times are rounded down to months, nothing shorter can be seen.
    """
    for unit in _UNITS:
        if not (_shows(original, unit) and _shows(released, unit)) or _rounded(released, unit):
            continue
        lived = _confined(released, unit)
        if lived >= _NEARLY and _confined(original, unit) <= lived - _APART:
            people = len(original.customers)
            return Lifetime(unit, _period(original, released, unit), len(released.customers), people)
    return None


def life_of(tables: Tables[Purchases]) -> Lifetime | None:
    """Return how long names live in a release, looked at once."""
    return tables.once("lifetime", lambda: lifetime(tables.original, tables.released))


def when(unit: Unit) -> pl.Expr:
    """Return the unit that a record lies in."""
    return pl.col("receipt") if unit == "receipt" else pl.col("time").dt.truncate(EVERY[unit])


def _shows(data: Purchases, unit: Unit) -> bool:
    return ("receipt" if unit == "receipt" else "time") in data.shown


def _rounded(released: Purchases, unit: Unit) -> bool:
    """Whether the next longer unit tells as many times apart: then this one is not to be seen."""
    if unit in {"receipt", _UNITS[-1]}:
        return False
    longer = _UNITS[_UNITS.index(unit) + 1]
    told = released.records.select(unit=when(unit).n_unique(), longer=when(longer).n_unique()).row(0)
    return bool(told[0] == told[1] > 1)


def _confined(data: Purchases, unit: Unit) -> float:
    """Return the share of people all of whose records lie in one unit."""
    lived = data.records.group_by("customer").agg(units=when(unit).n_unique())
    return int((lived["units"] == 1).sum()) / max(lived.height, 1)


def _period(original: Purchases, released: Purchases, unit: Unit) -> Unit | None:
    """Return the period that names of this unit may be compared in: a month at least, for days may move."""
    period: Unit = max(unit, "month", key=_UNITS.index)
    if not (_shows(original, period) and _shows(released, period)):
        return None
    known = original.records.select(when(period).unique()).to_series()
    there = released.records.select(when(period).is_in(known.implode()).mean()).item()
    return period if there >= _DATED else None
