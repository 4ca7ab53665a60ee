"""Deal: look-alikes pool what they bought, and the pool is dealt to them anew.

Padding makes goods sets equal and leaves every real record with its owner, so whoever knows a few records
finds him. Here nothing is added, deleted or altered; only whose a record is changes. The pool of a group is
dealt like cards to its members in random order, so which released history is whose is decided by chance
alone: **whatever an attacker knows of the purchases, in expectation he pairs at most one in s of the
histories of a group of s with the person they are released for**. He may know every record, the groups, and
other releases of the same data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.data.groups import group_codes
from kakurenbo.deidentify.base import ChangedPurchases
from kakurenbo.deidentify.purchases.clustered import Compacting
from kakurenbo.deidentify.purchases.padding import cluster_facts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases


class Deal(Compacting):
    """Ours: look-alikes pool their purchases and each is dealt an equal share anew, so no history is his own.

    Groups of at least min_size are found as `compact` does. Everybody gets at least one receipt, two of a
    group differ by at most one, and one person's receipts go to as many others as there are. All records,
    prices, dates and (with receipts) baskets are kept exactly, so sums over all customers or over a group
    stay true.

    The price: a released history is nobody's. What follows a person through the release (likeness, visits and
    amounts of single customers) is lost, and the judgement of 004 calls the release excessive, as it calls a
    shuffled pairing: it measures how far people are from their records, and here that is the purpose.

    What it does not do: the records themselves are true. Who knows a purchase of somebody finds it, and with
    it the rest of the receipt. Someone with a single receipt goes to another **in one piece**, as in 004's
    cheats; `undivided` in the facts counts such people, and dealing single records leaves hardly any. What
    all members of a group bought is known of each. The rows of a master are dealt too; kept with their
    persons they would tell members of a group apart.
    """

    of: Literal["receipts", "records"] = Field(
        "receipts",
        description="what is dealt: whole receipts, so that what was bought together stays together (where "
        "there are none: what has one customer and time, else records), or single records",
    )

    master: Literal["dealt", "kept"] = Field(
        "dealt",
        description="whose a row of the master is: dealt anew in the group, or the person's own, who may be "
        "found by it",
    )

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the purchases with the records of each group dealt anew to its members."""
        labels = self.labels(purchases, rng)
        records = purchases.records.sort(purchases.records.columns)
        unit = _units(records, self.of)
        owner = np.empty(unit.max() + 1, dtype=np.int64)
        owner[unit] = records["customer"].to_physical().to_numpy()
        taker = deal(labels, owner, rng)
        dealt = records.with_columns(customer=purchases.customers.gather(taker[unit]))
        if "receipt" in purchases.roles:
            dealt = dealt.with_columns(receipt=_apart(records))
        counts = {"dummies": 0, "deleted": 0, "dealt": len(owner), "undivided": _undivided(owner, taker)}
        master = purchases.master
        if master is not None and self.master == "dealt":
            master = _dealt_rows(master, purchases.customers, labels, rng)
        data = purchases.with_records(dealt, master=master)
        return ChangedPurchases(data, {**cluster_facts(labels), **counts})


def deal(labels: NDArray[np.int64], owner: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return for every unit who takes it: a group's units go round its members, who sit in random order.

    The units of one owner are dealt one after another, so that of k units no member of a group of s takes
    more than k/s, rounded up. Which member sits where is drawn apart from how the units lie, and that alone
    makes everybody equally likely to be behind every hand.

    Args:
        labels: the group of every person.
        owner: the person every unit belongs to; everybody has at least one.
        rng: the source of chance.
    """
    seats = np.lexsort((rng.random(len(labels)), labels))
    sizes, group, turn = np.bincount(labels), labels[owner], rng.random(len(labels))
    pile = np.lexsort((rng.random(len(owner)), turn[owner], group))
    group = group[pile]
    place = np.arange(len(owner)) - _starts(np.bincount(group))[group]
    taker = np.empty(len(owner), dtype=np.int64)
    taker[pile] = seats[_starts(sizes)[group] + place % sizes[group]]
    return taker


def _dealt_rows(
    master: pl.DataFrame, people: pl.Series, labels: NDArray[np.int64], rng: np.random.Generator
) -> pl.DataFrame:
    """Return the master of these people, its rows dealt anew within the groups."""
    seats, order = np.lexsort((rng.random(len(labels)), labels)), np.argsort(labels, kind="stable")
    own = people.to_frame("customer").join(master, on="customer", maintain_order="left")
    return own[order].with_columns(people.gather(seats).alias("customer")).sort("customer")


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each group begins when all stand in a row."""
    return np.cumsum(sizes) - sizes


def _units(records: pl.DataFrame, of: Literal["receipts", "records"]) -> NDArray[np.int64]:
    """Return the number of the unit every record is dealt with, without gaps."""
    visit = next((role for role in ("receipt", "time") if role in records.columns), None)
    if of == "records" or visit is None:
        return np.arange(records.height)
    return group_codes([records], ["customer", visit])[0]


def _apart(records: pl.DataFrame) -> pl.Series:
    """Return receipts that two customers never share: dealt to one person they must not become one."""
    return pl.Series(group_codes([records], ["customer", "receipt"])[0]).cast(pl.String)


def _undivided(owner: NDArray[np.int64], taker: NDArray[np.int64]) -> int:
    """Return how many people's units all went to one taker."""
    owners, _ = np.unique(np.stack([owner, taker]), axis=1)
    return int((np.bincount(owners) == 1).sum())
