"""Donors: dummies that are copies of real purchases, so that they are hard to tell from real ones.

A dummy for a customer and a good copies quantity and price of a real record of that good, drawn at random
among the customer's own cluster, where somebody always has it. It is put beside one of the customer's own
records, drawn at random, on the same receipt at the same time: every visit gets dummies in proportion to what
was bought there, and none is a visit of dummies alone.

What it costs: dummies of true quantities move money, so whatever counts pieces or amounts (U3-RFM, the
distance of 004, which calls such a release excessive) changes far more than by dummies of one piece. What it
does not do: real records stay as they are, so an attacker who knows goods with days still finds their owner;
and a good that a customer has on several records is his own, for a dummy stands alone. How well dummies can
be told is measured by `python -m bench dummies`.

Quantity and price are copied **together**, so that bulk prices keep their bulk quantities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.chance import Chance

_COPIED = ("price", "quantity")
_MOMENT = ("time", "receipt")


def from_donors(
    dummies: pl.DataFrame, records: pl.DataFrame, clusters: pl.DataFrame, chance: Chance
) -> pl.DataFrame:
    """Return the dummies dressed: price and quantity of a donor, time and receipt of an own record.

    Args:
        dummies: (customer, goods), sorted.
        records: the real records, under text ids.
        clusters: (customer, cluster).
        chance: draws the donors, by customer and good.
    """
    joined = records.join(clusters, on="customer")
    dressed = dummies.join(clusters, on="customer", maintain_order="left")
    dressed = _drawn(dressed, joined, ("cluster", "goods"), _COPIED, chance)
    return _drawn(dressed, joined, ("customer",), _MOMENT, chance)


def _drawn(
    dummies: pl.DataFrame,
    records: pl.DataFrame,
    alike: Sequence[str],
    wanted: Sequence[str],
    chance: Chance,
) -> pl.DataFrame:
    """Return the dummies with the wanted columns of a random record that is like them in other columns.

    Records are sorted by content first, so that chance does not depend on the order they came in.
    """
    present = [name for name in wanted if name in records.columns]
    if not present:
        return dummies
    pool = records.select(*alike, *present).sort(*alike, *present)
    spans = pool.with_row_index("first").group_by(alike).agg(pl.col("first").min(), held=pl.len())
    found = dummies.join(spans, on=alike, maintain_order="left")
    goods = chance.numbers("good", dummies["goods"])  # a dummy is told from the customer's others by its good
    turns = chance.below(f"donor of {wanted[0]}", dummies["customer"], found["held"].to_numpy(), goods)
    return dummies.hstack(pool.select(present)[found["first"].to_numpy() + turns])
