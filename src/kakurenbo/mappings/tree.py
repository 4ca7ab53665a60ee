"""How a release writes goods that it generalised: by a hierarchy that it carries, or that is known.

A hierarchy that comes with a release is a claim of whoever made it. It is believed only where it explains the
released goods better than the plain codes do, and than codes cut to their first characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.data.checks import ids

if TYPE_CHECKING:
    from kakurenbo.data.blocks import Whole
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases


@dataclass(frozen=True)
class Generalised:
    """Goods written as the words of a hierarchy.

    Attributes:
        words: good -> the word that the release has for it, of every good that it has one for.
        count: how many different words the release has.
    """

    words: pl.DataFrame = field(repr=False)
    count: int

    role: ClassVar[Role] = "goods"

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with their goods so written."""
        written = data.goods.replace(self.words["value"], self.words["word"])
        goods = ids.encode(written).gather(data.records["goods"].to_physical()).alias("goods")
        return replace(data, records=data.records.with_columns(goods))

    def __str__(self) -> str:
        return f"goods generalised to {self.count:,} words"


def generalised(original: Purchases | Whole, released: Purchases | Whole) -> Generalised | None:
    """Return how known hierarchies write the released goods; of two that of the original, which is ours."""
    for data in (original, released):
        tree = data.hierarchies.get("goods")
        if tree is not None:
            words = tree.up_to(released.goods).drop_nulls()
            changed = words.filter(pl.col("value") != pl.col("word"))
            if changed.height:
                return Generalised(changed, len(released.goods))
    return None
