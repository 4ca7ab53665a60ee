"""Baskets: customers x goods as a sparse matrix, the common ground of clustering, attacks and distances.

Row u of the set matrix is I(u) of the papers: 1 where u bought the good. The quantity multiset holds the
pieces bought instead (004's distance), the records their number. Rows and columns carry their ids, and their
order is the sorted ids'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

Counting = Literal["set", "records", "quantity"]


@dataclass(frozen=True, eq=False)
class Baskets:
    """An immutable sparse matrix (CSR, sorted indices, int64) with the ids of its rows and columns."""

    matrix: sparse.csr_array[np.int64]
    customers: pl.Series
    goods: pl.Series
    counting: Counting

    def __post_init__(self) -> None:
        if self.matrix.shape != (len(self.customers), len(self.goods)):
            raise InputError(
                "Baskets need a row for every customer and a column for every good.", code="frame"
            )
        for array in (self.matrix.data, self.matrix.indices, self.matrix.indptr):
            array.flags.writeable = False

    @classmethod
    def of(cls, purchases: Purchases, counting: Counting = "set") -> Baskets:
        """Count purchases: each good once a customer, its records, or its pieces (else its records)."""
        records, customers, goods = purchases.records, purchases.customers, purchases.goods
        codes = (records["customer"].to_physical().to_numpy(), records["goods"].to_physical().to_numpy())
        pieces = np.ones(len(records), dtype=np.int64)
        if counting == "quantity" and "quantity" in records.columns:
            pieces = records["quantity"].to_numpy()
        matrix = sparse.coo_array((pieces, codes), shape=(len(customers), len(goods))).tocsr()  # sums repeats
        matrix.sort_indices()
        if counting == "set":
            matrix.data[:] = 1
        return cls(matrix, customers, goods, counting)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """|I(u)| for every customer."""
        return np.diff(self.matrix.indptr).astype(np.int64)

    @property
    def buyers(self) -> NDArray[np.int64]:
        """|D_g|, the number of customers who bought each good."""
        return np.bincount(self.matrix.indices, minlength=len(self.goods)).astype(np.int64)

    @property
    def groups(self) -> NDArray[np.int64]:
        """A number for every customer, the same for those whose rows are equal."""
        return equal_rows(self.matrix)

    def over(self, goods: pl.Series) -> Baskets:
        """Return the same baskets with these goods as columns, so that two tables can be compared.

        Goods that nobody here bought become empty columns; goods bought here must all be among them.
        """
        position = self.goods.cast(pl.Enum(goods.cast(pl.String)), strict=False).to_physical()
        if position.null_count():
            raise InputError("Some goods bought are not among the columns asked for.", code="unknown-id")
        columns = position.to_numpy()[self.matrix.indices]
        matrix = sparse.csr_array(
            (self.matrix.data, columns, self.matrix.indptr),
            shape=(len(self.customers), len(goods)),
            copy=True,
        )
        matrix.sort_indices()
        return Baskets(matrix, self.customers, goods.cast(pl.String), self.counting)


def equal_rows(matrix: sparse.csr_array[Any] | sparse.csr_matrix[Any]) -> NDArray[np.int64]:
    """Return a number for every row, the same for equal rows, in order of appearance; by hashing each row.

    The indices must be sorted.
    """
    numbers: dict[bytes, int] = {}
    spans = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    labels = [
        numbers.setdefault(matrix.indices[a:b].tobytes() + matrix.data[a:b].tobytes(), len(numbers))
        for a, b in spans
    ]
    return np.array(labels, dtype=np.int64)
