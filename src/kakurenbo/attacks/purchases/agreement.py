"""Agreement: records that were blurred still agree, more or less.

Evidence and likelihood compare values: a price that was moved by a penny is another price. This attacker asks
how far two records agree (to the minute, the day or the month; to the penny, nearly or roughly) and how
telling that is: by how much oftener records of one person agree so far than those of anybody, which he learns
from the people he is surest of, and by how few others agree as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.purchases.view import grains_shown, people_of
from kakurenbo.attacks.search.keys import Forms
from kakurenbo.attacks.search.scores import Agreement
from kakurenbo.attacks.search.units import (
    DAYS,
    MANY,
    PIECES,
    RATIOS,
    Fitted,
    Sides,
    Units,
    meetings,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.about import Disguise
    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.view import Part
    from kakurenbo.attacks.search.keys import Grain
    from kakurenbo.attacks.search.units import Steps, UnitReader
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]

# What of a record may agree more or less: days, and the logarithms of prices and quantities.
_FEATURES: dict[str, tuple[pl.Expr, Steps]] = {
    "time": (pl.col("time").dt.epoch("s") / 86_400, DAYS),
    "price": (pl.col("price").log(), RATIOS),
    "quantity": (pl.col("quantity").cast(pl.Float64).log(), PIECES),
    "": (pl.lit(0.0), RATIOS),  # where nothing else is shown, all agree
}
_CROWDED = 8  # times as many pairs as are affordable, which a cap on everybody's records still allows
_STORY = "Asks how far {} agree, and how telling that is"


def _few(rung: str, knows: Mapping[str, object]) -> Stand:
    story = _STORY.format(f"{rung} of everybody and released ones")
    through: tuple[Disguise, ...] = ("noised",) if rung == records(1) else ()
    return Stand(rung=rung, story=story, parameters=knows, readings=("target",), learns=True, through=through)


class AgreementAttack(PurchasesAttack):
    """Knows records of everybody, and asks how far released ones agree with them, and how telling that is.

    Fellegi and Sunter's record linkage: the released person of the greatest sum over records of
    log(1 + odds x p(record | person) / p(record)), where p is the mean weight of agreement over his records,
    and over all. Records of one good, or of one moment, are compared; levels of agreement in time, price and
    quantity are weighed by m / u, which expectation maximisation learns from both tables. The attacker to
    hold against noise, altered goods and deletion at once.
    """

    about: ClassVar = AttackAbout(
        name="agreement", kind="purchases", source="Fellegi and Sunter 1969",
        stands=(
            *(_few(records(k), {"points": k}) for k in POINTS),
            *(_few(rung, knows) for rung, knows in SOME.items()),
            Stand(
                rung="full records", story=_STORY.format("a name's records and a person's"), readings=BOTH,
                through=("noised", "blurred"),
            ),
        ),
    )  # fmt: skip

    reading: Literal["nearest", "assignment", "target"] = Field(
        "nearest",
        description="name for each released person the known one whose records agree best, or all at once "
        "one-to-one, or whichever known one, looked up in the release, is likeliest to be there",
    )

    def score(self, shown: frozenset[str]) -> Agreement:  # noqa: ARG002 - there is always something to compare
        """Say that records are compared which agree more or less."""
        return Agreement()

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Fitted:
        """Return both tables' records as units, and how telling it is that they agree.

        That is learnt from both tables whole, once for all who look the same way around, whatever they know:
        who knows how records were blurred knows it.
        """
        turned = self.reading != "target"

        def make() -> Fitted:
            reader = tables.once(("agreement", "reader"), lambda: _reader(tables, scale))
            return Fitted.of(reader, _sides(tables, reader, turned=turned), tables.chance, rows=True)

        return tables.once(("agreement", turned), make)

    def compares(self, data: Purchases) -> Traces:
        """Return the sharpest grain, at which records agree whole."""
        (sharpest,) = grains_shown(GRAINS[-1:], data.shown)
        if self.reading == "target":
            return Traces((sharpest,), "set", "presence")  # he finds whose known records nobody else has
        return Traces((sharpest,), "records", "proportions", self.reading)


@dataclass(frozen=True, eq=False)
class _Records:
    """Reads every record as a unit.

    Attributes:
        forms: how parts of records are compared.
        ways: what two records must share that may be the same, one or the other.
        roles: what of them may agree more or less.
    """

    forms: Forms
    ways: tuple[Grain, ...]
    roles: tuple[str, ...]

    near: ClassVar[bool] = False

    @property
    def steps(self) -> tuple[Steps, ...]:
        """Up to which differences times, prices and quantities agree."""
        return tuple(_FEATURES[role][1] for role in self.roles)

    def units(self, data: Purchases) -> Units:
        """Return the records of a table or a block."""
        hashes = self.forms.hashes(data.records, self.ways)
        values = np.zeros((len(data), len(self.roles)))
        for column, role in zip(values.T, self.roles, strict=True):
            column[:] = data.records.select(_FEATURES[role][0]).to_series().to_numpy()
        return Units(people_of(data), np.stack([hashes[way] for way in self.ways], axis=1), values)


def _sides(tables: Tables[Purchases], reader: UnitReader, *, turned: bool) -> Sides:
    """Return the records of both tables as units: known ones among released ones, or turned around."""

    def make() -> Sides:
        units = reader.units(tables.original), reader.units(tables.released)
        return Sides(*units, tables.original.customers, tables.released.customers)

    sides = tables.once(("agreement", "units"), make)
    return sides.turned() if turned else sides


def _reader(tables: Tables[Purchases], scale: float) -> _Records:
    """Return how records are read: by which parts two may be the same, and what may agree of them.

    Those of one good may be, of goods that very many buy only those of one month; and those of one moment, if
    not too many are. It is the same for all who look, whatever they know.
    """
    roles = tuple(role for role in _FEATURES if role in tables.shown) or ("",)
    timed = "time" in tables.shown
    parts: tuple[Part, ...] = ("goods", "month", "time") if timed else ("goods",)
    forms = Forms.common(tables.original.records, tables.released.records, parts)
    ways: list[Grain] = [("goods",), ("goods", "month"), ("time",)] if timed else [("goods",)]
    mine, theirs = (forms.hashes(side.records, ways) for side in (tables.original, tables.released))
    pairs = {way: scale * meetings(mine[way], theirs[way]) for way in ways}
    goods: Grain = ("goods", "month") if timed and pairs["goods",] > _CROWDED * MANY else ("goods",)
    moments = timed and pairs["time",] <= MANY
    return _Records(forms, (goods, ("time",)) if moments else (goods,), roles)
