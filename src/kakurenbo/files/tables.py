"""Tables on disk: CSV, Parquet and XLSX behind one small face - what columns are there, and give me these.

Columns are asked for by name, and only those with a role are loaded: what is not needed never enters memory
and can never reach a release.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import polars as pl
from polars import selectors as cs

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.errors import InputError, in_file
from kakurenbo.extras import require
from kakurenbo.files import guard, parquet_sizes, workbook
from kakurenbo.files.dialects import dialect_of, rows_above
from kakurenbo.files.guard import Dialect
from kakurenbo.files.limits import Limits
from kakurenbo.files.parquet_sizes import Content
from kakurenbo.files.parts import parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from kakurenbo.data.layout import Format

TEXT_ENDINGS = {".csv": ",", ".txt": ",", ".tsv": "\t"}
PARQUET = ".parquet"
ENDINGS = (*TEXT_ENDINGS, PARQUET, ".xlsx")
_HEAD = 200
_SHEETS = 50  # of a workbook that are looked at
_TOP = 25  # rows of a sheet among which its header is looked for
_A_DAY = {"": 1, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_EPOCH = dt.date(1970, 1, 1).toordinal()
_FIRST, _LAST = dt.date.min.toordinal() - _EPOCH, dt.date.max.toordinal() - _EPOCH  # the years 1 to 9999

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
    def dialect(self) -> Dialect:
        """How text is written; of a typed file, how its release would be."""

    @property
    def head(self) -> list[list[str]] | None:
        """The first records as text, where the file is text."""

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns of every row."""

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """Yield these columns of about so many rows at a time, in the order of the rows."""


@dataclass(frozen=True)
class TextTable:
    """A CSV file whose first record passed the guard; every value is text until its role says what it is."""

    path: Path
    head: list[list[str]]
    dialect: Dialect
    limits: Limits = field(default_factory=Limits)
    format: Format = "csv"

    @property
    def header(self) -> bool:
        """Whether the first row names the columns."""
        return self.dialect.header

    @property
    def separator(self) -> str:
        """What stands between two fields."""
        return self.dialect.separator

    @cached_property
    def names(self) -> list[str]:
        """The header's names, or the columns' numbers from 1; twins become `name (1)` and `name (2)`."""
        first = [name.strip() for name in self.head[0]]
        return _told_apart(first) if self.header else [str(i + 1) for i in range(len(first))]

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Look through the whole file, and return these columns as text."""
        return opened(self.path, lambda _: self._load(columns))

    def _load(self, columns: Sequence[str]) -> pl.DataFrame:
        shape = guard.inspect(self.path, self.dialect, self.limits)
        rows = shape.records - self.header
        if not rows:
            raise InputError("The file has a header but no rows.", code="file-empty")
        self.limits.check_cells(rows, len(columns))
        rewrite = shape.padded or self.dialect.encoding != "utf-8" or self.dialect.above
        source = guard.plain(self.path, self.dialect, self.limits) if rewrite else self.path
        places = [str(i) for i in range(shape.width)]
        scan = pl.scan_csv(
            source, has_header=False, separator=self.separator, schema=dict.fromkeys(places, pl.String),
            glob=False,
        )  # fmt: skip
        place_of = dict(zip(self.names, places, strict=True))
        wanted = [pl.col(place_of[name]).alias(name) for name in columns]
        try:
            table = scan.select(wanted).collect(engine="streaming")
        except pl.exceptions.PolarsError:
            table = pl.DataFrame()
        if table.height not in {shape.records, shape.records + shape.blank}:
            raise InputError("The text cannot be read as a table.", code="file-broken")
        return table.slice(int(self.header), rows)

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """Look through the file part by part, and yield these columns as text."""
        size = rows * max(sum(map(len, chain.from_iterable(self.head))) // len(self.head), 1)
        first = int(self.header)
        with _whole_file(self.path):
            for text, records, width in guard.chunks(self.path, self.dialect, size, self.limits):
                table = self._parsed(text, columns, width)
                if not records <= table.height:
                    raise InputError("The text cannot be read as a table.", code="file-broken")
                if records > first:
                    yield table.slice(first, records - first)
                first = 0
        if first:
            raise InputError("The file is empty.", code="file-empty")

    def _parsed(self, text: bytes, columns: Sequence[str], width: int) -> pl.DataFrame:
        places = [f"column_{place}" for place in range(1, width + 1)]
        place_of = dict(zip(self.names, places, strict=True))
        wanted = [place_of[name] for name in columns]
        try:
            table = pl.read_csv(
                text, has_header=False, separator=self.separator, columns=wanted,
                schema=dict.fromkeys(places, pl.String),
            )  # fmt: skip
        except pl.exceptions.PolarsError:
            table = pl.DataFrame(schema=dict.fromkeys(wanted, pl.String))
        return table.select(pl.col(place).alias(name) for place, name in zip(wanted, columns, strict=True))


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file, or a folder of them that are one table; columns come typed."""

    path: Path
    parts: tuple[Path, ...]
    content: Content
    limits: Limits = field(default_factory=Limits)
    format: Format = "parquet"
    header: bool = True
    separator: str = ","
    dialect: Dialect = field(default_factory=Dialect)
    head: None = None

    @property
    def names(self) -> list[str]:
        """The columns at the top of the schema."""
        return self.content.names

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns as they are typed."""
        return opened(self.path, lambda _: self._load(columns), in_parts=True)

    def _load(self, columns: Sequence[str]) -> pl.DataFrame:
        if not self.content.rows:
            raise InputError("The file has no rows.", code="file-empty")
        self.limits.check_cells(self.content.rows, len(columns))
        size = 0
        for part in self.parts:
            with _part(part), part.open("rb") as file:
                footer = parquet_sizes.footer(file, self.limits)
                size = parquet_sizes.unpacked(file, footer, columns, self.limits, size)
        with _parquet():
            table = self._scan(columns).collect(engine="streaming")
        texts = table.select(cs.string().str.len_bytes().cast(pl.UInt64).sum())  # 32 bits would overflow
        words = table.select(cs.by_dtype(pl.Categorical, pl.Enum).cat.len_bytes().cast(pl.UInt64).sum())
        self.limits.check_unpacked(sum(length for row in (*texts.rows(), *words.rows()) for length in row))
        if table.height != self.content.rows:
            raise _no_parquet()
        _refuse_far_dates(table)
        return table

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """Yield these columns as they are typed; each chunk of the file has to fit the limits."""
        if not self.content.rows:
            raise InputError("The file has no rows.", code="file-empty")
        self.limits.check_cells(self.content.rows, len(columns))
        read = 0
        with _whole_file(self.path), _parquet():
            for part in self.parts:
                with _part(part), part.open("rb") as file:
                    footer = parquet_sizes.footer(file, self.limits)
                    parquet_sizes.unpacked_each(file, footer, columns, self.limits)
            for table in self._scan(columns).collect_batches(chunk_size=rows, maintain_order=True):
                _refuse_far_dates(table)
                read += table.height
                yield table
        if read != self.content.rows:
            raise _no_parquet()

    def _scan(self, columns: Sequence[str]) -> pl.LazyFrame:
        """Return these columns of all parts, one part after the other; they must be typed alike."""
        schema = _schema(self.parts[0])
        for part in self.parts[1:]:
            with in_file(part):
                if _schema(part) != schema:
                    raise InputError(
                        "The parts of a table must have the same columns with the same types, in one order; "
                        "this one differs from the first.",
                        code="parts",
                    )
        scan = _scanned(*self.parts).select(columns)
        _refuse_nested(scan.collect_schema())
        return scan


@dataclass(frozen=True)
class XlsxTable:
    """A sheet of a workbook. Its release is written as CSV: workbooks carry metadata."""

    frame: pl.DataFrame
    format: Format = "csv"
    header: bool = True
    separator: str = ","
    dialect: Dialect = field(default_factory=Dialect)
    head: None = None

    @property
    def names(self) -> list[str]:
        """The first row's names."""
        return self.frame.columns

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns as the sheet types them."""
        if not self.frame.height:
            raise InputError("The sheet has a header but no rows.", code="file-empty")
        table = self.frame.select(columns)
        _refuse_far_dates(table)
        return table

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """Yield these columns; a sheet is in memory already."""
        yield from self.load(columns).iter_slices(rows)


@dataclass(frozen=True)
class Head:
    """The beginning of a table, by which the roles and forms of a large one are worked out."""

    table: Table
    rows: int

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the table has
        return getattr(self.table, name)

    def load(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return these columns of the first rows."""
        first: pl.DataFrame = next(self.table.batches(columns, self.rows))
        return first.head(self.rows)


@contextmanager
def _whole_file(path: Path) -> Iterator[None]:
    """Say in our words that a file could not be read to its end."""
    with in_file(path):
        try:
            yield
        except OSError:
            raise InputError("The file exists but cannot be read.", code="path-unreadable") from None


def open_any(
    path: Path,
    *,
    encoding: str | None = None,
    header: bool = True,
    separator: str | None = None,
    limits: Limits | None = None,
) -> Table:
    """Open a table by the ending of its name; encoding, header and separator are for text.

    Encoding and separator are worked out where they are not given. A folder is a table in parts.
    """
    ending = ending_of(path)
    most = limits or Limits()
    if ending in TEXT_ENDINGS:
        return opened(path, lambda file: _open_foreign(file, encoding, separator, most, header=header))
    if ending in _TYPED:
        return opened(path, lambda file: _TYPED[ending](file, most), in_parts=ending == PARQUET)
    opened(path, lambda _: None)
    raise InputError(f"The file's ending is none of {', '.join(ENDINGS)}.", code="format-unknown")


def ending_of(path: Path) -> str:
    """Return the ending that tells how a table is read; one in parts is Parquet, whatever it is called."""
    return PARQUET if path.is_dir() else path.suffix.lower()


def opened(path: Path, opener: Callable[[Path], Made], *, in_parts: bool = False) -> Made:
    """Open a path that must be there, readable and a file, or one in parts: a pipe would never end."""
    with in_file(path):
        if not path.exists():
            raise InputError("The file or folder does not exist.", code="path-missing")
        if not path.is_file() and not (in_parts and path.is_dir()):
            raise InputError("The path is not a file.", code="path-unreadable")
        try:
            return opener(path)
        except OSError:
            raise InputError("The file exists but cannot be read.", code="path-unreadable") from None


def _open_foreign(
    path: Path, encoding: str | None, separator: str | None, limits: Limits, *, header: bool
) -> TextTable:
    default = TEXT_ENDINGS[path.suffix.lower()]
    dialect = dialect_of(path, encoding=encoding, separator=separator, header=header, default=default)
    return open_text(path, dialect, limits)


def open_text(path: Path, dialect: Dialect | None = None, limits: Limits | None = None) -> TextTable:
    """Read the first records of a text file and return it opened; how it is written is worked out."""
    how, most = dialect or dialect_of(path), limits or Limits()
    return TextTable(path, guard.head(path, how, _HEAD, most), how, most)


def _told_apart(names: list[str]) -> list[str]:
    """Return the names, twins numbered in their order."""
    counts, seen, taken = Counter(names), Counter[str](), set(names)
    apart = []
    for name in names:
        made = name
        while counts[name] > 1 and made in taken:
            seen[name] += 1
            made = f"{name} ({seen[name]})"
        taken.add(made)
        apart.append(made)
    return apart


def open_parquet(path: Path, limits: Limits | None = None) -> ParquetTable:
    """Read the footers of a Parquet file, or of all its parts, and return it opened."""
    most, parts = limits or Limits(), parts_of(path)
    rows, names = 0, list[str]()
    for part in parts:
        with _part(part), part.open("rb") as file:
            footer = parquet_sizes.footer(file, most)
        rows, names = rows + footer.rows, names or footer.names
    return ParquetTable(path, parts, Content(rows, names), most)


def _scanned(*parts: Path) -> pl.LazyFrame:
    return pl.scan_parquet(list(parts), glob=False)  # a name is a name, whatever signs are in it


def _schema(part: Path) -> pl.Schema:
    with _parquet():
        return _scanned(part).collect_schema()


@contextmanager
def _part(part: Path) -> Iterator[None]:
    """Say in our words what is wrong with a Parquet file, and with which."""
    with in_file(part), _parquet():
        yield


@contextmanager
def _parquet() -> Iterator[None]:
    """Say in our words what a reader of Parquet says in many, some of which quote values."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, parquet_sizes.Malformed, OSError):
        raise _no_parquet() from None


def _no_parquet() -> InputError:
    return InputError("The file is not a readable Parquet file.", code="file-broken")


def _refuse_nested(schema: pl.Schema) -> None:
    """Refuse columns of which one row holds any number of values: none of them can have a role."""
    for name, dtype in schema.items():
        if dtype.is_nested() or dtype in {pl.Binary, pl.Object, pl.Unknown}:
            kind = str(dtype.base_type()).lower()
            raise InputError(
                f"A column with a role holds one plain value in each row, but this one is a {kind}.",
                code="frame",
                column=name,
            )


def _refuse_far_dates(table: pl.DataFrame) -> None:
    """Refuse dates outside the years 1 to 9999, at which readers of dates break."""
    for column in table.select(cs.date() | cs.datetime()):
        a_day = _A_DAY[getattr(column.dtype, "time_unit", "")]
        days = column.to_physical().cast(pl.Int64) // a_day
        message = "A date lies outside the years 1 to 9999."
        refuse_rows(~days.is_between(_FIRST, _LAST), message, code="not-date", column=column.name)


def open_xlsx(path: Path, limits: Limits) -> XlsxTable:
    """Read the first table of a workbook, if the file is one and its content stays within the limits."""
    require("xlsx")
    broken = InputError("The file is not a readable XLSX workbook.", code="file-broken")
    try:
        workbook.inspect(path, limits)
        frame = _sheet(path)
    except (InputError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - of many kinds, panics among them, some of which quote cells
        raise broken from None
    limits.check_cells(frame.height, frame.width)
    return XlsxTable(frame)


def _sheet(path: Path) -> pl.DataFrame:
    """Return the first sheet that holds a table, else the first, without rows above a clear header."""
    first = _below_title(path, 1)
    frame = first
    for sheet in range(2, _SHEETS):
        if frame.width > 1 and frame.height:
            return frame
        try:
            frame = _below_title(path, sheet)
        except ValueError:  # there is no such sheet
            return first
    return first


def _below_title(path: Path, sheet: int) -> pl.DataFrame:
    frame = _read_sheet(path, sheet)
    if sum(name.startswith("__UNNAMED__") for name in frame.columns) < max(frame.width - 1, 1):
        return frame
    top = _read_sheet(path, sheet, has_header=False, drop_empty_rows=False, read_options={"n_rows": _TOP})
    rows = top.select(pl.all().cast(pl.String).fill_null("")).rows()
    above = rows_above(rows)
    return _read_sheet(path, sheet, read_options={"header_row": above}) if above else frame


def _read_sheet(path: Path, sheet: int, **options: Any) -> pl.DataFrame:  # noqa: ANN401 - of polars
    frame: pl.DataFrame = pl.read_excel(
        path, sheet_id=sheet, engine="calamine", raise_if_empty=False, infer_schema_length=None, **options
    )
    return frame


_TYPED: dict[str, Callable[[Path, Limits], Table]] = {PARQUET: open_parquet, ".xlsx": open_xlsx}
