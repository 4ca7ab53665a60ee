"""Two releases whose risk is known beforehand: the verbatim copy, and records that belong to nobody.

A proof is believed when it shows full where it is full and nothing where there is nothing. The copy leaves
ids, rows and receipts as they are, so whoever knows enough to tell a person apart must find him. In the noise
every record (every value, of microdata) is dealt to anybody, under fresh names in a fresh order, so that
nobody can be found but by luck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Release
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data


def sample(data: Data, people: int, chance: Chance) -> Data:
    """Return the data of so many people drawn at random, or all of it where there are no more.

    Who has most records is always among them: an attacker who knows k of them can be tried.
    """
    if len(data.people) <= people:
        return data
    order, longest = chance.order("sample", data.people), int(data.records_each.argmax())
    return data.of(data.people.gather([longest, *order[order != longest][: people - 1].tolist()]))


def copy(data: Data) -> Release[Data]:
    """Return the data as its own release."""
    return Release(data, Pairing(data.people, data.people))


def _under_fresh_names(released: Any, names: pl.Series, people: pl.Series, chance: Chance) -> Release[Any]:  # noqa: ANN401 - either kind
    return Release(released, Pairing(names, people.gather(chance.order("owner", people))))


def _shuffled(data: Microdata, chance: Chance) -> Release[Microdata]:
    columns = [column.gather(chance.order(f"column {column.name}", data.ids)) for column in data.records]
    names = chance.tokens("pseudonym", data.ids, avoid=data.ids)
    released = replace(data, records=pl.DataFrame(columns), ids=names.alias("id"), id_column="id")
    return _under_fresh_names(released, names, data.ids, chance)


def _dealt(data: Purchases, chance: Chance) -> Release[Purchases]:
    """Deal the records round, so that everybody has as many, each on a receipt of its own."""
    people, rng = data.customers, chance.stream("records")
    names = chance.tokens("pseudonym", people, avoid=people)
    records = data.by_content()[rng.permutation(len(data))]
    records = records.with_columns(names.gather(np.arange(len(data)) % len(people)).alias("customer"))
    if "receipt" in data.roles:
        numbers = pl.int_range(len(data), eager=True).cast(pl.String)
        fresh = chance.tokens("receipt", numbers, avoid=records["receipt"].unique())
        records = records.with_columns(fresh.alias("receipt"))
    master = data.master
    if master is not None:
        rows = people.to_frame("customer").join(master, on="customer", maintain_order="left")
        master = rows[chance.order("row of the master", people)].with_columns(names.alias("customer"))
    return _under_fresh_names(data.with_records(records, master=master), names, people, chance)


# A release in which nothing has to do with its owner.
noise: ByKind[Release[Any]] = ByKind(purchases=_dealt, microdata=_shuffled)
