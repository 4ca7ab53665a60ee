"""How a text is laid out, worked out from its first records: separator, line ends, and lines above the table.

A separator is one that gives every record equally many fields, quotes respected. Where two do, and commas are
not the marks of numbers, it is a question. Spreadsheets put `sep=;` in the first line, and people a title and
blank lines; these are passed over where the header beneath is clear: a row that is full, of words and not of
numbers, over rows as wide.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError
from kakurenbo.files import guard
from kakurenbo.files.encodings import encoding_of
from kakurenbo.files.guard import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SEPARATORS = (",", ";", "\t", "|")
_HEAD = 200
_MOST_ABOVE = 20
_DECLARED = re.compile("sep=(.)", re.IGNORECASE)
_NUMBER_OR_DATE = re.compile(r"[-+(]?\W?[0-9][0-9.,:/ Tt\'-]*\W?")
_WORDS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}


def dialect_of(
    path: Path,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    header: bool = True,
    default: str = ",",
) -> Dialect:
    """Return how a text file is written: what is declared, and the rest worked out.

    Args:
        path: the file.
        encoding: as declared, None to work it out from the whole file.
        separator: as declared, None to work it out from the first records.
        header: whether a row names the columns; above it there may be a title.
        default: the separator of a file that has none.
    """
    encoded = encoding_of(path, encoding)
    plain = Dialect(encoded.name, separator or default, header, encoded.mark)
    records = guard.opening(path, plain, _HEAD)
    ends = "\r\n" if guard.ends_in_return(path, plain) else "\n"
    declared = _DECLARED.fullmatch(records[0].strip()) if records else None
    above = 1 if declared else 0
    records = records[above:]
    sign = separator or (declared[1] if declared else separating(records, default))
    if header:
        lines = ["\n" in record for record in records]
        above += rows_above([guard.fields(record, sign) for record in records[: _most(lines)]])
    return replace(plain, separator=sign, line_end=ends, above=above)


def separating(records: Sequence[str], default: str = ",") -> str:
    """Return what separates the fields of these records, or raise where it cannot be told."""
    there = [record for record in records if record.strip()]
    widths = {sign: [len(guard.fields(record, sign)) for record in there] for sign in SEPARATORS}
    fitting = [sign for sign in SEPARATORS if len({*widths[sign]}) == 1 and widths[sign][0] > 1]
    if len(fitting) == 1:
        return fitting[0]
    if "," in fitting and len(fitting) == 2 and _marks_of_numbers(there):
        other = next(sign for sign in fitting if sign != ",")
        if widths[other][0] > widths[","][0]:
            return other
    if fitting:
        signs = " and ".join(_WORDS[sign] for sign in fitting)
        raise InputError(
            f"Both {signs} could stand between the fields; say which in separator.",
            code="ragged",
            parameter="separator",
        )
    return _mostly(widths, default)


def _marks_of_numbers(records: Sequence[str]) -> bool:
    """Tell whether every comma stands between two figures."""
    text = "\n".join(records)
    return len(re.findall("(?<=[0-9]),(?=[0-9])", text)) == text.count(",")


def _mostly(widths: dict[str, list[int]], default: str) -> str:
    """Return the sign that gives most records one width; what does not fit is told with its row."""
    shares = {}
    for sign, counts in widths.items():
        usual, often = Counter(counts).most_common(1)[0] if counts else (1, 0)
        shares[sign] = often if usual > 1 else 0
    best = max((default, *SEPARATORS), key=lambda sign: shares.get(sign, 0))
    return best if shares.get(best, 0) * 2 > len(next(iter(widths.values()))) else default


def _most(broken: Sequence[bool]) -> int:
    """Return how many records stand before the first that has several lines, and so cannot be passed over."""
    return broken.index(True) if True in broken[:_MOST_ABOVE] else len(broken)


def rows_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows stand above a clear header; none where it is not clear."""
    widths = Counter(len(row) for row in rows if len(row) > 1)
    width = max(widths, key=widths.__getitem__, default=0)
    for place, row in enumerate(rows[: _MOST_ABOVE + 1]):
        filled = sum(bool(field.strip()) for field in row)
        if filled > 1 or (len(row) == width and width < 3 and filled):
            clear = len(row) == filled == width > 1 and place + 1 < len(rows)
            named = not any(_NUMBER_OR_DATE.fullmatch(field.strip()) for field in row)
            return place if clear and named else 0
    return 0
