"""People in groups of equal values: by columns of the master, or by quasi-identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data import columns
from kakurenbo.data.microdata import Microdata
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases


def groups(data: Purchases | Microdata, by: Sequence[str]) -> NDArray[np.int64]:
    """Return the group of every person (customers in their sorted order, microdata row by row).

    Args:
        data: purchases with a master, or microdata.
        by: columns of the master, or quasi-identifiers; none means that all are one group.
    """
    people = len(data) if isinstance(data, Microdata) else len(data.customers)
    if not by:
        return np.zeros(people, dtype=np.int64)
    if isinstance(data, Microdata):
        table = data.records
    elif data.master is None:
        raise InputError("Groups are made by the master's columns, and there is no master.", code="roles")
    else:
        table = pl.DataFrame({"customer": data.customers}).join(data.master, on="customer", how="left")
    columns.require(list(by), table.columns)
    labels = table.select(pl.struct(*by).rank("dense")).to_series()
    return labels.cast(pl.Int64).to_numpy() - 1
