"""Look through a text file once, in bounded memory, before any parser touches it.

Parsers are built for good files: given a two-gigabyte field, a NUL byte or UTF-16 they take all memory or
read something else than is there. This pass reads a megabyte at a time, refuses what cannot be a table, and
says where.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Encoding = Literal["utf-8", "cp932", "latin-1"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

CHUNK = 1 << 20
RECORD_LIMIT = 1 << 20
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_QUOTE, _NEWLINE = b'"', b"\n"


def inspect(path: Path, encoding: Encoding) -> None:
    """Raise InputError if the file is not text in this encoding whose records all end within the limit."""
    decoder = codecs.getincrementaldecoder(encoding)()
    scan = _Scan()
    with path.open("rb") as file:
        chunk = file.read(CHUNK)
        if not chunk.removeprefix(codecs.BOM_UTF8).strip():
            raise InputError("The file is empty.", code="file-empty")
        if chunk.startswith(_UTF16):
            raise _utf16()
        while chunk:
            _refuse_nul(chunk, scan)
            _decode(decoder, chunk, scan, encoding)
            scan.feed(chunk)
            chunk = file.read(CHUNK)
    _decode(decoder, b"", scan, encoding, final=True)
    if scan.in_quotes:
        raise InputError(
            "A quoted field never ends; close it or double its quote marks.", code="quote", row=scan.row
        )


class _Scan:
    """Counts records across chunks: a newline ends a record only outside quotes."""

    def __init__(self) -> None:
        self.records = 0
        self.open_bytes = 0
        self.in_quotes = False

    @property
    def row(self) -> int:
        """The row being read; the first line is taken for a header, so rows count from 1 after it."""
        return max(self.records, 1)

    def feed(self, chunk: bytes) -> None:
        ends = self._record_ends(chunk)
        self.records += len(ends)
        self.open_bytes = len(chunk) - 1 - int(ends[-1]) if len(ends) else self.open_bytes + len(chunk)
        if self.open_bytes > RECORD_LIMIT:
            raise InputError(
                f"A record is longer than {RECORD_LIMIT} bytes; a quote mark may be unclosed.",
                code="limit",
                row=self.row,
            )

    def _record_ends(self, chunk: bytes) -> NDArray[np.intp]:
        letters = np.frombuffer(chunk, dtype=np.uint8)
        ends: NDArray[np.intp] = np.flatnonzero(letters == _NEWLINE[0])
        if _QUOTE not in chunk:
            return ends[:0] if self.in_quotes else ends
        quotes = np.flatnonzero(letters == _QUOTE[0])
        outside = (np.searchsorted(quotes, ends) + self.in_quotes) % 2 == 0
        self.in_quotes ^= bool(len(quotes) % 2)
        kept: NDArray[np.intp] = ends[outside]
        return kept


def _refuse_nul(chunk: bytes, scan: _Scan) -> None:
    at = chunk.find(b"\0")
    if at < 0:
        return
    if chunk.count(b"\0") > len(chunk) // 4:
        raise _utf16()
    row = max(scan.records + chunk.count(_NEWLINE, 0, at), 1)
    raise InputError("The file holds a NUL byte, so it is not a text table.", code="nul-byte", row=row)


def _utf16() -> InputError:
    return InputError("The file is UTF-16; save it as UTF-8 (with or without BOM).", code="encoding")


def _decode(
    decoder: codecs.IncrementalDecoder, chunk: bytes, scan: _Scan, encoding: Encoding, *, final: bool = False
) -> None:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError as error:
        row = max(scan.records + chunk.count(_NEWLINE, 0, error.start), 1)
        others = " or ".join(f'encoding="{name}"' for name in ENCODINGS if name != encoding)
        raise InputError(
            f"The bytes are not {encoding.upper()} text; if the file is in another encoding, say {others}.",
            code="encoding",
            row=row,
            parameter="encoding",
        ) from None
