"""Visits: who came when, how often, and with how full a basket?

Whatever is done to goods, a receipt is still a visit: it has a time, a number of lines and of pieces, an
amount. Months and lines alone tell nearly everybody apart. Where the clock was moved for each person, the
gaps between his visits stay; where all times were taken away, numbers of receipts may still count up with
time. A card statement is such knowledge: days and amounts, and no good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Bet, Values
from kakurenbo.attacks.order import natural
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.search.scores import Agreement
from kakurenbo.attacks.search.units import DAYS, PIECES, RATIOS, Fitted, Sides, Units
from kakurenbo.data.table import require_shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.search.targets import Places
    from kakurenbo.attacks.search.units import Steps
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]

By = Literal["times", "gaps", "order"]

_LINES: Steps = (0.001, 0.08, 0.2, 0.5, 1.0)
_PLACES: Steps = (0.0002, 0.002, 0.006, 0.02, 0.06)  # of all receipts, in their order
_TOLD = 4  # different times, from which on it shows whether receipts are numbered by them
_COUNTING = 0.5  # how far numbers and times must go together (Spearman)
_FIRST = -100.0  # days; stands for the gap before a first visit, which is like no other
_DAY = pl.col("time").dt.epoch("s") / 86_400
_PERSON = pl.col("customer").to_physical().cast(pl.Int64)
_AT = pl.from_epoch((pl.col("day") * 86_400).round().cast(pl.Int64), time_unit="s")
# Which visits may be the same: those of a month, with about that gap, at about that place.
_WHERE: dict[By, pl.Expr] = {
    "times": 12 * _AT.dt.year().cast(pl.Int64) + _AT.dt.month(),
    "gaps": pl.col("gap").round(),
    "order": (pl.col("place") * 50).floor(),
}
_STEPS: dict[str, Steps] = {
    "day": DAYS, "gap": DAYS, "place": _PLACES, "lines": _LINES, "pieces": PIECES, "amount": RATIOS,
}  # fmt: skip
_TIMES = "Asks who came when, with how many lines and pieces, for what amount"


class VisitsAttack(PurchasesAttack):
    """Knows everybody's visits and no good of them, and asks whose visits a name's agree with.

    A receipt is a unit: its day, lines, pieces and amount agree more or less with those of known visits in
    the same month, and how telling that is is learnt as by `agreement`. By gaps he compares days since the
    visit before, so that a clock moved for each person hides nothing; by order he takes numbers of receipts,
    sorted, for their order in time. Share and points say how many of everybody's visits he knows.
    """

    about: ClassVar = AttackAbout(
        name="visits", kind="purchases", source="ours", because="nobody else came so",
        stands=(
            Stand(
                rung="card statement", story="Looks for days and amounts, as a card statement has them",
                parameters={"knows": "amounts"}, readings=BOTH, learns=True, through=("replaced",),
            ),
            Stand(rung="visits", story=_TIMES, readings=BOTH, learns=True, through=("blurred",)),
            Stand(
                rung="visits", story=f"{_TIMES}, by the gaps between visits", parameters={"by": "gaps"},
                readings=BOTH, way="by gaps", through=("shifted",),
            ),
            Stand(
                rung="visits", story=f"{_TIMES}, taking receipts to be numbered as they came",
                parameters={"by": "order"}, readings=BOTH, way="by order", through=("numbered",),
                betrays="Receipts are numbered in the order of time", beyond="visits",
            ),
        ),
    )  # fmt: skip

    point: ClassVar = ("customer", "time")
    strips: ClassVar[bool] = False  # dummies stand on receipts of their own, or hardly change one

    by: By = Field(
        "times", description="compare times, or the gaps between a person's visits, or where receipts stand"
    )
    knows: Literal["visits", "amounts"] = Field(
        "visits", description="knows lines, pieces and amounts of visits, or amounts alone"
    )
    reading: Literal["nearest", "assignment"] = Field(
        "nearest",
        description="name for each released person the known one whose visits agree best, or all at once "
        "one-to-one",
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The time, or the receipts whose numbers stand for it; and what makes an amount."""
        amount = ("price", "quantity") if self.knows == "amounts" else ()
        return ("receipt" if self.by == "order" else "time", *amount)

    def idle(self, tables: Tables[Purchases]) -> str:
        """Say so where numbers of receipts have nothing to do with the times that the release shows."""
        shown = tables.released.shown
        if self.by != "order" or not {"receipt", "time"} <= shown:
            return super().idle(tables)
        visits = _placed(_visits(tables.released, "receipt"), "number")
        if visits["day"].n_unique() < _TOLD:
            return super().idle(tables)
        together = visits.select(pl.corr("number", "day", method="spearman")).item()
        return "" if together > _COUNTING else "numbers of receipts do not count up with time"

    @property
    def needs_everybody(self) -> bool:
        """Whether he goes by where visits stand among those of all people."""
        return self.by == "order"

    def score(self, shown: frozenset[str]) -> Agreement:  # noqa: ARG002 - he says what he needs
        """Say that visits are compared which agree more or less."""
        return Agreement()

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Fitted:  # noqa: ARG002 - visits are few
        """Return the visits of both tables as units, and how telling it is that they agree."""
        return self._fitted(tables, turned=True)

    def locate(self, tables: Tables[Purchases], targets: Ints) -> Places | None:
        """Return the names whose visits agree best with those of these people."""
        if self.reading == "assignment":
            return None
        return self._fitted(tables, turned=False).looking_up(None).places(targets)

    def told(self, tables: Tables[Purchases]) -> Ints:  # noqa: ARG002 - of whatever table
        """Return no record: he knows visits and no good."""
        return np.empty(0, np.int64)

    def compares(self, data: Purchases) -> Values | Bet:  # noqa: ARG002 - the same of all
        """Return everybody's times, or the gaps between them; that receipts count up with time is a bet."""
        if self.by == "order":
            return Bet(frozenset({"receipt"}))
        seconds = pl.col("time").dt.epoch("s")
        times = seconds if self.by == "times" and self.knows == "visits" else seconds.unique()
        compared = times.sort().diff().drop_nulls().sort() if self.by == "gaps" else times.sort()
        return Values((compared.cast(pl.String).str.join(" ").alias("times"),))

    def _fitted(self, tables: Tables[Purchases], *, turned: bool) -> Fitted:
        def make() -> Fitted:
            return Fitted.of(
                self._reader(tables), self._sides(tables, turned=turned), tables.chance, rows=False
            )

        return tables.once(("visits", self._known_as, turned), make)

    @property
    def _known_as(self) -> tuple[object, ...]:
        """What tells the visits that he knows from those of others."""
        return self.by, self.knows, self.share, self.points, self.whole

    def _reader(self, tables: Tables[Purchases]) -> _Visits:
        """Return how visits are read, of which those numbers agree that both tables show."""
        require_shown("Knowing visits", ("time",), tables.plain)
        shown = tables.shown
        sizes = [] if self.knows == "amounts" else ["lines", *(["pieces"] if "quantity" in shown else [])]
        amount = ["amount"] if {"price", "quantity"} <= shown else []
        place = {"times": "day", "gaps": "gap", "order": "place"}[self.by]
        return _Visits(self.by, "receipt" if "receipt" in shown else "time", (place, *sizes, *amount))

    def _sides(self, tables: Tables[Purchases], *, turned: bool) -> Sides:
        """Return the known visits and the released ones as units; turned, the other way around."""

        def make() -> Sides:
            reader = self._reader(tables)
            original = tables.plain if self.by == "order" else tables.original
            mine, theirs = reader.visits(original, "day"), reader.visits(tables.released, "number")
            rows = self.known_rows(tables)
            if rows is not None:
                known = original.records[rows].select(person=_PERSON, day=_DAY)
                mine = mine.join(known, on=["person", "day"], how="semi", maintain_order="left")
            people = tables.original.customers, tables.released.customers
            return Sides(reader.as_units(mine), reader.as_units(theirs), *people)

        sides = tables.once(("visits", "units", self._known_as), make)
        return sides.turned() if turned else sides


@dataclass(frozen=True)
class _Visits:
    """Reads every receipt as a unit.

    Attributes:
        by: what says which visits may be the same.
        unit: what tells the visits of a person apart.
        features: what of them may agree more or less.
    """

    by: By
    unit: Literal["receipt", "time"]
    features: tuple[str, ...]

    @property
    def near(self) -> bool:
        """Whether visits in neighbouring places may be the same too: months are told apart."""
        return self.by != "times"

    @property
    def steps(self) -> tuple[Steps, ...]:
        """Up to which differences each feature agrees."""
        return tuple(_STEPS[feature] for feature in self.features)

    def units(self, data: Purchases) -> Units:
        """Return the visits of a table or a block, by times or gaps."""
        return self.as_units(self.visits(data, "day"))

    def visits(self, data: Purchases, order: Literal["day", "number"]) -> pl.DataFrame:
        """Return everybody's visits; by order, with the place of each by day or by its receipt's number."""
        made = _visits(data, self.unit)
        return _placed(made, order) if self.by == "order" else made

    def as_units(self, visits: pl.DataFrame) -> Units:
        """Return visits as units."""
        keys = visits.select(_WHERE[self.by].cast(pl.Int64)).to_numpy().astype(np.uint64)
        return Units(visits["person"].to_numpy(), keys, visits.select(self.features).to_numpy())


def _visits(data: Purchases, unit: str) -> pl.DataFrame:
    """Return everybody's visits: day, gap since the one before, lines, pieces and amount, as logarithms."""
    shown = set(data.roles)
    sizes = {"lines": pl.len()}
    if "quantity" in shown:
        sizes["pieces"] = pl.col("quantity").sum()
        if "price" in shown:
            sizes["amount"] = (pl.col("price") * pl.col("quantity")).sum()
    if "time" in shown:
        sizes["day"] = _DAY.min()
    logarithms = [pl.col(name).cast(pl.Float64).log() for name in sizes if name != "day"]
    visits = data.records.group_by(person=_PERSON, unit=pl.col(unit)).agg(**sizes).with_columns(logarithms)
    if "time" not in shown:
        return visits.sort("person", "unit")
    gap = (pl.col("day") - pl.col("day").shift(1).over("person")).fill_null(_FIRST)
    return visits.sort("person", "day", "unit").with_columns(gap=gap)


def _placed(visits: pl.DataFrame, by: Literal["day", "number"]) -> pl.DataFrame:
    """Add where each visit stands among all: by day, or by the number of its receipt."""
    if by == "number":
        names = sorted(visits["unit"].unique().to_list(), key=natural)
        numbers = pl.DataFrame({"unit": names, "number": np.arange(len(names))})
        visits = visits.join(numbers, on="unit", how="left", maintain_order="left")
    return visits.with_columns(place=(pl.col(by).rank("ordinal") - 0.5) / pl.len())
