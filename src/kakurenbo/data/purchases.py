"""Purchases: who bought what, and optionally on which receipt, when, at what price, how many.

The table T of the papers, with an optional master M (one row a customer). It is checked once, here at the
door; everything behind it can trust it: ids are present and encoded, quantities are whole and positive,
prices positive, times exist. The object is immutable, and a method that changes records makes a new one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import polars as pl

from kakurenbo.data import goods_table as goods_tables
from kakurenbo.data.checks import columns, direct, frames, ids, values
from kakurenbo.data.checks import records as door
from kakurenbo.data.checks.numbers import Marks
from kakurenbo.data.checks.policy import CANCELLED, Dropped, Policy
from kakurenbo.data.layout import ROLES, Column, Layout, Role
from kakurenbo.data.table import fingerprint
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.notebook import card

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.source import Source

_REQUIRED: tuple[Role, ...] = ("customer", "goods")


@dataclass(frozen=True, eq=False)
class Purchases:
    """A checked table of purchases.

    Attributes:
        records: one row a purchase; the columns are the roles present (`customer`, `goods`, and any of
            `receipt`, `time`, `price`, `quantity`), ids encoded as Enums.
        master: one row a customer: `customer` and whatever else is known, or None.
        layout: the form the table came in, kept for its release.
        dropped: rows the policy left out, by reason.
        library: of the dataframe it came from; `to_frame` gives the same back.
        keep_master: the columns of the master that a release may hold; all others stay behind.
        source: the file or folder it was read from, None for a table that was made.
        goods_table: one row a good: `goods` and what else is known of it, such as a description or a
            category, or None; it is never released.
        hierarchies: what the words of this table stand for, by `goods` or the column of the master.
    """

    records: pl.DataFrame
    layout: Layout
    master: pl.DataFrame | None = None
    dropped: Dropped = field(default_factory=Dropped)
    library: frames.Library = "polars"
    keep_master: tuple[str, ...] = ()
    source: Source | None = field(default=None, repr=False)
    goods_table: pl.DataFrame | None = field(default=None, repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    kind: ClassVar[Kind] = "purchases"

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - any dataframe is welcome
        *,
        customer: str,
        goods: str,
        receipt: str | None = None,
        time: str | Sequence[str] | None = None,
        price: str | None = None,
        quantity: str | None = None,
        master: Any = None,  # noqa: ANN401 - any dataframe is welcome
        policy: Policy = "refuse",
        cancelled: str = CANCELLED,
        time_format: str | None = None,
        marks: Marks | None = None,
        spelling: Spelling = "refuse",
        layout: Layout | None = None,
        keep_master: Sequence[str] = (),
        keep_direct: Sequence[str] = (),
        goods_columns: Sequence[str] = (),
        goods_table: Any = None,  # noqa: ANN401 - any dataframe is welcome
        hierarchies: Mapping[str, Hierarchy] | None = None,
    ) -> Purchases:
        """Check a dataframe at the door and return it as Purchases.

        Args:
            frame: a polars, pandas or pyarrow dataframe, one row a purchase.
            customer: the column of customer ids; the other roles likewise.
            goods: the column of goods ids.
            receipt: the column of receipt ids.
            time: the column of dates or times; or two columns, the date and the clock, both text.
            price: the column of prices of one piece.
            quantity: the column of whole numbers of pieces.
            master: a dataframe with one row a customer, holding the customer column under the same name.
            policy: what to do with rows that are no purchase: `refuse` or `drop`.
            cancelled: receipts of this prefix and digits are cancellations; empty means none are.
            time_format: strftime pattern of text times, where it cannot be told from the values.
            marks: the marks of text numbers, where they cannot be told from the values.
            spelling: ids that differ only in how they are written: `refuse`, `merge` or `keep` them apart.
            layout: the form of the file the frame was read from; made from the frame when not given.
            keep_master: the columns of the master that may be released; one that looks like a direct
                identifier is refused, unless it is named again in `keep_direct`.
            keep_direct: those that may be released though they look like direct identifiers.
            goods_columns: columns of the frame that speak of the good, such as a description or a category.
            goods_table: a dataframe with one row a good instead, holding the goods column under the same
                name.
            hierarchies: coarser names of goods (`goods`) or of values of the master's columns.
        """
        table, library = frames.to_polars(frame)
        named: dict[Role, str | Sequence[str] | None] = {
            "customer": customer, "receipt": receipt, "time": time,
            "goods": goods, "price": price, "quantity": quantity,
        }  # fmt: skip
        roles = {
            role: (name,) if isinstance(name, str) else tuple(name)
            for role, name in named.items()
            if name is not None
        }
        door.check_roles(table, roles)
        if policy not in get_args(Policy):
            raise ParameterError("The policy must be refuse or drop.", code="parameter")
        known = door.Known(time_format, marks or Marks())
        records, forms, _ = door.converted(table, roles, spelling, known)
        spoken = goods_tables.from_records(records["goods"], table, goods_columns)
        if goods_table is not None:
            spoken = goods_tables.from_frame(goods_table, goods, spelling)
        records, dropped = door.cleaned(records, policy, cancelled, roles)
        if not records.height:
            raise door.nothing_left()
        made = layout or Layout(_columns(table, roles))
        people = None if master is None else master_of(master, customer, spelling)
        if people is not None:
            require_everybody(people, records["customer"])
        check_kept(people, keep_master, keep_direct)
        return cls(
            records=_encoded(records),
            layout=made.in_form(forms),
            master=people,
            dropped=dropped,
            library=library,
            keep_master=tuple(keep_master),
            goods_table=spoken,
            hierarchies=dict(hierarchies or {}),
        )

    @cached_property
    def customers(self) -> pl.Series:
        """The distinct customer ids, sorted; a customer's code is its position here."""
        return ids.categories(self.records["customer"])

    @cached_property
    def goods(self) -> pl.Series:
        """The distinct goods ids, sorted; a good's code is its position here."""
        return ids.categories(self.records["goods"])

    @property
    def people(self) -> pl.Series:
        """The customers."""
        return self.customers

    @property
    def attributes(self) -> pl.DataFrame:
        """What the master says of each customer, in their order; without a master nothing."""
        people = self.customers.to_frame("customer")
        if self.master is None:
            return people.select()
        return people.join(self.master, on="customer", how="left", maintain_order="left").drop("customer")

    @property
    def master_dropped(self) -> tuple[str, ...]:
        """The columns of the master that no release will hold, because nobody named them."""
        there = () if self.master is None else self.master.columns
        return tuple(name for name in there if name not in {"customer", *self.keep_master})

    @property
    def without_purchases(self) -> int:
        """How many people the master knows who bought nothing: they are counted, and not released."""
        return 0 if self.master is None else max(self.master.height - len(self.customers), 0)

    @property
    def master_of_buyers(self) -> pl.DataFrame | None:
        """The rows of the master about people who bought something."""
        if self.master is None or not self.without_purchases:
            return self.master
        return self.master.filter(pl.col("customer").is_in(self.customers.implode()))

    @property
    def left_out(self) -> dict[str, int]:
        """How many rows were not read, by reason."""
        return self.dropped.as_dict()

    @property
    def records_each(self) -> NDArray[np.int64]:
        """How many records every customer has."""
        return self.records.group_by("customer").len().sort("customer")["len"].to_numpy().astype("int64")

    @property
    def shown(self) -> frozenset[str]:
        """The roles, and `master` where there is more of it than the ids."""
        return frozenset(
            [*self.roles, "master"] if self.master is not None and self.master.width > 1 else self.roles
        )

    @property
    def counts(self) -> dict[str, int]:
        """Customers, records, receipts where there are any, and goods."""
        receipts = {} if self.receipts is None else {"receipts": self.receipts}
        return {"customers": len(self.customers), "records": len(self), **receipts, "goods": len(self.goods)}

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles present, in a fixed order."""
        return tuple(role for role in ROLES if role in self.records.columns)

    @cached_property
    def receipts(self) -> int | None:
        """The number of distinct receipts, or None where none are known."""
        return self.records["receipt"].n_unique() if "receipt" in self.roles else None

    def __len__(self) -> int:
        return self.records.height

    def __repr__(self) -> str:
        return (
            f"Purchases({len(self.customers):,} customers, {len(self):,} records, {len(self.goods):,} goods)"
        )

    def _repr_html_(self) -> str:
        """Return counts and roles for a notebook; never a row."""
        columns = ", ".join(f"{self.layout.name_of(role)} ({role})" for role in self.roles)
        return card("Purchases", [*self.counts.items(), ("columns", columns)])

    def baskets(self, *, quantity: bool = False) -> Baskets:
        """Return customers x goods as a sparse matrix: the goods set, or the quantity multiset."""
        from kakurenbo.data.baskets import Baskets  # noqa: PLC0415 - scipy is slow to load

        return Baskets.of(self, "quantity" if quantity else "set")

    def with_records(self, records: pl.DataFrame, *, master: pl.DataFrame | None = None) -> Purchases:
        """Return Purchases of the same layout with other records (columns named by role) and master."""
        if set(records.columns) != set(self.records.columns):
            raise ParameterError("The new records must have the same roles as the old.", code="roles")
        if "quantity" in records.columns:
            pieces = values.counted(records["quantity"], column=self.layout.name_of("quantity"))
            records = records.with_columns(pieces)
        return replace(
            self, records=_encoded(records.select(self.records.columns)), master=master, dropped=Dropped(),
            source=None,
        )  # fmt: skip

    def without(self, names: Collection[str]) -> Purchases:
        """Return the purchases without these roles (never customer or goods) and columns of the master."""
        if not {*_REQUIRED}.isdisjoint(names):
            raise ParameterError("Purchases cannot do without customers and goods.", code="roles")
        roles = [role for role in self.roles if role in names]
        kept = tuple(name for name in self.keep_master if name not in names)
        master = None if self.master is None else self.master.drop(*names, strict=False)
        return replace(
            self, records=self.records.drop(roles), layout=self.layout.without(roles), master=master,
            keep_master=kept, dropped=Dropped(), source=None,
        )  # fmt: skip

    def of(self, people: pl.Series) -> Purchases:
        """Return the purchases of these customers."""
        inside = self.customers.is_in(people.cast(pl.String).implode())
        mask = inside.gather(self.records["customer"].to_physical())
        return self.with_records(self.records.filter(mask), master=self.master)

    def common_with(self, released: Purchases) -> tuple[Purchases, int]:
        """Return the purchases with those columns of the master that the release has too."""
        if self.master is None:
            return self, 0
        there = {"customer"} if released.master is None else set(released.master.columns)
        same = [name for name in self.master.columns if name in there]
        lost = self.master.width - len(same)
        master = self.master.select(same) if len(same) > 1 else None
        return (replace(self, master=master) if lost else self), lost

    def require_columns_of(self, released: Purchases) -> None:
        """Refuse nothing: what a measure needs, it says by roles."""

    def summarised(self, values: Iterable[pl.Expr]) -> pl.DataFrame:
        """Return one row a customer with these values of his records."""
        return self.under(None).group_by("customer").agg(*values).sort("customer").drop("customer")

    def fingerprint(self) -> str:
        """Return the SHA-256 of records, master and hierarchies."""
        trees = (self.hierarchies[name].frame for name in sorted(self.hierarchies))
        return fingerprint(self.under(None), *([] if self.master is None else [self.master]), *trees)

    def by_content(self) -> pl.DataFrame:
        """Return the records with plain text ids, sorted by their content, so that no draw follows rows."""
        return self.records.sort(self.records.columns).with_columns(pl.col(pl.Enum).cast(pl.String))

    def under(self, pairing: Pairing | None) -> pl.DataFrame:
        """Return the records with plain text ids: their own, or the originals that a pairing gives them."""
        plain = self.records.with_columns(pl.col(pl.Enum).cast(pl.String))
        if pairing is None:
            return plain
        names = pairing.frame.rename({"released": "customer"})
        return plain.join(names, on="customer").drop("customer").rename({"original": "customer"})

    def to_frame(self) -> Any:  # noqa: ANN401 - the kind decides the type
        """Return the records under the names they came with, as the kind of dataframe they came in.

        A time that stood in two columns (date and clock) comes back as one, under the first one's name.
        """
        plain = self.under(None)
        names: dict[str, str] = {role: self.layout.name_of(role) for role in self.roles}
        return frames.from_polars(plain.rename(names), self.library)


def turns(records: pl.DataFrame) -> NDArray[np.int64]:
    """Return the place of each record among its customer's, as they stand: what tells their draws apart."""
    return records.select(turn=pl.int_range(pl.len()).over("customer"))["turn"].to_numpy()


def _encoded(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records with customers and goods encoded over exactly the ids present."""
    return records.with_columns(ids.encode(records[role]).alias(role) for role in _REQUIRED)


def _columns(table: pl.DataFrame, roles: dict[Role, tuple[str, ...]]) -> tuple[Column, ...]:
    """Return the columns with a role, in the order of the table; the others are never released."""
    by_name = {name: role for role, names in roles.items() for name in names}
    return tuple(Column(name, by_name[name]) for name in table.columns if name in by_name)


def check_kept(master: pl.DataFrame | None, kept: Sequence[str], consented: Sequence[str]) -> None:
    """Refuse columns of a master that may not be kept, or are not there."""
    if master is not None:
        direct.refuse(master, kept, consented)
    elif kept or consented:
        raise InputError(
            "Columns of a master are to be kept, but there is no master.", code="column-missing",
            parameter="keep_master",
        )  # fmt: skip


def master_of(frame: Any, customer: str, spelling: Spelling) -> pl.DataFrame:  # noqa: ANN401 - any dataframe
    """Return the master with its customer column first and named so, one row a customer."""
    table, _ = frames.to_polars(frame)
    columns.require([customer], table.columns)
    if customer != "customer" and "customer" in table.columns:
        raise InputError("The master has a second column, customer, beside the ids; rename it.", code="roles")
    key = ids.as_text(table[customer], column=customer, spelling=spelling).alias("customer")
    if key.null_count() or key.n_unique() < len(key):
        raise InputError("The master must have one row a customer, each with an id.", code="duplicate-id")
    return table.drop(customer).insert_column(0, key)


def require_everybody(master: pl.DataFrame, buyers: pl.Series) -> None:
    """Refuse a master that does not know all buyers."""
    missing = buyers.unique().is_in(master["customer"].implode()).not_().sum()
    if missing:
        raise InputError(f"{missing} customers of the transactions are not in the master.", code="unknown-id")
