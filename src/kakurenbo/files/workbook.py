"""Look through a workbook, member by member and in bounded memory, before any reader of sheets touches it.

An XLSX file is a ZIP archive of XML. A single cell at the far corner of a sheet makes a reader lay out
seventeen thousand million cells; a megabyte can unpack to a thousand; and the archive's directory can lie
about that. So every member is unpacked here piece by piece, its size is counted and held against the
directory, and of the XML only what decides about memory is looked at: how far the cells reach, how many
there are, and how many texts. Nothing is expanded or kept; a document type, the only place where XML could
hide more than it shows, is refused.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from kakurenbo.files.limits import Limits

    Mask = NDArray[np.bool_]
    Numbers = NDArray[np.int64]

_PIECE = 1 << 20
_LARGEST_DIRECTORY = 4 << 20
_LONGEST_TAG = 1 << 20
_CONTENT_TYPES = "[Content_Types].xml"
_END = b"PK\x05\x06"
_LOCAL = struct.Struct("<4s22xHH")
_MOST_TEXT = 1 << 30
_TEXT = re.compile(rb"<(?:[\w.-]+:)?si[\s/>]")
_SHARED = re.compile(rb"""t\s*=\s*["']s["'][^>]*>\s*<(?:[\w.-]+:)?v[^>]*>\s*(\d{1,9})""")
_PREFIX = re.compile(rb"<[\w.-]+:")
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")  # how XML in UTF-16 begins
_MOST_SPACES = 2


class Malformed(ValueError):  # noqa: N818 - what the bytes are
    """The bytes are not the workbook they claim to be."""


def inspect(path: Path, limits: Limits) -> None:
    """Raise Malformed, or InputError where a limit is passed."""
    with path.open("rb") as file:
        _check_directory(file)
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError):
            raise Malformed from None
        if _CONTENT_TYPES not in {member.filename for member in members}:
            raise Malformed
        total = longest = cells = 0
        for member in members:
            extent = _Extent(limits)
            for i, piece in enumerate(_unpacked(file, member, limits)):
                total += len(piece)
                limits.check_unpacked(total)
                extent.feed(piece, first=i == 0)
            longest, cells = max(longest, extent.longest), cells + extent.cells
        if longest * cells > _MOST_TEXT:
            _check_shared(file, members, limits)


def _check_shared(file: BinaryIO, members: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Refuse cells that share so long texts that a reader, which writes them out for each, would break."""
    lengths = np.concatenate([_text_lengths(_unpacked(file, member, limits)) for member in members])
    total = 0
    for member in members:
        for piece in _cut(_unpacked(file, member, limits), b"<c"):
            shared = np.array([int(number) for number in _SHARED.findall(piece)], np.int64)
            total += int(lengths[shared[shared < len(lengths)]].sum())
            if total > _MOST_TEXT:
                raise InputError(
                    "The cells hold more than 1 GiB of text; save the table as CSV.", code="limit"
                )


def _cut(pieces: Iterable[bytes], mark: bytes) -> Iterator[bytes]:
    """Yield the pieces, each cut before its last mark; what is cut off begins the next."""
    tail = b""
    for piece in pieces:
        text = tail + piece
        at = max(text.rfind(mark), 0)
        yield text[:at]
        tail = text[at:]
    yield tail


def _text_lengths(pieces: Iterable[bytes]) -> Numbers:
    """Return how long each shared text of a member is, told by where it and the next begin."""
    starts = [np.zeros(0, np.int64)]
    seen = 0
    for piece in _cut(pieces, b"<"):
        at = [match.start() + seen for match in _TEXT.finditer(piece)]
        starts += [np.array(at, np.int64)]
        seen += len(piece)
    return np.diff(np.concatenate([*starts, [seen]]))


def _check_directory(file: BinaryIO) -> None:
    """Refuse an archive with a directory larger than any workbook's."""
    size = file.seek(0, 2)
    file.seek(max(size - 65_557, 0))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise Malformed
    if int.from_bytes(tail[at + 12 : at + 16], "little") > _LARGEST_DIRECTORY:
        raise Malformed


def _unpacked(file: BinaryIO, member: zipfile.ZipInfo, limits: Limits) -> Iterator[bytes]:
    """Yield what a member unpacks to, and refuse it where that is not what the directory says."""
    file.seek(member.header_offset)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or member.flag_bits & 1:
        raise Malformed
    signature, name, extra = _LOCAL.unpack(head)
    if signature != b"PK\x03\x04" or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise Malformed
    limits.check_unpacked(member.file_size)
    file.seek(name + extra, 1)
    deflated = member.compress_type == zipfile.ZIP_DEFLATED
    made = crc = 0
    for piece in _pieces(file, member.compress_size, deflated=deflated):
        made += len(piece)
        crc = zlib.crc32(piece, crc)
        if made > member.file_size:
            raise Malformed
        yield piece
    if made != member.file_size or crc != member.CRC:
        raise Malformed


def _pieces(file: BinaryIO, packed: int, *, deflated: bool) -> Iterator[bytes]:
    """Yield so many bytes of the file in pieces, unpacked; no piece is larger than the others."""
    decoder = zlib.decompressobj(-zlib.MAX_WBITS)
    while packed > 0 and not decoder.eof:
        chunk = file.read(min(packed, _PIECE))
        if not chunk:
            raise Malformed
        packed -= len(chunk)
        if not deflated:
            yield chunk
            continue
        try:
            while chunk and not decoder.eof:
                yield decoder.decompress(chunk, _PIECE)
                chunk = decoder.unconsumed_tail
        except zlib.error:
            raise Malformed from None
    if deflated:
        yield decoder.flush()


class _Extent:
    """How far the cells of one member reach; most members have none."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rows = self.columns = self.cells = self.texts = self.longest = 0
        self._since = 0  # bytes since the last text began
        self._named_rows = self._named_columns = 0  # as far as references reach
        self._unnamed_rows = self._widest = self._open = (
            0  # rows without one; cells of the widest and last row
        )
        self._tail = b""

    def feed(self, piece: bytes, *, first: bool = False) -> None:
        """Look through the next piece of the member, up to the last tag that is whole."""
        text = self._tail + piece
        if b"<!DOCTYPE" in text or (first and text.startswith(_WIDE)):
            raise Malformed
        cut = text.rfind(b"<")
        self._tail = b"" if cut < 0 or b">" in text[cut:] else text[cut:]
        if len(self._tail) > _LONGEST_TAG:
            raise Malformed
        self._look(text[: len(text) - len(self._tail)])

    def _look(self, text: bytes) -> None:
        letters = np.frombuffer(text + b"\0" * 16, np.uint8)
        if _IN_NAMES[letters[np.flatnonzero(letters == ord(":")) + 1]].any():
            letters = np.frombuffer(_PREFIX.sub(b"<", text) + b"\0" * 16, np.uint8)
        tags = np.flatnonzero(letters == ord("<"))
        second, third = letters[tags + 2], letters[tags + 3]
        cell = (letters[tags + 1] == ord("c")) & _ENDS_NAME[second]
        row = (letters[tags + 1] == ord("r")) & (second == ord("o")) & (third == ord("w"))
        text_item = (letters[tags + 1] == ord("s")) & (second == ord("i")) & _ENDS_NAME[third]
        self._measure(tags[text_item], len(letters))
        if cell.any() or row.any():
            self._count(cell[cell | row], *_references(letters))
        self._check()

    def _measure(self, starts: NDArray[np.intp], length: int) -> None:
        """Take in the texts of a piece: how many begin in it, and how long the longest is at most."""
        if len(starts):
            within = int(np.diff(starts).max(initial=0))
            self.longest = max(self.longest, self._since + int(starts[0]), within)
            self._since = length - int(starts[-1])
        elif self.texts:
            self._since += length
        self.texts += len(starts)
        self.longest = max(self.longest, self._since if self.texts else 0)

    def _count(self, cell: Mask, columns: Numbers, rows: Numbers) -> None:
        """Take in the cells (true) and rows (false) of a piece in their order, and the references in it."""
        cells, starts = int(cell.sum()), np.flatnonzero(~cell)
        self.cells += cells
        widths = np.diff(starts, append=len(cell)) - 1
        first = int(starts[0]) if len(starts) else len(cell)
        self._widest = max(self._widest, self._open + first, int(widths.max(initial=0)))
        self._open = int(widths[-1]) if len(widths) else self._open + first
        named = int((columns > 0).sum())
        self._named_columns = max(self._named_columns, int(columns.max(initial=0)))
        self._named_rows = max(self._named_rows, int(rows.max(initial=0)))
        self._unnamed_rows += max(len(starts) - (len(columns) - named), 0)
        self.rows = self._named_rows + self._unnamed_rows
        self.columns = max(self.columns, self._named_columns + (self._widest if named < cells else 0))

    def _check(self) -> None:
        self.limits.check_columns(self.columns)
        self.limits.check_rows(self.rows)
        self.limits.check_sheet(max(self.rows * self.columns, self.cells, self.texts))


def _references(letters: NDArray[np.uint8]) -> tuple[Numbers, Numbers]:
    """Return column and row of every attribute `r`: 28 and 12 of `r="AB12"`, 0 and 12 of `r="12"`."""
    equals = np.flatnonzero(letters == ord("="))
    equals = equals[_MAY_PRECEDE[letters[equals - 1]]]
    before, after = equals - 1, equals + 1
    for _ in range(_MOST_SPACES):  # around the sign there may be some
        before = before - _IS_SPACE[letters[before]]
        after = after + _IS_SPACE[letters[after]]
    is_r = (letters[before] == ord("r")) & _IS_SPACE[letters[before - 1]] & _IS_QUOTE[letters[after]]
    at = after[is_r] + 1
    columns = np.zeros(len(at), np.int64)
    rows = np.zeros(len(at), np.int64)
    for _ in range(4):
        letter = _LETTER[letters[at]]
        columns = np.where(letter > 0, columns * 26 + letter, columns)
        at = at + (letter > 0)
    for _ in range(9):
        digit = _DIGIT[letters[at]]
        rows = np.where(digit >= 0, rows * 10 + digit, rows)
        at = at + (digit >= 0)
    ends = _IS_QUOTE[letters[at]] | (_DIGIT[letters[at]] >= 0)
    return columns[ends], rows[ends]


def _table(letters: bytes) -> Mask:
    """Return which of the 256 bytes are among these."""
    made = np.zeros(256, np.bool_)
    made[list(letters)] = True
    return made


def _values(*runs: tuple[bytes, int], other: int) -> Numbers:
    """Return a number for each of the 256 bytes: those of each run count up from its first number."""
    made = np.full(256, other, np.int64)
    for letters, first in runs:
        made[list(letters)] = np.arange(first, first + len(letters))
    return made


_IN_NAMES = _table(b"crs")  # how the names of cells, rows and texts begin
_MAY_PRECEDE = _table(b"r \t\r\n")
_ENDS_NAME = _table(b" \t\r\n/>")
_IS_SPACE = _table(b" \t\r\n")
_IS_QUOTE = _table(b"\"'")
_LETTER = _values((b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1), (b"abcdefghijklmnopqrstuvwxyz", 1), other=0)
_DIGIT = _values((b"0123456789", 0), other=-1)
