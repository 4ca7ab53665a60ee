"""The release folder: data in the form its original had, whole or not at all, and the secret elsewhere.

Order matters. The secret is durable before the release appears, so that there is never a release nobody can
score; and it lies outside the folder, so that handing over the folder never hands over the secret. Rows are
sorted by their own content and only columns with a role are written: neither order nor a forgotten column
tells anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.table import ByKind
from kakurenbo.errors import ParameterError
from kakurenbo.files import atomic
from kakurenbo.files.pairings import write_pairing

if TYPE_CHECKING:
    from kakurenbo.data.layout import Column, Layout
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Data


def write_release(
    release: Release[Data],
    folder: str | Path,
    *,
    secret: str | Path,
    overwrite: bool = False,
) -> None:
    """Write a release and its secret pairing apart from each other.

    Args:
        release: what to write.
        folder: the release folder; it must not exist, unless `overwrite` exchanges it in one step.
        secret: the file for the pairing, outside the folder, mode 0600; never overwritten.
        overwrite: replace an existing release folder.
    """
    target, hidden = Path(folder), Path(secret)
    if hidden.resolve().is_relative_to(target.resolve()):
        raise ParameterError("The secret must lie outside the release folder.", code="secret-place")
    if target.exists() and not overwrite:
        raise ParameterError(
            f"{target.name} exists already; choose another name, or say that it may be overwritten.",
            code="exists",
        )
    if hidden.exists():
        raise ParameterError(
            "The secret's file exists already, and a secret is never overwritten.", code="exists"
        )
    write_pairing(release.pairing, hidden, secret=True)
    try:
        atomic.write_folder(target, lambda place: fill(release.data, place), overwrite=overwrite)
    except Exception:  # an interrupt may come after the rename: then the secret must stay
        hidden.unlink(missing_ok=True)
        raise


def _purchases(data: Purchases, folder: Path) -> None:
    _write(_laid_out(data), data.layout, folder / f"transactions.{data.layout.format}")
    if data.master is not None:
        master = data.master.rename({"customer": data.layout.name_of("customer")})
        _write(master, data.layout, folder / f"master.{data.layout.format}")


def _microdata(data: Microdata, folder: Path) -> None:
    table = data.with_ids
    table.sort(table.columns).write_csv(folder / "microdata.csv")


# Write the tables of data into an existing folder, in their layout.
fill: ByKind[None] = ByKind(purchases=_purchases, microdata=_microdata)


def _laid_out(data: Purchases) -> pl.DataFrame:
    """Return the records as the columns of the layout."""
    as_text = data.layout.format == "csv"
    return data.records.select(_column(column, as_text=as_text) for column in data.layout.columns)


def _column(column: Column, *, as_text: bool) -> pl.Expr:
    if column.role is None:
        return pl.lit(column.constant).alias(column.name)
    value = pl.col(column.role)
    if column.role == "time":
        if column.pattern:
            value = value.dt.strftime(column.pattern)
        elif as_text:
            value = value.dt.strftime("%Y-%m-%d %H:%M:%S")
    elif column.role in {"customer", "goods", "receipt"}:
        value = value.cast(pl.String)
    elif column.role == "price" and as_text:
        value = value.cast(pl.String).str.strip_suffix(".0")
    return value.alias(column.name)


def _write(table: pl.DataFrame, layout: Layout, path: Path) -> None:
    rows = table.sort(table.columns, nulls_last=True)
    if layout.format == "parquet":
        rows.write_parquet(path)
    else:
        rows.write_csv(path, include_header=layout.header, separator=layout.separator)
