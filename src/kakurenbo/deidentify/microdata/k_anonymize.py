"""k-anonymize: nobody's quasi-identifiers are shared by fewer than k.

Multidimensional generalisation by Mondrian: the table is cut into groups of at least k rows, and within a
group all rows get the same quasi-identifiers. Sensitive attributes stay as they are, so who knows one of
those (identify-sa21, identify-sort) is not held at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.data.generalised.writing import generalised, is_category
from kakurenbo.data.groups import over
from kakurenbo.deidentify.base import ChangedMicrodata, MicrodataMethod
from kakurenbo.deidentify.microdata.base import changed, enough_rows, in_fixed_order
from kakurenbo.kernels.mondrian import mondrian

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata


class KAnonymize(MicrodataMethod):
    """Generalise the quasi-identifiers by Mondrian until every combination is shared by at least k rows.

    Numbers and dates become ranges such as [20..29], categories sets such as {north,south}, a set of all of
    them *; or every row of a group gets its typical values, so that columns keep their types. A table of
    fewer than k rows is refused; otherwise every group has at least k, for certain.
    """

    k: int = Field(ge=1, description="fewest rows with the same quasi-identifiers")
    cut: Literal["strict", "relaxed"] = Field(
        "strict", description="keep rows with equal values together, or part them for smaller groups"
    )
    write: Literal["ranges", "typical"] = Field(
        "ranges", description="write ranges and sets, or the group's median and most frequent values"
    )

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the microdata with generalised quasi-identifiers."""
        enough_rows(microdata, self.k, type(self).__name__)
        data = in_fixed_order(microdata)
        order = rng.permutation(len(data))  # relaxed cuts part equal rows at random
        columns = [data.records[name] for name in data.qi]
        numbers = [_numbers(column)[order] for column in columns]
        group = np.empty(len(data), dtype=np.int64)
        nominal = [is_category(column) for column in columns]
        group[order] = mondrian(numbers, nominal, self.k, strict=self.cut == "strict")
        if self.write == "ranges":
            made = changed(data, *(generalised(column, group) for column in columns))
        else:
            made = changed(data, *(over(_typical(column), group) for column in columns))
        sizes = np.bincount(group)
        facts = {"deleted": 0, "groups": len(sizes), "smallest_group": int(sizes.min())}
        return ChangedMicrodata(made, facts)


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    """Return numbers in the order of the values: themselves, or a category's place."""
    if is_category(column):
        return (column.cast(pl.String).rank("dense") - 1).to_numpy().astype(np.float64)
    return column.to_physical().to_numpy().astype(np.float64)


def _typical(column: pl.Series) -> pl.Expr:
    """Return the most frequent category, or the median, a value that occurs."""
    values = pl.col(column.name)
    return values.mode().sort().first() if is_category(column) else values.sort().get((pl.len() - 1) // 2)
