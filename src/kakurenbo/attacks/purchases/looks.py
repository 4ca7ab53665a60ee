"""Looks: what of a released (person, good) gives away whether it was really bought.

A dummy must stand somewhere, at some price, beside other things. Whoever made it up could not make it fit
everywhere at once: a good that stands on several records is the person's own; the price and quantity of a
copied record are somebody else's in the group; a dummy lies on a visit of another season than that in which
the good was sold, and is out of scale with what was bought beside it. None of this is sure, and all of it
together is. Each look is put into a few levels, and how much a level says is for the attacker to find out.

What is sold elsewhere is itself full of dummies. So everything is counted by how likely it is real, as far as
the attacker has got: he looks again when he knows more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from kakurenbo.data.groups import combined, group_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_LEVELS = 8
_DIGITS = 9  # after the point, of what is put into levels
_MOST = 3  # records of one good: more say no more
_SEASON = 30  # days before and after
_DAY = 86_400
_EVEN = 0.3  # sales that are added to both sides before they are compared, so that few say little


@dataclass(frozen=True, eq=False)
class Shown:
    """The records of a release, and the (person, good) pairs that they stand for.

    Attributes:
        records: as released; the columns are roles.
        person: whose each record is.
        good: which good.
        group: to which people with (nearly) the same goods its person belongs.
        pair: the pair of each record.
        pairs: (person, good) of every pair, ascending.
    """

    records: pl.DataFrame
    person: Ints
    good: Ints
    group: Ints
    pair: Ints
    pairs: tuple[Ints, Ints]

    @classmethod
    def of(cls, records: pl.DataFrame, goods: Ints, groups: Ints) -> Shown:
        """Number the pairs of a release.

        Args:
            records: of the release.
            goods: the number of every record's good.
            groups: the group of every person.
        """
        person = records["customer"].to_physical().to_numpy().astype(np.int64)
        width = int(goods.max(initial=0)) + 1
        held, pair = np.unique(person * width + goods, return_inverse=True)
        return cls(
            records, person, goods, groups[person], pair.astype(np.int64), (held // width, held % width)
        )

    @property
    def among(self) -> Ints:
        """Which pairs are of one group and one good, by number."""
        first = np.unique(self.pair, return_index=True)[1]
        return _together(self.group[first], self.good[first])

    @property
    def told(self) -> pl.DataFrame:
        """(released, goods) of every pair, in words."""
        first = np.unique(self.pair, return_index=True)[1]
        words = self.records.select(released="customer", goods="goods")[first]
        return words.with_columns(pl.all().cast(pl.String))

    def looks(self, real: Floats) -> tuple[Ints, ...]:
        """Return the level of every pair in each look.

        Args:
            real: how likely each pair is real, as far as is known.
        """
        return (*self._plain, *map(_levels, self._weighed(real[self.pair])))

    @cached_property
    def _plain(self) -> tuple[Ints, ...]:
        """The looks that do not depend on what else is real."""
        looks = [np.minimum(np.bincount(self.pair), _MOST).astype(np.float64)]
        if {"price", "quantity"} & set(self.records.columns):
            looks.append(self._least(self._sharing()))
        if "time" in self.records.columns:
            looks.append(self._least(_latest(self.records)))
        if "quantity" in self.records.columns:
            looks.append(self._least((self.records["quantity"] == 1).to_numpy().astype(np.float64)))
        return tuple(map(_levels, looks))

    def _weighed(self, real: Floats) -> Iterator[Floats]:
        """Yield the looks that do: the season, and the scale of the visit."""
        if "time" in self.records.columns:
            yield -self._least(-self._in_season(real))
        if self._pieces is not None:
            usual = _sums(self.good, real * self._pieces) / np.maximum(_sums(self.good, real), _EVEN)
            yield self._least(self._out_of_scale(self._pieces - usual, real))
        if self._spent is not None:
            yield self._least(self._out_of_scale(self._spent, real))

    def _least(self, of_records: Floats) -> Floats:
        """Return the least of a pair's records: one that is real makes the pair real."""
        least = np.full(len(self.pairs[0]), np.inf)
        np.minimum.at(least, self.pair, of_records)
        return least

    def _sharing(self) -> Floats:
        """Return how many of the group show the good at this price and quantity: a copy has its model."""
        shown = [name for name in ("price", "quantity") if name in self.records.columns]
        at = _together(self._own, *(group_codes([self.records], [name])[0] for name in shown))
        people = int(self.person.max(initial=0)) + 1
        each = np.unique(at * people + self.person)
        return np.bincount(each // people)[at].astype(np.float64)

    @cached_property
    def _own(self) -> Ints:
        """Which records are of one group and one good."""
        return _together(self.group, self.good)

    @cached_property
    def _pieces(self) -> Floats | None:
        return _logs(self.records, "quantity") if "quantity" in self.records.columns else None

    @cached_property
    def _spent(self) -> Floats | None:
        if self._pieces is None or "price" not in self.records.columns:
            return None
        return self._pieces + _logs(self.records, "price")

    @cached_property
    def _visit(self) -> Ints:
        """The number of every record's visit: by receipt; else by person and time; else one a person."""
        named = [name for name in ("receipt", "time") if name in self.records.columns][:1]
        return _together(self.person, *(group_codes([self.records], [name])[0] for name in named))

    @cached_property
    def _seasons(self) -> tuple[Season, Season, Season, Season]:
        """What is sold in the season of every record: of its good, its good in its group, all, its group."""
        day = self.records["time"].dt.epoch("s").to_numpy() // _DAY
        everything = np.zeros(len(self.good), dtype=np.int64)
        good, own, everywhere, group = (
            Season.of(key, day - day.min()) for key in (self.good, self._own, everything, self.group)
        )
        return good, own, everywhere, group

    def _in_season(self, real: Floats) -> Floats:
        """Return how many more sales of the good other groups have near that day than of anything."""
        good, own, everywhere, group = (season.sold(real) for season in self._seasons)
        elsewhere = _sums(self.good, real) - _sums(self._own, real)
        others = real.sum() - _sums(self.group, real)
        expected = elsewhere * (everywhere - group) / np.maximum(others, _EVEN)
        more: Floats = np.log((np.maximum(good - own, 0) + _EVEN) / (np.maximum(expected, 0) + _EVEN))
        return more

    def _out_of_scale(self, values: Floats, real: Floats) -> Floats:
        """Return how far a value lies from the mean of what else was bought on the visit."""
        others = np.maximum(_sums(self._visit, real) - real, 0)
        mean = (_sums(self._visit, real * values) - real * values) / (others + 0.5)
        return np.abs(values - mean)


class Season(NamedTuple):
    """The records within a season of each record's day, of the same key: a run in an order of all."""

    order: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, key: Ints, day: Ints) -> Season:
        """Find the runs; days count from 0."""
        place = key * (int(day.max(initial=0)) + 2 * _SEASON + 1) + day + _SEASON
        places, number = np.unique(place, return_inverse=True)
        ends = np.cumsum(np.bincount(number))
        before = np.concatenate([[0], ends])
        first = before[np.searchsorted(places, places - _SEASON, "left")]
        last = before[np.searchsorted(places, places + _SEASON, "right")]
        return cls(np.argsort(number, kind="stable"), first[number], last[number])

    def sold(self, real: Floats) -> Floats:
        """Return how much of what is real lies in each record's season."""
        sums = np.concatenate([[0.0], np.cumsum(real[self.order])])
        sold: Floats = sums[self.last] - sums[self.first]
        return sold


def _levels(values: Floats) -> Ints:
    """Put values into a few levels of about as many each; sums in another order are the same value."""
    values = np.round(values, _DIGITS)
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _LEVELS + 1)[1:-1], method="lower"))
    return np.searchsorted(edges, values, side="left")


def _latest(records: pl.DataFrame) -> Floats:
    """Mark the records of everybody's last moment."""
    last = pl.col("time") == pl.col("time").max().over("customer")
    return records.select(last.cast(pl.Float64)).to_series().to_numpy()


def _logs(records: pl.DataFrame, role: str) -> Floats:
    logs: Floats = np.log(records[role].to_numpy().astype(np.float64))
    return logs


def _together(*codes: NDArray[Any]) -> Ints:
    return combined([(code, int(code.max(initial=0)) + 1) for code in codes], len(codes[0]))


def _sums(key: Ints, weights: Floats) -> Floats:
    """Return for every record the sum over those of the same key."""
    sums: Floats = np.bincount(key, weights=weights).astype(np.float64)
    return sums[key]
