"""What Spark reads: a DataFrame, Parquet or text with a header, at any path it knows.

The first rows stand for the whole where it is asked what its columns are and how they are written, so that a
table on a cluster is recognised as a file would be.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.errors import InputError
from kakurenbo.files.dialects import dialect_of
from kakurenbo.files.guard import Dialect
from kakurenbo.spark.folders import address, listed
from kakurenbo.spark.session import translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from kakurenbo.data.layout import Format
    from kakurenbo.files.options import ReadOptions

_HEAD = 20_000  # rows from which forms and roles are told
_TEXT = {".csv": ",", ".txt": ",", ".tsv": "\t"}
_MASTERS = ("master", "M")
_TABLES = ("transactions", "T")


@dataclass(frozen=True)
class Head:
    """A table that Spark opened, and its first rows; a DataFrame has no path."""

    frame: DataFrame
    rows: pl.DataFrame
    format: Format
    dialect: Dialect
    path: str | None = None

    @property
    def folder(self) -> str | None:
        """The folder around the table, where it was laid out for this program."""
        folder, _, name = (self.path or "").rpartition("/")
        return folder if folder and Path(name).stem in _TABLES else None

    @property
    def names(self) -> list[str]:
        """The columns, in order."""
        return self.rows.columns

    @property
    def header(self) -> bool:
        """Whether the first row names the columns."""
        return self.dialect.header

    @property
    def separator(self) -> str:
        """What stands between two fields of text."""
        return self.dialect.separator

    @property
    def head(self) -> list[list[str]] | None:
        """The first records as text, where the table is text."""
        if self.format != "csv":
            return None
        rows = [[value or "" for value in row] for row in self.rows.head(200).rows()]
        return [self.names, *rows] if self.header else rows

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """Yield these columns of the first rows, so many at a time."""
        yield from self.rows.select(columns).iter_slices(rows)

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns of the first rows."""
        return self.rows.select(columns)


def opened(session: SparkSession, place: Any, given: ReadOptions) -> Head:  # noqa: ANN401 - a path or a frame
    """Open a DataFrame or a path."""
    if not isinstance(place, str | Path):
        return _with_head(place, "parquet", Dialect())
    path = _table_in(session, address(place).rstrip("/"))
    ending = Path(path.rstrip("/")).suffix.lower()
    if ending not in _TEXT:
        return _with_head(_read(session, "parquet", path), "parquet", Dialect(), path)
    how = _dialect(path, given, _TEXT[ending])
    options = {
        "header": how.header, "sep": how.separator, "encoding": how.encoding, "escape": '"',
        "mode": "FAILFAST", "inferSchema": False,
    }  # fmt: skip
    frame = _read(session, "csv", path, **options)
    if not how.header:
        frame = frame.toDF(*(str(place + 1) for place in range(len(frame.columns))))
    return _with_head(frame, "csv", how, path)


def _with_head(frame: DataFrame, kind: Format, how: Dialect, path: str | None = None) -> Head:
    with translated():
        rows = pl.from_arrow(frame.limit(_HEAD).toArrow())
    if not isinstance(rows, pl.DataFrame):
        raise TypeError("a table of Arrow is a frame")
    return Head(frame, rows, kind, how, path)


def _read(session: SparkSession, kind: str, path: str, **options: Any) -> DataFrame:  # noqa: ANN401 - of Spark
    from pyspark.errors import AnalysisException  # noqa: PLC0415 - an extra

    try:
        with translated(AnalysisException):
            return session.read.format(kind).options(**options).load(path)
    except AnalysisException as error:
        missing = error.getCondition() == "PATH_NOT_FOUND"
        raise InputError(
            "There is nothing at this path, as Spark sees it."
            if missing
            else "Spark can read no table at this path; it reads Parquet, and text that ends in .csv.",
            code="path-missing" if missing else "file-broken",
        ) from None


def _table_in(session: SparkSession, place: str) -> str:
    """Return the table of a folder that was laid out for this program, or the path itself."""
    endings = {*_TEXT, ".parquet"}
    inside = {
        Path(name).stem: name for name in listed(session, place) if Path(name).suffix.lower() in endings
    }
    if any(name in inside for name in _MASTERS):
        raise InputError(
            "A master is not read on a cluster; move it elsewhere, or use another engine.", code="many-tables"
        )
    return next((f"{place}/{inside[name]}" for name in _TABLES if name in inside), place)


def _dialect(path: str, given: ReadOptions, separator: str) -> Dialect:
    """Return how text is written: worked out of a file of this machine, else as declared."""
    local = Path(path)
    if local.is_file():
        named = {"encoding": given.encoding, "separator": given.separator, "header": given.header}
        return dialect_of(local, default=separator, **named)  # type: ignore[arg-type] # the types of the options
    return Dialect(given.encoding or "utf-8", given.separator or separator, given.header)
