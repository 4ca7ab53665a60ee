"""How much of a release can be compared with the original, role by role, and whether it means the same.

An attacker who compares goods finds nobody in a release whose goods are written in other codes; his low rate
then says that he was blind, and nothing about the risk. So beside every rate stands what there was to
compare: the share of the released values and records that occur in the original, and whether what is common
means the same there. Receipts are identifiers and are never counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import polars as pl

from kakurenbo.auditing.coverage.clock import moved
from kakurenbo.auditing.coverage.codes import rewritten
from kakurenbo.auditing.coverage.numbers import beyond
from kakurenbo.mappings.factor import rescaled

if TYPE_CHECKING:
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

Change = Literal["", "rewritten", "permuted", "rescaled", "elsewhere", "shifted", "moved"]

ENOUGH = 0.5  # of the released records, whose values must be the original's


@dataclass(frozen=True)
class Coverage:
    """What of one role can be compared.

    Attributes:
        role: goods, time, price or quantity; of times the days are compared.
        values: the share of the released values that occur in the original.
        records: the share of the released records that show such a value.
        comparable: whether comparing them can tell anything.
        why: a sentence.
        change: what was done to the role, where it is not comparable: codes were `rewritten` or `permuted`,
            numbers `rescaled` by a factor or lie `elsewhere`, times were `shifted` by some days or `moved`.
        by: the factor, or the days; 0 where there is none.
    """

    role: str
    values: float
    records: float
    comparable: bool
    why: str
    change: Change = ""
    by: float = 0.0


def coverage(original: Purchases, released: Purchases) -> tuple[Coverage, ...]:
    """Return what can be compared, of every role that both tables show.

    Args:
        original: the data before, in the words of the release (see `common_vocabulary`).
        released: the release.
    """
    made: list[Coverage] = []
    there = {role for role in original.roles if role in released.roles}
    goods = _goods(original, released)
    made.append(goods)
    if "time" in there:
        made.append(_time(original, released))
    roles: tuple[Role, ...] = ("price", "quantity")
    made += [_number(original, released, role, goods) for role in roles if role in there]
    return tuple(made)


def _goods(original: Purchases, released: Purchases) -> Coverage:
    values, records = _shares(original, released, pl.col("goods").cast(pl.String))
    if records < ENOUGH:
        why = f"{_share(values)} of the released goods {_is(values)} of the original's"
        return Coverage("goods", values, records, comparable=False, why=why, change="rewritten")
    how = rewritten(original, released)
    if how:
        why = f"the codes are those of the original, but people buy them {how}: they look rewritten"
        return Coverage("goods", values, records, comparable=False, why=why, change="permuted")
    return Coverage("goods", values, records, comparable=True, why=_kept("goods", values, records))


def _time(original: Purchases, released: Purchases) -> Coverage:
    values, records = _shares(original, released, pl.col("time").dt.date())
    lag = moved(original, released)
    if lag is None:
        return Coverage("time", values, records, comparable=True, why=_kept("days", values, records))
    if lag.days:
        why = f"the times lie {lag} than the original's"
        return Coverage("time", values, records, comparable=False, why=why, change="shifted", by=lag.days)
    why = f"{_share(values)} of the released days {_is(values)} of the original's"
    if records >= ENOUGH:
        why = "the days are those of the original, but people come on them in other numbers"
    return Coverage("time", values, records, comparable=False, why=why, change="moved")


def _number(original: Purchases, released: Purchases, role: Role, goods: Coverage) -> Coverage:
    values, records = _shares(original, released, pl.col(role))
    name = {"price": "prices", "quantity": "quantities"}.get(role, role)
    factor = rescaled(original, released, role, by_goods=goods.comparable)
    if factor:
        why = f"{name} are about {factor:.3g} times the original's"
        return Coverage(role, values, records, comparable=False, why=why, change="rescaled", by=factor)
    side = beyond(original, released, role)
    if side:
        why = f"the {name} lie {side} all of the original's"
        return Coverage(role, values, records, comparable=False, why=why, change="elsewhere")
    return Coverage(role, values, records, comparable=True, why=_kept(name, values, records))


def _shares(original: Purchases, released: Purchases, value: pl.Expr) -> tuple[float, float]:
    """Return the share of the released values that the original has, and of the records that show them."""
    known = original.records.select(value=value).unique()
    shown = released.records.select(value=value).group_by("value").len()
    common = shown.join(known, on="value", how="semi")
    return common.height / shown.height, float(common["len"].sum()) / len(released)


def _share(values: float) -> str:
    return "none" if not values else f"only {values:.0%}" if values >= 0.01 else "hardly any"


def _is(values: float) -> str:
    return "are" if values >= 0.01 else "is one"


def _kept(what: str, values: float, records: float) -> str:
    if values == 1:
        return f"all of the released {what} are the original's"
    return f"{values:.0%} of the released {what} are the original's, in {records:.0%} of the records"
