"""Owners: whose every released name is, for releases in which names and people do not pair one to one.

A method of ours gives everybody a name, or several that change with time; its secret is a `Pairing`. Others
also mix in people who never were, whose names have no owner, and now and then lump several people under one
name. Their secret is a relation, a row for each name and each of its owners, and an audit judges by that: a
name is found when one of its owners is named, a person when one of his names is, and who never was is nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, cast

import polars as pl

from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.pairing import Pairing
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data, Table


@dataclass(frozen=True, eq=False)
class Owners:
    """An immutable relation of released names and original people; a name without an owner is a fake.

    Attributes:
        released: the name of each row, sorted; a name of several people stands once for each of them.
        original: an owner of it, null for a fake.
    """

    released: pl.Series
    original: pl.Series

    def __post_init__(self) -> None:
        rows = pl.DataFrame({
            name: as_text(pl.Series(ids), column=name, spelling="keep")
            for name, ids in (("released", self.released), ("original", self.original))
        }).unique()  # fmt: skip
        if rows["released"].null_count():
            raise InputError("A pairing needs every released id.", code="missing-id", column="released")
        fakes = rows.filter(pl.col("original").is_null())
        if fakes["released"].is_in(rows.drop_nulls()["released"].implode()).any():
            raise InputError(
                "A released id stands both with an original and without one.",
                code="duplicate-id",
                column="released",
            )
        if fakes.height == rows.height:
            raise InputError(
                "The secret names no original at all, so nobody could be found.",
                code="missing-id",
                column="original",
            )
        rows = rows.sort("released", "original")
        object.__setattr__(self, "released", rows["released"])
        object.__setattr__(self, "original", rows["original"])

    @classmethod
    def of(cls, secret: Owners | Pairing) -> Owners:
        """Return the owners that a secret declares; a pairing must name one for everyone."""
        if isinstance(secret, Owners):
            return secret
        return cls(secret.complete().released, secret.original)

    def __repr__(self) -> str:
        return f"Owners({len(self.names)} names, {len(self.persons)} persons, {self.fakes} fakes)"

    @property
    def frame(self) -> pl.DataFrame:
        """The rows as a table with the columns `released` and `original`, fakes among them."""
        return pl.DataFrame({"released": self.released, "original": self.original})

    @cached_property
    def owned(self) -> Owners:
        """The rows of names that have an owner."""
        if not self.fakes:
            return self
        real = self.frame.drop_nulls()
        return Owners(real["released"], real["original"])

    @property
    def first(self) -> Pairing:
        """An owner of every name that has one, the first where there are several."""
        rows = self.owned.frame.unique("released", keep="first", maintain_order=True)
        return Pairing(rows["released"], rows["original"])

    @cached_property
    def names(self) -> pl.Series:
        """The released names, each once, sorted."""
        return self.released.unique().sort()

    @cached_property
    def persons(self) -> pl.Series:
        """The people of the original who are declared to be in the release, each once, sorted."""
        return self.original.drop_nulls().unique().sort()

    @property
    def fakes(self) -> int:
        """How many names have no owner."""
        return self.original.null_count()

    @property
    def one_to_one(self) -> bool:
        """Whether every name has one owner, and every owner one name."""
        return not self.fakes and len(self.names) == len(self.persons) == len(self.released)

    def as_secret(self) -> Pairing:
        """Return the pairing that this is, where it is one to one; else refuse."""
        return Pairing(self.released, self.original).as_secret()

    def check(self, original: Table, released: Table) -> None:
        """Refuse owners who are not of the original, and names that are not those of the release."""
        if not released.people.cast(pl.String).sort().equals(self.names):
            raise InputError(
                "The secret must speak of exactly the people in the release; the original of a fake is left "
                "empty.",
                code="unknown-id",
            )
        foreign = self.persons.is_in(original.people.cast(pl.String).implode()).not_().sum()
        if foreign:
            raise InputError(f"{foreign} people of the secret are not in the original.", code="unknown-id")


Secret: TypeAlias = Owners | Pairing | None


def followed(released: Data, secret: Owners | Pairing) -> tuple[Data, Pairing]:
    """Return a release in which every person can be followed, and the pairing that does.

    Where the secret is one to one, that is the release itself. Else a customer's purchases are gathered from
    all his names, and those of fakes are left out; a row of microdata stands for one person or for none.
    """
    owners = Owners.of(secret)
    if released.kind != "purchases" or owners.one_to_one:
        return released, owners.as_secret()
    whole = _gathered(cast("Purchases", released), owners)
    return cast("Data", whole), Pairing(whole.customers, whole.customers)


def _gathered(released: Purchases, owners: Owners) -> Purchases:
    master = released.master
    if master is not None:
        rows = master.join(owners.owned.frame, left_on="customer", right_on="released")
        rows = rows.with_columns(customer="original").drop("original")
        master = rows.sort(rows.columns).unique("customer", keep="first")
    records = released.under(None).join(owners.owned.frame, left_on="customer", right_on="released")
    return released.with_records(records.with_columns(customer="original").drop("original"), master=master)
