"""Tables on disk: CSV, Parquet and XLSX behind one small face - what columns are there, and give me these.

Columns are asked for by name, and only those with a role are loaded: what is not needed never enters memory
and can never reach a release.
"""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import polars as pl

from kakurenbo.errors import InputError
from kakurenbo.extras import require
from kakurenbo.files import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kakurenbo.data.layout import Format
    from kakurenbo.files.guard import Encoding

TEXT_ENDINGS = {".csv": ",", ".txt": ",", ".tsv": "\t"}
ENDINGS = (*TEXT_ENDINGS, ".parquet", ".xlsx")
XLSX_LIMIT = 4 << 30
_HEAD = 200
_TAIL = 1 << 16

Made = TypeVar("Made")


class Table(Protocol):
    """A table that has been opened, not loaded."""

    @property
    def names(self) -> list[str]:
        """The columns, in order."""

    @property
    def format(self) -> Format:
        """The format a release of it is written in."""

    @property
    def header(self) -> bool:
        """Whether the first row names the columns."""

    @property
    def separator(self) -> str:
        """What stands between two fields of text."""

    @property
    def head(self) -> list[list[str]] | None:
        """The first records as text, where the file is text."""

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns of every row."""


@dataclass(frozen=True)
class TextTable:
    """A CSV file that passed the guard; every value is text until its role says what it is."""

    path: Path
    head: list[list[str]]
    encoding: Encoding
    header: bool
    separator: str
    format: Format = "csv"

    @property
    def names(self) -> list[str]:
        """The header's names, or the columns' numbers from 1; twins become `name (1)` and `name (2)`."""
        first = [name.strip() for name in self.head[0]]
        if not self.header:
            return [str(i + 1) for i in range(len(first))]
        return [
            name if first.count(name) == 1 else f"{name} ({first[: i + 1].count(name)})"
            for i, name in enumerate(first)
        ]

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns as text."""
        source: Path | io.BytesIO = self.path
        if self.encoding != "utf-8":
            source = io.BytesIO(self.path.read_bytes().decode(self.encoding).encode())
        scan = pl.scan_csv(
            source,
            has_header=self.header,
            separator=self.separator,
            schema=dict.fromkeys(self.names, pl.String),
        )
        try:
            table = scan.select(columns).collect(engine="streaming")
        except pl.exceptions.PolarsError as error:
            raise _broken_text(error) from None
        table = table.head(table.height - _blank_lines_at_the_end(self.path))
        if not table.height:
            raise InputError("The file has a header but no rows.", code="file-empty")
        return table


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file, whose columns come typed."""

    path: Path
    names: list[str]
    format: Format = "parquet"
    header: bool = True
    separator: str = ","
    head: None = None

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns as they are typed."""
        try:
            table = pl.scan_parquet(self.path).select(columns).collect(engine="streaming")
        except (pl.exceptions.PolarsError, OSError):
            raise InputError("The file is not a readable Parquet file.", code="file-broken") from None
        if not table.height:
            raise InputError("The file has no rows.", code="file-empty")
        return table


@dataclass(frozen=True)
class XlsxTable:
    """The first sheet of a workbook. Its release is written as CSV: workbooks carry metadata."""

    frame: pl.DataFrame
    format: Format = "csv"
    header: bool = True
    separator: str = ","
    head: None = None

    @property
    def names(self) -> list[str]:
        """The first row's names."""
        return self.frame.columns

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns as the sheet types them."""
        if not self.frame.height:
            raise InputError("The sheet has a header but no rows.", code="file-empty")
        return self.frame.select(columns)


def open_any(
    path: Path, *, encoding: Encoding = "utf-8", header: bool = True, separator: str | None = None
) -> Table:
    """Open a table by the ending of its name; the options are for text."""
    ending = path.suffix.lower()
    if ending in TEXT_ENDINGS:
        return opened(path, partial(open_text, encoding=encoding, header=header, separator=separator))
    if ending in _TYPED:
        return opened(path, _TYPED[ending])
    opened(path, lambda _: None)
    raise InputError(f"The file's ending is none of {', '.join(ENDINGS)}.", code="format-unknown")


def opened(path: Path, opener: Callable[[Path], Made]) -> Made:
    """Open a path that must be there and readable."""
    if not path.exists():
        raise InputError("The path does not exist.", code="path-missing")
    try:
        return opener(path)
    except OSError:
        raise InputError("The file exists but cannot be read.", code="path-unreadable") from None


def open_text(
    path: Path, *, encoding: Encoding = "utf-8", header: bool = True, separator: str | None = None
) -> TextTable:
    """Guard a text file, read its first records and return it opened."""
    guard.inspect(path, encoding)
    separator = separator or TEXT_ENDINGS.get(path.suffix.lower(), ",")
    with path.open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="") as file:
        head = [
            row for row, _ in zip(csv.reader(file, delimiter=separator), range(_HEAD), strict=False) if row
        ]
    if not head:
        raise InputError("The file is empty.", code="file-empty")
    return TextTable(path, head, encoding, header, separator)


def _blank_lines_at_the_end(path: Path) -> int:
    """Count blank lines after the last record: editors leave them, and they are no records."""
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, _TAIL), 2)
        tail = file.read()
    return max(tail[len(tail.rstrip()) :].count(b"\n") - 1, 0)


def open_parquet(path: Path) -> ParquetTable:
    """Read the schema of a Parquet file and return it opened."""
    try:
        return ParquetTable(path, pl.scan_parquet(path).collect_schema().names())
    except (pl.exceptions.PolarsError, OSError):
        raise InputError("The file is not a readable Parquet file.", code="file-broken") from None


def open_xlsx(path: Path) -> XlsxTable:
    """Read the first sheet of a workbook, if the file is one and its content stays within the limit."""
    require("xlsx")
    broken = InputError("The file is not a readable XLSX workbook.", code="file-broken")
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if "[Content_Types].xml" not in archive.namelist():
                raise broken
    except (zipfile.BadZipFile, OSError):
        raise broken from None
    if size > XLSX_LIMIT:
        raise InputError(f"The workbook unpacks to more than {XLSX_LIMIT >> 30} GiB.", code="limit")
    try:
        frame = pl.read_excel(path, engine="calamine", raise_if_empty=False, infer_schema_length=None)
    except Exception:  # noqa: BLE001 - the reader raises many kinds, and its messages may quote cells
        raise broken from None
    return XlsxTable(frame)


_TYPED: dict[str, Callable[[Path], Table]] = {".parquet": open_parquet, ".xlsx": open_xlsx}


def _broken_text(error: Exception) -> InputError:
    """Say what is wrong without the parser's words, which quote the data."""
    words = str(error)
    if "more fields" in words or "ragged" in words:
        return InputError("A row has more fields than the first; is a separator unquoted?", code="ragged")
    return InputError(
        "A quote mark stands inside a field; put the whole field in quotes and double the mark.", code="quote"
    )
