"""From changed data to a release: fresh ids, fresh receipts, no order left.

Customers get opaque random tokens, receipts are issued anew (two customers never share one), the master
keeps only people who are released and only the columns that somebody named, and rows are sorted by their own
released content. Every method ends here, so none can release more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.checks.ids import coded
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

_PERSON = "\0person"  # a name that no column has


def _purchases(data: Purchases, chance: Chance) -> tuple[Purchases, pl.Series, pl.Series]:
    people = data.customers
    pseudonyms = chance.tokens("pseudonym", people, avoid=people)
    receipts = None
    if "receipt" in data.roles:
        receipts = Receipts.of(data.records)
        receipts = receipts.under(chance.tokens("receipt", receipts.keys, avoid=receipts.old))
    released = renamed(data, pseudonyms, receipts)
    records = released.records.sort(released.records.columns)
    return replace(released, records=records), pseudonyms, people


@dataclass(frozen=True, eq=False)
class Receipts:
    """The receipts of every customer, each of which gets a new name.

    Attributes:
        pairs: (customer, receipt), the customer's code and the old id, each pair once.
        keys: what tells the receipt of one customer from all others; their draws depend on it.
        names: the new ids, once they are drawn.
    """

    pairs: pl.DataFrame
    keys: pl.Series
    names: pl.Series | None = None

    @classmethod
    def of(cls, records: pl.DataFrame) -> Receipts:
        """Return the receipts of these records."""
        codes = pl.col("customer").to_physical()
        pairs = records.select("customer", "receipt").unique(maintain_order=True)
        customer, receipt = (pl.col(role).cast(pl.String) for role in ("customer", "receipt"))
        # The length says where the customer ends: an id may hold any separator.
        key = pl.concat_str(customer.str.len_bytes(), customer, receipt, separator="\0")
        return cls(pairs.select(codes, "receipt"), pairs.select(key=key)["key"])

    @property
    def old(self) -> pl.Series:
        """The old ids, each once."""
        return self.pairs["receipt"].unique()

    def under(self, names: pl.Series) -> Receipts:
        """Return the receipts with their new ids."""
        return replace(self, names=names)

    def of_each(self, records: pl.DataFrame) -> pl.Series:
        """Return the new id of every record's receipt."""
        names = self.pairs.with_columns(pl.Series("\0new", self.names))
        held = records.select(pl.col("customer").to_physical(), "receipt")
        return held.join(names, on=["customer", "receipt"], how="left", maintain_order="left")["\0new"]


def renamed(data: Purchases, pseudonyms: pl.Series, receipts: Receipts | None) -> Purchases:
    """Return the purchases under new names, with nothing of them that is not released.

    Args:
        data: the changed purchases.
        pseudonyms: of the customers, in their order.
        receipts: with their new names, where there are any.
    """
    records = data.records
    if receipts is not None:
        records = records.with_columns(receipts.of_each(records).alias("receipt"))
    names = coded(data.records["customer"].to_physical(), pseudonyms)
    records = records.with_columns(names.alias("customer"))
    master = _named_columns(data, pl.DataFrame({"customer": data.customers, _PERSON: pseudonyms}))
    released = replace(data.with_records(records, master=master), goods_table=None)
    return replace(released, hierarchies=_spoken(data, released.goods.alias("goods"), *released.attributes))


def _spoken(data: Table, *columns: pl.Series) -> dict[str, Hierarchy]:
    """Return the hierarchies of columns that a release shows in coarser words; others it does not need."""
    shown = {column.name: column for column in columns}
    return {
        name: tree for name, tree in data.hierarchies.items() if name in shown and _coarser(shown[name], tree)
    }


def _coarser(shown: pl.Series, tree: Hierarchy) -> bool:
    """Whether there are words of a hierarchy in a column that are none of its values."""
    words = tree.words.filter(tree.words.is_in(tree.frame["value"].implode()).not_())
    return bool(shown.cast(pl.String).is_in(words.implode()).any())


def _named_columns(data: Purchases, names: pl.DataFrame) -> pl.DataFrame | None:
    """Return the master under new names with the columns that may be released; without any there is none."""
    if data.master is None:
        return None
    kept = [name for name in data.master.columns if name in data.keep_master]
    if not kept:
        return None
    master = data.master.select("customer", *kept).join(names, on="customer").drop("customer")
    return master.select(pl.col(_PERSON).alias("customer"), *kept).sort("customer")


def _microdata(data: Microdata, chance: Chance) -> tuple[Microdata, pl.Series, pl.Series]:
    """Sort by content, equals by lot; the new ids are tokens, or row numbers where there was no id."""
    drawn = pl.Series("\0lot", chance.numbers("place", data.ids))
    table = data.records.with_columns(data.ids.alias(_PERSON), drawn)
    table = table.sort([*data.records.columns, "\0lot"]).drop("\0lot")
    people = table.drop_in_place(_PERSON)
    if data.id_column:
        fresh = chance.tokens("pseudonym", people, avoid=people)
    else:
        fresh = pl.int_range(1, len(people) + 1, eager=True).cast(pl.String)
    trees = _spoken(data, *table)
    released = replace(data, records=table, ids=fresh.alias("id"), dropped=0, source=None, hierarchies=trees)
    return released, fresh, people


# The table under pseudonyms, with the pseudonyms and the people they stand for, side by side.
new_names: ByKind[tuple[Any, pl.Series, pl.Series]] = ByKind(purchases=_purchases, microdata=_microdata)
