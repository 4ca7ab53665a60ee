"""Taking a table apart, line by line, so that all its faults are found and not only the first.

The project's readers stop at the first fault, as they should: whoever hands out data mends it once. A team
with three tries a day needs all of them at once. So a table is first taken apart here, and only a table
without any fault is read.

A line is what ends in a line's end: a quoted cell may hold separators and doubled quote marks, and must end
on its line. Then no reader can take two lines for one, and places are what an editor shows.
"""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.contest.judging.cells import Cells, Form
from kakurenbo.errors import InputError
from kakurenbo.files import tables
from kakurenbo.files.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.contest.judging.faults import Faults

_LINE = "\0line"
_COLUMNS = 200  # more than any table of a contest has
_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_FORMULA = r"^\s*[=+\-@\t\r]"
_CONTROL = r"[\x00-\x1f\x7f\u0085\u2028\u2029]"


def read_cells(file: str, data: bytes, form: Form, faults: Faults) -> Cells | None:
    """Take a table apart, and note what is wrong with its lines; None where nothing of it can be read."""
    if file.lower().endswith(".parquet"):
        cells = _from_parquet(file, data, form, faults)
    else:
        cells = _from_text(file, data, form, faults)
    if cells is not None:
        _check_text(cells, faults)
    return cells


def _from_parquet(file: str, data: bytes, form: Form, faults: Faults) -> Cells | None:
    limits = Limits(form.rows, _COLUMNS, form.rows * _COLUMNS, form.megabytes)
    with tempfile.TemporaryDirectory(prefix="kakurenbo-") as folder:
        path = Path(folder) / "table.parquet"
        path.write_bytes(data)
        try:
            table = tables.open_any(path, limits=limits)
            frame = table.load(table.names)
        except InputError as error:
            known = error.code in {"limit", "file-empty"}
            faults.add(file, error.code if known else "file-broken")
            return None
    lines = pl.int_range(1, frame.height + 1, eager=True)
    return Cells(file, tuple(frame.columns), frame, lines, Form())


def _from_text(file: str, data: bytes, form: Form, faults: Faults) -> Cells | None:
    lines = _lines(file, data, form, faults)
    first = int(form.header)
    if len(lines) <= first:
        faults.add(file, "file-empty")
        return None
    if len(lines) - first > form.rows:
        faults.add(file, "limit")
        return None
    names = _names(file, lines[0], form, faults)
    if names is None:
        return None
    frame = _split(file, pl.Series(_LINE, lines, dtype=pl.String), names, form, faults)
    return Cells(file, names, frame.drop(_LINE), frame[_LINE], form)


def _lines(file: str, data: bytes, form: Form, faults: Faults) -> list[str | None]:
    """Return the lines of a text; None for those that are not text, which are faults."""
    try:
        lines: list[str | None] = [*data.decode("utf-8-sig").split("\n")]
    except UnicodeDecodeError:
        lines = [_decoded(file, line, place, form, faults) for place, line in enumerate(data.split(b"\n"), 1)]
    if lines[-1] == "":
        lines.pop()
    return [line if line is None else line.removesuffix("\r") for line in lines]


def _decoded(file: str, line: bytes, place: int, form: Form, faults: Faults) -> str | None:
    try:
        return line.decode("utf-8-sig" if place == 1 else "utf-8")
    except UnicodeDecodeError as error:
        cell = line[: error.start].count(form.separator.encode()) + 1
        faults.add(file, "encoding", line=place, column=cell)
        return None


def _names(file: str, line: str | None, form: Form, faults: Faults) -> tuple[str, ...] | None:
    """Return the names of the columns; None where the header cannot be read."""
    if not form.header:
        return tuple(str(place) for place in range(1, form.width + 1))
    if line is None:
        return None
    cells, bad = parted(line, form.separator)
    if bad is not None:
        faults.add(file, "quote", line=1, column=bad)
        return None
    names = tuple(name.strip() for name in cells)
    if len(names) > _COLUMNS:
        faults.add(file, "limit", line=1)
        return None
    for place, name in enumerate(names):
        if name in names[:place]:
            faults.add(file, "column-twice", line=1, column=place + 1)
    return names if len(set(names)) == len(names) else None


def _split(file: str, lines: pl.Series, names: Sequence[str], form: Form, faults: Faults) -> pl.DataFrame:
    """Return the cells of every line that has as many as there are columns, with its number."""
    table = pl.DataFrame({"text": lines}).with_row_index(_LINE, offset=1).slice(int(form.header)).drop_nulls()
    width, quoted = len(names), pl.col("text").str.contains('"', literal=True)
    marks = pl.col("text").str.count_matches(form.separator, literal=True)
    plain, others = table.filter(~quoted), table.filter(quoted)
    ragged = plain.filter(marks != width - 1)[_LINE]
    if len(ragged):
        faults.at(file, "cells", ragged.to_list())
    parts = pl.col("text").str.splitn(form.separator, width).struct.rename_fields([*names]).struct.unnest()
    cut = plain.filter(marks == width - 1).select(_LINE, parts)
    return (
        cut if others.is_empty() else pl.concat([cut, _quoted(file, others, names, form, faults)]).sort(_LINE)
    )


def _quoted(file: str, table: pl.DataFrame, names: Sequence[str], form: Form, faults: Faults) -> pl.DataFrame:
    """Return the same of lines with quote marks."""
    rows: list[tuple[int | str, ...]] = []
    for place, text in table.iter_rows():
        cells, bad = parted(text, form.separator)
        if bad is not None:
            faults.add(file, "quote", line=place, column=bad)
        elif len(cells) != len(names):
            faults.add(file, "cells", line=place)
        else:
            rows.append((place, *cells))
    schema = pl.Schema({_LINE: table.schema[_LINE], **dict.fromkeys(names, pl.String())})
    return pl.DataFrame(rows, schema=schema, orient="row")


@lru_cache
def _cell(separator: str) -> re.Pattern[str]:
    mark = re.escape(separator)
    return re.compile(rf'(?:"(?:[^"]|"")*"|[^"{mark}]*)(?={mark}|\Z)')


def parted(line: str, separator: str) -> tuple[list[str], int | None]:
    """Return the cells of a line, and which of them, from 1, is not quoted as it must be, if any."""
    cells: list[str] = []
    at = 0
    while at <= len(line):
        match = _cell(separator).match(line, at)
        if match is None:
            return [], len(cells) + 1
        cell = match[0]
        cells.append(cell[1:-1].replace('""', '"') if cell.startswith('"') else cell)
        at = match.end() + 1
    return cells, None


def _check_text(cells: Cells, faults: Faults) -> None:
    """Note cells that no table should hold, whatever their column means: each once."""
    for name in cells.names:
        if cells.frame[name].dtype != pl.String:
            continue
        text = cells.frame[name]
        nul, control = text.str.contains("\0", literal=True), text.str.contains(_CONTROL)
        formula = text.str.contains(_FORMULA) & ~text.str.strip_chars().str.contains(_NUMBER)
        cells.blame(faults, "nul-byte", nul, name)
        cells.blame(faults, "formula", formula & ~nul, name)
        cells.blame(faults, "control", control & ~formula & ~nul, name)
