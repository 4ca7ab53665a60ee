"""Which plan made this release of purchases? Read from both tables, so that it can be practised.

Who finds a release that nobody explains can still see what was done to it: goods sets that are equal in
groups, records under other names than the rest of their owner's, fewer records, numbers that moved, times
rounded down. What fits the methods of the catalogue is guessed as a plan, in the order of a chain: deleted,
altered, hidden among each other, blurred, coarsened. Where something was done that no such plan explains,
nothing is guessed: practising the wrong thing teaches the wrong thing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.auditing.plan_evidence import (
    Both,
    bought_again,
    dealing,
    share_gone,
    spread_of,
    spread_of_all,
)
from kakurenbo.chance import Chance
from kakurenbo.kernels.compact import compact
from kakurenbo.mappings import Clock, Scale, common_vocabulary
from kakurenbo.mappings.amounts import Amounts
from kakurenbo.mappings.bands import Bands
from kakurenbo.mappings.rounding import Rounding
from kakurenbo.mappings.spread import Spread
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import EllipsisType

    from numpy.typing import NDArray

    from kakurenbo.auditing.plan_evidence import Written
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.mappings import Mapping, Vocabulary

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Rows = Ints | EllipsisType

_NEARLY = 0.97  # of the records, which must be accounted for
_FEW = 30  # pairs of records, of which something can be told
_LARGE = 75  # percentile: numbers that show the slightest noise though they are whole
_MOVED = 0.2  # of the large numbers, which noise moves at least
_MOVED_BAND = 0.05  # of the numbers in bands, of which noise moves so many to another
_COMMON = 0.9  # of the records that have the same numbers where there is no noise
_MOST = 5_000  # pairs of numbers are enough
_TOLD = 0.02  # share of records that is told from none
_WHOLE = 0.3  # of the visits, of which more stay under one name where receipts were dealt
_APART = 0.8  # of an owner's visits, of which more stand under one name where nothing was dealt
_NEAR = 0.05  # by which two ways to count what is gone may differ
_WASTE = 1.03  # goods for one that a first try of `compact` would give to everybody together

_NOTHING = "everybody's records are the original's, under new names"
_UNEXPLAINED = "Records stand in the release that the original lacks, and no plan explains them."

Told = tuple[Step, str]


class _Foreign(Exception):  # noqa: N818 - no error: nothing of the catalogue does this
    """Something was done to a release that no plan explains."""


@dataclass(frozen=True)
class GuessedPlan:
    """What is guessed of how a release was made.

    Attributes:
        plan: in the words of the catalogue, without steps for new names alone; None where nothing is guessed.
        reasons: a sentence for each step, or why nothing is guessed.
    """

    plan: Plan | None
    reasons: tuple[str, ...]

    @property
    def likely(self) -> tuple[str, ...]:
        """The methods that were at work, in order."""
        return () if self.plan is None else tuple(step.method for step in self.plan.steps)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "likely": list(self.likely),
            "plan": None if self.plan is None else self.plan.to_dict(),
            "reasons": list(self.reasons),
        }


def guess_plan(original: Purchases, released: Purchases) -> GuessedPlan:
    """Guess the plan of a release from both tables.

    Args:
        original: the data before.
        released: the release.
    """
    try:
        steps = list(_steps(replace(original, master=None), replace(released, master=None)))
    except _Foreign as why:
        return GuessedPlan(None, (str(why),))
    plan = Plan("purchases", tuple(step for step, _ in steps))
    return GuessedPlan(plan, tuple(f"{step.method}: {why}" for step, why in steps) or (_NOTHING,))


def _steps(original: Purchases, released: Purchases) -> Iterator[Told]:
    """Yield the steps of a plan in order, each with what tells it."""
    missing = [role for role in original.roles if role not in released.roles]
    if missing:
        yield Step("omit", {"columns": missing}), f"the release lacks {' and '.join(missing)}"
        original = original.without(missing)
    found = common_vocabulary(original, released)
    _check(original, released, found)
    coarse = tuple(_coarsen(found))
    padding = _padding(original, released)
    real = released.records if padding is None else padding.real
    key = tuple(role for role in ("goods", "time") if role in original.roles)
    numbers = _Numbers(original, Both(found.original.records, real, key), found)
    spreads = numbers.spreads()
    sharp = tuple(role for role in numbers.roles if role not in spreads and found.of(role) is None)
    both = Both(found.original.records, real, (*key, *sharp))
    if padding is not None:
        _check_real(both)
        yield from _deleted(original, released, padding.gone)
        yield _padded(original, released, padding)
    else:
        yield from _deleted(original, released, 1 - len(released) / len(original))
        altered = tuple(_altered(both))
        spreads = numbers.spreads_of_all() if altered else spreads
        yield from altered or _dealt(original, released, both)
    yield from _noise(spreads)
    yield from coarse


def _check(original: Purchases, released: Purchases, found: Vocabulary) -> None:
    """Refuse what no plan does: people left out or under several names, other codes."""
    if len(released.customers) > len(original.customers) or lifetime(found.original, released) is not None:
        raise _Foreign("People have several names: no plan gives them.")
    known = original.goods.implode()
    if released.records["goods"].cast(pl.String).is_in(known).mean() < _NEARLY:  # type: ignore[operator]
        raise _Foreign("Goods stand in other codes: no plan writes them so.")


def _coarsen(found: Vocabulary) -> Iterator[Told]:
    """Yield what rounds times and numbers; other ways to write them are no plan's."""
    parameters: dict[str, Any] = {}
    for mapping in found.mappings:
        match mapping:
            case Clock(period=str() as period) if not mapping.later:
                parameters["times"] = period
            case Scale(factor=1.0, shift=0.0, coarse=Bands(labels=labels)):
                parameters[f"{mapping.role}_bands"] = len(labels)
            case Scale(factor=1.0, shift=0.0, coarse=Rounding(digits=int() as digits)):
                parameters[f"{mapping.role}_digits"] = digits
            case Scale(factor=1.0, shift=0.0, coarse=Rounding(unit=float() as unit, way=way)) if way not in {
                "down to",
                "up to",
            }:
                parameters[f"{mapping.role}_unit"] = int(unit) if mapping.role == "quantity" else unit
            case Amounts():
                parameters["amount_bands"] = len(mapping.bands.labels)
            case _:
                raise _Foreign(f"The release writes {mapping}: no plan does.")
    if parameters:
        yield Step("coarsen", parameters), ", ".join(found.inferred)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Prices and quantities of the records that are alone in their kind in both tables.

    Attributes:
        original: as it was: noise comes before bands.
        both: the records, and what tells them.
        found: how the release writes numbers.
    """

    original: Purchases
    both: Both
    found: Vocabulary

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that are numbers and are written by what they were; prices may be by amounts."""
        numbers = (role for role in self.original.roles if role in {"price", "quantity"})
        return tuple(role for role in numbers if not isinstance(self.found.of(role), Amounts))

    def spreads(self) -> dict[Role, float]:
        """Return the noise on each role that shows any."""
        mine, theirs = (rows[:: len(rows) // _MOST + 1] for rows in self.both.pairs())
        if len(mine) < _FEW:
            return {}
        pairs = ((role, *self._of(role, mine, theirs)) for role in self.roles)
        return {
            role: round(spread_of(before, after, written), 2)
            for role, before, after, written in pairs
            if self._moved(role, before, after, written)
        }

    def spreads_of_all(self) -> dict[Role, float]:
        """Return the noise on each role that shows any, where goods no longer tell which record is which."""
        return {
            role: round(spread_of_all(*self._of(role, ..., ...)), 2)
            for role in self.roles
            if self.found.of(role) is None and self._differs(role)
        }

    def _of(self, role: Role, mine: Rows, theirs: Rows) -> tuple[Floats, Floats, Written]:
        """Return numbers of some records before and after, and how the release writes them."""
        before, after = (
            table[role].to_numpy().astype(np.float64) for table in (self.original.records, self.both.theirs)
        )
        return before[mine], after[theirs], _written(role, self.found.of(role))

    def _differs(self, role: Role) -> bool:
        """Whether fewer records have the same numbers in both tables than if they were drawn anew."""
        mine, theirs = self.both.mine[role], self.both.theirs[role]
        drawn = Chance(0).stream("drawn anew").integers(len(mine), size=len(theirs))
        known, shown, anew = (Spread.counted(column) for column in (mine, theirs, mine.gather(drawn)))
        return known.common(shown) < _COMMON * known.common(anew)

    def _moved(self, role: Role, before: Floats, after: Floats, written: Written) -> bool:
        """Whether numbers moved: large ones where whole pieces are counted, any where they are in bands."""
        moved = ~np.isclose(after, written(before), rtol=1e-9)
        if self.found.of(role) is not None:
            return bool(moved.mean() >= _MOVED_BAND)
        return bool(moved[before >= np.percentile(before, _LARGE)].mean() >= _MOVED)


def _written(role: Role, mapping: Mapping | None) -> Written:
    """Return how a release writes numbers: whole pieces, or cents and then as it was inferred."""
    coarse = mapping.of if isinstance(mapping, Scale) else lambda values: values
    if role == "quantity":
        return lambda values: coarse(np.maximum(np.rint(values), 1))
    return lambda values: coarse(np.maximum(np.round(values, 2), 0.01))


def _noise(spreads: dict[Role, float]) -> Iterator[Told]:
    if spreads:
        moved = " and ".join({"price": "prices", "quantity": "quantities"}[role] for role in spreads)
        yield Step("noise", {f"{role}_spread": spread for role, spread in spreads.items()}), f"{moved} moved"


@dataclass(frozen=True, eq=False)
class _Padding:
    """Names with equal goods.

    Attributes:
        sizes: how many names there are in each group.
        dummies: how many records make them equal.
        gone: the share of the original's records that is not there.
        real: records that are no dummies; all, where nobody bought anything again.
    """

    sizes: Ints
    dummies: float
    gone: float
    real: pl.DataFrame


def _padding(original: Purchases, released: Purchases) -> _Padding | None:
    """Return the groups of names with equal goods, where dummies made them."""
    sizes = np.bincount(released.baskets().groups)
    if 2 * len(sizes) > int(original.baskets().groups.max()) + 1:
        return None
    gone = share_gone(original, released)
    dummies = len(released) - (1 - (gone or 0.0)) * len(original)
    if dummies <= _TOLD * len(released):
        return None
    real = released.records if gone is None else bought_again(released.records)
    return _Padding(sizes, dummies, gone or 0.0, real)


def _check_real(both: Both) -> None:
    """Refuse a padded release whose real records are not the original's."""
    if both.matched() < _NEARLY * min(both.mine.height, both.theirs.height):
        raise _Foreign(_UNEXPLAINED)


def _deleted(original: Purchases, released: Purchases, gone: float) -> Iterator[Told]:
    """Yield what deleted records, where as many people are left as would be with two: dealing needs two."""
    if gone < _TOLD:
        return
    each = original.records_each
    left = float((1 - gone**each - each * (1 - gone) * gone ** (each - 1)).sum())
    if gone > _NEARLY or len(released.customers) < _NEARLY * left:
        raise _Foreign("Whole people, or nearly all records, are not in the release: why cannot be told.")
    yield Step("delete", {"share": round(gone, 2)}), f"{gone:.0%} of the records are not there"


def _padded(original: Purchases, released: Purchases, seen: _Padding) -> Told:
    """Return what made goods sets equal, by the sizes of groups and by how many goods that took."""
    least, count = int(seen.sizes.min()), len(seen.sizes)
    dummies = {} if _on_one_visit(original, released, seen.dummies) else {"dummies": "donor"}
    why = f"names have the same goods in {count:,} groups of {least:,} or more"
    if least == 1:
        method = "kmeans" if 2 * seen.sizes.max() > seen.sizes.sum() else "tfidf"
        return Step(method, {"clusters": count, **dummies}), why
    if released.baskets().matrix.nnz <= _WASTE * _first_try(original, least, seen.gone):
        return Step("compact", {"min_size": least, **dummies}), f"{why}, by few dummies"
    parameters = {"clusters": count, "min_size": least, **dummies}
    return Step("balanced", parameters), f"{why}, by more dummies than that takes"


def _first_try(original: Purchases, least: int, gone: float) -> int:
    """Return how many goods everybody together would have after a first try of `compact`."""
    rng = Chance(0).stream("first try")
    left = original.records.filter(rng.random(len(original)) >= gone)
    baskets = (original.with_records(left) if left.height else original).baskets()
    labels = compact(baskets.matrix, min(least, len(baskets.customers)), rng=rng, effort=1)
    held = np.unique(np.repeat(labels, baskets.sizes) * len(baskets.goods) + baskets.matrix.indices)
    return int((np.bincount(held // len(baskets.goods)) * np.bincount(labels)).sum())


def _on_one_visit(original: Purchases, released: Purchases, dummies: float) -> bool:
    """Whether dummies stand on one visit of everybody, not spread as purchases are."""
    visit = next((role for role in ("receipt", "time") if role in original.roles), None)
    if visit is None:
        return True
    before, after = (
        float(data.records.group_by("customer", visit).len().group_by("customer").max()["len"].sum())
        for data in (original, released)
    )
    spread = before / len(original) * len(released)
    return abs(after - spread) > abs(after - before - dummies)


def _altered(both: Both) -> Iterator[Told]:
    """Yield what gave records another good: all but the good stands, and goods fit by luck alone."""
    records, kept = both.theirs.height, both.matched()
    if kept >= _NEARLY * records:
        return
    rest = [role for role in both.key if role not in {"goods", "price"}]
    luck = both.by_luck()
    if "time" not in rest or both.matched(rest) < _NEARLY * records or luck > _NEARLY * records:
        raise _Foreign(_UNEXPLAINED)
    share = min((records - kept) / (records - luck), 1.0)
    yield Step("alter", {"share": round(share, 2)}), "times and quantities stand with other goods"


def _dealt(original: Purchases, released: Purchases, both: Both) -> Iterator[Told]:
    """Yield what dealt records: those of one owner stand under several names."""
    mine, theirs = both.pairs()
    visit = next((role for role in ("receipt", "time") if role in original.roles), None)
    when = np.arange(len(mine)) if visit is None else original.records[visit].rank("dense").to_numpy()[mine]
    owner = both.mine["customer"].to_physical().to_numpy()[mine].astype(np.int64)
    name = both.theirs["customer"].to_physical().to_numpy()[theirs].astype(np.int64)
    seen = dealing(owner, when.astype(np.int64), name)
    if seen.visits < _FEW:
        _check_kept(original, released)
    elif seen.together < _APART:
        if seen.size is None:
            raise _Foreign("Records of one owner stand under several names, in groups that cannot be told.")
        of = {"of": "receipts"} if seen.whole > _WHOLE else {}
        why = f"records of one owner stand under several names, in groups of {seen.size:,}"
        yield Step("deal", {"min_size": seen.size, **of}), why


def _check_kept(original: Purchases, released: Purchases) -> None:
    """Refuse a release of which only goods bought again can tell whether people kept their records."""
    gone = share_gone(original, released)
    if gone is None or abs(gone - 1 + len(released) / len(original)) > _NEAR:
        raise _Foreign("Whether records kept their owners cannot be told.")
