"""What a Parquet file would take in memory, told by its own bookkeeping before any value is unpacked.

A megabyte of Parquet can hold sixty million rows, and a page can unpack to ten thousand times its size. The
footer says how many rows and columns there are; but it can lie about sizes, so the header of every page that
would be read is looked at too. Both are written in Thrift's compact protocol, of which this reads what it
needs: numbers, texts, lists and structures, as deep as Parquet nests them and no deeper.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from kakurenbo.files.limits import Limits

_MAGIC = b"PAR1"
_FOOTER_TAKES = 128  # a byte of the footer counts as so many bytes of data, being slower to read
_LARGEST_PAGE_HEADER = 1 << 16
_DEEPEST = 24
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)

Struct = dict[int, Any]


class Malformed(ValueError):  # noqa: N818 - what the bytes are
    """The bytes are not the Parquet they claim to be."""


@dataclass(frozen=True)
class Content:
    """What a Parquet table holds: its rows, and the names at the top of its schema."""

    rows: int
    names: list[str]


@dataclass(frozen=True)
class Footer(Content):
    """What the footer of a Parquet file says: its chunks too."""

    chunks: list[tuple[str, int, int]]  # of which column, from where in the file, how many bytes


def footer(file: BinaryIO, limits: Limits) -> Footer:
    """Read the footer, within the limits."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    end = file.read(8)
    length = int.from_bytes(end[:4], "little")
    if size < 12 or end[4:] != _MAGIC or length > size - 12:
        raise Malformed
    limits.check_unpacked(length * _FOOTER_TAKES)
    file.seek(size - 8 - length)
    try:
        return _footer(_Thrift(file.read(length), limits))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        raise Malformed from None


def _footer(thrift: _Thrift) -> Footer:
    content = thrift.struct(each={4: lambda group: (int(group[3]), [_chunk(c[3]) for c in group[1]])})
    groups = content.get(4, [])
    rows = max(int(content[3]), sum(rows for rows, _ in groups))
    return Footer(rows, list(_top(content[2])), [chunk for _, chunks in groups for chunk in chunks])


def _top(schema: list[Struct]) -> Iterator[str]:
    """Yield the names of the columns at the top of a schema, which lists each before all that is in it."""
    at = 1
    for _ in range(int(schema[0].get(5, 0))):
        yield schema[at][4].decode()
        left = 1
        while left:
            left += int(schema[at].get(5, 0)) - 1
            at += 1


def _chunk(column: Struct) -> tuple[str, int, int]:
    start = int(column[9])
    dictionary = int(column.get(11) or 0)
    return column[3][0].decode(), min(start, dictionary) if dictionary else start, int(column[7])


def unpacked(
    file: BinaryIO, content: Footer, wanted: Collection[str], limits: Limits, before: int = 0
) -> int:
    """Return what the pages of the wanted columns unpack to, added to what was unpacked before.

    More than the limits allow is refused.
    """
    names = set(wanted)
    total = before
    for name, start, length in content.chunks:
        if name in names:
            for size in _pages(file, start, start + length, limits):
                total += size
                limits.check_unpacked(total)
    return total


def unpacked_each(file: BinaryIO, content: Footer, wanted: Collection[str], limits: Limits) -> None:
    """Refuse if one chunk of a wanted column unpacks to more than the limits allow; it is read at once."""
    names = set(wanted)
    for name, start, length in content.chunks:
        if name in names:
            limits.check_unpacked(sum(_pages(file, start, start + length, limits)))


def _pages(file: BinaryIO, at: int, end: int, limits: Limits) -> Iterator[int]:
    """Yield what every page of a column's chunk unpacks to, by its own header."""
    while at < end:
        file.seek(at)
        thrift = _Thrift(file.read(_LARGEST_PAGE_HEADER), limits)
        header = thrift.struct()
        size, packed = header.get(2), header.get(3)
        if not isinstance(size, int) or not isinstance(packed, int) or size < 0 or packed < 0:
            raise Malformed
        yield size
        at += thrift.at + packed


class _Thrift:
    """Thrift's compact protocol, as far as Parquet's bookkeeping uses it."""

    def __init__(self, text: bytes, limits: Limits) -> None:
        self.text = text
        self.at = 0
        self.limits = limits

    def struct(self, depth: int = 0, each: Mapping[int, Callable[[Any], Any]] | None = None) -> Struct:
        """Read a structure: the number of each field, and its value.

        `each` makes something smaller of every member of the lists in these fields, as soon as it is read.
        """
        if depth > _DEEPEST:
            raise Malformed
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._zigzag()
            made = (each or {}).get(number)
            fields[number] = self._list(depth, made) if made else self._value(head & 15, depth, whole=True)
        return fields

    def _value(self, kind: int, depth: int, *, whole: bool = False) -> Any:  # noqa: ANN401 - the kind tells
        if kind in {_TRUE, _FALSE}:
            return kind == _TRUE if whole else self._byte() == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind in {_I16, _I32, _I64}:
            return self._zigzag()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in {_LIST, _SET}:
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise Malformed

    def _list(self, depth: int, made: Callable[[Any], Any] | None = None) -> list[Any]:
        head = self._byte()
        length = head >> 4 if head >> 4 < 15 else self._varint()
        if depth > _DEEPEST or length > len(self.text) - self.at:  # every value takes a byte at least
            raise Malformed
        if made:
            return [made(self._value(head & 15, depth + 1)) for _ in range(length)]
        self.limits.check_columns(length - 1)  # the schema, of which the first is no column, is the longest
        return [self._value(head & 15, depth + 1) for _ in range(length)]

    def _byte(self) -> int:
        if self.at >= len(self.text):
            raise Malformed
        self.at += 1
        return self.text[self.at - 1]

    def _bytes(self, length: int) -> bytes:
        self.at += length
        if self.at > len(self.text):
            raise Malformed
        return self.text[self.at - length : self.at]

    def _varint(self) -> int:
        value = shift = 0
        while shift < 64:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise Malformed

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
