"""k-anonymize: nobody's quasi-identifiers are shared by fewer than k.

Multidimensional generalisation by Mondrian: the table is cut into groups of at least k rows, and within a
group all rows get the same quasi-identifiers. Sensitive attributes stay as they are, so who knows one of
those (identify-sa21, identify-sort) is not held at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.generalised.writing import generalised, is_category
from kakurenbo.data.groups import over
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed, Method
from kakurenbo.kernels.groups import mondrian

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance


class KAnonymize(Method[Microdata]):
    """Generalise the quasi-identifiers by Mondrian until every combination is shared by at least k rows.

    Numbers and dates become ranges such as [20..29], categories sets such as {north,south}, a set of all of
    them *; or every row of a group gets its typical values, so that columns keep their types. A table of
    fewer than k rows is refused; otherwise every group has at least k, for certain.
    """

    about: ClassVar = MethodAbout(
        name="k-anonymize", kind="microdata", source="Mondrian, LeFevre et al. 2006",
        promises=("k-anonymous", "keeps-means"), slot="groups",
        knobs=(
            Knob.of_size("k"), Knob("cut", ("strict", "relaxed")), Knob("write", ("ranges", "typical")),
        ),
        example={"k": 2},
    )  # fmt: skip

    k: int = Field(ge=1, description="fewest rows with the same quasi-identifiers")
    cut: Literal["strict", "relaxed"] = Field(
        "strict", description="keep rows with equal values together, or part them for smaller groups"
    )
    write: Literal["ranges", "typical"] = Field(
        "ranges", description="write ranges and sets, or the group's median and most frequent values"
    )

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata with generalised quasi-identifiers."""
        self.require_rows(data, self.k)
        order = chance.order("cut", data.ids)  # relaxed cuts part equal rows at random
        columns = [data.records[name] for name in data.qi]
        numbers = [_numbers(column)[order] for column in columns]
        group = np.empty(len(data), dtype=np.int64)
        nominal = [is_category(column) for column in columns]
        group[order] = mondrian(numbers, nominal, self.k, strict=self.cut == "strict")
        if self.write == "ranges":
            made = data.with_columns(*(generalised(column, group) for column in columns))
        else:
            made = data.with_columns(*(over(_typical(column), group) for column in columns))
        return Changed(made, Facts.of_groups(group))


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    """Return numbers in the order of the values: themselves, or a category's place."""
    if is_category(column):
        return (column.cast(pl.String).rank("dense") - 1).to_numpy().astype(np.float64)
    return column.to_physical().to_numpy().astype(np.float64)


def _typical(column: pl.Series) -> pl.Expr:
    """Return the most frequent category, or the median, a value that occurs."""
    values = pl.col(column.name)
    return values.mode().sort().first() if is_category(column) else values.sort().get((pl.len() - 1) // 2)
