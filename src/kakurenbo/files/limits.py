"""How large a table may be before it is refused: a small file can unpack to more than any machine holds.

Every limit is counted while reading, before the values themselves are in memory, and a larger table is
refused with the code `limit` and the name of the option that raises it. What is accepted by default fits
tens of millions of purchases.
"""

from __future__ import annotations

from dataclasses import dataclass

from kakurenbo.errors import InputError

MAX_ROWS = 50_000_000
MAX_COLUMNS = 16_384
MAX_CELLS = 400_000_000
MAX_MEGABYTES = 4_096
_SHEET_CELL = 16  # one cell of a sheet takes the room of so many cells of text


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is read of one table.

    Attributes:
        rows: rows, the blank ones at the end included.
        columns: columns in the file, with or without a role.
        cells: rows times the columns that are loaded; of a workbook a sixteenth of it, because its sheets
            are loaded whole and take more room.
        megabytes: what a packed file (Parquet, XLSX) may unpack to.
    """

    rows: int = MAX_ROWS
    columns: int = MAX_COLUMNS
    cells: int = MAX_CELLS
    megabytes: int = MAX_MEGABYTES

    def check_rows(self, rows: int) -> None:
        """Refuse too many rows."""
        if rows > self.rows:
            raise passed(f"The table has more than {self.rows:,} rows", "max_rows")

    def check_columns(self, columns: int) -> None:
        """Refuse too many columns."""
        if columns > self.columns:
            raise passed(f"The table has more than {self.columns:,} columns", "max_columns")

    def check_cells(self, rows: int, columns: int) -> None:
        """Refuse to load so many rows of so many columns."""
        self.check_rows(rows)
        if rows * columns > self.cells:
            raise passed(f"Rows times columns to load are more than {self.cells:,}", "max_cells")

    def check_sheet(self, cells: int) -> None:
        """Refuse a sheet that spans too many cells, or as many texts."""
        if cells > self.cells // _SHEET_CELL:
            raise passed(
                f"The workbook spans more than {self.cells // _SHEET_CELL:,} cells", "max_cells", _SHEET_CELL
            )

    def check_unpacked(self, size: int) -> None:
        """Refuse what unpacks to too many bytes."""
        if size > self.megabytes << 20:
            raise passed(f"The file unpacks to more than {self.megabytes:,} MiB", "max_megabytes")


def passed(what: str, parameter: str, times: int = 1) -> InputError:
    """Return the refusal for a limit that was passed, naming the parameter that raises it."""
    each = f" (a cell of a sheet counts {times} times)" if times > 1 else ""
    return InputError(
        f"{what}{each}; if it is meant to be so large, raise {parameter}.", code="limit", parameter=parameter
    )
