"""The files of the part `bombs`: one function each, which writes it and returns the words of a command line.

Each also says which codes are right ("ok" where it is good and may be read).
"""

from __future__ import annotations

import os
import random
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    Made = Callable[[], str]

WHO = ["--customer", "who", "--goods", "what"]
_HEAD = b"who,what\n"


@dataclass(frozen=True)
class Bomb:
    """How a file is made, and with which codes it may be refused."""

    make: Callable[[Path], list[str]]
    codes: tuple[str, ...]


BOMBS: dict[str, Bomb] = {}


def bomb(title: str, *codes: str) -> Callable[[Callable[[Path], list[str]]], Callable[[Path], list[str]]]:
    """Register a file."""

    def register(make: Callable[[Path], list[str]]) -> Callable[[Path], list[str]]:
        BOMBS[title] = Bomb(make, codes)
        return make

    return register


def text(
    title: str,
    content: Callable[[], bytes | Iterable[bytes]],
    *codes: str,
    options: Iterable[str] = (),
    size: int = 0,
) -> None:
    """Register a CSV file of this content, with a hole after it up to the size."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        path = place / "shop.csv"
        with path.open("wb") as file:
            made = content()
            file.writelines([made] if isinstance(made, bytes) else made)
            if size:
                file.truncate(size)
        return ["profile", str(path), *(options or WHO)]


def settings(title: str, content: Callable[[], str], *codes: str) -> None:
    """Register good data with these settings beside it."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        (place / "shop.csv").write_bytes(_HEAD + b"ann,tea\n")
        (place / "kakurenbo.toml").write_text(content())
        return ["profile", str(place / "shop.csv"), *WHO]


def plan(title: str, content: Callable[[], str], *codes: str) -> None:
    """Register good data and a plan for it."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        (place / "shop.csv").write_bytes(_HEAD + b"ann,tea\n")
        (place / "plan").write_text(content())
        outputs = ["--out", str(place / "out"), "--secret", str(place / "secret.csv")]
        return ["deidentify", str(place / "shop.csv"), "--plan", str(place / "plan"), *WHO, *outputs]


def parquet(title: str, frame: Callable[[], pl.DataFrame | pa.Table], *codes: str, **changed: str) -> None:
    """Register a Parquet file; a role may be another column's."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        path = place / "shop.parquet"
        table = frame()
        pq.write_table(
            table.to_arrow() if isinstance(table, pl.DataFrame) else table, path, compression="zstd"
        )
        roles = {"customer": "who", "goods": "what"} | changed
        return ["profile", str(path), *(word for role, name in roles.items() for word in (f"--{role}", name))]


def raw(title: str, name: str, content: Callable[[], bytes], *codes: str) -> None:
    """Register a file of these bytes."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        (place / name).write_bytes(content())
        return ["profile", str(place / name), *WHO]


def workbook(
    title: str, *codes: str, sheet: Made = str, strings: Made = str, head: Made = str, lie: bool = False
) -> None:
    """Register a workbook whose sheet, texts or opening hold more than they should."""

    @bomb(title, *codes)
    def make(place: Path) -> list[str]:
        path = place / "shop.xlsx"
        _write_workbook(place / "good.xlsx", path, sheet=sheet(), strings=strings(), head=head())
        if lie:
            _lie(path)
        return ["profile", str(path), *WHO]


def _write_workbook(good: Path, path: Path, *, sheet: str, strings: str, head: str) -> None:
    with xlsxwriter.Workbook(good) as book:
        page = book.add_worksheet()
        for row, line in enumerate([("who", "what"), ("ann", "tea"), ("bob", "milk")]):
            page.write_row(row, 0, line)
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name).decode()
            if name.endswith("sheet1.xml"):
                content = content.replace("</sheetData>", f"{sheet}</sheetData>")
                content = content.replace("<worksheet", f"{head}<worksheet", 1)
            if name.endswith("sharedStrings.xml"):
                content = content.replace("</sst>", f"{strings}</sst>")
            target.writestr(name, content)


def _lie(path: Path) -> None:
    """Make the directory say that every member is small."""
    content = bytearray(path.read_bytes())
    for mark, at_size in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = -1
        while (at := content.find(mark, at + 1)) >= 0:
            if struct.unpack_from("<I", content, at + at_size)[0] > 1 << 16:
                struct.pack_into("<I", content, at + at_size, 700)
    path.write_bytes(content)


def _far(names: Iterable[str], rows: int) -> pa.Table:
    """Return many equal rows, which take no room in a file."""
    same = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), ["x"])
    return pa.table(dict.fromkeys(names, same))


def _chunks(block: bytes, times: int, head: bytes = _HEAD, end: bytes = b"") -> list[bytes]:
    return [head, *([block] * times), end]


_MEGABYTE = 1 << 20
_DENSE = b"ann,tea\n"

text("a field of 2 GB", lambda: [_HEAD, b"ann,", b"m" * (2 * _MEGABYTE)], "limit", size=2 << 30)
text("a quoted field of 2 GB", lambda: [_HEAD, b'ann,"', b"m\n" * _MEGABYTE], "limit", size=2 << 30)
text("2 GB of nothing", lambda: b"", "encoding", size=2 << 30)
text("a header of 2 GB", lambda: b"w" * (2 * _MEGABYTE), "limit", size=2 << 30)
text("a record just over the limit", lambda: [_HEAD, b"ann,", b"m" * _MEGABYTE, b"\n"], "limit")
text("fields of 200,000 characters", lambda: [_HEAD, (b"ann," + b"m" * 200_000 + b"\n") * 3], "ok")
text("600 MB of blank lines", lambda: _chunks(b"\n" * _MEGABYTE, 600, _HEAD + _DENSE), "limit")
text("100 MB of quotes", lambda: _chunks(b'"' * _MEGABYTE, 100), "limit", "quote")
text(
    "10 MB of quoted empties",
    lambda: _chunks(b'"",""\n' * (_MEGABYTE // 6), 10),
    "missing-id",
    options=[*WHO, "--max-rows", "100000000"],
)
text("5 MB of opening quotes", lambda: _chunks(b',"\n' * (_MEGABYTE // 3), 5), "quote", "missing-id")
text("100 MB of separators", lambda: _chunks(b"," * _MEGABYTE, 100, b""), "limit")
text(
    "100,000 columns",
    lambda: [b",".join(b"c%d" % i for i in range(100_000)), b"\n", b"," * 99_999, b"\n"],
    "limit",
)
text("100,000 twins", lambda: [b",".join([b"who"] * 100_000), b"\n", b"," * 99_999, b"\n"], "limit")
text(
    "2,000 columns, named one by one",
    lambda: [b",".join(b"c%d" % i for i in range(2_000)), b"\n", b",".join([b"1"] * 2_000), b"\n"],
    "ok",
    options=["--qi", ",".join(f"c{i}" for i in range(2_000))],
)
text(
    "15,000 twins, one of them named",
    lambda: [b",".join([b"who"] * 15_000), b"\n", b"," * 14_999, b"\n"],
    "column-missing",
)
text(
    "a column's name of a megabyte", lambda: [b"what,who" + b"o" * 900_000, b"\nann,tea\n"], "column-missing"
)
text("a sea of spaces before quotes", lambda: [_HEAD, (b"ann," + b" " * 100_000 + b'"tea"\n') * 50], "quote")
text("spaces before every quote", lambda: [_HEAD, b'  "ann",    "tea"\n' * 200_000], "ok")
text("ten million short rows", lambda: _chunks(_DENSE * 10_000, 100, end=b"bob\n"), "ragged")
text("the last of many rows is short", lambda: _chunks(_DENSE * 10_000, 40, end=b"bob\n"), "ragged")
text("lines of carriage returns", lambda: [b"who,what\r", b"ann,tea\r" * 100_000], "file-broken")
text("NUL bytes", lambda: [_HEAD, b"ann,t\0ea\n"], "nul-byte")
text("UTF-16", lambda: "who,what\nann,tea\n".encode("utf-16"), "ok")
text("UTF-7", lambda: b"who,what\n+AGEAbgBu-,tea\n", "ok")
text("bytes of no encoding", lambda: [_HEAD, b"ann,\xff\xfe\n"], "encoding")
text("half a letter at the end", lambda: [_HEAD, b"ann,\xe3\x81"], "encoding")
text(
    "dates that look like bombs",
    lambda: b"who,what,when\nann,tea,9999999999-01-01\n",
    "not-date",
    options=[*WHO, "--time", "when"],
)
text(
    "a number of 100,000 digits",
    lambda: b"who,what,n\nann,tea," + b"9" * 100_000 + b"\n",
    "limit",
    "not-whole",
    options=[*WHO, "--quantity", "n"],
)
text("a price of 1e400", lambda: b"who,what,n\nann,tea,1e400\n", "limit", options=[*WHO, "--price", "n"])
text(
    "three columns of the time",
    lambda: b"who,what,a,b,c\n1,2,3,4,5\n",
    "roles",
    options=[*WHO, "--time", "a,b,c"],
)
text(
    "half a time format",
    lambda: b"who,what,a\n1,2,3\n",
    "not-date",
    "parameter",
    options=[*WHO, "--time", "a", "--time-format", "%"],
)
text(
    "an hour as a time format",
    lambda: b"who,what,a\n1,2,3\n",
    "parameter",
    options=[*WHO, "--time", "a", "--time-format", "%H"],
)
text(
    "a separator of two characters", lambda: _HEAD + _DENSE, "parameter", options=[*WHO, "--separator", ",,"]
)
text(
    "a tab written as two letters",
    lambda: b"who\twhat\nann\ttea\n",
    "ok",
    options=[*WHO, "--separator", r"\t"],
)
text("a limit of 5,000 digits", lambda: _HEAD + _DENSE, "parameter", options=[*WHO, "--max-rows", "9" * 5000])

settings("settings 5,000 deep", lambda: "x = " + "[" * 5000 + "]" * 5000, "parameter")
settings("settings with a number of 5,000 digits", lambda: "customer = " + "9" * 5000, "parameter")
settings("settings with tables 20,000 deep", lambda: "a." * 20_000 + "b = 1", "parameter")
settings("settings of 100 MB", lambda: "#" * 100_000_000, "parameter")
settings("settings of the wrong types", lambda: "header = [1]\nqi = 5\ncustomer = 2020-01-01", "parameter")
plan("a plan 5,000 deep in JSON", lambda: "[" * 5000, "plan")
plan("a plan 100,000 deep in JSON", lambda: '{"a":' * 100_000, "limit")
plan("a plan 5,000 deep in TOML", lambda: "x = " + "[" * 5000 + "]" * 5000, "plan")
plan(
    "a plan with a number of 5,000 digits",
    lambda: '{"kind": "purchases", "steps": [{"method": "compact", "min_size": ' + "9" * 5000 + "}]}",
    "plan",
)
plan(
    "a plan with a parameter 300 deep",
    lambda: (
        '{"kind": "purchases", "steps": [{"method": "compact", "min_size": ' + "[" * 300 + "]" * 300 + "}]}"
    ),
    "parameter",
    "plan",
)
plan("a plan of 100 MB", lambda: " " * 100_000_000, "limit")

parquet("60 million rows in Parquet", lambda: _far(["who", "what"], 60_000_000), "limit")
parquet(
    "25 million rows of 20 columns, all named",
    lambda: _far([f"c{i}" for i in range(20)] + ["what"], 25_000_000),
    "limit",
    qi=",".join(f"c{i}" for i in range(20)),
)
parquet(
    "a page of 600 MB, where 256 are allowed",
    lambda: pa.table({"who": ["a" * (600 << 20), "b"], "what": ["x", "y"]}),
    "limit",
    "file-broken",
    **{"max-megabytes": "256"},
)
parquet(
    "a text of 100 kB in 100,000 rows",
    lambda: pa.table(
        {
            "who": pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, np.int32)), ["a" * 100_000]),
            "what": ["x"] * 100_000,
        }
    ),
    "limit",
)
parquet("20,000 columns in Parquet", lambda: pl.DataFrame({f"c{i}": ["v"] for i in range(20_000)}), "limit")
parquet(
    "15,000 columns in Parquet",
    lambda: pl.DataFrame({"who": ["a"], "what": ["b"], **{f"c{i}": ["v"] for i in range(15_000)}}),
    "ok",
)
parquet(
    "no rows in Parquet",
    lambda: pl.DataFrame({"who": [], "what": []}, schema={"who": pl.String, "what": pl.String}),
    "file-empty",
)
parquet("no columns in Parquet", lambda: pa.table({}), "column-missing", "file-broken", "file-empty")
parquet(
    "numbers above 2^63",
    lambda: pl.DataFrame({"who": ["a"], "what": ["b"], "n": pl.Series([2**64 - 1], dtype=pl.UInt64)}),
    "limit",
    quantity="n",
)
parquet("lists", lambda: pl.DataFrame({"who": [[1]], "what": ["b"]}), "frame")
parquet("structures", lambda: pl.DataFrame({"who": [{"a": 1}], "what": ["b"]}), "frame")
parquet("bytes", lambda: pl.DataFrame({"who": [b"a"], "what": ["b"]}), "frame")
parquet(
    "a list of 100 million in one row", lambda: pa.table({"who": pa.array([[0]]), "what": ["b"]}), "frame"
)
raw("Parquet without its end", "shop.parquet", lambda: b"PAR1" + b"\0" * 100_000, "file-broken")
raw(
    "a footer longer than the file",
    "shop.parquet",
    lambda: b"PAR1" + b"\0" * 100 + b"\xff\xff\xff\x7fPAR1",
    "file-broken",
)
raw(
    "a footer of lists in lists",
    "shop.parquet",
    lambda: b"PAR1" + b"\x29" * _MEGABYTE + struct.pack("<I", _MEGABYTE) + b"PAR1",
    "file-broken",
    "limit",
)
raw(
    "a footer of structures in structures",
    "shop.parquet",
    lambda: b"PAR1" + b"\x1c" * _MEGABYTE + struct.pack("<I", _MEGABYTE) + b"PAR1",
    "file-broken",
    "limit",
)
raw(
    "a footer with a list of 2^60",
    "shop.parquet",
    lambda: _footer(b"\x15\x02\x19\xfc" + b"\xff" * 8 + b"\x0f"),
    "file-broken",
    "limit",
)
raw(
    "a footer with 30 million empty structures",
    "shop.parquet",
    lambda: _footer(b"\x15\x02\x29\xfc" + b"\x80\x87\xa7\x0e" + b"\0" * 30_000_000),
    "file-broken",
    "limit",
)
raw("random bytes called Parquet", "shop.parquet", lambda: random.Random(1).randbytes(100_000), "file-broken")
raw("random bytes called XLSX", "shop.xlsx", lambda: random.Random(2).randbytes(100_000), "file-broken")
raw(
    "random bytes called CSV", "shop.csv", lambda: random.Random(3).randbytes(100_000), "encoding", "nul-byte"
)
raw("Parquet called CSV", "shop.csv", lambda: b"PAR1" + bytes(range(256)), "encoding", "nul-byte")


def _footer(content: bytes) -> bytes:
    return b"PAR1" + content + struct.pack("<I", len(content)) + b"PAR1"


workbook(
    "a cell in the far corner", "limit", sheet=lambda: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
)
workbook(
    "a cell beyond the far corner",
    "limit",
    sheet=lambda: '<row r="4294967295"><c r="ZZZZZZ4294967295"><v>1</v></c></row>',
)
workbook(
    "a workbook of 40 million cells",
    "limit",
    sheet=lambda: "<row>" + "<c/>" * 40_000_000 + "</row>",
)
workbook("a workbook of 30 million texts", "limit", strings=lambda: "<si/>" * 30_000_000)
workbook(
    "a workbook whose directory lies", "file-broken", sheet=lambda: "<row><c/></row>" * 3_000_000, lie=True
)
workbook(
    "entities of entities",
    "file-broken",
    head=lambda: (
        "<!DOCTYPE x [" + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)) + "]>"
    ),
)
workbook(
    "an entity from elsewhere",
    "file-broken",
    head=lambda: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
)
workbook("a tag of 50 MB", "file-broken", sheet=lambda: "<row " + " " * 50_000_000 + "/>")
workbook(
    "a dimension that lies", "ok", sheet=lambda: '</sheetData><dimension ref="A1:XFD1048576"/><sheetData>'
)
workbook("tags 5 million deep", "file-broken", "ok", "limit", sheet=lambda: "<a>" * 5_000_000)
workbook(
    "a text of 30,000 letters in 200,000 cells",
    "limit",
    strings=lambda: f"<si><t>{'a' * 30_000}</t></si>",
    sheet=lambda: '<row><c t="s"><v>6</v></c><c t="s"><v>6</v></c></row>' * 100_000,
)


@bomb("an archive of archives", "file-broken")
def _nested(place: Path) -> list[str]:
    inner = b"x" * 1000
    for i in range(20):
        path = place / f"{i}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", inner)
        inner = path.read_bytes()
    (place / "shop.xlsx").write_bytes(inner)
    return ["profile", str(place / "shop.xlsx"), *WHO]


@bomb("overlapping members", "file-broken", "limit")
def _overlapping(place: Path) -> list[str]:
    """Ten thousand names for one packed megabyte of a thousand."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    plain = b" " * (64 * _MEGABYTE)
    packed = packer.compress(plain) + packer.flush()
    crc, local = zlib.crc32(plain), b"[Content_Types].xml"
    sizes = (crc, len(packed), len(plain), len(local))
    data = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 0, *sizes, 0) + local + packed
    entry = (
        struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, *sizes, 0, 0, 0, 0, 0, 0)
        + local
    )
    directory = entry * 10_000
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 10_000, 10_000, len(directory), len(data), 0)
    (place / "shop.xlsx").write_bytes(data + directory + end)
    return ["profile", str(place / "shop.xlsx"), *WHO]


@bomb("a directory of a million members", "file-broken", "limit")
def _many_members(place: Path) -> list[str]:
    entry = (
        struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
        + b"a"
    )
    directory = entry * 1_000_000
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)
    (place / "shop.xlsx").write_bytes(directory + end)
    return ["profile", str(place / "shop.xlsx"), *WHO]


@bomb("a pipe", "path-unreadable")
def _pipe(place: Path) -> list[str]:
    os.mkfifo(place / "shop.csv")
    return ["profile", str(place / "shop.csv"), *WHO]


@bomb("a device", "path-unreadable")
def _device(place: Path) -> list[str]:
    (place / "shop.csv").symlink_to("/dev/zero")
    return ["profile", str(place / "shop.csv"), *WHO]


@bomb("a pipe for a master", "path-unreadable")
def _pipe_master(place: Path) -> list[str]:
    (place / "transactions.csv").write_bytes(_HEAD + _DENSE)
    os.mkfifo(place / "master.csv")
    return ["profile", str(place), *WHO]


@bomb("a folder called like a file", "path-unreadable", "no-table")
def _folder(place: Path) -> list[str]:
    (place / "transactions.csv").mkdir()
    return ["profile", str(place), *WHO]


@bomb("a link to itself", "path-missing", "path-unreadable")
def _loop(place: Path) -> list[str]:
    (place / "shop.csv").symlink_to(place / "shop.csv")
    return ["profile", str(place / "shop.csv"), *WHO]


@bomb("a pipe for settings", "ok")
def _pipe_settings(place: Path) -> list[str]:
    (place / "shop.csv").write_bytes(_HEAD + _DENSE)
    os.mkfifo(place / "kakurenbo.toml")
    return ["profile", str(place / "shop.csv"), *WHO]


@bomb("a pipe for a plan", "path-unreadable")
def _pipe_plan(place: Path) -> list[str]:
    (place / "shop.csv").write_bytes(_HEAD + _DENSE)
    os.mkfifo(place / "plan")
    outputs = ["--out", str(place / "out"), "--secret", str(place / "secret.csv")]
    return ["deidentify", str(place / "shop.csv"), "--plan", str(place / "plan"), *WHO, *outputs]


@bomb("a pipe for a secret", "path-unreadable")
def _pipe_secret(place: Path) -> list[str]:
    os.mkfifo(place / "s.csv")
    return ["score", "--secret", str(place / "s.csv"), "--guess", str(place / "s.csv")]


@bomb("a secret with a field of 200,000 letters", "ok", "missing-id", "duplicate-id")
def _long_secret(place: Path) -> list[str]:
    (place / "s.csv").write_bytes(b"released,original\na," + b"x" * 200_000 + b"\n")
    return ["score", "--secret", str(place / "s.csv"), "--guess", str(place / "s.csv")]
