"""The simple ways of 000 table 5, as building blocks: delete, alter, blur numbers.

Each changes records on its own, so each can be chained with the others. None of them alone holds a realistic
attacker; an experiment shows how far each goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.checks.values import LARGEST_PRICE
from kakurenbo.data.purchases import Purchases, turns
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method, OverTable
from kakurenbo.deidentify.fitted import Fitted
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.progress import Progress

_PLACES = 1 << 16  # parts of the range of draws
_PART = (1 << 53) // _PLACES


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Records chosen at random: those whose draw is at most so much.

    Attributes:
        chance: draws, by customer and the place of the record among his.
        most: the greatest draw that is chosen; below 0 nothing is.
    """

    chance: Chance
    most: int

    @classmethod
    def share(cls, share: float, blocks: Blocks, chance: Chance, progress: Progress | None) -> _Chosen:
        """Choose round(share * count) of the records of all blocks: the draws are counted, then narrowed."""
        doing = "drawing records"
        counts = np.zeros(_PLACES, dtype=np.int64)
        for part in blocks.map(_Spread(chance), progress=progress, doing=doing):
            counts += part
        wanted = round(share * int(counts.sum()))
        if not wanted:
            return cls(chance, -1)
        place = int(np.searchsorted(np.cumsum(counts), wanted))
        inside = np.concatenate(list(blocks.map(_Inside(chance, place), progress=progress, doing=doing)))
        return cls(chance, int(np.sort(inside)[wanted - 1 - counts[:place].sum()]))

    def of(self, records: pl.DataFrame) -> pl.Series:
        """Return a mask of the chosen among these, which stand by content."""
        return pl.Series(_draws(records, self.chance) <= self.most)


@dataclass(frozen=True, eq=False)
class _Spread:
    """How many draws lie in each of as many parts of their range."""

    chance: Chance

    def __call__(self, data: Purchases) -> NDArray[np.int64]:
        return np.bincount(_draws(data.by_content(), self.chance) // _PART, minlength=_PLACES)


@dataclass(frozen=True, eq=False)
class _Inside:
    """The draws that lie in one part of their range."""

    chance: Chance
    place: int

    def __call__(self, data: Purchases) -> NDArray[np.int64]:
        drawn = _draws(data.by_content(), self.chance)
        return drawn[drawn // _PART == self.place]


def _draws(records: pl.DataFrame, chance: Chance) -> NDArray[np.int64]:
    """Return a whole number below 2^53 for each record."""
    numbers = chance.numbers("chosen record", records["customer"], turns(records))
    return (numbers >> np.uint64(11)).astype(np.int64)


class Delete(OverTable):
    """Delete a random share of all records; a customer who loses all of them is not released."""

    about: ClassVar = MethodAbout(
        name="delete", kind="purchases", reach="table",
        source="000 table 5", promises=("deletes-only",), slot="records",
        knobs=(Knob("share", low=0.02, high=0.5),), example={"share": 0.0},
    )  # fmt: skip

    share: float = Field(ge=0, lt=1, description="share of the records to delete")

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Choose the records; whether any is left is seen when all blocks are done."""
        return Fitted(blocks, _Deleted(_Chosen.share(self.share, blocks, chance, progress)))

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases without the deleted records."""
        changed = super().change(data, chance)
        if not len(changed.data):
            raise InputError("Nothing is left after deleting.", code="file-empty")
        return changed


@dataclass(frozen=True, eq=False)
class _Deleted:
    """A block without the chosen records."""

    chosen: _Chosen

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        records = data.by_content()
        kept = records.filter(~self.chosen.of(records))
        facts = Facts(deleted=records.height - kept.height)
        return Changed(data.with_records(kept, master=data.master), facts)


class Alter(OverTable):
    """Replace the good of a random share of the records by one drawn by popularity, at that good's price."""

    about: ClassVar = MethodAbout(
        name="alter", kind="purchases", reach="table", source="000 table 5", example={"share": 0.3},
        untuned="goods that nobody bought mislead whoever analyses the release",
    )  # fmt: skip

    share: float = Field(ge=0, le=1, description="share of the records to alter")

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Choose the records, and count what may be drawn instead."""
        chosen = _Chosen.share(self.share, blocks, chance, progress)
        counts = pl.concat(list(blocks.map(_sold, progress=progress, doing="counting what is bought")))
        names = [name for name in counts.columns if name != "len"]
        donors = counts.group_by(names).agg(pl.col("len").sum()).sort(names)
        return Fitted(blocks, _Altered(chosen, donors, chance))


@dataclass(frozen=True, eq=False)
class _Altered:
    """A block whose chosen records have another good; a record may by chance draw its own again.

    Attributes:
        chosen: the records.
        donors: goods with their prices, sorted, and how many records have them.
        chance: draws among those records.
    """

    chosen: _Chosen
    donors: pl.DataFrame
    chance: Chance

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        records = data.by_content()
        mask, ends = self.chosen.of(records), np.cumsum(self.donors["len"].to_numpy())
        drawn = self.chance.below("other good", records["customer"], ends[-1], turns(records))
        donors = self.donors.drop("len")[np.searchsorted(ends, drawn, side="right")]
        altered = records.with_columns(
            pl.when(mask).then(donor).otherwise(records[donor.name]).alias(donor.name) for donor in donors
        )
        return Changed(data.with_records(altered, master=data.master), Facts(altered=int(mask.sum())))


def _sold(data: Purchases) -> pl.DataFrame:
    """Return how many records every good has at every price."""
    return data.under(None).select(pl.col("^(goods|price)$")).group_by(pl.all()).len()


class Noise(Method[Purchases]):
    """Multiply quantities and prices by log-normal noise; quantities stay whole and at least 1."""

    about: ClassVar = MethodAbout(
        name="noise", kind="purchases", reach="person", source="common practice", slot="numbers",
        knobs=tuple(Knob(f"{role}_spread", low=0.05, needs=(role,)) for role in ("quantity", "price")),
        example={"quantity_spread": 0.5, "price_spread": 0.5},
    )  # fmt: skip

    quantity_spread: float = Field(0.0, ge=0, le=3, description="noise on quantities (sigma of the log)")
    price_spread: float = Field(0.0, ge=0, le=3, description="noise on prices (sigma of the log)")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases with blurred numbers, prices in cents."""
        records = data.by_content()
        if self.quantity_spread:
            self.require(data, "quantity")
            pieces = records["quantity"] * _factors("quantity", records, self.quantity_spread, chance)
            records = records.with_columns(quantity=pieces.round(0).clip(lower_bound=1))
        if self.price_spread:
            self.require(data, "price")
            price = records["price"] * _factors("price", records, self.price_spread, chance)
            if (price > LARGEST_PRICE).any():
                raise ParameterError("Noise: this spread leaves the range of prices.", code="parameter")
            records = records.with_columns(price=price.round(2).clip(lower_bound=0.01))
        return Changed(data.with_records(records, master=data.master))


def _factors(purpose: str, records: pl.DataFrame, spread: float, chance: Chance) -> pl.Series:
    """Return a log-normal factor for each record."""
    return pl.Series(np.exp(spread * chance.normal(purpose, records["customer"], turns(records))))
