"""Pairing: released id -> original id. The secret P of a release, or the guess Q of an attacker.

P gives every name exactly one original, mostly each its own; where names change, a person has several. A
guess may name the same original twice and may abstain. Both are the same kind of object, because risk is
nothing but the comparison of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import polars as pl

from kakurenbo.data.checks.ids import as_text
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.owners import Owners


@dataclass(frozen=True, eq=False)
class Pairing:
    """An immutable map from released ids to original ids; null means "I do not know".

    Attributes:
        released: distinct released ids, sorted.
        original: the original id of each, null for an abstention.
    """

    released: pl.Series
    original: pl.Series

    def __post_init__(self) -> None:
        table = pl.DataFrame(
            {
                "released": as_text(pl.Series(self.released), column="released", spelling="keep"),
                "original": as_text(pl.Series(self.original), column="original", spelling="keep"),
            }
        )
        if table["released"].null_count():
            raise InputError("A pairing needs every released id.", code="missing-id", column="released")
        if table["released"].n_unique() < table.height:
            raise InputError(
                "A pairing may name a released id only once.", code="duplicate-id", column="released"
            )
        table = table.sort("released")
        object.__setattr__(self, "released", table["released"])
        object.__setattr__(self, "original", table["original"])

    @classmethod
    def of(cls, pairs: Mapping[str, str | None]) -> Pairing:
        """Build a pairing from a mapping released -> original (None abstains)."""
        return cls(
            pl.Series(list(pairs.keys()), dtype=pl.String), pl.Series(list(pairs.values()), dtype=pl.String)
        )

    def __len__(self) -> int:
        return len(self.released)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pairing):
            return NotImplemented
        return self.released.equals(other.released) and self.original.equals(other.original, null_equal=True)

    def __hash__(self) -> int:
        return hash((len(self), self.abstained))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} released, {self.abstained:,} abstained)"

    @property
    def frame(self) -> pl.DataFrame:
        """The pairs as a table with the columns `released` and `original`."""
        return pl.DataFrame({"released": self.released, "original": self.original})

    def to_dict(self) -> dict[str, str | None]:
        """Return released -> original."""
        return dict(zip(self.released.to_list(), self.original.to_list(), strict=True))

    @property
    def abstained(self) -> int:
        """How many released ids have no original named."""
        return self.original.null_count()

    @property
    def is_bijection(self) -> bool:
        """Whether everyone is paired, each with an original of his own."""
        return not self.abstained and self.original.n_unique() == len(self)

    @property
    def persons(self) -> int:
        """How many originals are named."""
        return self.original.drop_nulls().n_unique()

    def complete(self) -> Self:
        """Return the pairing if it can be a secret, which names an original for everyone."""
        if self.abstained:
            raise InputError(
                f"{self.abstained} of {len(self)} people of the secret have no original; a secret names one "
                "for everyone.",
                code="missing-id",
                column="original",
            )
        return self

    def as_secret(self) -> Self:
        """Return the pairing if it is a secret of people who have one name each; else refuse."""
        self.complete()
        repeated = len(self) - int(self.original.is_unique().sum())
        if repeated:
            raise InputError(
                f"{repeated} of {len(self)} people of the secret share their original with another; here "
                "everyone needs an original of his own.",
                code="duplicate-id",
                column="original",
            )
        return self

    def expected(self, secret: Pairing | Owners) -> pl.DataFrame:
        """Return (released, chance) for every row of the secret: 1 where that original is named, else 0."""
        names = secret.released if isinstance(secret, Pairing) else secret.names
        if not self.released.equals(names):
            raise InputError(
                "The guess and the secret do not speak of the same released ids.",
                code="unknown-id",
                column="released",
            )
        named = self.original
        if len(secret.released) > len(names):  # some names have several owners
            named = named.gather(names.search_sorted(secret.released))
        rightly = (secret.original == named).cast(pl.Float64).to_numpy()  # not a number where nobody is named
        return pl.DataFrame({"released": secret.released, "chance": np.nan_to_num(rightly)})
