"""The files of a release of purchases: transactions T, a master M and the pairing P."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from kakurenbo.contest.judging import pairs
from kakurenbo.contest.judging.catalogued import Asked
from kakurenbo.contest.judging.columns import check_numbers, check_times, ids_of
from kakurenbo.contest.judging.faults import WORDS
from kakurenbo.contest.judging.reading import PAIRING, Reading
from kakurenbo.contest.judging.shop import NUMBERS
from kakurenbo.data.checks.values import LARGEST_PRICE
from kakurenbo.data.purchases import Purchases

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.contest.judging.cells import Cells
    from kakurenbo.contest.judging.formats import Files
    from kakurenbo.contest.judging.shop import Shop
    from kakurenbo.contest.rules import Rules
    from kakurenbo.data.layout import Role

    Roles = dict[Role, tuple[str, ...]]

_REQUIRED: Final = ("customer", "goods")
_IDS: Final = ("customer", "goods", "receipt")


class ShopReading(Reading[Purchases]):
    """A submission of purchases being read."""

    names: ClassVar = {"T": ("t", "transactions"), "M": ("m", "master"), "P": PAIRING}
    main: ClassVar = "T"

    def __init__(self, rules: Rules, shop: Shop, files: Files) -> None:
        super().__init__(rules, shop, files)
        self._shop = shop
        self._needs = Asked.of(rules).needs

    @property
    def wanted(self) -> tuple[str, ...]:
        """Transactions and pairing, and a master where a measure looks at it."""
        return ("T", "P", "M") if "master" in self._needs else ("T", "P")

    @property
    def person(self) -> str:
        """The column of customers."""
        return self._shop.roles["customer"][0]

    def check(self) -> pl.Series | None:
        """Check transactions and master; return the customer of every transaction."""
        cells = self.taken_apart("T", self._shop.form, {name: name for name in self._shop.columns})
        customers = None if cells is None else self._transactions(cells)
        master = None
        if self._shop.master:
            master = self.taken_apart("M", self._shop.master_form, self._shop.master)
        if master is not None:
            self._master(master, customers)
        return customers

    def _transactions(self, cells: Cells) -> pl.Series | None:
        self.check_kept(cells, len(self._shop.data))
        shown = self._shown(cells)
        for role in self._shop.roles:
            if role not in shown and role in {*_REQUIRED, *self._needs}:
                self.faults.add(cells.file, "column-missing", f"{WORDS['column-missing']}: {role}")
        for role, names in shown.items():
            self._values(cells, role, names)
        return self._ids(cells, shown)

    def _shown(self, cells: Cells) -> Roles:
        """Return the roles that a release shows: where no header names columns, one left out is empty."""
        bare = () if cells.form.header else cells.names
        empty = {name for name in bare if not cells.text(name).is_not_null().any()}
        there = {*cells.names} - empty
        return {role: names for role, names in self._shop.roles.items() if {*names} <= there}

    def _ids(self, cells: Cells, shown: Roles) -> pl.Series | None:
        """Check customers, goods and receipts; return the customers."""
        shop, found = self._shop, dict[str, "pl.Series"]()
        for role in (role for role in _IDS if role in shown):
            found[role] = ids_of(cells, shown[role][0], self.faults, spelling=shop.spelling)
        if "customer" in found:
            own = found["customer"].is_in(shop.people.implode())
            cells.blame(self.faults, "original-id", own, shown["customer"][0])
        if "goods" in found and self.rules.hide.known_goods:
            foreign = found["goods"].is_not_null() & ~found["goods"].is_in(shop.data.goods.implode())
            cells.blame(self.faults, "unknown-good", foreign, shown["goods"][0])
        return found.get("customer")

    def _values(self, cells: Cells, role: Role, names: tuple[str, ...]) -> None:
        """Check numbers and times of a role."""
        written = self._shop.written
        if role == "time":
            for name, clock in zip(names, (False, True), strict=False):
                check_times(cells, name, self.faults, written[name].pattern, clock=clock)
        elif role in NUMBERS:
            check_numbers(
                cells, names[0], self.faults, written[names[0]].number, largest=LARGEST_PRICE, positive=True,
                whole=role == "quantity",
            )  # fmt: skip

    def _master(self, cells: Cells, customers: pl.Series | None) -> None:
        """Check the master: one row for every customer of the transactions, and no other."""
        if self.person not in cells.names:
            self.faults.add(cells.file, "column-missing", f"{WORDS['column-missing']}: customer")
            return
        ids = ids_of(cells, self.person, self.faults, spelling=self._shop.spelling)
        cells.blame(self.faults, "duplicate-id", pairs.again(ids), self.person)
        if customers is not None:
            nobody = ids.is_not_null() & ~ids.is_in(customers.implode())
            cells.blame(self.faults, "not-in-table", nobody, self.person)
            self.blame_first("not-in-master", customers, ids)

    def data(self) -> Purchases:
        """Return the purchases that were released."""
        shop, cells, master = self._shop, self.tables["T"], self.tables.get("M")
        shown = self._shown(cells)
        roles: dict[str, Any] = {
            role: names[0] if len(names) == 1 else names for role, names in shown.items()
        }
        return Purchases.from_frame(
            cells.frame, **roles, master=None if master is None else master.frame, cancelled="",
            time_format=shop.time_format, marks=shop.marks, spelling=shop.spelling,
            layout=shop.data.layout.without([role for role in shop.roles if role not in shown]),
        )  # fmt: skip
