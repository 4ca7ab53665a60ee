"""The common vocabulary: what a release made coarser or spelt otherwise, the original is told to match.

A release may show only the first three characters of a good's code, or write `SKU-` before it, or round times
down to months. Whoever has both tables sees that at once and maps what he knows alike; an attacker who did
not would compare nothing and find nobody. What is inferred here is what anybody would infer: a mapping is
believed only if it explains nearly all of a release which the plain codes do not explain. A release that
keeps the codes is left alone.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import polars as pl

from kakurenbo.data.checks import ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.purchases import Purchases

    Counts = Mapping[str, int]

Period = Literal["day", "week", "month", "quarter", "year"]

EVERY: dict[Period, str] = {"day": "1d", "week": "1w", "month": "1mo", "quarter": "1q", "year": "1y"}
_NEARLY = 0.95  # of the released records whose goods a mapping must explain
_VALUES = 0.9  # of the released goods
_ALIKE = 0.5  # of the records, which the mapped original must have in the same places
_ROUNDING = 1e-9
_SURE = 10.0  # by how much its logarithm of the likelihood must exceed theirs
_CLEARLY = 0.25  # by how much a mapping must explain more than the plain codes do


@dataclass(frozen=True)
class Spelling:
    """How goods are written in a release: cut to their first characters, with a text before or after.

    Attributes:
        before: what stands before every code.
        cut: how many characters of the code are left, None for all of them.
        after: what stands after every code.
    """

    before: str = ""
    cut: int | None = None
    after: str = ""

    def of(self, code: str) -> str:
        """Return a code so written."""
        return self.before + code[: self.cut] + self.after

    def __str__(self) -> str:
        parts = [f"cut to {self.cut} character{'s' * (self.cut > 1)}"] if self.cut else []
        parts += [f'with "{self.before}" before the code'] if self.before else []
        parts += [f'with "{self.after}" after the code'] if self.after else []
        return f"goods {', '.join(parts)}"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The original in the words of a release.

    Attributes:
        original: the original mapped up; the very same object where nothing was inferred.
        goods: how the release writes goods, None where it writes them as they are.
        period: what its times are rounded down to beyond the original's, None for nothing.
    """

    original: Purchases
    goods: Spelling | None = None
    period: Period | None = None

    def alike(self, data: Purchases) -> Purchases:
        """Return other purchases written as the release writes."""
        written = data if self.goods is None else respelt(data, self.goods)
        return written if self.period is None or "time" not in data.roles else rounded(written, self.period)

    @property
    def inferred(self) -> tuple[str, ...]:
        """What was inferred, in words."""
        goods = () if self.goods is None else (str(self.goods),)
        return goods if self.period is None else (*goods, f"times by {self.period}")


def common_vocabulary(original: Purchases, released: Purchases) -> Vocabulary:
    """Infer from both tables how the release writes goods and times, and write the original's alike."""
    found = Vocabulary(original, _goods(original, released), _period(original, released))
    return replace(found, original=found.alike(original))


def respelt(data: Purchases, spelling: Spelling) -> Purchases:
    """Return the purchases with their goods so written."""
    written = ids.encode(pl.Series([spelling.of(code) for code in data.goods], dtype=pl.String))
    goods = written.gather(data.records["goods"].to_physical()).alias("goods")
    return replace(data, records=data.records.with_columns(goods))


def rounded(data: Purchases, period: Period) -> Purchases:
    """Return the purchases with their times rounded down."""
    return replace(data, records=data.records.with_columns(pl.col("time").dt.truncate(EVERY[period])))


def _goods(original: Purchases, released: Purchases) -> Spelling | None:
    """Return the writing that explains the released goods best; None where the plain codes do."""
    mine, theirs = _counts(original), _counts(released)
    plain = _overlap(mine, theirs) if _covers(set(mine), theirs) else 0.0
    if plain >= _ALIKE:
        return None
    explained = [(_overlap(_written(mine, way), theirs), way) for way in _candidates(mine, theirs)]
    best, way = max(explained, key=lambda pair: pair[0], default=(0.0, None))
    if way is None or best < max(_ALIKE, plain + _CLEARLY):
        return None
    return way if _likelihood(_written(mine, way), theirs) > _likelihood(mine, theirs) + _SURE else None


def _likelihood(mine: Counts, theirs: Counts) -> float:
    """Return the logarithm of how likely the released records are to be drawn from these goods.

    A few may be of any good, so that what is not known costs something, and not everything.
    """
    known, any_good = sum(mine.values()), (1 - _NEARLY) / (len(mine) + len(theirs))
    return sum(
        count * math.log(_NEARLY * mine.get(good, 0) / known + any_good) for good, count in theirs.items()
    )


def _counts(data: Purchases) -> Counts:
    """Return how many records every good has."""
    counts = data.records["goods"].to_physical().value_counts(name="n")
    codes, numbers = (counts[name].to_list() for name in ("goods", "n"))
    names = data.goods.to_list()
    return {names[code]: number for code, number in zip(codes, numbers, strict=True)}


def _candidates(mine: Counts, theirs: Counts) -> Iterator[Spelling]:
    """Yield the ways to write the known goods that cover nearly all the released ones, simplest first.

    Whatever was added stands before or after all of them, and a cut leaves as much as the longest has left.
    """

    @cache
    def known(cut: int | None) -> frozenset[str]:
        return frozenset(code[:cut] for code in mine)

    names, longest = list(theirs), max(map(len, mine))
    before, after = _common_start(names), _common_start([name[::-1] for name in names])[::-1]
    shortest = min(map(len, names))
    for first in range(len(before) + 1):
        for last in range(min(len(after), shortest - 1 - first) + 1):
            bare = {name[first : len(name) - last]: count for name, count in theirs.items()}
            left = max(map(len, bare))
            cuts = ([None] if first or last else []) + ([left] if left < longest else [])
            for cut in cuts:
                if _covers(known(cut), bare):
                    yield Spelling(before[:first], cut, after[len(after) - last :])


def _common_start(names: list[str]) -> str:
    """Return the longest text that all of them begin with."""
    first, last = min(names), max(names)  # who begin alike, have all between them begin so
    same = (place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def _covers(known: frozenset[str] | set[str], theirs: Counts) -> bool:
    """Whether nearly all of the released goods, and of their records, are known."""
    there = [count for good, count in theirs.items() if good in known]
    return len(there) >= _VALUES * len(theirs) and sum(there) >= _NEARLY * sum(theirs.values())


def _written(mine: Counts, way: Spelling) -> Counts:
    """Return how many records every good has when written so."""
    counts: Counter[str] = Counter()
    for code, count in mine.items():
        counts[way.of(code)] += count
    return counts


def _overlap(mine: Counts, theirs: Counts) -> float:
    """Return the share of records that two tables have in the same places: sum of the smaller shares."""
    known, shown = sum(mine.values()), sum(theirs.values())
    return sum(min(mine.get(value, 0) / known, count / shown) for value, count in theirs.items())


def _period(original: Purchases, released: Purchases) -> Period | None:
    """Return the rounding that explains the released times best; None where the original's own times do."""
    if not all("time" in data.roles for data in (original, released)):
        return None
    theirs, mine = (data.records.group_by("time").len() for data in (released, original))
    best, period = _common(mine, theirs), None
    for name, every in EVERY.items():
        if theirs.select((pl.col("time").dt.truncate(every) == pl.col("time")).all()).item():
            rounded_down = mine.group_by(pl.col("time").dt.truncate(every)).agg(pl.col("len").sum())
            common = _common(rounded_down, theirs)
            if common > best + _ROUNDING:
                best, period = common, name
    return period


def _common(mine: pl.DataFrame, theirs: pl.DataFrame) -> float:
    """Return the share of records that two tables have at the same times."""
    shares = [table.select("time", share=pl.col("len") / pl.col("len").sum()) for table in (mine, theirs)]
    both = shares[0].join(shares[1], on="time").select(pl.min_horizontal("share", "share_right").sum())
    return float(both.item())
