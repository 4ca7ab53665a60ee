"""Association rules: do the rules a shop would act on survive the release?

Whoever buys a also buys b. A rule a -> b has a **support** (the share of baskets with both), a **confidence**
(the share of the baskets with a that hold b too) and a **lift** (how many times more often they stand
together than if they had nothing to do with each other). An analyst takes the hundred of greatest lift among
those of a least support, so these must survive. Baskets are receipts (what is laid on one shelf) or customers
(what is recommended to somebody); `deal` keeps all of the first and half of the second.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.goods import top_goods
from kakurenbo.utility.purchases.visits import COLUMN, Baskets, comparable_baskets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing

    Integers = NDArray[np.int64]

_FEWEST = 2  # baskets, of which a rule can be made
_ROWS = 4096  # baskets counted at once, where they are full
_FULL = 500  # products of a full matrix that take as long as one of a sparse matrix


class Best(NamedTuple):
    """The best rules of a table.

    Attributes:
        rules: antecedent and consequent of each as one number, best first.
        lifts: the lift of each.
    """

    rules: Integers
    lifts: NDArray[np.float64]


def best_rules(
    purchases: Purchases, goods: pl.Series, baskets: Baskets, *, support: float, count: int
) -> Best:
    """Return the rules of greatest lift between two of these goods; equal ones by confidence, then by goods.

    Args:
        purchases: whose baskets.
        goods: among which rules are looked for.
        baskets: what counts as one.
        support: the least share of baskets with both goods.
        count: how many rules at most.
    """
    held, number = _held(purchases, goods, COLUMN[baskets])
    a, b, both = _pairs(held, max(_FEWEST, math.ceil(support * number)))
    each = np.asarray(held.sum(axis=0), dtype=np.float64).ravel()
    lifts = both * number / (each[a] * each[b])
    if len(lifts) > count:
        least = np.partition(lifts, -count)[-count]
        a, b, both, lifts = (part[lifts >= least] for part in (a, b, both, lifts))
    a, b, both, lifts = np.r_[a, b], np.r_[b, a], np.r_[both, both], np.r_[lifts, lifts]
    order = np.lexsort((b, a, -both / each[a], -lifts))[:count]
    return Best((a * len(goods) + b)[order], lifts[order])


def _held(purchases: Purchases, goods: pl.Series, basket: str) -> tuple[sparse.csr_array[np.float32], int]:
    """Return baskets x goods, and how many baskets there are, those with none of the goods included."""
    column = purchases.records[basket]
    baskets = column if isinstance(column.dtype, pl.Enum) else column.cast(pl.Categorical)
    places = pl.DataFrame({"name": goods, "place": np.arange(len(goods), dtype=np.int64)})
    known = purchases.goods.to_frame("name").join(places, on="name", how="left", maintain_order="left")
    cells = pl.DataFrame({
        "row": baskets.to_physical().cast(pl.Int64),
        "place": known["place"].gather(purchases.records["goods"].to_physical()),
    })  # fmt: skip
    number = cells["row"].n_unique()
    keys = (cells["row"] * len(goods) + cells["place"]).drop_nulls().unique().to_numpy()
    rows, columns = np.divmod(keys, len(goods))
    ones = np.ones(len(keys), dtype=np.float32)  # counts are exact up to 2^24 baskets
    shape = (int(rows.max(initial=-1)) + 1, len(goods))
    return sparse.csr_array((ones, (rows, columns)), shape=shape), number


def _pairs(held: sparse.csr_array[np.float32], least: int) -> tuple[Integers, Integers, NDArray[np.float64]]:
    """Return the goods that are together in enough baskets, each pair once, and in how many.

    Where baskets are full, as those of padded customers are, a full matrix is counted faster, block by block.
    """
    products = float((np.diff(held.indptr).astype(np.float64) ** 2).sum())
    a: NDArray[np.integer[Any]]
    b: NDArray[np.integer[Any]]
    if products * _FULL < float(held.shape[0]) * held.shape[1] ** 2:
        together = sparse.coo_array(held.T @ held)
        enough = (together.row < together.col) & (together.data >= least)
        a, b, both = together.row[enough], together.col[enough], together.data[enough]
    else:
        full = np.zeros((held.shape[1],) * 2, dtype=np.float32)
        for start in range(0, held.shape[0], _ROWS):
            block = held[start : start + _ROWS].toarray()
            full += block.T @ block
        a, b = np.nonzero(np.triu(full >= least, 1))
        both = full[a, b]
    return a.astype(np.int64), b.astype(np.int64), both.astype(np.float64)


class Rules(Measure[Purchases]):
    """The share of the original's best association rules that are among the best of the release too."""

    about: ClassVar = MeasureAbout(
        name="rules", kind="purchases", source="Agrawal, Imielinski and Swami 1993; lift", kept="similarity",
        promises=("best-on-copy",), unit="of rules", better="higher", serves=("baskets",), words="released",
        says="{value:.0%} of the best association rules",
    )  # fmt: skip

    count: int = Field(100, ge=1, description="how many rules of greatest lift are compared")
    support: float = Field(0.005, ge=0, le=1, description="the least share of baskets that hold both goods")
    best_sellers: int = Field(
        2000, ge=2, description="among how many of the best-selling goods rules are sought"
    )
    baskets: Literal["receipts", "customers"] = Field(
        "receipts", description="what is one basket; customers where either table shows no receipts"
    )

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return the recall of the rules, with the mean of |lift' - lift| / lift of those that survive."""
        baskets = "customers" if self.baskets == "customers" else comparable_baskets(original, released)
        goods = pl.Series(sorted(top_goods(original, self.best_sellers)))
        before, after = (
            best_rules(data, goods, baskets, support=self.support, count=self.count)
            for data in (original, released)
        )
        if not len(before.rules):
            raise InputError(
                f"No two goods are together in enough {baskets} for a rule; a smaller support may find some.",
                code="unmeasurable",
            )
        _, was, now = np.intersect1d(before.rules, after.rules, return_indices=True)
        detail = {f"rules by {baskets}": float(len(before.rules))}
        if len(was):
            detail["lift off by"] = float(np.mean(np.abs(after.lifts[now] / before.lifts[was] - 1)))
        return Detailed(len(was) / len(before.rules), detail)


class CustomerRules(Rules):
    """The share of the best association rules that survive, where a basket is all that a customer bought."""

    about: ClassVar = MeasureAbout(
        name="customer-rules", kind="purchases", source="Agrawal, Imielinski and Swami 1993; lift",
        kept="similarity", promises=("best-on-copy",), unit="of rules", better="higher",
        serves=("customers",), words="released", says="{value:.0%} of the best rules of customers",
    )  # fmt: skip

    baskets: Literal["receipts", "customers"] = Field("customers", description="what is one basket")
