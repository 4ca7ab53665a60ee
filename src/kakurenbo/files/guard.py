"""Look through a text file once, in bounded memory, before any parser touches it.

Parsers are built for good files: given a two-gigabyte field, a NUL byte or UTF-16 they take all memory or
read something else than is there, and a row of too few fields they fill up without a word. This pass reads a
megabyte at a time, holds every record to the grammar below, and says where one breaks it.

```
record  = field *(separator field) line-end          each with as many fields as the first
field   = *text                                      without quote marks
        | *space quote *(text | quote quote | separator | line-end) quote
line-end = [CR] LF
```

Blank lines are allowed at the end only. In a table of one column a blank line between others is an empty
field. What has passed reads the same in every parser, but for the spaces before a quote mark: they are taken
away by `plain`, with the encoding.
"""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.errors import InputError
from kakurenbo.files.encodings import ENCODINGS
from kakurenbo.files.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Positions = NDArray[np.intp]

CHUNK = 1 << 20
RECORD_LIMIT = 1 << 20
_MOST_PADDING = 64
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKS = {
    "utf-8": (codecs.BOM_UTF8,),
    "utf-16-le": (codecs.BOM_UTF16_LE,),
    "utf-16-be": (codecs.BOM_UTF16_BE,),
}
_QUOTE, _NEWLINE, _RETURN, _SPACE = b'"\n\r '
_WHITE = b" \t\r\n\v\f"


@dataclass(frozen=True)
class Dialect:
    """How the text is written.

    Attributes:
        encoding: as `encodings` names it.
        separator: what stands between two fields.
        header: whether the first record names the columns.
        mark: whether a byte order mark stands before the text.
        line_end: what ends a line.
        above: lines above the first record: a title, blank ones, or what a spreadsheet says of separators.
    """

    encoding: str = "utf-8"
    separator: str = ","
    header: bool = True
    mark: bool = False
    line_end: str = "\n"
    above: int = 0


@dataclass(frozen=True)
class Shape:
    """What the guard counted.

    Attributes:
        width: fields in every record.
        records: records, with the header, without the blank lines at the end.
        blank: blank lines at the end.
        padded: whether spaces stand before a quote mark.
    """

    width: int
    records: int
    blank: int
    padded: bool


def inspect(path: Path, dialect: Dialect, limits: Limits | None = None) -> Shape:
    """Return the shape of a text, or raise InputError where it is not a table within the limits."""
    scan = _Scan(dialect, limits or Limits())
    for _ in _blocks(path, scan):
        pass
    return scan.shape


def plain(path: Path, dialect: Dialect, limits: Limits | None = None) -> io.BytesIO:
    """Return the text in UTF-8, without spaces before quote marks."""
    made = io.BytesIO()
    for block, padding in _blocks(path, _Scan(dialect, limits or Limits())):
        made.write(np.delete(np.frombuffer(block, np.uint8), padding).tobytes() if len(padding) else block)
    made.seek(0)
    return made


def chunks(
    path: Path, dialect: Dialect, size: int, limits: Limits | None = None
) -> Iterator[tuple[bytes, int, int]]:
    """Yield the text as `plain` returns it, in parts of about so many bytes, each of whole records.

    With each part comes how many records it holds, without blank lines at the end, and how many fields a
    record has. What is wrong in a part is raised before it is yielded.
    """
    scan = _Scan(dialect, limits or Limits())
    before, parts, length = 0, [], 0
    for block, padding in _blocks(path, scan):
        text = np.delete(np.frombuffer(block, np.uint8), padding).tobytes() if len(padding) else block
        parts.append(text)
        length += len(text)
        if length >= size:
            yield b"".join(parts), scan.shape.records - before, scan.width
            before, parts, length = scan.shape.records, [], 0
    if parts:
        yield b"".join(parts), scan.shape.records - before, scan.width


def head(path: Path, dialect: Dialect, most: int, limits: Limits | None = None) -> list[list[str]]:
    """Return the first records of a text as fields, the first of them checked.

    The whole text is looked through when it is loaded: by then it is known whether it has a header.
    """
    scan = _Scan(dialect, limits or Limits())
    records = _opening(path, scan)
    first = next(records, "")
    if not first.strip():
        inspect(path, dialect, limits)
        raise scan.too_long()
    scan.feed(first.encode() + b"\n")
    return [fields(record, dialect.separator) for record in (first, *islice(records, most - 1)) if record]


def opening(path: Path, dialect: Dialect, most: int) -> list[str]:
    """Return the first records of a text as they stand, blank ones too, before anything is known of them."""
    return list(islice(_opening(path, _Scan(dialect, Limits())), most))


def ends_in_return(path: Path, dialect: Dialect) -> bool:
    """Tell whether the first line ends in a carriage return and a line feed."""
    first, end, _ = next(_decoded(path, _Scan(dialect, Limits())), b"").partition(b"\n")
    return bool(end) and first.endswith(b"\r")


def _opening(path: Path, scan: _Scan) -> Iterator[str]:
    text = next(_decoded(path, scan), b"").decode()
    return _records(text, ended=path.stat().st_size <= CHUNK)


def _records(text: str, *, ended: bool) -> Iterator[str]:
    """Yield the records of a text, of which the last may not have ended."""
    parts: list[str] = []
    quoted = False
    for line in io.StringIO(text, newline="\n"):
        parts.append(line)
        quoted ^= bool(line.count('"') % 2)
        if not quoted and (ended or line.endswith("\n")):
            yield "".join(parts).removesuffix("\n").removesuffix("\r")
            parts = []


def fields(record: str, separator: str) -> list[str]:
    """Return the fields of one record."""
    found: list[str] = []
    parts: list[str] = []
    quoted = False
    for part in record.split(separator):
        parts.append(part)
        quoted ^= bool(part.count('"') % 2)
        if not quoted:
            found.append(_unquoted(separator.join(parts)))
            parts = []
    return found


def _unquoted(field: str) -> str:
    bare = field.lstrip(" ")
    return bare[1:-1].replace('""', '"') if bare.startswith('"') else field


def _blocks(path: Path, scan: _Scan) -> Iterator[tuple[bytes, Positions]]:
    """Yield the text in whole records, in UTF-8 and checked, with the places of spaces before quote marks."""
    tail = b""
    for chunk in _decoded(path, scan):
        block, tail = _whole(tail + chunk)
        if block:
            yield block, scan.feed(block)
        if len(tail) > RECORD_LIMIT:
            raise scan.too_long()
    if tail:
        scan.refuse_open(tail)
        yield tail, scan.feed(tail + b"\n")
    if not scan.any:
        raise _empty()


def _decoded(path: Path, scan: _Scan) -> Iterator[bytes]:
    """Yield the file in chunks of UTF-8 without a mark at its start, nor the lines above the table."""
    above = scan.dialect.above
    for chunk in _as_utf8(path, scan):
        text = chunk
        while above and text:
            _, end, text = text.partition(b"\n")
            above -= bool(end)
        if text:
            yield text


def _as_utf8(path: Path, scan: _Scan) -> Iterator[bytes]:
    encoding = scan.dialect.encoding
    decoder = codecs.getincrementaldecoder(encoding)()
    wide = encoding.startswith("utf-16")
    clean = True  # nothing is left in the decoder
    with path.open("rb") as file:
        chunk = file.read(CHUNK)
        if chunk.startswith(_UTF16) and not wide:
            raise _utf16()
        mark = next((mark for mark in _MARKS.get(encoding, ()) if chunk.startswith(mark)), b"")
        chunk = chunk.removeprefix(mark) or file.read(CHUNK)
        while chunk:
            if not wide:
                _refuse_nul(chunk, scan)
            if clean and not wide and chunk.isascii():
                yield chunk
            else:
                text = _decode(decoder, chunk, scan).encode("utf-8", "surrogatepass")
                if wide:
                    _refuse_nul(text, scan)
                yield text
                clean = decoder.getstate()[0] == b""
            chunk = file.read(CHUNK)
    _decode(decoder, b"", scan, final=True)


class _Scan:
    """Holds whole records to the grammar, block by block, and counts them."""

    def __init__(self, dialect: Dialect, limits: Limits) -> None:
        self.dialect = dialect
        self.limits = limits
        self.records = 0
        self.width = 0
        self.blank = 0
        self.padded = False
        self.any = False
        self._separator = dialect.separator.encode()[0]
        self._white = _WHITE.replace(dialect.separator.encode(), b"")

    @property
    def shape(self) -> Shape:
        return Shape(self.width, self.records - self.blank, self.blank, self.padded)

    def feed(self, block: bytes) -> Positions:
        """Check a block of whole records; return where the spaces before quote marks are."""
        letters = np.frombuffer(block, np.uint8)
        marks = np.flatnonzero((letters == self._separator) | (letters == _NEWLINE))
        quoted = _quoted(letters) if b'"' in block else None
        marks = _outside(marks, quoted)
        ends_among = np.flatnonzero(letters[marks] == _NEWLINE)
        ends = marks[ends_among]
        padding = marks[:0] if quoted is None else self._check_quotes(letters, ends)
        if b"\r" in block:
            self._check_returns(letters, quoted, ends)
        self._check_lengths(ends)
        self._check_widths(np.diff(ends_among, prepend=-1), block, ends)
        self.records += len(ends)
        self.limits.check_rows(self.records)
        return padding

    def refuse_open(self, tail: bytes) -> None:
        """Refuse a quoted field that the file ends in."""
        if tail.count(b'"') % 2:
            raise InputError(
                "A quoted field never ends; close it or double its quote marks.",
                code="quote",
                row=self.row(self.records),
            )

    def row(self, record: int) -> int | None:
        """Return the row of a record (both count from their own beginning); None for the header."""
        return record if self.dialect.header and record else None if self.dialect.header else record + 1

    def _check_quotes(self, letters: NDArray[np.uint8], ends: Positions) -> Positions:
        """Refuse quote marks that neither open nor close a field; return where spaces stand before one."""
        quotes = np.flatnonzero(letters == _QUOTE)
        opens, closes = quotes[::2], quotes[1::2]
        before = np.where(opens > 0, letters[opens - 1], _NEWLINE)
        after = letters[closes + 1]  # a block ends in a newline
        returns = after == _RETURN
        returns[returns] = letters[closes[returns] + 2] == _NEWLINE
        good_close = (after == self._separator) | (after == _NEWLINE) | (after == _QUOTE) | returns
        starts = (before == self._separator) | (before == _NEWLINE)
        spaced = ~starts & (before == _SPACE)
        padding, unpadded = self._padding(letters, opens[spaced])
        good_open = starts | (before == _QUOTE)
        good_open[spaced] = unpadded
        bad = np.concatenate([opens[~good_open], closes[~good_close]])
        if len(bad):
            at = int(bad.min())
            raise InputError(
                "A quote mark stands inside a field; put the whole field in quotes and double the mark.",
                code="quote",
                row=self.row(self.records + int(np.searchsorted(ends, at))),
            )
        self.padded |= bool(len(padding))
        return padding

    def _padding(self, letters: NDArray[np.uint8], opens: Positions) -> tuple[Positions, NDArray[np.bool_]]:
        """Return the spaces before these quote marks, and of each whether a field begins with them."""
        found = [opens[:0]]
        at = opens - 1
        for _ in range(_MOST_PADDING):
            spaces = (at >= 0) & (letters[at] == _SPACE)
            if not spaces.any():
                break
            found.append(at[spaces])
            at = np.where(spaces, at - 1, at)
        before = np.where(at >= 0, letters[at], _NEWLINE)
        return np.concatenate(found), (before == self._separator) | (before == _NEWLINE)

    def _check_returns(
        self, letters: NDArray[np.uint8], quoted: NDArray[np.uint8] | None, ends: Positions
    ) -> None:
        """Refuse a carriage return that stands alone outside quotes."""
        returns = np.flatnonzero(letters == _RETURN)
        alone = _outside(returns[letters[returns + 1] != _NEWLINE], quoted)
        if len(alone):
            raise InputError(
                "A carriage return stands alone; save the file with lines that end in a line feed.",
                code="file-broken",
                row=self.row(self.records + int(np.searchsorted(ends, alone[0]))),
            )

    def _check_lengths(self, ends: Positions) -> None:
        long = np.flatnonzero(np.diff(ends, prepend=-1) > RECORD_LIMIT)
        if len(long):
            raise self.too_long(int(long[0]))

    def too_long(self, record: int = 0) -> InputError:
        """Return the refusal of the next record, or of one so many after it."""
        return InputError(
            f"A record is longer than {RECORD_LIMIT} bytes; a quote mark may be unclosed.",
            code="limit",
            row=self.row(self.records + record),
        )

    def _check_widths(self, widths: Positions, block: bytes, ends: Positions) -> None:
        """Hold every record to the width of the first, but for blank lines that nothing follows."""
        bare = block.rstrip(self._white)
        first_blank = int(np.searchsorted(ends, len(bare))) + 1 if bare else 0
        if not self.any and not bare:
            return
        if not self.any:
            self._begin(int(widths[0]), blank=self.records > 0 or not block[: ends[0]].strip(self._white))
        bad = np.flatnonzero(widths[:first_blank] != self.width)
        if self.blank and bare and self.width > 1:
            raise self._ragged(self.records - self.blank, blank=True)
        if len(bad):
            start = int(ends[bad[0] - 1]) + 1 if bad[0] else 0
            line = block[start : int(ends[bad[0]])]
            raise self._ragged(self.records + int(bad[0]), blank=not line.strip(self._white))
        self.blank = len(ends) - first_blank + (0 if bare else self.blank)

    def _begin(self, width: int, *, blank: bool) -> None:
        if blank:
            raise InputError("The first line is blank; take it away.", code="ragged")
        self.any = True
        self.width = width
        self.limits.check_columns(width)

    def _ragged(self, record: int, *, blank: bool) -> InputError:
        words = (
            "A line is blank, and others follow; take it away."
            if blank
            else "A row has another number of fields than the first; is a separator missing or unquoted?"
        )
        return InputError(words, code="ragged", row=self.row(record))


def _whole(text: bytes) -> tuple[bytes, bytes]:
    """Return the whole records of a text that begins with one, and what is left of it."""
    end = text.rfind(b"\n") + 1
    if text.count(b'"', 0, end) % 2:
        letters = np.frombuffer(text, np.uint8)
        ends = _outside(np.flatnonzero(letters == _NEWLINE), _quoted(letters))
        end = int(ends[-1]) + 1 if len(ends) else 0
    return text[:end], text[end:]


def _quoted(letters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return 1 for every letter after an odd number of quote marks (itself included), 0 for the others."""
    return np.cumsum(letters == _QUOTE, dtype=np.uint8) & np.uint8(1)


def _outside(places: Positions, quoted: NDArray[np.uint8] | None) -> Positions:
    """Return the places that are outside quotes, in a text that begins outside."""
    return places if quoted is None else places[quoted[places] == 0]


def _refuse_nul(chunk: bytes, scan: _Scan) -> None:
    at = chunk.find(b"\0")
    if at < 0:
        return
    if chunk.count(b"\0") > len(chunk) // 4:
        raise _utf16()
    row = scan.row(scan.records + chunk.count(b"\n", 0, at))
    raise InputError("The file holds a NUL byte, so it is not a text table.", code="nul-byte", row=row)


def _utf16() -> InputError:
    return InputError(
        "The file looks like UTF-16 and is not read as such; leave the encoding out, or save it as UTF-8.",
        code="encoding",
        parameter="encoding",
    )


def _empty() -> InputError:
    return InputError("The file is empty.", code="file-empty")


def _decode(decoder: codecs.IncrementalDecoder, chunk: bytes, scan: _Scan, *, final: bool = False) -> str:
    try:
        return decoder.decode(chunk, final)
    except UnicodeDecodeError as error:
        encoding = scan.dialect.encoding
        row = scan.row(scan.records + chunk.count(b"\n", 0, error.start))
        others = " or ".join(f'encoding="{name}"' for name in ENCODINGS if name != encoding)
        raise InputError(
            f"The bytes are not {encoding.upper()} text; if the file is in another encoding, say {others}.",
            code="encoding",
            row=row,
            parameter="encoding",
        ) from None
