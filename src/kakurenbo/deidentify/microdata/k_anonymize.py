"""k-anonymize: nobody's quasi-identifiers are shared by fewer than k.

Multidimensional generalisation by Mondrian: the table is cut into boxes of at least k rows, and within a box
all rows get the same quasi-identifiers. Sensitive attributes stay as they are, so who knows one of those
(identify-sa21, identify-sort) is not held at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed, Method
from kakurenbo.deidentify.microdata.base import enough_rows
from kakurenbo.kernels.groups import mondrian

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance


class KAnonymize(Method[Microdata]):
    """Generalise the quasi-identifiers by Mondrian until every combination is shared by at least k rows.

    Numbers and dates become ranges such as [20..29], categories sets such as {north,south}, a set of all of
    them *; or every row of a box gets the box's typical values, so that columns keep their types. A table of
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
        enough_rows(data, self.k, type(self).__name__)
        order = chance.order("cut", data.ids)  # relaxed cuts part equal rows by lot
        nominal = [_is_nominal(data.records[name]) for name in data.qi]
        numbers = [_numbers(data.records[name])[order] for name in data.qi]
        box = np.empty(len(data), dtype=np.int64)
        box[order] = mondrian(numbers, nominal, self.k, strict=self.cut == "strict")
        labelled = data.records.select(data.qi).with_columns(pl.Series("\0box", box))
        write = _ranges if self.write == "ranges" else _typical
        made = [write(labelled, name, category) for name, category in zip(data.qi, nominal, strict=True)]
        return Changed(data.with_columns(*made), Facts.of_groups(box))


def _is_nominal(column: pl.Series) -> bool:
    return column.dtype in {pl.String, pl.Categorical, pl.Enum, pl.Boolean}


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    """Return numbers in the order of the values: themselves, or a category's place."""
    if _is_nominal(column):
        return (column.cast(pl.String).rank("dense") - 1).to_numpy().astype(np.float64)
    return column.to_physical().to_numpy().astype(np.float64)


def _ranges(table: pl.DataFrame, name: str, nominal: bool) -> pl.Series:
    """Return the column with each box's range or set, as text; unchanged where no box has two values."""
    column = pl.col(name)
    if nominal:
        held = column.cast(pl.String).unique().sort()
        whole = pl.lit(table[name].n_unique())
        made = (
            table.group_by("\0box")
            .agg(held.alias("set"))
            .with_columns(text=pl.col("set").list.join(","), size=pl.col("set").list.len())
        )
        text = (
            pl.when(pl.col("size") == 1)
            .then("text")
            .when(pl.col("size") == whole)
            .then(pl.lit("*"))
            .otherwise(pl.concat_str(pl.lit("{"), "text", pl.lit("}")))
        )
    else:
        made = table.group_by("\0box").agg(
            low=column.min().cast(pl.String), high=column.max().cast(pl.String)
        )
        text = (
            pl.when(pl.col("low") == pl.col("high"))
            .then("low")
            .otherwise(pl.format("[{}..{}]", "low", "high"))
        )
    return _or_unchanged(_spread(table, made.select("\0box", text.alias(name))), table[name])


def _spread(table: pl.DataFrame, by_box: pl.DataFrame) -> pl.Series:
    """Return each row's value of its box."""
    return table.select("\0box").join(by_box, on="\0box", how="left", maintain_order="left").to_series(1)


def _or_unchanged(text: pl.Series, column: pl.Series) -> pl.Series:
    same = (text == column.cast(pl.String)).all()
    return column if same else text.alias(column.name)


def _typical(table: pl.DataFrame, name: str, nominal: bool) -> pl.Series:
    """Return the column with each box's median (a value that occurs) or most frequent category."""
    column = pl.col(name)
    if nominal:
        counted = table.group_by("\0box", name).agg(pl.len().alias("\0times"))
        typical = counted.sort("\0times", name, descending=[True, False])
        typical = typical.group_by("\0box", maintain_order=True).agg(column.first())
    else:
        ranked = table.sort("\0box", name)
        typical = ranked.group_by("\0box", maintain_order=True).agg(column.get((pl.len() - 1) // 2))
    return _spread(table, typical)
