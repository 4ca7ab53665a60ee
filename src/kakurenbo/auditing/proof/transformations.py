"""What a release may have done to a whole vocabulary, to be done to a copy: is anybody left who sees through?

A release in other codes, with numbers multiplied or the clock moved, is still a copy to whoever undoes that.
Each transformation here does one such thing to purchases, people and rows left as they are. An audit tries
those that its release shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal

    from kakurenbo.auditing.coverage.covered import Coverage
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.mappings import Mapping, Vocabulary

_FAR = 10_000  # days, or times: where nothing is known of how far times or numbers lie


@dataclass(frozen=True)
class Transformation:
    """One thing done to a role of every record.

    Attributes:
        role: what it is done to.
        words: what is done.
        undone: whether the common vocabulary undoes it, so that everybody survives it.
        apply: does it.
    """

    role: str
    words: str
    undone: bool
    apply: Callable[[Purchases, Chance], Purchases]


def shown(vocabulary: Vocabulary, covered: Iterable[Coverage]) -> tuple[Transformation, ...]:
    """Return the transformations that a release shows: what cannot be compared, then what was inferred."""
    broken = [made for one in covered for made in _broken(one)]
    return (*broken, *map(written, vocabulary.mappings))


def _broken(covered: Coverage) -> Iterable[Transformation]:
    if covered.change == "rewritten":
        yield fresh_codes()
    elif covered.change == "permuted":
        yield permuted_codes()
    elif covered.role == "time" and not covered.comparable:
        yield shifting(covered.by or _FAR)
    elif covered.role in {"price", "quantity"} and not covered.comparable:
        yield multiplying("price" if covered.role == "price" else "quantity", covered.by or _FAR)


def fresh_codes() -> Transformation:
    """Give every good a code of its own that was not there."""

    def apply(data: Purchases, chance: Chance) -> Purchases:
        return _recoded(data, chance.tokens("code", data.goods, avoid=data.goods))

    return Transformation("goods", "goods in other codes", undone=False, apply=apply)


def permuted_codes() -> Transformation:
    """Give every good another's code."""

    def apply(data: Purchases, chance: Chance) -> Purchases:
        return _recoded(data, data.goods.gather(chance.order("code", data.goods)))

    return Transformation("goods", "codes of goods dealt anew", undone=False, apply=apply)


def written(mapping: Mapping) -> Transformation:
    """Write a role as a release does whose writing was inferred."""
    return Transformation(mapping.role, str(mapping), undone=True, apply=lambda data, _: mapping.apply(data))


def shifting(days: float) -> Transformation:
    """Move the clock by so many days."""
    later = pl.col("time") + pl.duration(seconds=round(days * 86_400))
    words = f"the clock moved by {days:,.6g} days"
    return Transformation("time", words, undone=False, apply=lambda data, _: _with(data, later))


def multiplying(role: Literal["price", "quantity"], factor: float) -> Transformation:
    """Multiply numbers by a factor; quantities stay whole and at least 1."""
    made = pl.col(role) * factor
    made = made.round(0).clip(lower_bound=1).cast(pl.Int64) if role == "quantity" else made
    words = f"{'prices' if role == 'price' else 'quantities'} multiplied by {factor:.3g}"
    return Transformation(role, words, undone=False, apply=lambda data, _: _with(data, made))


def _recoded(data: Purchases, codes: pl.Series) -> Purchases:
    return _with(data, codes.gather(data.records["goods"].to_physical()).alias("goods"))


def _with(data: Purchases, column: pl.Expr | pl.Series) -> Purchases:
    return data.with_records(data.records.with_columns(column), master=data.master)
