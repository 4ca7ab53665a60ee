"""Deal: look-alikes pool what they bought, and the pool is dealt to them anew.

Padding makes goods sets equal and leaves every real record with its owner, so whoever knows a few records
finds him. Here nothing is added, deleted or altered; only whose a record is changes. The pool of a group is
dealt like cards to its members in random order, so which released history is whose is decided by chance
alone: **whatever an attacker knows of the purchases, in expectation he pairs at most one in s of the
histories of a group of s with the person they are released for**. He may know every record, the groups, and
other releases of the same data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.groups import group_codes
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed
from kakurenbo.deidentify.purchases.clustered import Compacting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]


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

    about: ClassVar = MethodAbout(
        name="deal", kind="purchases", source="ours", promises=("deals",), slot="groups",
        knobs=(Knob.of_size("min_size"), Knob("of", ("receipts", "records"))), example={"min_size": 1},
    )  # fmt: skip

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

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases with the records of each group dealt anew to its members."""
        labels = self.labels(data, chance)
        records = data.by_content()
        unit = _units(records, self.of)
        owner = np.empty(unit.max() + 1, dtype=np.int64)
        owner[unit] = records["customer"].cast(data.records["customer"].dtype).to_physical().to_numpy()
        taker = deal(labels, owner, data.customers, chance)
        dealt = records.with_columns(customer=data.customers.gather(taker[unit]))
        if "receipt" in data.roles:
            dealt = dealt.with_columns(receipt=_apart(records))
        extras = {"dealt": len(owner), "undivided": _undivided(owner, taker)}
        master = data.master
        if master is not None and self.master == "dealt":
            master = _dealt_rows(master, data.customers, labels, chance)
        return Changed(data.with_records(dealt, master=master), Facts.of_groups(labels, extras=extras))


def deal(labels: Ints, owner: Ints, people: pl.Series, chance: Chance) -> Ints:
    """Return for every unit who takes it: a group's units go round its members, who sit in random order.

    The units of one owner are dealt one after another, so that of k units no member of a group of s takes
    more than k/s, rounded up. Which member sits where is drawn apart from how the units lie, and that alone
    makes everybody equally likely to be behind every dealt history.

    Args:
        labels: the group of every person.
        owner: the person every unit belongs to, ascending; everybody has at least one.
        people: their ids.
        chance: the source of chance, by person.
    """
    seats = np.lexsort((chance.numbers("seat", people), labels))
    sizes, group, turn = np.bincount(labels), labels[owner], chance.numbers("turn", people)
    place = np.arange(len(owner)) - _starts(np.bincount(owner))[owner]
    units = chance.numbers("unit", people.gather(owner), place)
    pile = np.lexsort((units, turn[owner], group))
    group = group[pile]
    place = np.arange(len(owner)) - _starts(np.bincount(group))[group]
    taker = np.empty(len(owner), dtype=np.int64)
    taker[pile] = seats[_starts(sizes)[group] + place % sizes[group]]
    return taker


def _dealt_rows(master: pl.DataFrame, people: pl.Series, labels: Ints, chance: Chance) -> pl.DataFrame:
    """Return the master of these people, its rows dealt anew within the groups."""
    seats = np.lexsort((chance.numbers("row of the master", people), labels))
    order = np.argsort(labels, kind="stable")
    own = people.to_frame("customer").join(master, on="customer", maintain_order="left")
    return own[order].with_columns(people.gather(seats).alias("customer")).sort("customer")


def _starts(sizes: Ints) -> Ints:
    """Return where each group begins when all stand in a row."""
    return np.cumsum(sizes) - sizes


def _units(records: pl.DataFrame, of: Literal["receipts", "records"]) -> Ints:
    """Return the number of the unit every record is dealt with, without gaps."""
    visit = next((role for role in ("receipt", "time") if role in records.columns), None)
    if of == "records" or visit is None:
        return np.arange(records.height)
    return group_codes([records], ["customer", visit])[0]


def _apart(records: pl.DataFrame) -> pl.Series:
    """Return receipts that two customers never share: dealt to one person they must not become one."""
    return pl.Series(group_codes([records], ["customer", "receipt"])[0]).cast(pl.String)


def _undivided(owner: Ints, taker: Ints) -> int:
    """Return how many people's units all went to one taker."""
    owners, _ = np.unique(np.stack([owner, taker]), axis=1)
    return int((np.bincount(owners) == 1).sum())
