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

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from kakurenbo.data.layout import ROLES
from kakurenbo.errors import InputError
from kakurenbo.files import words
from kakurenbo.files.looks import Look, look, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kakurenbo.data.layout import Role
    from kakurenbo.files.tables import Table

Kind = Literal["purchases", "microdata"]
Surety = Literal["sure", "likely", "open"]

_IDS = ("whole", "text")
_MOST_ROWS = 20_000  # that are compared as numbers
_SAME = 1.02  # on the average one: a slip of the pen apart
_NEAR = 0.02  # of an amount, that it may differ from price times quantity
_MOSTLY = 0.5
_MANY_PIECES = 12  # the middle quantity of a line of a receipt is smaller
_LEAST_KNOWN = 2  # columns that speak of a person, to take a table for one of people
_CANDIDATES = 8


@dataclass(frozen=True)
class Part:
    """The column or columns proposed for one role, why, and how sure that is."""

    role: str
    columns: tuple[str, ...]
    reason: str
    sure: Surety


@dataclass(frozen=True)
class Doubt:
    """One question, and the parameter that answers it; an open one nobody else can answer."""

    question: str
    parameter: str
    open: bool


@dataclass(frozen=True)
class Proposal:
    """What a table seems to be: its kind, the role of its columns, what is doubtful, and what is left over.

    Attributes:
        kind: purchases, or microdata (one row a person).
        parts: the roles, each with its columns, reason and surety.
        doubts: what should be asked, the most pressing first.
        spoken: columns that speak of the good, such as a description.
        left: columns without a role.
        forms: how the values of each column are written, in words.
        policy: `drop` where rows lack an id, or a quantity or price is not positive; else None.
        header: whether the first row names the columns.
        trusted: whether that can be told from the rows below it; else its names are not repeated.
    """

    kind: Kind
    parts: tuple[Part, ...]
    doubts: tuple[Doubt, ...]
    spoken: tuple[str, ...]
    left: tuple[str, ...]
    forms: Mapping[str, str] = field(default_factory=dict)
    policy: Literal["drop"] | None = None
    header: bool = True
    trusted: bool = True

    def label(self, name: str) -> str:
        """Return what to call a column: its name, unless that may be somebody's value."""
        return repr(name) if self.trusted else f"column {list(self.forms).index(name) + 1}"

    @property
    def certain(self) -> bool:
        """Whether there is nothing to ask."""
        return not self.doubts

    @property
    def possible(self) -> bool:
        """Whether a yes is all that is needed."""
        return not any(doubt.open for doubt in self.doubts)

    @property
    def roles(self) -> dict[Role, tuple[str, ...]]:
        """The roles of purchases that have a column."""
        return {part.role: part.columns for part in self.parts if part.columns}  # type: ignore[misc] # by kind

    @property
    def options(self) -> dict[str, Any]:
        """What to read the table with: the fields of `ReadOptions`."""
        if self.kind == "microdata":
            named: dict[str, Any] = {part.role: part.columns for part in self.parts}
            named["id"] = named["id"][0] if named.get("id") else None
        else:
            named = {role: ",".join(columns) for role, columns in self.roles.items()}
            named["goods_columns"] = self.spoken
        ordered = {
            name: named[name] for name in (*ROLES, "goods_columns", "qi", "sa", "id") if named.get(name)
        }
        return ordered if self.header else {**ordered, "header": False}


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


def looks_headerless(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first record of a text looks like the others: numbers or times where they have."""
    rows = [row for row in below if len(row) == len(names)]
    kinds = [look(pl.Series(column, dtype=pl.String)).kind for column in zip(*rows, strict=True)]
    first = [look(pl.Series([name])).kind for name in names[: len(kinds)]]
    return any(kind == other not in {"text", "empty"} for kind, other in zip(kinds, first, strict=True))


def names_columns(table: Table) -> bool:
    """Tell whether the first row surely names columns: some names speak, or stand above what they are not.

    Where it may be somebody's row, its fields are not repeated in a message.
    """
    if table.head is None or not table.header:
        return table.head is None
    names, below = table.head[0], [row for row in table.head[1:] if len(row) == len(table.head[0])]
    if looks_headerless(names, below):
        return False
    kinds = [look(pl.Series(column, dtype=pl.String)).kind for column in zip(*below, strict=True)]
    return any(words.spoken_of(name)[0] for name in names) or any(
        kind not in {"text", "empty"} for kind in kinds
    )


class _Proposer:
    """Places the roles one after the other, the surest first; a column that has one is not asked again."""

    def __init__(
        self,
        seen: list[Look],
        *,
        header: bool,
        trusted: bool,
        given: dict[Role, tuple[str, ...]],
        original: Mapping[str, pl.Series],
    ) -> None:
        self.seen, self.given, self.original = seen, given, original
        self.header, self.trusted = header, trusted
        self.by_name = {one.name: one for one in seen}
        self.speaks = {one.name: words.spoken_of(one.name) if header else ("", False) for one in seen}
        told = {"customer", "goods", "receipt", "named", "quantity", "price"}
        self.silent = not any(role in told for role, _ in self.speaks.values())
        self.parts: dict[str, Part] = {}
        self.doubts: list[Doubt] = []

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
            if o.kind in _IDS and o.distinct == len(o.values) and o.name not in {*of["qi"], *of["sa"]}
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

    @property
    def _by_content(self) -> Surety:
        """How sure content alone makes: in a release it stands beside what the original holds."""
        return "sure" if self.original else "likely"

    def _called(self, name: str) -> str:
        """Return what to call a column in a question."""
        place = 1 + [one.name for one in self.seen].index(name)
        return repr(name) if self.trusted else f"column {place}"

    def _taken(self) -> set[str]:
        return {name for part in self.parts.values() for name in part.columns}

    def _free(self, *told: str, only: bool | None = None) -> list[Look]:
        """Return the columns without a role whose names speak so, in their order."""
        return [
            one
            for one in self.seen
            if one.name not in self._taken()
            and self.speaks[one.name][0] in told
            and only in {None, self.speaks[one.name][1]}
        ]

    def _of(self, role: str) -> Look | None:
        part = self.parts.get(role)
        return self.by_name.get(part.columns[0]) if part and part.columns else None

    def _place(self, role: str, names: tuple[str, ...], reason: str, sure: Surety) -> None:
        self.parts[role] = Part(role, names, reason, sure)

    def _one_of(self, role: str, fitting: list[Look], reason: str, sure: Surety = "sure") -> None:
        """Place the only column that fits, or ask which; columns that say the same in other words are one."""
        if not fitting:
            return
        first, *others = fitting
        rivals = [other for other in others if spread(first, other) > _SAME or spread(other, first) > _SAME]
        if not rivals:
            self._place(role, (first.name,), reason, sure)
            return
        self._place(role, (first.name,), f"{reason}, as does another", "open")
        names = " or ".join(self._called(one.name) for one in (first, *rivals))
        self.doubts.append(Doubt(f"Which column is the {role}: {names}?", role, open=True))

    def _goods_by_values(self) -> None:
        """The goods of a release are those of its original, whatever their column is called."""
        if "goods" in self.parts or "goods" not in self.original:
            return
        known = self.original["goods"].implode()
        shares = {
            one.name: one.present.unique().is_in(known).mean() or 0.0
            for one in self.seen
            if one.kind in _IDS and one.name not in self._taken()
        }
        best = max(shares, key=shares.__getitem__, default="")
        if best and shares[best] >= _MOSTLY:  # type: ignore[operator] # a share of booleans
            self._place("goods", (best,), "it holds goods of the original", "sure")

    def _customer_by_name(self) -> None:
        if "customer" in self.parts:
            return
        named = self._free("customer", only=True) or self._free("customer")
        ids = [one for one in named if one.kind in _IDS]
        fitting = [one for one in ids if one.repeats]
        sure: Surety = "sure" if self._free("customer", only=True) else "likely"
        self._one_of("customer", fitting, "its name speaks of customers, who come again", sure)
        if named and not fitting and not self.original:
            first = named[0]
            reason = "is no id" if first.kind not in _IDS else "differs in nearly every row"
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
            if one.kind in _IDS
            and one.distinct > 1
            and (customer is None or self._bought_by_several(one, customer))
        ]
        speaks = {self.speaks[one.name][0] for one in fitting}
        sure: Surety = "likely" if speaks & {"spoken"} else "sure"
        self._one_of("goods", fitting, "its name speaks of goods, which several people buy", sure)

    def _bought_by_several(self, goods: Look, customer: Look) -> bool:
        """Tell whether a column varies within people: what does not is an attribute of theirs."""
        return spread(customer, goods) > 1 or goods.distinct > customer.distinct

    def _measured(self) -> None:
        self._time()
        self._quantity()
        self._price()

    def _time(self) -> None:
        """The time of a purchase: no other name says so well, and it varies within people."""
        if "time" in self.parts:
            return
        customer = self._of("customer")
        times = [
            one
            for one in self._free("time", "clock", "")
            if one.kind == "time" and (customer is None or not self._of_the_person(one, customer))
        ]
        named = [one for one in times if self.speaks[one.name] == ("time", True)] or [
            one for one in times if self.speaks[one.name][0]
        ]
        chosen = named or times
        self._one_of("time", chosen[:1] if not named else chosen, "it holds dates")
        part = self.parts.get("time")
        clocks = [one for one in self._free("time", "clock", "") if one.kind == "clock"]
        if part and len(clocks) == 1 and "9:99" not in chosen[0].form and ":" not in chosen[0].form:
            self._place("time", (*part.columns, clocks[0].name), "they hold dates and the clock", part.sure)

    def _of_the_person(self, one: Look, customer: Look) -> bool:
        return customer.repeats and one.distinct > 1 and spread(customer, one) <= _SAME and (
            customer.distinct > 1 and spread(one, customer) <= _SAME * max(
                2.0, customer.distinct / one.distinct
            )
        ) and bool(self.speaks[one.name] != ("time", True))  # fmt: skip

    def _quantity(self) -> None:
        if "quantity" in self.parts:
            return
        whole = [one for one in self._free("quantity") if one.kind == "whole"]
        if not whole:  # some shops call it an amount, beside a price
            whole = [
                one
                for one in self._free("amount")
                if one.kind == "whole"
                and _middle(one) <= _MANY_PIECES
                and len(self._free("amount", "price")) > 1
            ]
        self._one_of("quantity", whole, "its name speaks of pieces, and they are whole numbers")
        if "quantity" not in self.parts and (self.silent or self.original):
            few = [
                o for o in self._free("") if o.kind == "whole" and _middle(o) <= _MANY_PIECES and o.repeats
            ]
            self._one_of("quantity", few[-1:], "it holds small whole numbers", self._by_content)

    def _price(self) -> None:
        """A price is of one piece; an amount, price times quantity, is left over."""
        if "price" in self.parts:
            return
        quantity = self._of("quantity")
        numbers = [one for one in self._free("price", "amount") if one.kind in {"number", "whole"}]
        named = [one for one in numbers if self.speaks[one.name][0] == "price"] or numbers
        single = [one for one in named if not self._is_amount(one, quantity, numbers)]
        self._one_of("price", single, "its name speaks of prices, and it is not multiplied by the quantity")
        if "price" not in self.parts and (self.silent or self.original):
            rest = [one for one in self._free("") if one.kind == "number"]
            self._one_of("price", rest[:1], "it holds numbers with a fraction", self._by_content)

    def _is_amount(self, one: Look, quantity: Look | None, numbers: list[Look]) -> bool:
        """Tell whether a number is of a whole line: a price times the quantity, steadier divided by it."""
        if quantity is None:
            return False
        pieces = quantity.numbers.head(_MOST_ROWS)
        value = one.numbers.head(_MOST_ROWS)
        for other in numbers:
            if other is not one:
                product = other.numbers.head(_MOST_ROWS) * pieces
                near = (product - value).abs() <= _NEAR * value.abs().clip(0.5)
                apart = (value - other.numbers.head(_MOST_ROWS)).abs() > _NEAR
                if (near.mean() or 0) > 0.9 and apart.any():  # type: ignore[operator]
                    return True
        goods = self._of("goods")
        if goods is None:
            return False
        frame = pl.DataFrame({"g": goods.values.head(_MOST_ROWS), "q": pieces, "v": value}).drop_nulls()
        several = frame.filter((pl.col("q") > 0) & (pl.col("q").n_unique().over("g") > 1))
        if not several.height:
            return False
        rows = several.with_columns(e=(pl.col("v") / pl.col("q")).round(2))
        kinds = rows.group_by("g").agg(pl.col("v").n_unique(), pl.col("e").n_unique())
        return bool(kinds["e"].sum() < kinds["v"].sum())

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
            if one.kind in _IDS and one.distinct > 1
        ]
        own = [one for one in named if spread(one, customer) <= _SAME and one.distinct >= customer.distinct]
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
            one for one in self._free("", "goods", "customer", "receipt") if one.kind in _IDS and one.repeats
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
        return customer is None or (spread(one, customer) > _SAME and spread(customer, one) > _SAME)

    def _customer_by_receipts(self, ids: list[Look]) -> None:
        """A customer is who has several receipts, each of which is his alone."""
        receipt = self._of("receipt")
        inner = (
            [receipt]
            if receipt
            else [o for o in self.seen if o.kind in _IDS and o.repeats and o.name not in self._taken()]
        )
        owners = [
            one
            for one in ids
            if any(r is not one and r.distinct > one.distinct and spread(r, one) <= _SAME for r in inner)
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
        receipts = [one for one in self._free("receipt") if one.kind in _IDS]
        owners = [one for one in near if any(r is not one and spread(r, one) <= _SAME for r in receipts)]
        near = owners or near
        inner = [
            one
            for one in near
            if not any(spread(one, other) <= _SAME and other.distinct < one.distinct for other in near)
        ]
        self._one_of("customer", inner, "it has as many values as the original has customers")

    def _receipt_by_content(self) -> None:
        customer = self._of("customer")
        if "receipt" in self.parts or customer is None:
            return
        nested = [
            one
            for one in self._free("", "receipt")
            if one.kind in _IDS and one.repeats and one.distinct > customer.distinct
            and spread(one, customer) <= _SAME < spread(customer, one)
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


def _middle(one: Look) -> float:
    return float(one.numbers.head(_MOST_ROWS).abs().median() or 0.0)  # type: ignore[arg-type] # of floats


def _and(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
