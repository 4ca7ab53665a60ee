"""Whether the first row of a text names its columns, or is somebody's record already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.files import words
from kakurenbo.files.looks import look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.files.tables import Table


def looks_headerless(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first record of a text looks like the others: numbers or times where they have."""
    rows = [row for row in below if len(row) == len(names)]
    kinds = [look(pl.Series(column, dtype=pl.String)).kind for column in zip(*rows, strict=True)]
    first = [look(pl.Series([name])).kind for name in names[: len(kinds)]]
    return any(kind == other not in {"text", "empty"} for kind, other in zip(kinds, first, strict=True))


def names_columns(table: Table) -> bool:
    """Tell whether the first row surely names columns: some names speak, or stand above what they are not.

    Where it may be somebody's row, its fields are not repeated in a message.
    """
    if table.head is None or not table.header:
        return table.head is None
    names, below = table.head[0], [row for row in table.head[1:] if len(row) == len(table.head[0])]
    if looks_headerless(names, below):
        return False
    kinds = [look(pl.Series(column, dtype=pl.String)).kind for column in zip(*below, strict=True)]
    return any(words.spoken_of(name)[0] for name in names) or any(
        kind not in {"text", "empty"} for kind in kinds
    )
