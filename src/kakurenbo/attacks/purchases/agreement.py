"""Agreement: records that were blurred still agree, more or less.

Evidence and likelihood compare values: a price that was moved by a penny is another price. This attacker asks
how far two records agree (to the minute, the day or the month; to the penny, nearly or roughly) and how
telling that is: by how much oftener records of one person agree so far than those of anybody, which he learns
from the people he is surest of, and by how few others agree as well.
"""

from __future__ import annotations

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
from kakurenbo.attacks.purchases.units import DAYS, MANY, PIECES, RATIOS, Blocking, Units, lay_out
from kakurenbo.attacks.purchases.view import Sight, grains_shown, people_of, through

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.about import Disguise
    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.claims import Places
    from kakurenbo.attacks.purchases.units import Compared, Sides, Steps
    from kakurenbo.attacks.purchases.view import Part
    from kakurenbo.chance import Chance
    from kakurenbo.data.guess import Guess
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

    @property
    def beside(self) -> bool:
        """Whether he pairs everybody at once."""
        return self.reading == "assignment"

    def look(self, tables: Tables[Purchases]) -> Compared:
        """Return both tables' records as units; who looks people up seeks them in the release."""
        looked_up = self.reading == "target"
        whole = tables.once(("agreement", looked_up), lambda: _compared(tables, looked_up=looked_up))
        rows = self.known_rows(tables)
        if rows is None or looked_up:
            return whole.knowing(rows)
        return _sides(tables, rows, looked_up=False).by(whole.comparison.levels)

    def answer(self, seen: Compared, chance: Chance) -> Guess:
        """Name people, in the chosen reading."""
        if self.reading == "target":
            return seen.claimed(chance)
        return seen.assigned(chance) if self.reading == "assignment" else seen.named(chance)

    def supposes(self, tables: Tables[Purchases], targets: Ints) -> Places | None:
        """Return the names where these people are looked up."""
        return self.look(tables).places(targets) if self.reading == "target" else None

    def compares(self, data: Purchases) -> Traces:
        """Return the sharpest grain, at which records agree whole."""
        (sharpest,) = grains_shown(GRAINS[-1:], data.shown)
        if self.reading == "target":
            return Traces((sharpest,), "set", "presence")  # he finds whose known records nobody else has
        return Traces((sharpest,), "records", "proportions", self.reading)


def _compared(tables: Tables[Purchases], *, looked_up: bool) -> Compared:
    """Compare all known records with the released ones, and learn how telling it is that they agree.

    That is learnt from both tables whole: who knows how records were blurred knows it.
    """
    sides = _sides(tables, None, looked_up=looked_up)
    return sides.by(sides.learn([_FEATURES[role][1] for role in _shown(tables)], tables.chance))


def _sides(tables: Tables[Purchases], rows: Ints | None, *, looked_up: bool) -> Sides:
    """Return the known records among the released ones or, where nobody is looked up, the other way round."""
    mine, theirs = _units(tables)
    blocks, people = _blocks(tables), (tables.original.customers, tables.released.customers)
    if rows is not None:
        mine = Units(mine.people[rows], mine.values[rows])
        blocks = tuple(one._replace(sought=one.sought[rows]) for one in blocks)
    if looked_up:
        return lay_out(mine, theirs, blocks, people)
    return lay_out(theirs, mine, [Blocking(one.held, one.sought) for one in blocks], people[::-1])


def _shown(tables: Tables[Purchases]) -> tuple[str, ...]:
    """Return the roles that both tables show and that may agree more or less."""
    return tuple(role for role in _FEATURES if role in tables.shown) or ("",)


def _units(tables: Tables[Purchases]) -> tuple[Units, Units]:
    """Return the records of both tables as units."""
    roles = _shown(tables)

    def make() -> tuple[Units, Units]:
        mine, theirs = (
            Units(people_of(data), _values(data, roles)) for data in (tables.original, tables.released)
        )
        return mine, theirs

    return tables.once(("units", "records"), make)


def _values(data: Purchases, roles: tuple[str, ...]) -> NDArray[np.float64]:
    if roles == ("",):
        return np.zeros((len(data), 1))
    return data.records.select(_FEATURES[role][0].alias(role) for role in roles).to_numpy().astype(np.float64)


def _blocking(tables: Tables[Purchases], *parts: Part) -> Blocking:
    keys = through(tables, Sight(parts, "records")).blocks[0]
    return Blocking(keys.mine.astype(np.int64), keys.theirs.astype(np.int64))


def _blocks(tables: Tables[Purchases]) -> tuple[Blocking, ...]:
    """Return by which records of both tables may be the same: their good and, if not too many, their moment.

    Of goods that very many buy only records of one month. The same for all who look, whatever they know.
    """

    def make() -> tuple[Blocking, ...]:
        goods = _blocking(tables, "goods")
        if "time" not in tables.shown:
            return (goods,)
        if goods.pairs > _CROWDED * MANY:
            goods = _blocking(tables, "goods", "month")
        moments = _blocking(tables, "time")
        return (goods, moments) if moments.pairs <= MANY else (goods,)

    return tables.once(("blocks", "records"), make)
