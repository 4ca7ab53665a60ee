"""How a release writes goods: cut to their first characters, with a text before or after.

A way of writing is believed only if it explains nearly all of a release which the plain codes do not explain.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.data.checks import ids
from kakurenbo.mappings.tree import generalised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.mappings.tree import Generalised

    Counts = Mapping[str, int]

_NEARLY = 0.95  # of the released records whose goods a mapping must explain
_VALUES = 0.9  # of the released goods
_ALIKE = 0.5  # of the records, which the mapped original must have in the same places
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

    role: ClassVar[Role] = "goods"

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with their goods so written."""
        written = ids.encode(pl.Series([self.of(code) for code in data.goods], dtype=pl.String))
        goods = written.gather(data.records["goods"].to_physical()).alias("goods")
        return replace(data, records=data.records.with_columns(goods))

    def of(self, code: str) -> str:
        """Return a code so written."""
        return self.before + code[: self.cut] + self.after

    @property
    def words(self) -> str:
        """How they are written."""
        parts = [f"cut to {self.cut} character{'s' * (self.cut > 1)}"] if self.cut else []
        parts += [f'with "{self.before}" before the code'] if self.before else []
        parts += [f'with "{self.after}" after the code'] if self.after else []
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"goods {self.words}"


def goods_mapping(original: Purchases, released: Purchases) -> Spelling | Generalised | None:
    """Return the writing that explains the released goods best; None where the plain codes do."""
    mine, theirs = _counts(original), _counts(released)
    spelled = spelling_of(mine, theirs)
    tree = generalised(original, released)
    if tree is None:
        return spelled
    plainly = overlap(mine if spelled is None else _written(mine, spelled), theirs)
    return tree if overlap(_counts(tree.apply(original)), theirs) > plainly else spelled


def spelling_of(mine: Counts, theirs: Counts) -> Spelling | None:
    """Return how the values of one column are written in another, given how many rows have each."""
    plain = overlap(mine, theirs) if covers(set(mine), theirs) else 0.0
    if plain >= _ALIKE:
        return None
    explained = [(overlap(_written(mine, way), theirs), way) for way in _candidates(mine, theirs)]
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
                if covers(known(cut), bare):
                    yield Spelling(before[:first], cut, after[len(after) - last :])


def _common_start(names: list[str]) -> str:
    """Return the longest text that all of them begin with."""
    first, last = min(names), max(names)  # who begin alike, have all between them begin so
    same = (place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def covers(known: frozenset[str] | set[str], theirs: Counts) -> bool:
    """Whether nearly all of the released goods, and of their records, are known."""
    there = [count for good, count in theirs.items() if good in known]
    return len(there) >= _VALUES * len(theirs) and sum(there) >= _NEARLY * sum(theirs.values())


def _written(mine: Counts, way: Spelling) -> Counts:
    """Return how many records every good has when written so."""
    counts: Counter[str] = Counter()
    for code, count in mine.items():
        counts[way.of(code)] += count
    return counts


def overlap(mine: Counts, theirs: Counts) -> float:
    """Return the share of records that two tables have in the same places: sum of the smaller shares."""
    known, shown = sum(mine.values()), sum(theirs.values())
    return sum(min(mine.get(value, 0) / known, count / shown) for value, count in theirs.items())
