"""Ids in the order they come, each with a number: what turns text into integers batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Dictionary:
    """Distinct ids, numbered as they come; it grows with the ids and not with the rows."""

    def __init__(self) -> None:
        self._dtype = pl.Categorical(pl.Categories.random())
        self._held = pl.Series([], dtype=self._dtype)  # as long as it lives, the numbers stay
        self._parts: list[pl.DataFrame] = []
        self.size = 0

    def numbers(self, ids: pl.Series) -> tuple[pl.Series, pl.Series]:
        """Return the number of every id, and those of the ids that are new, in the order of their numbers."""
        numbers = ids.cast(self._dtype).to_physical().cast(pl.UInt32).alias("number")
        coming = numbers >= self.size
        if not coming.any():
            return numbers, ids.clear()
        new = pl.DataFrame([numbers, ids.alias("id")]).filter(coming).unique("number").sort("number")
        self._parts.append(new)
        self.size += new.height
        return numbers, new["id"]

    @property
    def ids(self) -> pl.Series:
        """All ids, each in the place of its number."""
        if not self._parts:
            return pl.Series("id", [], dtype=pl.String)
        return pl.concat(self._parts)["id"]

    def ranks(self) -> tuple[pl.Series, NDArray[np.uint32]]:
        """Return the sorted ids, and for every number the place of its id among them."""
        ids = self.ids
        order = ids.arg_sort()
        ranks = np.empty(len(ids), dtype=np.uint32)
        ranks[order.to_numpy()] = np.arange(len(ids), dtype=np.uint32)
        return ids.gather(order), ranks
