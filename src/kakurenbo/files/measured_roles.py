"""When, how many and at what price: the roles that are measured, told by names and by what numbers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.files.looks import spread
from kakurenbo.files.placing import SAME, Placing

if TYPE_CHECKING:
    from kakurenbo.files.looks import Look

_MOST_ROWS = 20_000  # that are compared as numbers
_NEAR = 0.02  # of an amount, that it may differ from price times quantity
_MANY_PIECES = 12  # the middle quantity of a line of a receipt is smaller


class Measured(Placing):
    """Places time, quantity and price."""

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
        return customer.repeats and one.distinct > 1 and spread(customer, one) <= SAME and (
            customer.distinct > 1 and spread(one, customer) <= SAME * max(
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


def _middle(one: Look) -> float:
    return float(one.numbers.head(_MOST_ROWS).abs().median() or 0.0)  # type: ignore[arg-type] # of floats
