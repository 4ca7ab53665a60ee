"""What every attack shares: an attacker who knows something of the original guesses who is who in a release.

How much he knows is a parameter of every attack: all records of everybody (the papers' attacker), a share of
each person's records, or a few points of each. What he knows is sampled per person from the seed, never from
the order of rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.data.layout import Role
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.guess import Guess
    from kakurenbo.data.purchases import Purchases


class PurchasesAttack(Parameters, ABC):
    """An attack on purchases: knowledge in the constructor, `guess` the one verb.

    Attributes:
        needs: the roles both tables must have.
        point: the columns that make one point of knowledge; repeated points count once. Empty: whole records.
    """

    needs: ClassVar[tuple[Role, ...]] = ()
    point: ClassVar[tuple[Role, ...]] = ()

    share: float = Field(1.0, gt=0, le=1, description="share of each person's points that the attacker knows")
    points: int | None = Field(None, ge=1, description="points known of each person; none given means all")

    def guess(self, original: Purchases, released: Purchases, *, seed: int | None = None) -> Guess:
        """Guess who is who.

        Args:
            original: what the attacker could know; he sees the share or points of it that he holds.
            released: the de-identified data, under pseudonyms.
            seed: repeats what is known and how ties are broken.
        """
        for data in (original, released):
            missing = [role for role in self.needs if role not in data.roles]
            if missing:
                raise InputError(
                    f"{type(self).__name__} needs the role {missing[0]}, which the data lacks.", code="roles"
                )
        rng = np.random.default_rng(seed)
        return self.link(self.observe(original, rng), released, rng)

    @abstractmethod
    def link(self, known: Purchases, released: Purchases, rng: np.random.Generator) -> Guess:
        """Return the guess, given what the attacker knows."""

    def observe(self, original: Purchases, rng: np.random.Generator) -> Purchases:
        """Return the part of the original that the attacker knows."""
        rows = self.observed(original, rng)
        if rows is None:
            return original
        return original.with_records(original.records[rows], master=original.master)

    def observed(self, original: Purchases, rng: np.random.Generator) -> NDArray[np.int64] | None:
        """Return the rows of the records that the attacker knows, ascending; None for all."""
        if self.share == 1 and self.points is None:
            return None
        records = original.records.with_row_index("\0row").sort(original.records.columns)
        if self.point:
            records = records.unique(list(self.point), keep="first", maintain_order=True)
        luck = pl.Series("\0luck", rng.random(records.height))
        ranked = records.select("customer", "\0row", luck).select(
            "\0row",
            turn=pl.col("\0luck").rank("ordinal").over("customer"),
            held=pl.len().over("customer"),
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
        known = ranked.filter(pl.col("turn") <= limit)["\0row"].sort()
        return known.to_numpy().astype(np.int64)
