"""How a release writes prices and quantities: by a factor, moved by a constant, rounded, in bands.

Each of these is a function of the number alone, so all that it does shows in how the numbers are spread. What
is tried is what the release itself suggests; what makes the original's numbers those of the release clearly
better than they are is believed. Noise is no function of the number: it makes none of these fit, and a factor
beside noise still moves the whole spread and is told by that (see `factor`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.mappings.bands import Bands, bands
from kakurenbo.mappings.factor import MERGED, likeliest_factor, rescaled
from kakurenbo.mappings.rounding import Rounding, roundings
from kakurenbo.mappings.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_FEW = 4  # distinct numbers that nothing is told from
_MANY = 20  # records, of which something can be told
_KEPT = 0.95  # of the records, whose numbers are kept where so many lie in the same places
_MORE = 1.1  # distinct numbers for one: a function of the number does not make more of them
_OFTEN = 500  # numbers, the most frequent ones, by which a factor is looked for
_ALIKE = 0.5  # of the records, which the mapped original must have in the same places
_LEFT = 0.5  # of what did not fit before, which may be left after
_SURE = 10.0  # by how much the logarithm of the likelihood must grow, a person counting as one record
_SIMPLER = 0.02  # of the records, for which a simpler mapping is preferred
_WORDS = {"price": "prices", "quantity": "quantities"}


@dataclass(frozen=True)
class Scale:
    """How the numbers of a role are written in a release: multiplied, moved, then rounded or in bands.

    Attributes:
        role: price or quantity.
        factor: what they are multiplied by.
        shift: what is added then.
        coarse: what they are rounded to, or the bands they are in.
    """

    role: Role
    factor: float = 1.0
    shift: float = 0.0
    coarse: Rounding | Bands | None = None

    def of(self, values: Floats) -> Floats:
        """Return numbers so written."""
        made = values * self.factor + self.shift
        made = made if self.coarse is None else self.coarse.of(made)
        return np.maximum(np.floor(made + 0.5), 1) if self.role == "quantity" else made

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with the numbers of this role so written."""
        column = data.records[self.role]
        made = self.of(column.to_numpy().astype(np.float64))
        return replace(data, records=data.records.with_columns(pl.Series(self.role, made).cast(column.dtype)))

    @property
    def words(self) -> str:
        """What was done to them."""
        parts = [f"multiplied by {self.factor:.6g}"] if self.factor != 1 else []
        parts += [f"{abs(self.shift):.6g} {'more' if self.shift > 0 else 'less'}"] if self.shift else []
        parts += [str(self.coarse)] if self.coarse is not None and not self._only_cents else []
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"{_WORDS.get(self.role, self.role)} {self.words}"

    @property
    def _only_cents(self) -> bool:
        """Whether rounding is no more than what a price is written in after a factor."""
        return self.factor != 1 and isinstance(self.coarse, Rounding) and self.coarse.unit == 0.01


def number_mapping(original: Purchases, released: Purchases, role: Role) -> Scale | None:
    """Return what explains a role's released numbers clearly better than the original's own."""
    if not all(role in data.roles for data in (original, released)):
        return None
    mine, theirs = (Spread.of(data, role) for data in (original, released))
    people = min(len(data.customers) for data in (original, released))
    scale = scale_of(mine, theirs, len(released), people, role)
    if scale is not None or mine.common(theirs) >= _KEPT:
        return scale
    factor = rescaled(original, released, role, by_goods=_same_goods(original, released))
    return None if factor is None else Scale(role, float(f"{factor:.3g}"))


def scale_of(mine: Spread, theirs: Spread, records: int, people: int, role: Role = "price") -> Scale | None:
    """Return the function that makes the original's numbers the released ones, None where none clearly does.

    Args:
        mine: the original's numbers.
        theirs: the released ones.
        records: how many were released.
        people: of whom: what one person's records tell counts once.
        role: whose numbers they are.
    """
    if len(mine.values) <= _FEW or not len(theirs.values) or records < _MANY:
        return None
    if mine.common(theirs) >= _KEPT or len(theirs.values) > _MORE * len(mine.values):
        return None
    chosen = _simplest(mine, theirs, role, records)
    return chosen if chosen is not None and _believed(mine, theirs, chosen, people) else None


def _simplest(mine: Spread, theirs: Spread, role: Role, records: int) -> Scale | None:
    """Return what makes the original's numbers most like the released ones; the simplest of about equals."""
    best, chosen = mine.common(theirs), None
    for alike in _candidates(mine, theirs, role, records):
        common = [mine.through(scale.of).common(theirs) for scale in alike]
        if common and max(common) > best + _SIMPLER:
            best, chosen = max(common), alike[int(np.argmax(common))]
        if best >= _KEPT:
            break
    return chosen


def _candidates(mine: Spread, theirs: Spread, role: Role, records: int) -> Iterator[list[Scale]]:
    """Yield what the released numbers suggest: roundings, constants, bands, a factor, a factor and bands."""
    yield [Scale(role, coarse=coarse) for coarse in roundings(mine.values, theirs.values)]
    yield [Scale(role, shift=shift) for shift in _shifts(mine, theirs)]
    yield [Scale(role, coarse=made) for made in bands(mine, theirs, records)]
    often = mine.most(_OFTEN)

    def common(factor: float) -> float:
        return often.through(_multiplied(often, theirs, role, factor).of).common(theirs)

    factor = likeliest_factor(often, theirs, common)
    scaled = mine.through(lambda values: values * factor)
    rounded = [Scale(role, factor, coarse=coarse) for coarse in roundings(scaled.values, theirs.values)]
    yield [Scale(role, factor), *rounded]
    yield [Scale(role, coarse=made.over(factor)) for made in bands(scaled, theirs, records)]


def _multiplied(mine: Spread, theirs: Spread, role: Role, factor: float) -> Scale:
    """Return numbers multiplied, and rounded as those of the release are."""
    return Scale(role, factor, coarse=next(roundings(mine.values * factor, theirs.values), None))


def _shifts(mine: Spread, theirs: Spread) -> Floats:
    """Return the constants worth trying: what was added to any quantile, or to the most frequent number."""
    often = theirs.values[theirs.shares.argmax()] - mine.values[mine.shares.argmax()]
    shifts: Floats = np.unique(np.round([*(theirs.quantiles() - mine.quantiles()), often], 2))
    possible: Floats = shifts[(shifts != 0) & (mine.values[0] + shifts >= theirs.values[0])]
    return possible


def _believed(mine: Spread, theirs: Spread, scale: Scale, people: int) -> bool:
    """Whether the original so written has clearly more of the released numbers, and they are likelier."""
    made = mine.through(scale.of)
    plain, common = mine.common(theirs), made.common(theirs)
    if scale.factor != 1 and made.mode > mine.mode + MERGED:
        return False
    return (
        common >= _ALIKE
        and 1 - common <= _LEFT * (1 - plain)
        and people * (theirs.likelihood(made) - theirs.likelihood(mine)) > _SURE
    )


def _same_goods(original: Purchases, released: Purchases) -> bool:
    """Whether most released records are of goods that the original has."""
    known = set(original.goods)
    there = np.array([good in known for good in released.goods])
    return bool(there[released.records["goods"].to_physical().to_numpy()].mean() >= _ALIKE)
