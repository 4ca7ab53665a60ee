"""Two releases whose risk is known beforehand: the verbatim copy, and records that belong to nobody.

A meter is believed when it shows full where it is full and nothing where there is nothing. The copy leaves
ids, rows and receipts as they are, so whoever knows enough to tell a person apart must find him. In the noise
every record (every value, of microdata) is dealt to anybody, under fresh names in a fresh order, so that
nobody can be found but by luck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
import polars as pl

from kakurenbo.data import tokens
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Release

Data = TypeVar("Data", Purchases, Microdata)


def sample(data: Data, people: int, rng: np.random.Generator) -> Data:
    """Return the data of so many people drawn at random, or all of it where there are no more.

    Who has most records is always among them: an attacker who knows k of them can be tried.
    """
    if isinstance(data, Purchases):
        if len(data.customers) <= people:
            return data
        chosen = data.customers.gather(_drawn(data, people, rng))
        mask = data.records["customer"].cast(pl.String).is_in(chosen.implode())
        return data.with_records(data.records.filter(mask), master=data.master)
    if len(data) <= people:
        return data
    rows = pl.Series(rng.permutation(len(data))[:people]).sort()
    return replace(data, records=data.records[rows], ids=data.ids.gather(rows))


def _drawn(data: Purchases, people: int, rng: np.random.Generator) -> list[int]:
    order = rng.permutation(len(data.customers)).tolist()
    longest = int(np.bincount(data.records["customer"].to_physical().to_numpy()).argmax())
    return [longest, *(one for one in order if one != longest)][:people]


def copy(data: Data) -> Release[Data]:
    """Return the data as its own release."""
    if isinstance(data, Purchases):
        return Release(data, Pairing(data.customers, data.customers))
    return Release(data, Pairing(data.ids, data.ids))


def noise(data: Data, rng: np.random.Generator) -> Release[Data]:
    """Return a release in which nothing has to do with its owner."""
    if isinstance(data, Purchases):
        return _dealt(data, rng)
    columns = [column.gather(rng.permutation(len(data))) for column in data.records]
    names = tokens.draw(len(data), rng, avoid=data.ids)
    released = replace(data, records=pl.DataFrame(columns), ids=names.alias("id"), id_column="id")
    return Release(released, Pairing(names, data.ids.gather(rng.permutation(len(data)))))


def _dealt(data: Purchases, rng: np.random.Generator) -> Release[Purchases]:
    """Deal the records round, so that everybody has as many, each on a receipt of its own."""
    people = len(data.customers)
    names = tokens.draw(people, rng, avoid=data.customers)
    records = data.under(None)[rng.permutation(len(data))]
    turn = pl.int_range(0, len(data), eager=True) % people
    records = records.with_columns(names.gather(turn).alias("customer"))
    if "receipt" in data.roles:
        fresh = tokens.draw(len(data), rng, avoid=records["receipt"].unique())
        records = records.with_columns(fresh.alias("receipt"))
    master = data.master
    if master is not None:
        rows = data.customers.to_frame("customer").join(master, on="customer", maintain_order="left")
        master = rows[rng.permutation(people)].with_columns(names.alias("customer"))
    released = data.with_records(records, master=master)
    return Release(released, Pairing(names, data.customers.gather(rng.permutation(people))))
