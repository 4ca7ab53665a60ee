"""A guess with its ties: whom an attacker would name, and whom he could have named as well.

When several originals look equally like a released person, the attacker names one of them at random. Scoring
that one draw would add noise, and naming the first would let the order of rows leak; so the guess keeps all
of them, and risk is the expected rate over the draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.pairing import Pairing

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Guess(Pairing):
    """A pairing with one of the tied originals named, and the ties behind it.

    Attributes:
        ties: one row for each (released, original) that could be named; a released person without a row
            here could be anyone of `anyone` people.
        anyone: how many people he could be, where nothing was found in common.
    """

    ties: pl.DataFrame
    anyone: int

    @classmethod
    def drawn(
        cls,
        released: pl.Series,
        originals: pl.Series,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> Guess:
        """Name one of the tied originals of each released person at random.

        Row j's candidates are `originals[indices[indptr[j]:indptr[j+1]]]`; an empty row ties with everybody.
        """
        counts = np.diff(indptr)
        pick = np.minimum(
            (rng.random(len(released)) * np.maximum(counts, 1)).astype(np.int64), np.maximum(counts - 1, 0)
        )
        named = rng.integers(0, len(originals), size=len(released))
        some = counts > 0
        named[some] = indices[indptr[:-1][some] + pick[some]]
        ties = pl.DataFrame(
            {
                "released": released.gather(np.repeat(np.arange(len(released)), counts)),
                "original": originals.gather(indices),
            }
        )
        return cls(released, originals.gather(named), ties, len(originals))

    @property
    def tied(self) -> int:
        """How many released people were named by lot among equals."""
        held = self.ties.group_by("released").len()
        return int((held["len"] > 1).sum()) + len(self) - held.height

    def without(self, abstaining: pl.Series) -> Guess:
        """Return the guess with these released people left unnamed."""
        silent = self.released.is_in(abstaining.implode())
        named = pl.DataFrame({"o": self.original}).select(pl.when(~silent).then(pl.col("o")))["o"]
        nobody = pl.DataFrame(
            {"released": abstaining, "original": [None] * len(abstaining)}, schema=self.ties.schema
        )
        return Guess(self.released, named, pl.concat([self.ties, nobody]), self.anyone)

    def expected(self, secret: Pairing) -> pl.DataFrame:
        """Return (released, chance) with each person's probability to be named rightly over the ties."""
        self.require_same_people(secret)
        counts = self.ties.group_by("released").agg(ties=pl.len())
        right = self.ties.join(secret.frame, on=["released", "original"]).select(
            "released", right=pl.lit(1.0)
        )
        return (
            secret.frame.select("released")
            .join(counts, on="released", how="left")
            .join(right, on="released", how="left")
            .select(
                "released",
                chance=pl.when(pl.col("ties").is_null())
                .then(1.0 / self.anyone)
                .otherwise(pl.col("right").fill_null(0.0) / pl.col("ties")),
            )
            .sort("released")
        )
