"""Whom an attacker can find in a copy at most, counted from the tables themselves.

The proof compares what an attacker finds in a copy with what could be found there. If that came from the
attacker's own view of the tables, a fault in the view would excuse itself: an attack that sees no goods would
be told that nobody can be told apart by goods. So nothing is shared with the attacks but what they say that
they compare; here traces are plain text, and counting them is all that is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Places, Values
from kakurenbo.attacks.order import natural
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Hashable

    from kakurenbo.attacks.base import Attack, Tables, Traces
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

_MASTER = "\0master"
_LEAST = {"likelihood": 1e-3, "likelihood ratio": 1.0}  # what a record counts for that a person does not have
_READ = {
    "month": pl.col("time").dt.strftime("%Y-%m"),
    "day": pl.col("time").dt.strftime("%Y-%m-%d"),
    "master": pl.col(_MASTER),
}


def attainable(attack: Attack[Any], tables: Tables[Any]) -> float:
    """Return the share of people whom this attacker can find where the release is the original itself.

    For one who knows everything: groups of equals / people, as naming anybody of s equals finds one in s. For
    one who knows a few records: those whose records nobody else has all of. For one who drops dummies: those
    whom plain arithmetic finds by what he leaves, since in a copy all that he drops is real.
    """
    compared, original = attack.compares(tables.original), tables.original
    if isinstance(compared, Places):
        return _in_place(compared, original)
    if isinstance(compared, Values):
        table = original.summarised(compared.of)
        codes = group_codes([table], table.columns)[0]
        return len(np.unique(codes)) / len(codes)
    whole, known = _traces(original, compared), cast("PurchasesAttack", attack).known(tables)
    if compared.similarity in _LEAST:
        return _likeliest(known, original, compared)
    if known is not original:
        return _held_by_one(_traces(known, compared), whole)
    left = attack.takes(tables.released)
    if left is not tables.released:
        return _left_over(_traces(left, compared), whole)
    people = whole.sort("trace").group_by("customer").agg("trace", "count")
    return len({_seen(traces, counts, compared) for _, traces, counts in people.iter_rows()}) / people.height


def _in_place(compared: Places, original: Table) -> float:
    """Return the share of people at the same place in both orders: ids sorted as text need not be."""
    ids = original.people.to_list()
    if compared.by != "text":
        return 1.0
    moved = sum(first != second for first, second in zip(sorted(ids), sorted(ids, key=natural), strict=True))
    return 1.0 - float(moved) / len(ids)


def _held_by_one(known: pl.DataFrame, whole: pl.DataFrame) -> float:
    """Return the share of known people whose traces only one person has all of."""
    held = known.group_by("customer").agg(held=pl.len())
    holders = (
        known.join(whole, on="trace", suffix="_other")
        .group_by("customer", "customer_other")
        .agg(common=pl.len())
        .join(held, on="customer")
        .filter(pl.col("common") == pl.col("held"))
        .group_by("customer")
        .len()
    )
    return int((holders["len"] == 1).sum()) / held.height


def _likeliest(known: Purchases, original: Purchases, compared: Traces) -> float:
    """Return the share of people from whom, of all, their own known records were most likely drawn."""
    whole = _traces(original, compared).join(
        original.under(None).group_by("customer").agg(held=pl.len()), on="customer"
    )
    whole = whole.with_columns(share=pl.col("count") / pl.col("held"))
    if compared.similarity == "likelihood ratio":
        whole = whole.with_columns(pl.col("share") * len(original) / pl.col("count").sum().over("trace"))
    least = _LEAST[compared.similarity]
    drawn = _each(known, compared).join(whole, on="trace", suffix="_other")
    records = drawn.group_by("customer", "record", "customer_other").agg(
        share=pl.col("share").sum() / len(compared.grains)
    )
    gain = (1 + pl.col("share") / least).log().sum().round_sig_figs(9)
    likely = records.group_by("customer", "customer_other").agg(gain=gain)
    best = likely.filter(pl.col("gain") == pl.col("gain").max().over("customer"))
    chance = (pl.col("customer") == pl.col("customer_other")) / pl.len().over("customer")
    return float(best.select(chance.sum()).item()) / len(known.customers)


def _left_over(left: pl.DataFrame, whole: pl.DataFrame) -> float:
    """Return the share whose own traces are nearest by Jaccard to what is left of them in the release."""
    sizes = whole.group_by("customer").agg(mine=pl.len())
    union = pl.col("theirs") + pl.col("mine") - pl.col("common")
    likeness = (
        left.with_columns(theirs=pl.len().over("customer"))
        .join(whole, on="trace", suffix="_other")
        .group_by("customer", "customer_other")
        .agg(pl.col("theirs").first(), common=pl.len())
        .join(sizes, left_on="customer_other", right_on="customer")
        .with_columns(likeness=(pl.col("common") / union).round_sig_figs(9))
    )
    nearest = likeness.filter(pl.col("likeness") == pl.col("likeness").max().over("customer"))
    chance = (pl.col("customer") == pl.col("customer_other")) / pl.len().over("customer")
    return float(nearest.select(chance.sum()).item()) / sizes.height


def _traces(data: Purchases, compared: Traces) -> pl.DataFrame:
    """Return (customer, trace, count): everybody's traces as text, each once, and what they count."""
    count = pl.lit(1, dtype=pl.Int64) if compared.counting == "set" else pl.col("count").sum()
    return _each(data, compared).group_by("customer", "trace").agg(count=count)


def _each(data: Purchases, compared: Traces) -> pl.DataFrame:
    """Return (customer, record, trace, count): the traces of every record as text, and what they count."""
    records = (
        data.under(None).join(_said(data), on="customer", maintain_order="left").with_row_index("record")
    )
    counted = pl.col("quantity") if compared.counting == "pieces" else pl.lit(1)
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
