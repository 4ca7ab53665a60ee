"""Whom an attacker can find in a copy at most, counted from the tables themselves.

The proof compares what an attacker finds in a copy with what could be found there. If that came from the
attacker's own view of the tables, a fault in the view would excuse itself: an attack that sees no goods would
be told that nobody can be told apart by goods. So nothing is shared with the attacks but what they say that
they compare; here traces are plain text, and counting them is all that is done.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Bet, Owned, Places, Traces, Values
from kakurenbo.attacks.order import natural
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Attack, Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

_MASTER = "\0master"
_LEAST = {"likelihood": 1e-3, "likelihood ratio": 1.0}  # what a record counts for that a person does not have
_TOLL = 1e-6  # what being right costs all in all, so that among equally good pairings it is avoided
_AT_ONCE = 20_000  # traces that are held beside everybody who has the same
_READ = {
    "month": pl.col("time").dt.strftime("%Y-%m"),
    "day": pl.col("time").dt.strftime("%Y-%m-%d"),
    "master": pl.col(_MASTER),
}


def attainable(attack: Attack[Any], tables: Tables[Any]) -> float:
    """Return the share of people whom this attacker can find where the release is the original itself.

    Or as much of it as the release shows: what he compares is read from there.

    For one who knows everything: groups of equals / people, as naming anybody of s equals finds one in s. For
    one who knows a few records: one in as many as have all of them, or those whose records nobody else has.
    For one who drops dummies: those whom plain arithmetic finds by what he leaves, since in a copy all that
    he drops is real. For one who attributes receipts: those who own most of their own.
    """
    compared, original = attack.compares(tables.released), tables.original
    if isinstance(compared, Places | Values | Bet):
        return _by_person(compared, original)
    known = cast("PurchasesAttack", attack).known(tables)
    if isinstance(compared, Owned):
        return _own_most(known, original, compared)
    if compared.similarity in _LEAST:
        shares = tables.once(
            ("shares", compared),
            lambda: _shares(original, compared, relative=compared.similarity == "likelihood ratio"),
        )
        return _own(_likeliest(known, shares, compared), "customer") / len(original.customers)
    whole = tables.once(("traces", compared.grains, compared.counting), lambda: _traces(original, compared))
    if known is not original:
        holders = _holders(_traces(known, compared), whole)
        if compared.reading == "target":
            return _own(holders, "customer") / len(original.customers)
        return int((holders["places"] == 1).sum()) / len(known.customers)
    drops = cast("PurchasesAttack", attack).drops
    left = attack.prepare(tables).released if drops else tables.released
    if left is not tables.released:
        named = _paired if compared.reading == "assignment" else _nearest
        return named(_traces(left, compared), whole, original)
    told = replace(compared, reading="nearest")  # whoever reads so finds as many
    return tables.once(("distinct", told), lambda: _distinct(whole, compared))


def _by_person(compared: Places | Values | Bet, original: Table) -> float:
    """Return the share of people told apart by their place, or by values that each has; by a bet, nobody."""
    if isinstance(compared, Places):
        return _in_place(compared, original)
    if isinstance(compared, Bet):
        return 0.0
    table = original.summarised(compared.of)
    codes = group_codes([table], table.columns)[0]
    return len(np.unique(codes)) / len(codes)


def _distinct(whole: pl.DataFrame, compared: Traces) -> float:
    """Return the share of people who are left of a number of equals each."""
    people = whole.sort("trace").group_by("customer").agg("trace", "count")
    return len({_seen(traces, counts, compared) for _, traces, counts in people.iter_rows()}) / people.height


def _in_place(compared: Places, original: Table) -> float:
    """Return the share of people at the same place in both orders: ids sorted as text need not be."""
    ids = original.people.to_list()
    if compared.by != "text":
        return 1.0
    moved = sum(first != second for first, second in zip(sorted(ids), sorted(ids, key=natural), strict=True))
    return 1.0 - float(moved) / len(ids)


def _holders(known: pl.DataFrame, whole: pl.DataFrame) -> pl.DataFrame:
    """Return (customer, customer_other, claim, places): who has all that is known of whom.

    Of all who do, only those with the fewest traces; `places` says how many they were before.
    """
    held = known.group_by("customer").agg(held=pl.len())
    size = whole.group_by(customer_other="customer").agg(size=pl.len())
    return (
        known.join(whole, on="trace", suffix="_other")
        .group_by("customer", "customer_other")
        .agg(common=pl.len())
        .join(held, on="customer")
        .filter(pl.col("common") == pl.col("held"))
        .join(size, on="customer_other")
        .with_columns(places=pl.len().over("customer"), claim=pl.lit(1.0))
        .filter(pl.col("size") == pl.col("size").min().over("customer"))
        .select("customer", "customer_other", "claim", "places")
    )


def _own(candidates: pl.DataFrame, of: str) -> float:
    """Return how many are expected to be rightly named, where each is named any of his candidates."""
    chance = (pl.col("customer") == pl.col("customer_other")) / pl.len().over(of)
    return float(candidates.select(chance.sum()).item() or 0.0)


def _shares(known: Purchases, compared: Traces | Owned, *, relative: bool) -> pl.DataFrame:
    """Return (customer_other, trace, share): which share of a person's known records leaves a trace.

    Where relative, how many times the share of all known records.
    """
    held = pl.len().over("customer") / len(compared.grains)
    each = _each(known, compared).with_columns(held=held)
    shares = each.group_by("customer", "trace").agg(count=pl.len(), held=pl.col("held").first())
    share = pl.col("count") / pl.col("held")
    if relative:
        share = share * len(known) / pl.col("count").sum().over("trace")
    return shares.select(pl.col("customer").alias("customer_other"), "trace", share=share)


def _gains(drawn: pl.DataFrame, shares: pl.DataFrame, of: str, grains: int, least: float) -> pl.DataFrame:
    """Return (of, customer_other, claim): how much likelier than with no match these records are whose.

    All who hold a trace stand beside everybody who left it, so some are looked at after the others.
    """
    place, count = pl.col(of).rank("dense").cast(pl.Int64) - 1, -(-drawn.height // _AT_ONCE)
    parts = drawn.with_columns(part=place * count // pl.col(of).n_unique())
    return pl.concat([
        _likelier(part, shares, of, grains, least)
        for part in parts.partition_by("part", include_key=False) or [drawn]
    ])  # fmt: skip


def _likelier(drawn: pl.DataFrame, shares: pl.DataFrame, of: str, grains: int, least: float) -> pl.DataFrame:
    """Return the same of some of them."""
    records = (
        drawn.join(shares, on="trace")
        .group_by(of, "record", "customer_other")
        .agg(share=pl.col("share").sum() / grains)
    )
    gain = (1 + pl.col("share") / least).log().sum().round_sig_figs(9)
    likely = records.group_by(of, "customer_other").agg(claim=gain)
    return likely.filter(pl.col("claim") == pl.col("claim").max().over(of))


def _likeliest(known: Purchases, shares: pl.DataFrame, compared: Traces) -> pl.DataFrame:
    """Return (customer, customer_other, claim): from whose records whose known ones were likeliest drawn."""
    least = _LEAST[compared.similarity]
    return _gains(_each(known, compared), shares, "customer", len(compared.grains), least)


def _own_most(known: Purchases, original: Purchases, compared: Owned) -> float:
    """Return the share of people who own most of what stands under their own name.

    A receipt is his alone who is likelier its owner than all others together, all being alike before.
    """
    unit = pl.struct(compared.receipt).rank("dense") if compared.receipt else pl.int_range(pl.len())
    receipts = original.under(None).select("customer", receipt=unit.cast(pl.Int64)).with_row_index("record")
    drawn = _each(original, compared).select("record", "trace").join(receipts, on="record")
    shares = _shares(known, compared, relative=True)
    best = _gains(drawn, shares, "receipt", len(compared.grains), _LEAST["likelihood ratio"])
    alone = (pl.len().over("receipt") == 1) & (pl.col("claim") > math.log(len(original.customers)))
    held = (
        receipts.join(best.filter(alone), on="receipt").group_by("customer", "customer_other").agg(n=pl.len())
    )
    most = held.filter(pl.col("n") == pl.col("n").max().over("customer"))
    return _own(most, "customer") / len(original.customers)


def _likeness(left: pl.DataFrame, whole: pl.DataFrame) -> pl.DataFrame:
    """Return (customer, customer_other, likeness): the Jaccard similarity of what is left to all traces."""
    sizes = whole.group_by("customer").agg(mine=pl.len())
    union = pl.col("theirs") + pl.col("mine") - pl.col("common")
    return (
        left.with_columns(theirs=pl.len().over("customer"))
        .join(whole, on="trace", suffix="_other")
        .group_by("customer", "customer_other")
        .agg(pl.col("theirs").first(), common=pl.len())
        .join(sizes, left_on="customer_other", right_on="customer")
        .with_columns(likeness=(pl.col("common") / union).round_sig_figs(9))
    )


def _nearest(left: pl.DataFrame, whole: pl.DataFrame, original: Purchases) -> float:
    """Return the share whose own traces are nearest to what is left of them."""
    likeness = _likeness(left, whole)
    nearest = likeness.filter(pl.col("likeness") == pl.col("likeness").max().over("customer"))
    return _own(nearest, "customer") / len(original.customers)


def _paired(left: pl.DataFrame, whole: pl.DataFrame, original: Purchases) -> float:
    """Return the share expected to be named rightly when all are paired with somebody as alike as can be.

    Who is equal to others on either side is any of them. Of several best pairings he may come upon the
    unluckiest: the one that a small toll on being right leads to.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to load

    likeness, places = _likeness(left, whole), {name: i for i, name in enumerate(original.customers)}
    rows, columns = (likeness[name].replace_strict(places) for name in ("customer", "customer_other"))
    cost = np.zeros((len(places), len(places)))
    cost[rows.to_numpy(), columns.to_numpy()] = -likeness["likeness"].to_numpy()
    theirs, mine = _equals(left), _equals(whole)
    both = np.zeros((theirs.max() + 1, mine.max() + 1))
    np.add.at(both, (theirs, mine), 1)
    right = (both / both.sum(axis=1, keepdims=True) / both.sum(axis=0))[np.ix_(theirs, mine)]
    return float(right[linear_sum_assignment(cost + _TOLL / len(places) * right)].mean())


def _equals(traces: pl.DataFrame) -> NDArray[np.int64]:
    """Return a number for everybody, by their names, the same for those of the same traces."""
    people = traces.group_by("customer").agg(pl.col("trace").sort().str.join("\1")).sort("customer")
    return people["trace"].rank("dense").to_numpy().astype(np.int64) - 1


def _traces(data: Purchases, compared: Traces) -> pl.DataFrame:
    """Return (customer, trace, count): everybody's traces as text, each once, and what they count."""
    count = pl.lit(1, dtype=pl.Int64) if compared.counting == "set" else pl.col("count").sum()
    return _each(data, compared).group_by("customer", "trace").agg(count=count)


def _each(data: Purchases, compared: Traces | Owned) -> pl.DataFrame:
    """Return (customer, record, trace, count): the traces of every record as text, and what they count."""
    records = (
        data.under(None).join(_said(data), on="customer", maintain_order="left").with_row_index("record")
    )
    pieces = isinstance(compared, Traces) and compared.counting == "pieces"
    counted = pl.col("quantity") if pieces else pl.lit(1)
    seen = [
        records.select(
            "customer",
            "record",
            trace=pl.concat_str(
                pl.lit(str(place)), *(_READ.get(part, pl.col(part)) for part in grain), separator="\0"
            ),
            count=counted.cast(pl.Int64),
        )
        for place, grain in enumerate(compared.grains)
    ]
    return pl.concat(seen)


def _said(data: Purchases) -> pl.DataFrame:
    """Return (customer, what the master says of him)."""
    people = data.customers.to_frame("customer").hstack(data.attributes.get_columns())
    rows = ["" if len(row) == 1 else repr(row[1:]) for row in people.iter_rows()]
    return people.select("customer", pl.Series(_MASTER, rows, dtype=pl.String))


def _seen(traces: list[str], counts: list[int], compared: Traces) -> Hashable:
    """Return what is compared: whether a trace is there, how often, or in which proportion."""
    if compared.similarity == "presence":
        return tuple(traces)
    unit = int(np.gcd.reduce(counts)) if compared.similarity == "proportions" else 1
    return tuple(zip(traces, (count // unit for count in counts), strict=True))
