"""Linking: the same person under two names, in two tables of which nobody needs the original.

Whoever is given two releases of the same data holds every real record twice, under another name each time,
and most dummies only once. So names are linked by the traces that both show, rare ones counting for more, and
then only what stands under both names is believed. Two names are linked where each is the other's best, and
clearly better than the next; where nothing is clear, nobody is linked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.view import PART_VALUES, Sight, by_rarity, through, visible
from kakurenbo.chance import Chance
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.nearest import top

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import Part, View
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Grain = tuple[Part, ...]

# What links names, sharpest first: look-alikes share coarse traces, only the same purchases share sharp ones.
GRAINS: tuple[tuple[Part, ...], ...] = (
    ("goods", "time", "price", "quantity"),
    ("goods", "day", "price", "quantity"),
    ("goods", "month", "price", "quantity"),
    ("goods", "day", "quantity"),
    ("goods", "day"),
    ("day", "quantity"),
    ("goods", "month"),
    ("goods",),
)
CLEARLY = 1.5  # times as like as the next: look-alikes hardly reach that
_LEAST = 0.05  # the cosine of names that have something in common; one trace of a hundred is a coincidence
_NEARLY = 0.5  # of the most links that any grain makes: then the sharper grain is the surer one
_READ: dict[Part, tuple[Part, ...]] = {"time": ("time", "day", "month")}
# Of the records that agree so far, how many must agree in the next part. Dummies agree in a good, and hardly
# in the time; what agrees in both is real, and agrees in the rest.
_ENOUGH: dict[Part, float] = {"goods": 0.1, "time": 0.25, "price": 0.5, "quantity": 0.5}


def linked(
    earlier: Purchases,
    released: Purchases,
    grains: Sequence[Sequence[Part]] = GRAINS,
    *,
    clearly: float = CLEARLY,
) -> Guess:
    """Return for every name of a release the name of another that is the same person's, or nobody.

    Args:
        earlier: the table whose names are the answers.
        released: the table whose names are asked for.
        grains: the traces to compare, sharpest first. Of each what both tables show is looked at, and the
            first is taken that links at least half as many names as any.
        clearly: how many times as like as to the next two names must be.
    """
    tables = Tables(earlier, released, Chance(0))  # nothing is drawn

    def links(grain: Grain) -> NDArray[np.int64]:
        tables.forget()
        return paired(through(tables, Sight(grain)), clearly)

    most = min(len(released.customers), len(earlier.customers))
    made = sharpest(grains_of(tables.shown, grains), links, most)
    named = np.full(len(released.customers), -1) if made is None else made[1]
    return Guess.certain(released.customers, earlier.customers, named)


def grains_of(shown: Collection[str], grains: Iterable[Sequence[Part]] = GRAINS) -> tuple[Grain, ...]:
    """Return what of these grains two tables show that have this in common, each once."""
    seen = (tuple(part for part in grain if visible((part,), shown)) for grain in grains)
    return tuple(dict.fromkeys(filter(None, seen)))


def sharpest(
    grains: Sequence[Grain], links: Callable[[Grain], NDArray[np.int64]], most: float
) -> tuple[Grain, NDArray[np.int64]] | None:
    """Return the first grain that links at least half as many names as any, and what it links.

    Args:
        grains: sharpest first.
        links: says whom every name is linked with by a grain, -1 for nobody.
        most: how many names can be linked; beyond half of them no coarser grain is tried.
    """
    best, count = None, 0
    for grain in grains:
        named = links(grain)
        linked_now = int((named >= 0).sum())
        if best is None or _NEARLY * linked_now > count:
            best, count = (grain, named), linked_now
        if count >= _NEARLY * most:
            break  # whatever the coarser ones link, it is not twice as many
    return best


def paired(seen: View, clearly: float = CLEARLY) -> NDArray[np.int64]:
    """Return who is whose clear best in turn; who is paired is nobody's rival, so the rest is asked again."""
    theirs, mine = by_rarity(seen.theirs, seen), by_rarity(seen.mine, seen)
    named = np.full(theirs.shape[0], -1)
    asked, answers = np.arange(theirs.shape[0]), np.arange(mine.shape[0])
    while len(asked) and len(answers):
        ones, others = theirs[asked], mine[answers]
        best, back = _clear_best(ones, others, clearly), _clear_best(others, ones, clearly)
        mutual = (best >= 0) & (back[best] == np.arange(len(asked)))
        if not mutual.any():
            break
        named[asked[mutual]] = answers[best[mutual]]
        asked, answers = asked[~mutual], np.delete(answers, best[mutual])
    return named


def _clear_best(ones: Matrix, others: Matrix, clearly: float) -> NDArray[np.int64]:
    """Return the row most like each, -1 where there is none or another is nearly as like."""
    best = top(ones, others, min(2, others.shape[0]), "cosine")
    found: NDArray[np.int64] = np.where(stands_out(best.score, clearly), best.indices[:, 0], -1)
    return found


def stands_out(score: NDArray[np.float64], clearly: float = CLEARLY) -> NDArray[np.bool_]:
    """Tell where the first of some scores, best first, is clearly better than the next."""
    runner_up = score[:, 1] if score.shape[1] > 1 else np.zeros(len(score))
    clear: NDArray[np.bool_] = score[:, 0] > np.maximum(_LEAST, clearly * runner_up)
    return clear


@dataclass(frozen=True, eq=False)
class Extent:
    """What a table has anything of at all.

    Attributes:
        months: the first and the last; None without times.
        goods: each once.
    """

    months: tuple[date, date] | None
    goods: pl.Series

    @classmethod
    def of(cls, data: Purchases) -> Extent:
        """Return that of a table, or of a block of one."""
        records, months = data.under(None), None
        if "time" in data.shown:
            each = records.select(PART_VALUES["month"]).to_series()
            months = each.min(), each.max()
        return cls(months, records["goods"].unique())  # type: ignore[arg-type] # dates

    @classmethod
    def together(cls, parts: Iterable[Extent]) -> Extent:
        """Return that of a table, given those of its blocks."""
        some = list(parts)
        each = [month for part in some for month in part.months or ()]
        return cls((min(each), max(each)) if each else None, pl.concat(part.goods for part in some).unique())


def stands_in_both(
    released: Purchases, earlier: Purchases, links: Pairing, extent: Extent | None = None
) -> pl.Series:
    """Tell of every record of a release whether it stands under the linked name of another as well.

    True too where the other could not have shown it: under a name that is not linked, in a month or of a
    good that the other has nothing of. Records are compared by the sharpest parts in which linked names
    agree: what either of the two changed, a noised price or recoded goods, is not asked.

    Args:
        released: the release.
        earlier: the other, or what of it stands under linked names.
        links: the other's name of every name.
        extent: what the other has anything of at all, where that is more than these records say.
    """
    there, mine = _under_links(earlier, links), released.under(None)
    shown = released.shown & earlier.shown
    asked = _could_stand(mine, there["customer"], extent or Extent.of(earlier), shown)
    parts = agreeing(mine.filter(asked), there, shown)
    return ~asked | _stands(mine, there, parts) if parts else pl.repeat(True, mine.height, eager=True)


def _could_stand(
    mine: pl.DataFrame, linked_names: pl.Series, other: Extent, shown: Collection[str]
) -> pl.Series:
    """Tell which records are of linked customers, and of the months and goods that the other table has."""
    could = [pl.col("customer").is_in(linked_names.unique().implode())]
    if "time" in shown and other.months is not None:
        could.append(PART_VALUES["month"].is_between(*other.months))
    known = pl.col("goods").is_in(other.goods.implode())
    if mine.select(known.any()).item():  # else the goods have other codes, and none can be missed
        could.append(known)
    return mine.select(could=pl.all_horizontal(could)).to_series()


def agreeing(mine: pl.DataFrame, theirs: pl.DataFrame, shown: Collection[str]) -> tuple[Part, ...]:
    """Return the parts of a record in which the records of the same customer agree in two tables.

    Part by part: of the records that agree in the parts before, enough must agree in this one too, or it was
    changed in either table. A time that does not agree is read by its day, and then by its month.
    """
    agreed: list[Part] = []
    stand = mine.height
    for part, least in _ENOUGH.items():
        for read in _READ.get(part, (part,)):
            count = int(_stands(mine, theirs, [*agreed, read]).sum()) if visible((read,), shown) else 0
            if count > least * stand:
                agreed.append(read)
                stand = count
                break
    return tuple(agreed)


def _stands(mine: pl.DataFrame, theirs: pl.DataFrame, parts: Sequence[Part]) -> pl.Series:
    """Tell of every record whether one of the same customer agrees with it in these parts."""
    ones, others = (
        table.select("customer", **{part: PART_VALUES[part] for part in parts}) for table in (mine, theirs)
    )
    others = others.unique().with_columns(there=True)
    found = ones.join(others, on=["customer", *parts], how="left", maintain_order="left")
    return found["there"].fill_null(value=False)


def _under_links(earlier: Purchases, links: Pairing) -> pl.DataFrame:
    """Return the records of an earlier release under the names that its own are linked with."""
    names = links.frame.drop_nulls().rename({"original": "customer", "released": "name"})
    records = earlier.under(None).join(names, on="customer")
    return records.drop("customer").rename({"name": "customer"})
