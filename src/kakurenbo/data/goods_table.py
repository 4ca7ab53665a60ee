"""What is known of each good beside its code: a description, a category; one row a good.

Tills write it into every line, and not always alike, so of each good the words count that stand beside it
most often. It says what goods are alike; it is never released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.checks import columns, frames, ids
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.data.checks.spelling import Spelling


def from_records(goods: pl.Series, frame: pl.DataFrame, wanted: Sequence[str]) -> pl.DataFrame | None:
    """Return the table of goods that stands in the rows of purchases; None where nothing is wanted.

    Args:
        goods: the good of every row, as text.
        frame: the rows.
        wanted: the columns that speak of the good; where they differ, the most frequent value, of equals the
            first in the alphabet.
    """
    if not wanted:
        return None
    columns.require(wanted, frame.columns)
    return usual({name: counted(goods, frame[name]) for name in wanted})


def counted(goods: pl.Series, words: pl.Series) -> pl.DataFrame:
    """Return how often every word stands beside a good; a good without any comes once, with none."""
    name = words.name
    said = pl.DataFrame([goods.alias("goods"), _text(words).alias(name)]).drop_nulls("goods")
    return summed([said.with_columns(len=pl.col(name).is_not_null().cast(pl.UInt32))])


def summed(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return what several parts of a table count together."""
    told = pl.concat(parts)
    return told.group_by(told.columns[:2]).agg(pl.col("len").sum())


def usual(counts: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the table of goods with the words that are most frequent, by the columns they stand in."""
    first = next(iter(counts.values()))
    table = first["goods"].unique().sort().to_frame("goods")
    for name, told in counts.items():
        ordered = told.drop_nulls().sort("goods", "len", name, descending=[False, True, False])
        most = ordered.unique("goods", keep="first").drop("len")
        table = table.join(most, on="goods", how="left", maintain_order="left")
    return table


def from_frame(frame: Any, goods: str, spelling: Spelling) -> pl.DataFrame:  # noqa: ANN401 - any dataframe
    """Return a table of goods from a dataframe of its own, with the column of goods first and named so."""
    table, _ = frames.to_polars(frame)
    columns.require([goods], table.columns)
    if goods != "goods" and "goods" in table.columns:
        raise InputError("The table of goods has a second column, goods, beside the codes.", code="roles")
    codes = ids.as_text(table[goods], column=goods, spelling=spelling).alias("goods")
    if codes.null_count() or codes.n_unique() < len(codes):
        raise InputError(
            "The table of goods must have one row a good, each with a code.", code="duplicate-id"
        )
    others = (_text(table[name]).alias(name) for name in table.columns if name != goods)
    return pl.DataFrame([codes, *others]).sort("goods")


def _text(values: pl.Series) -> pl.Series:
    return ids.trimmed(values.cast(pl.String, strict=False))
