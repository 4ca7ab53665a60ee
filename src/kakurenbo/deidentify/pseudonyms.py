"""From changed data to a release: fresh ids, fresh receipts, no order left.

Customers get opaque random tokens, receipts are issued anew (two customers never share one), the master
keeps only people who are released, and rows are sorted by their own released content.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data import tokens
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Release

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases


_PERSON = "\0person"  # a name that no column has


def release_purchases(
    purchases: Purchases,
    rng: np.random.Generator,
    facts: Mapping[str, Any] | None = None,
    declared: Pairing | None = None,
) -> Release[Purchases]:
    """Return the purchases under pseudonyms, with the pairing that undoes them.

    Args:
        purchases: what to release, under the ids of its owners.
        rng: the source of chance.
        facts: what the method has to tell.
        declared: owner -> the person he is said to be, where the pairing is a cheat's.
    """
    people = purchases.customers
    pseudonym = tokens.draw(len(people), rng, avoid=people)
    records = purchases.records.with_columns(
        pseudonym.gather(purchases.records["customer"].to_physical()).alias("customer")
    )
    if "receipt" in purchases.roles:
        records = _new_receipts(records, rng)
    master = purchases.master
    if master is not None:
        names = pl.DataFrame({"customer": people, _PERSON: pseudonym})
        master = master.join(names, on="customer").drop("customer").rename({_PERSON: "customer"})
        master = master.select("customer", pl.exclude("customer")).sort("customer")
    data = purchases.with_records(records.sort(records.columns), master=master)
    return Release(data, Pairing(pseudonym, _said_to_be(people, declared)), dict(facts or {}))


def _said_to_be(people: pl.Series, declared: Pairing | None) -> pl.Series:
    if declared is None:
        return people
    return people.to_frame("released").join(declared.frame, on="released", maintain_order="left")["original"]


def _new_receipts(records: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """Issue a random token for each receipt of each customer."""
    keys = ["customer", "receipt"]
    receipts = records.select(keys).unique().sort(keys)
    fresh = tokens.draw(receipts.height, rng, avoid=receipts["receipt"])
    issued = receipts.with_columns(fresh.alias("issued"))
    columns = records.columns
    return records.join(issued, on=keys).drop("receipt").rename({"issued": "receipt"}).select(columns)


def release_microdata(
    microdata: Microdata,
    rng: np.random.Generator,
    facts: Mapping[str, Any] | None = None,
    declared: Pairing | None = None,
) -> Release[Microdata]:
    """Return the microdata sorted by content under new ids: tokens, or row numbers where there was no id.

    `declared` is owner -> the person he is said to be, where the pairing is a cheat's.
    """
    table = microdata.records.with_columns(microdata.ids.alias(_PERSON))
    table = table.sample(fraction=1.0, shuffle=True, seed=int(rng.integers(2**63)))
    table = table.sort(microdata.records.columns, maintain_order=True)
    people = table.drop_in_place(_PERSON)
    people = _said_to_be(people, declared)
    if microdata.id_column:
        fresh = tokens.draw(len(people), rng, avoid=people)
    else:
        fresh = pl.int_range(1, len(people) + 1, eager=True).cast(pl.String)
    data = replace(microdata, records=table, ids=fresh.alias("id"), dropped=0)
    return Release(data, Pairing(fresh, people), dict(facts or {}))
