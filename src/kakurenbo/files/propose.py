"""Propose which column plays which role, from what columns are called and what stands in them.

Nobody should have to name the columns of a table that says itself what they are, and nobody should get an
answer about the wrong column. So a proposal says of every role how sure it is:

- **sure**: the name speaks of the role, the content agrees, and no other column fits as well; it is taken;
- **likely**: the content speaks and the name does not, or which columns tell of people is for their owner
  to say (microdata): it is taken when somebody says yes;
- **open**: two columns fit equally well, none does, or name and content contradict each other: somebody has
  to name the column.

Each role has a small function below that says which columns can play it, the best first. Values are looked at
and never repeated: a proposal shows forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from kakurenbo.errors import InputError
from kakurenbo.files import words
from kakurenbo.files.headers import names_columns
from kakurenbo.files.looks import look, spread
from kakurenbo.files.measured_roles import Measured
from kakurenbo.files.placing import IDS, SAME
from kakurenbo.files.proposal import Doubt, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from kakurenbo.data.layout import Role
    from kakurenbo.files.looks import Look
    from kakurenbo.files.proposal import Kind, Surety
    from kakurenbo.files.tables import Table


_MOSTLY = 0.5
_LEAST_KNOWN = 2  # columns that speak of a person, to take a table for one of people
_CANDIDATES = 8


def propose(
    table: Table,
    *,
    given: Mapping[Role, tuple[str, ...]] | None = None,
    original: Mapping[str, pl.Series] | None = None,
) -> Proposal:
    """Return what a table seems to be.

    Args:
        table: the table, opened.
        given: roles that somebody named; they stand.
        original: for the release of an original, the ids of its customers and goods.
    """
    seen = [look(column) for column in _columns(table)]
    trusted = table.header and names_columns(table)
    return _Proposer(
        seen, header=table.header, trusted=trusted, given=dict(given or {}), original=original or {}
    ).proposal()


def _columns(table: Table) -> Iterable[pl.Series]:
    """Return the columns that hold plain values."""
    try:
        return table.load(table.names).get_columns()
    except InputError as error:
        if error.code != "frame":
            raise
    return [column for name in table.names for column in _plain(table, name)]


def _plain(table: Table, name: str) -> list[pl.Series]:
    try:
        return table.load([name]).get_columns()
    except InputError:
        return []


class _Proposer(Measured):
    """Places the roles one after the other, the surest first; a column that has one is not asked again."""

    def proposal(self) -> Proposal:
        if self._is_microdata():
            return self._microdata()
        for role, names in self.given.items():
            self._place(role, names, "named", "sure")
        self._goods_by_values()
        self._customer_by_name()
        self._goods_by_name()
        self._measured()
        self._receipt()
        self._ids_by_content()
        self._check_required()
        return self._made("purchases", self._policy())

    def _is_microdata(self) -> bool:
        told = [self.speaks[one.name][0] for one in self.seen]
        bought = {"goods", "receipt", "named"} & set(told)
        people = [one for one in self.seen if self.speaks[one.name][0] in {"qi", "sa"}]
        one_each = all(
            one.distinct == len(one.values)
            for one in self.seen
            if self.speaks[one.name] == ("customer", True)
        )
        return (
            not self.given and not self.original and not bought and len(people) >= _LEAST_KNOWN and one_each
        )

    def _microdata(self) -> Proposal:
        of = {
            role: tuple(o.name for o in self.seen if self.speaks[o.name][0] == role) for role in ("qi", "sa")
        }
        unique = [
            o.name
            for o in self.seen
            if o.kind in IDS and o.distinct == len(o.values) and o.name not in {*of["qi"], *of["sa"]}
            and (self.speaks[o.name][0] == "customer" or words.folded(o.name).split()[-1] in {"id", "no"})
        ]  # fmt: skip
        self._place("qi", of["qi"], "the names speak of what others know of a person", "likely")
        self._place("sa", of["sa"], "the names speak of what nobody else should learn", "likely")
        if unique:
            self._place("id", (unique[0],), "every row has its own", "likely")
        left = [one.name for one in self.seen if one.name not in self._taken()]
        others = f" (columns that would not be read: {len(left)})" if left else ""
        question = (
            f"One row seems to be one person: are the quasi-identifiers {_and(of['qi'])}, and sensitive "
            f"{_and(of['sa']) if of['sa'] else 'none'}{others}?"
        )
        self.doubts.append(Doubt(question, "qi", open=False))
        return self._made("microdata", None)

    def _made(self, kind: Kind, policy: Literal["drop"] | None) -> Proposal:
        spoken = tuple(
            one.name
            for one in self.seen
            if kind == "purchases" and one.name not in self._taken() and self._speaks_of_goods(one)
        )
        left = tuple(one.name for one in self.seen if one.name not in {*self._taken(), *spoken})
        forms = {one.name: one.form for one in self.seen}
        doubts = tuple(sorted(self.doubts, key=lambda doubt: not doubt.open))
        return Proposal(
            kind, tuple(self.parts.values()), doubts, spoken, left, forms, policy, self.header, self.trusted
        )

    def _speaks_of_goods(self, one: Look) -> bool:
        """Tell whether a column says something of the good, and the same wherever the good stands."""
        goods = self._of("goods")
        told = self.speaks[one.name][0] in {"spoken", "named"}
        return told and one.kind != "empty" and goods is not None and spread(goods, one) < 2

    def _goods_by_values(self) -> None:
        """The goods of a release are those of its original, whatever their column is called."""
        if "goods" in self.parts or "goods" not in self.original:
            return
        known = self.original["goods"].implode()
        shares = {
            one.name: one.present.unique().is_in(known).mean() or 0.0
            for one in self.seen
            if one.kind in IDS and one.name not in self._taken()
        }
        best = max(shares, key=shares.__getitem__, default="")
        if best and shares[best] >= _MOSTLY:  # type: ignore[operator] # a share of booleans
            self._place("goods", (best,), "it holds goods of the original", "sure")

    def _customer_by_name(self) -> None:
        if "customer" in self.parts:
            return
        named = self._free("customer", only=True) or self._free("customer")
        ids = [one for one in named if one.kind in IDS]
        fitting = [one for one in ids if one.repeats]
        sure: Surety = "sure" if self._free("customer", only=True) else "likely"
        self._one_of("customer", fitting, "its name speaks of customers, who come again", sure)
        if named and not fitting and not self.original:
            first = named[0]
            reason = "is no id" if first.kind not in IDS else "differs in nearly every row"
            self._place("customer", (first.name,), f"its name speaks of customers, but it {reason}", "likely")
            self.doubts.append(
                Doubt(
                    f"Is {self._called(first.name)} the customer, though it {reason}?",
                    "customer",
                    open=not ids,
                )
            )

    def _goods_by_name(self) -> None:
        if "goods" in self.parts:
            return
        customer = self._of("customer")
        fitting = [
            one
            for one in self._free("goods", only=True) or self._free("named") or self._free("goods", "spoken")
            if one.kind in IDS
            and one.distinct > 1
            and (customer is None or self._bought_by_several(one, customer))
        ]
        speaks = {self.speaks[one.name][0] for one in fitting}
        sure: Surety = "likely" if speaks & {"spoken"} else "sure"
        self._one_of("goods", fitting, "its name speaks of goods, which several people buy", sure)

    def _bought_by_several(self, goods: Look, customer: Look) -> bool:
        """Tell whether a column varies within people: what does not is an attribute of theirs."""
        return spread(customer, goods) > 1 or goods.distinct > customer.distinct

    def _receipt(self) -> None:
        """A receipt is one person's."""
        if "receipt" in self.parts:
            return
        customer = self._of("customer")
        if customer is None:
            return
        named = [
            one
            for one in self._free("receipt", only=True) or self._free("receipt")
            if one.kind in IDS and one.distinct > 1
        ]
        own = [one for one in named if spread(one, customer) <= SAME and one.distinct >= customer.distinct]
        self._one_of("receipt", own, "its name speaks of receipts, and each is one customer's")
        if named and not own:
            name = self._called(named[0].name)
            several = f"{name} is called like receipts, but each belongs to several customers"
            self.doubts.append(Doubt(f"{several}; is it one?", "receipt", open=False))

    def _ids_by_content(self) -> None:
        """Where names do not speak: a receipt is one person's, who has several, and goods are anybody's."""
        missing = [role for role in ("customer", "goods") if role not in self.parts]
        if not missing:
            self._receipt_by_content()
            return
        ids = [
            one for one in self._free("", "goods", "customer", "receipt") if one.kind in IDS and one.repeats
        ]
        ids = ids[:_CANDIDATES]
        if missing == ["customer"] and self.original:
            self._customer_of_release(ids)
        elif missing == ["customer"]:
            self._customer_by_receipts(ids)
        elif missing == ["goods"]:
            self._one_of(
                "goods", [o for o in ids if self._anybodys(o)], "it stands with many customers", "likely"
            )
        else:
            self._customer_by_receipts(ids)
            rest = [one for one in ids if one.name not in self._taken()]
            if "customer" in self.parts:
                self._one_of(
                    "goods", [o for o in rest if self._anybodys(o)], "several people buy it", "likely"
                )
        if "customer" in self.parts:
            self._receipt()
            self._receipt_by_content()

    def _anybodys(self, one: Look) -> bool:
        customer = self._of("customer")
        return customer is None or (spread(one, customer) > SAME and spread(customer, one) > SAME)

    def _customer_by_receipts(self, ids: list[Look]) -> None:
        """A customer is who has several receipts, each of which is his alone."""
        receipt = self._of("receipt")
        inner = (
            [receipt]
            if receipt
            else [o for o in self.seen if o.kind in IDS and o.repeats and o.name not in self._taken()]
        )
        owners = [
            one
            for one in ids
            if any(r is not one and r.distinct > one.distinct and spread(r, one) <= SAME for r in inner)
        ]
        finest = sorted(owners, key=lambda one: -one.distinct)[:1]
        self._one_of("customer", finest, "it has several receipts, each its own", "likely")

    def _customer_of_release(self, ids: list[Look]) -> None:
        """As many names as the original has customers, or its customers themselves."""
        known = self.original.get("customer")
        if known is None:
            return
        count = len(known)
        near = [one for one in ids if count <= 2 * one.distinct <= 4 * count]
        receipts = [one for one in self._free("receipt") if one.kind in IDS]
        owners = [one for one in near if any(r is not one and spread(r, one) <= SAME for r in receipts)]
        near = owners or near
        inner = [
            one
            for one in near
            if not any(spread(one, other) <= SAME and other.distinct < one.distinct for other in near)
        ]
        self._one_of("customer", inner, "it has as many values as the original has customers")

    def _receipt_by_content(self) -> None:
        customer = self._of("customer")
        if "receipt" in self.parts or customer is None:
            return
        nested = [
            one
            for one in self._free("", "receipt")
            if one.kind in IDS and one.repeats and one.distinct > customer.distinct
            and spread(one, customer) <= SAME < spread(customer, one)
        ]  # fmt: skip
        if self.silent or self.original:
            self._one_of("receipt", nested[:1], "each is one customer's", self._by_content)

    def _check_required(self) -> None:
        if len(self.seen) == 1:
            question = "The table has only one column: does something else stand between its fields?"
            self.doubts = [Doubt(question, "separator", open=True)]
            return
        if self.silent and self.trusted and not self.original and not {"customer", "goods"} & set(self.parts):
            question = (
                "Is one row one person? Then name what others know of a person, the quasi-identifiers. If it "
                "is one purchase, name the customer and the goods"
            )
            self.doubts = [Doubt(f"{question}.", "qi", open=True)]
            return
        for role in ("customer", "goods"):
            part = self.parts.get(role)
            if part is None:
                spare = [one.name for one in self._free("", "customer", "goods", "named", "receipt")][
                    :_CANDIDATES
                ]
                among = f" ({', '.join(map(self._called, spare))})" if spare else ""
                self.doubts.append(Doubt(f"Which column is the {role}{among}?", role, open=True))
        unsure = [
            part for part in self.parts.values()
            if part.sure == "likely" and not any(doubt.parameter == part.role for doubt in self.doubts)
        ]  # fmt: skip
        if unsure:
            told = ", ".join(
                f"{part.role} {' and '.join(map(self._called, part.columns))}" for part in unsure
            )
            self.doubts.append(Doubt(f"Is this right: {told}?", unsure[0].role, open=False))

    def _policy(self) -> Literal["drop"] | None:
        ids = [self._of(role) for role in ("customer", "goods", "receipt")]
        if any(one is not None and len(one.present) < len(one.values) for one in ids):
            return "drop"
        measured = [self._of(role) for role in ("quantity", "price")]
        if any(one is not None and bool((one.numbers <= 0).any()) for one in measured):
            return "drop"
        receipt = self._of("receipt")
        return (
            "drop" if receipt is not None and bool(receipt.present.str.contains("^C[0-9]+$").any()) else None
        )


def _and(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
