"""Visits: who came when, how often, and with how full a basket?

Whatever is done to goods, a receipt is still a visit: it has a time, a number of lines and of pieces, an
amount. Months and lines alone tell nearly everybody apart. Where the clock was moved for each person, the
gaps between his visits stay; where all times were taken away, numbers of receipts may still count up with
time. A card statement is such knowledge: days and amounts, and no good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Bet, Values
from kakurenbo.attacks.order import natural
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.purchases.units import DAYS, PIECES, RATIOS, Blocking, Units, lay_out
from kakurenbo.data.table import require_shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.claims import Places
    from kakurenbo.attacks.purchases.units import Compared, Steps
    from kakurenbo.chance import Chance
    from kakurenbo.data.guess import Guess
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

    @property
    def beside(self) -> bool:
        """Whether he pairs everybody at once."""
        return self.reading == "assignment"

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

    def look(self, tables: Tables[Purchases]) -> Compared:
        """Return the visits of both tables as units: each name is sought among the known people."""
        return self._compared(tables, turned=True)

    def answer(self, seen: Compared, chance: Chance) -> Guess:
        """Name people, in the chosen reading."""
        return seen.assigned(chance) if self.reading == "assignment" else seen.named(chance)

    def supposes(self, tables: Tables[Purchases], targets: Ints) -> Places | None:
        """Return the names whose visits agree best with those of these people."""
        return self._compared(tables, turned=False).places(targets) if self.reading == "nearest" else None

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

    def _compared(self, tables: Tables[Purchases], *, turned: bool) -> Compared:
        visits = self._visits(tables)
        people = tables.original.customers, tables.released.customers
        if turned:
            visits, people = visits[::-1], people[::-1]
        features = self._features(*visits)
        sought, held = (Units(side["person"].to_numpy(), side.select(features).to_numpy()) for side in visits)
        sides = lay_out(sought, held, [_blocking(self.by, *visits)], people)
        return sides.by(sides.learn([_STEPS[feature] for feature in features], tables.chance))

    def _features(self, mine: pl.DataFrame, theirs: pl.DataFrame) -> tuple[str, ...]:
        """Return what of visits may agree, as far as both tables show it."""
        place = {"times": "day", "gaps": "gap", "order": "place"}[self.by]
        sizes = ("amount",) if self.knows == "amounts" else ("lines", "pieces", "amount")
        both = set(mine.columns) & set(theirs.columns)
        return (place, *(size for size in sizes if size in both))

    def _visits(self, tables: Tables[Purchases]) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the known visits and the released ones."""
        require_shown("Knowing visits", ("time",), tables.plain)
        unit = "receipt" if "receipt" in tables.shown else "time"
        original = tables.plain if self.by == "order" else tables.original
        mine, theirs = tables.once(
            ("visits", unit, self.by == "order"),
            lambda: (_visits(original, unit), _visits(tables.released, unit)),
        )
        rows = self.known_rows(tables)
        if rows is not None:
            known = original.records[rows].select(person=_PERSON, day=_DAY)
            mine = mine.join(known, on=["person", "day"], how="semi", maintain_order="left")
        if self.by == "order":
            mine, theirs = _placed(mine, "day"), _placed(theirs, "number")
        return mine, theirs


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


def _blocking(by: By, sought: pl.DataFrame, held: pl.DataFrame) -> Blocking:
    """Return the blocks of visits, as whole numbers counted from the first of all."""
    both = [side.select(_WHERE[by].cast(pl.Int64)).to_series().to_numpy() for side in (sought, held)]
    first = min(int(side.min(initial=np.iinfo(np.int64).max)) for side in both)
    return Blocking(both[0] - first, both[1] - first, near=by != "times")
