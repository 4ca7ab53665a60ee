"""Writing: one text that stands for all values of a group of rows.

Read back by `forms`, it holds of the values of its column just those of the group: between the least and the
largest where values have an order, and otherwise one by one. A category is quoted where it would be taken for
more than itself, such as `a, b` in a set or a star.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.groups import as_text, over

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLANK = r"[\s\x1c-\x1f]"
_NOT_ALONE = rf'^{_BLANK}|{_BLANK}$|^\**$|^\{{"'
_NOT_IN_SETS = rf"{_NOT_ALONE}|^\{{|[,;|]"


def is_category(column: pl.Series) -> bool:
    """Return whether the values are names without an order of their own, so that a group of them is a set."""
    return column.dtype in (pl.String, pl.Categorical, pl.Enum, pl.Boolean)


def generalised(column: pl.Series, group: NDArray[np.int64]) -> pl.Series:
    """Return for each row the text of its group; the column as it is where all of a group are equal.

    Args:
        column: values, none of them missing.
        group: the number of each row's group.
    """
    table = pl.DataFrame({"value": column, "text": as_text(column)})
    written = _set(table["text"]) if is_category(column) else _range()
    made = table.select(over(written, group)).to_series().alias(column.name)
    return column if (made == table["text"]).all() else made


def _range() -> pl.Expr:
    value, text = pl.col("value"), pl.col("text")
    low, high = text.get(value.arg_min()), text.get(value.arg_max())
    return pl.when(low == high).then(low).otherwise(pl.format("[{}..{}]", low, high))


def _set(column: pl.Series) -> pl.Expr:
    """Return a set; all of a column are quoted if one must be, so that none is taken for a value of it."""
    text = pl.col("text")
    quoted = pl.format('"{}"', text.str.replace_all(r'(["\\])', r"\$1"))
    alone = pl.when(text.str.contains(_NOT_ALONE)).then(_braced(quoted)).otherwise(text)
    listed = quoted if column.str.contains(_NOT_IN_SETS).any() else text
    count = text.n_unique()
    return (
        pl.when(count == 1)
        .then(alone.first())
        .when(count == column.n_unique())
        .then(pl.lit("*"))
        .otherwise(_braced(listed.unique().sort().str.join(",")))
    )


def _braced(text: pl.Expr) -> pl.Expr:
    return pl.lit("{") + text + pl.lit("}")
