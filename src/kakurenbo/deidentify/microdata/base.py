"""What the methods on microdata share: rows in an order of their own, columns chosen by name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kakurenbo.data.checks import columns
from kakurenbo.data.groups import groups
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata


def in_fixed_order(microdata: Microdata) -> Microdata:
    """Return the rows sorted by content, so that chance does not depend on the order they came in."""
    table = microdata.records.with_columns(microdata.ids.alias("\0id")).sort(
        [*microdata.records.columns, "\0id"]
    )
    return replace(microdata, ids=table.drop_in_place("\0id").alias("id"), records=table)


def changed(microdata: Microdata, *new: pl.Series | pl.Expr) -> Microdata:
    """Return the microdata with these columns in place of those of the same name."""
    return replace(microdata, records=microdata.records.with_columns(*new))


def chosen(names: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return the columns named, or all there are; a name that is not there is refused."""
    columns.require(names, there)
    return list(names) or list(there)


def groups_of(microdata: Microdata, q: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each row's group of equal quasi-identifiers, all of them where none are named."""
    return groups(microdata, chosen(q, microdata.qi))


def enough_rows(microdata: Microdata, k: int, name: str) -> None:
    """Refuse a k that no table of this size can keep."""
    if k > len(microdata):
        raise ParameterError(
            f"{name}: k is {k}, but the table has only {len(microdata)} rows.", code="parameter"
        )
