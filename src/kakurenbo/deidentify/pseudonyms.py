"""From changed data to a release: fresh ids, fresh receipts, no order left.

Customers get opaque random tokens, receipts are issued anew (two customers never share one), the master
keeps only people who are released and only the columns that somebody named, and rows are sorted by their own
released content. Every method ends here, so none can release more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

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
    records = data.records
    if "receipt" in data.roles:
        records = _new_receipts(records, chance)
    records = records.with_columns(
        pseudonyms.gather(data.records["customer"].to_physical()).alias("customer")
    )
    master = _named_columns(data, pl.DataFrame({"customer": people, _PERSON: pseudonyms}))
    released = replace(data.with_records(records.sort(records.columns), master=master), goods_table=None)
    return (
        replace(released, hierarchies=_spoken(data, released.goods.alias("goods"), *released.attributes)),
        pseudonyms,
        people,
    )


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


def _new_receipts(records: pl.DataFrame, chance: Chance) -> pl.DataFrame:
    """Issue a random token for each receipt of each customer, the rows left in place."""
    customer, receipt = (pl.col(role).cast(pl.String) for role in ("customer", "receipt"))
    # The length says where the customer ends: an id may hold any separator.
    keys = records.select(key=pl.concat_str(customer.str.len_bytes(), customer, receipt, separator="\0"))[
        "key"
    ]
    receipts = keys.unique().sort()
    fresh = chance.tokens("receipt", receipts, avoid=records["receipt"].unique())
    return records.with_columns(fresh.gather(keys.cast(pl.Enum(receipts)).to_physical()).alias("receipt"))


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
