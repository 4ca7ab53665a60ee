"""What attacks on purchases share: how much of everybody's records the attacker knows.

All records of everybody (the papers' attacker), a share of each person's records, or a few points of each.
Which is drawn by person and record, so all who know as much know the same, and who knows two records knows
the one that another knows alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.attacks.base import Attack
from kakurenbo.attacks.purchases.lifetimes import life_of
from kakurenbo.attacks.search import resolve
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.data.purchases import Purchases, turns
from kakurenbo.data.table import require_shown
from kakurenbo.errors import ParameterError
from kakurenbo.mappings import common_vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.data.belief import Belief
    from kakurenbo.data.guess import Guess
    from kakurenbo.kernels.nearest import Nearest


_ONE_EACH = "he pairs people with one name each, and names change"


class Supposed(Protocol):
    """Where an attacker takes people to be in a release; what he believes of them follows, at any grain."""

    @property
    def best(self) -> Nearest | None:
        """The released people whom each target may be; None from who takes nobody to be one of them."""

    def over(self, keys: View) -> Belief:
        """Return what he believes of every target, in these keys."""


class PurchasesAttack(Attack[Purchases]):
    """An attack on purchases.

    Attributes:
        point: the columns that make one point of knowledge; repeated points count once. Empty: whole records.
        strips: whether he may see more of a release without what looks like a dummy.
        drops: whether `prepare` leaves less of the release, in the words that it has.
        by_receipts: whether he gives receipts to people, which is asked of some people block by block.
    """

    point: ClassVar[tuple[Role, ...]] = ()
    strips: ClassVar[bool] = True
    drops: ClassVar[bool] = False
    by_receipts: ClassVar[bool] = False

    share: float = Field(1.0, gt=0, le=1, description="share of each person's points that the attacker knows")
    points: int | None = Field(None, ge=1, description="points known of each person; none given means all")
    whole: Literal["receipt", "month"] | None = Field(
        None, description="knows one whole receipt, or one whole month, of each person, and no more"
    )

    @property
    def needs_everybody(self) -> bool:
        """Whether he goes by what is learnt from all people, or by places among them: no block shows it."""
        return False

    @property
    def knows_all(self) -> bool:
        """Whether he knows all records of everybody."""
        return self.share == 1 and self.points is None and self.whole is None

    def read_alike(self, original: Purchases, released: Purchases) -> Purchases:
        """Return what is known in the words of the release, as far as both tell them and he reads them.

        Which records are known is drawn of whole records, so who knows some has all of their words.
        """
        if not self.knows_all:
            return common_vocabulary(original, released).original
        return common_vocabulary(original, released, asked=self.reads(released)).original

    def named(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Return whom he names, given both tables whole; chance draws among equals."""
        left = self.prepare(tables)
        how = self.score(left.shown)
        return self.rerank(left, chance) if how is None else resolve.named(self, how, left, chance)

    def locate(self, tables: Tables[Purchases], targets: NDArray[np.int64]) -> Supposed | None:
        """Return where he takes these people of the original to be; None from who only gives out names."""
        left = self.prepare(tables)
        how = None if getattr(self, "reading", "") == "assignment" else self.score(left.shown)
        return None if how is None else resolve.located(self, how, left, targets)

    def located(self, tables: Tables[Purchases], targets: NDArray[np.int64]) -> Supposed | None:
        """Return the same, worked out once for all who ask who is found there, or what is learnt of them."""
        key = "located", self.about.name, self.model_dump_json(), targets.tobytes()
        return tables.once(key, lambda: self.locate(tables, targets))

    def told(self, tables: Tables[Purchases]) -> NDArray[np.int64] | None:
        """Return the rows of the records that he knows with their goods; None for all."""
        return self.known_rows(tables)

    def idle(self, tables: Tables[Purchases]) -> str:
        """Say so where he gives everybody one name, and people have several."""
        one_each = getattr(self, "reading", "") == "assignment"
        return _ONE_EACH if one_each and life_of(tables) is not None else ""

    def known(self, tables: Tables[Purchases]) -> Purchases:
        """Return the part of the original that the attacker knows."""
        rows = self.known_rows(tables)
        if rows is None:
            return tables.original
        original = tables.original
        return tables.once(
            ("known", self.share, self.points, self.whole, self.point),
            lambda: original.with_records(original.records[rows], master=original.master),
        )

    def known_rows(self, tables: Tables[Purchases]) -> NDArray[np.int64] | None:
        """Return the rows of the records that he knows, ascending; None for all."""
        return tables.once(
            ("rows", self.share, self.points, self.whole, self.point),
            lambda: self._drawn(tables),
        )

    def _drawn(self, tables: Tables[Purchases]) -> NDArray[np.int64] | None:
        if self.whole is not None:
            return _one_each(tables.original, self.whole, tables.chance)
        if self.share == 1 and self.points is None:
            return None
        ranked = tables.once(
            ("ranked", self.point), lambda: _ranked(tables.original, self.point, tables.chance)
        )
        most = int(ranked["held"].to_numpy().max())
        if self.points is not None and self.points > most:
            raise ParameterError(
                f"{type(self).__name__}: points is {self.points}, but nobody has more than {most}.",
                code="parameter",
            )
        limit = (pl.col("held") * self.share).ceil()
        if self.points is not None:
            limit = pl.min_horizontal(limit, pl.lit(self.points))
        known = ranked.filter(pl.col("turn") <= limit)["row"].sort()
        return known.to_numpy().astype(np.int64)


def _ranked(original: Purchases, point: Sequence[Role], chance: Chance) -> pl.DataFrame:
    """Return (row, turn, held): when each point of knowledge becomes known, of how many of its person's."""
    records = original.records.with_row_index("\0row").sort(original.records.columns)
    if point:
        records = records.unique(list(point), keep="first", maintain_order=True)
    draw = pl.Series("draw", chance.numbers("known", records["customer"], turns(records)))
    return records.select("customer", draw, row=pl.col("\0row")).select(
        "row", turn=pl.col("draw").rank("ordinal").over("customer"), held=pl.len().over("customer")
    )


def _one_each(original: Purchases, unit: Literal["receipt", "month"], chance: Chance) -> NDArray[np.int64]:
    """Return the rows of one receipt, or one month, drawn for each customer."""
    require_shown("Knowing a whole one", ("receipt" if unit == "receipt" else "time",), original)
    what = pl.col("receipt") if unit == "receipt" else pl.col("time").dt.month_start()
    records = original.records.select("customer", unit=what).with_row_index("row")
    units = records.select("customer", "unit").unique().sort("customer", "unit")
    draw = pl.Series("draw", chance.numbers(f"known {unit}", units["customer"], turns(units)))
    chosen = units.with_columns(draw).filter(pl.col("draw") == pl.col("draw").min().over("customer"))
    known = records.join(chosen, on=["customer", "unit"], how="semi")["row"].sort()
    return known.to_numpy().astype(np.int64)
