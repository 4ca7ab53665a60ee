"""How large a visit is: the distribution of lines on a receipt.

Padding swells one receipt a person to a thousand lines, dealing records leaves crumbs. The two distributions
are compared by how many lines would have to be moved to make one of the other (Wasserstein), over the mean
before. Without receipts, a visit is what a customer buys at one released time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing


def lines(purchases: Purchases, visit: list[str]) -> NDArray[np.int64]:
    """Return the number of lines of every visit."""
    return purchases.records.group_by(visit).agg(n=pl.len())["n"].to_numpy().astype(np.int64)


def moved(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
    """Return the Wasserstein distance of two samples of whole numbers: the area between their shares."""
    top = int(max(before.max(), after.max())) + 1
    shares = [np.cumsum(np.bincount(sizes, minlength=top)) / len(sizes) for sizes in (before, after)]
    return float(np.abs(shares[0] - shares[1]).sum())


class BasketSize(Measure[Purchases]):
    """How far the number of lines of a visit moved, over the mean number before."""

    about: ClassVar = MeasureAbout(
        name="basket-size", kind="purchases", source="ours", kept="share", promises=("best-on-copy",),
        unit="of the mean", serves=("baskets", "trends"), words="released",
        says="{d[lines after]:.1f} lines a visit ({d[lines before]:.1f} in truth)",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return the Wasserstein distance of lines a visit over their mean before."""
        visit = visit_columns(original, released)
        before, after = (lines(data, visit) for data in (original, released))
        mean = float(before.mean())
        return Detailed(
            moved(before, after) / mean, {"lines before": mean, "lines after": float(after.mean())}
        )
