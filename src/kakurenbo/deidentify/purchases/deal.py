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
from kakurenbo.data.groups import group_codes, groups
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.purchases.clustered import Compacting
from kakurenbo.errors import ParameterError
from kakurenbo.kernels.clusters import check_clusters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]


class Deal(Compacting):
    """Ours: look-alikes pool their purchases and each is dealt an equal share anew, so no history is his own.

    Groups of at least min_size are found as `compact` does. Two of a group take as many records, give or take
    one, and one person's go to as many others as there are. Records, prices and dates are kept exactly, so
    sums over all customers or over a group stay true.

    **Nobody moves in one piece.** Who has a single record cannot be divided and is left out: it costs one
    record, and released it would be his whole history under another's name. With `of="receipts"` what was
    bought together stays together, but for a receipt that holds more than one in `parts` of its owner's
    records, as that of someone who has no other does: it is divided, which keeps every record and costs
    that one basket. The facts count both (`divided` receipts, `left_out` people), and who still went to one
    other (`undivided`: nobody, in groups of two or more).

    The price: a released history is nobody's. What follows a person through the release (likeness, visits and
    amounts of single customers) is lost, and the judgement of 004 calls the release excessive, as it calls a
    shuffled pairing: it measures how far people are from their records, and here that is the purpose.

    What it does not do: the records themselves are true. Who knows a purchase of somebody finds it, and the
    rest of its receipt where that stayed whole; of single records a time stamp puts it together again, so
    times want to be coarse. What all members of a group bought is known of each. The rows of a master are
    dealt too; kept with their persons they would tell members of a group apart. In the columns named in
    `within` all members of a group are alike, so these stay true of everybody.
    """

    about: ClassVar = MethodAbout(
        name="deal", kind="purchases", reach="group", source="ours", promises=("deals",), slot="groups",
        knobs=(Knob.of_size("min_size"), Knob("of", ("records", "receipts"))), example={"min_size": 1},
    )  # fmt: skip

    of: Literal["records", "receipts"] = Field(
        "records",
        description="what is dealt: single records, or whole receipts, so that what was bought together "
        "stays together (where there are none: what has one customer and time, else records)",
    )

    parts: int = Field(
        3,
        ge=2,
        description="of receipts: one that holds more than one in so many of its owner's records is divided",
    )

    within: tuple[str, ...] = Field(
        (), description="columns of the master in which all members of a group are alike"
    )

    master: Literal["dealt", "kept"] = Field(
        "dealt",
        description="whose a row of the master is: dealt anew in the group, or the person's own, who may be "
        "found by it",
    )

    def model_post_init(self, _: object) -> None:
        """Refuse a number of clusters where there are cells to be clustered apart."""
        if self.within and self.clusters is not None:
            raise ParameterError(
                "Deal: a number of clusters cannot be asked for within cells of the master; leave one out.",
                code="parameter", parameter="clusters",
            )  # fmt: skip

    def together(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases with the records of each group dealt anew to its members."""
        everybody = data
        data = self._divisible(everybody)
        labels = self.labels(data, chance)
        records = data.by_content()
        visits = _visits(records, self.of)
        unit = _divided(records["customer"], visits, self.parts)
        owner = np.empty(unit.max() + 1, dtype=np.int64)
        owner[unit] = records["customer"].cast(data.records["customer"].dtype).to_physical().to_numpy()
        taker = deal(labels, owner, data.customers, chance)
        dealt = records.with_columns(customer=data.customers.gather(taker[unit]))
        if "receipt" in data.roles:
            dealt = dealt.with_columns(receipt=_apart(records))
        master = data.master
        if master is not None and self.master == "dealt":
            master = _dealt_rows(master, data.customers, labels, chance)
        left_out = len(everybody.customers) - len(data.customers)
        extras = {
            "dealt": len(owner), "divided": int((np.bincount(_visit_of(visits, unit)) > 1).sum()),
            "undivided": _undivided(labels, owner, taker), "left_out": left_out,
        }  # fmt: skip
        facts = Facts.of_groups(labels, deleted=len(everybody) - len(data), extras=extras)
        return Changed(data.with_records(dealt, master=master), facts)

    def labels(self, purchases: Purchases, chance: Chance) -> Ints:
        """Return the group of every customer, cell by cell."""
        if not self.within:
            return super().labels(purchases, chance)
        cells = groups(purchases, self.within)
        self.refuse(cells)
        labels = np.empty(len(cells), dtype=np.int64)
        next_label = 0
        for cell in range(cells.max() + 1):
            some = purchases.of(purchases.customers.filter(pl.Series(cells == cell)))
            own = super().labels(some, chance.under("cell", cell))
            labels[cells == cell] = own + next_label
            next_label += own.max() + 1
        return labels

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns named in `within`."""
        return self.within

    def able(self, purchases: Purchases) -> NDArray[np.bool_]:
        """Return who has two records; everybody, where all stay alone."""
        if self.min_size == 1 and self.clusters is None:
            return super().able(purchases)
        return purchases.records_each > 1

    def refuse(self, cells: Ints) -> None:
        """Refuse cells that are too small, and what these people cannot have."""
        sizes = np.bincount(cells, minlength=1)
        small = int((sizes < self.min_size).sum())
        if self.within and small:
            raise ParameterError(
                f"Deal: {small} of {len(sizes)} cells of the master hold fewer than {self.min_size} "
                "people who can be divided. Name fewer columns, coarser ones, or ask for smaller groups.",
                code="parameter", parameter="within",
            )  # fmt: skip
        super().refuse(cells)

    def _divisible(self, data: Purchases) -> Purchases:
        """Return the purchases of those who can be divided."""
        check_clusters(len(data.customers), self.clusters, self.min_size)
        able = data.customers.filter(pl.Series(self.able(data)))
        if len(able) < self.min_size:
            raise ParameterError(
                f"Deal: only {len(able)} people have more than one record and can be divided; min_size is "
                f"{self.min_size}.",
                code="parameter", parameter="min_size",
            )  # fmt: skip
        return data if len(able) == len(data.customers) else data.of(able)


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


def _visits(records: pl.DataFrame, of: Literal["records", "receipts"]) -> Ints:
    """Return the number of the receipt, visit or single record that every record belongs to, without gaps."""
    visit = next((role for role in ("receipt", "time") if role in records.columns), None)
    if of == "records" or visit is None:
        return np.arange(records.height)
    return group_codes([records], ["customer", visit])[0]


def _divided(people: pl.Series, visits: Ints, parts: int) -> Ints:
    """Return the number of the unit every record is dealt with: a visit, or a piece of one that is too large.

    A visit is too large that holds more than one in `parts` of its person's records, rounded up; it is
    divided into as few pieces as keep that, of as many records each, give or take one.
    """
    table = pl.DataFrame({"person": people, "visit": visits})
    table = table.with_columns(
        most=(pl.len().over("person") + parts - 1) // parts, held=pl.len().over("visit"),
        place=pl.int_range(pl.len()).over("visit"),
    )  # fmt: skip
    pieces = (pl.col("held") + pl.col("most") - 1) // pl.col("most")
    return group_codes([table.with_columns(piece=pl.col("place") % pieces)], ["visit", "piece"])[0]


def _visit_of(visits: Ints, unit: Ints) -> Ints:
    """Return the visit of every unit."""
    whose = np.empty(unit.max() + 1, dtype=np.int64)
    whose[unit] = visits
    return whose


def _apart(records: pl.DataFrame) -> pl.Series:
    """Return receipts that two customers never share: dealt to one person they must not become one."""
    return pl.Series(group_codes([records], ["customer", "receipt"])[0]).cast(pl.String)


def _undivided(labels: Ints, owner: Ints, taker: Ints) -> int:
    """Return how many people of groups of two or more had all their units go to one taker."""
    owners, _ = np.unique(np.stack([owner, taker]), axis=1)
    return int((np.bincount(owners) == 1)[np.bincount(labels)[labels] > 1].sum())
