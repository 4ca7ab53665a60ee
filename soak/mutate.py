"""Good files in many dialects, and what can happen to them: the raw material of the part `mutations`."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import polars as pl
import xlsxwriter

from soak.reference import Dialect

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

PEOPLE = ("Qzanna", "Qzbert", "Qzcleo", "17850", "Qz dora")
GOODS = ("Zqtea4", "Zqmilk", "Zqrice", "22728")
SECRETS = ("Qzanna", "Qzbert", "Qzcleo", "Qz dora", "Zqtea4", "Zqmilk", "Zqrice", "17850", "22728")
JAPANESE = ("\u304a\u8336", "\u62b9\u8336", "\u725b\u4e73")
_HEADER = ("who", "what", "slip", "when", "cost", "pieces", "note")
_ROLES = (("customer", "who"), ("goods", "what"), ("receipt", "slip"), ("time", "when"),
          ("price", "cost"), ("quantity", "pieces"))  # fmt: skip
_NUMBERS = (
    "1e400", "-1e400", "0x10", "1_000", "\uff11\uff12", "-0", "+5", "nan", "NaN", "inf", "-inf",
    "9007199254740993", "1e3", "1E3", "1.0", "1.", ".5", "5.", "1,5", "1e-400", "1e308", "0", "-3", "00012",
    "1 000", "--5", "+-5", "e5", "1e", "1e+", "\u0663", "9223372036854775808", "0.1e1", "infinity", "NULL",
    "", " 7 ", "7\t", "\u00a07", "7\u200b", "1d5", "1f", "True", "12.50", "123456789.125",
    "9007199254740992", "1e15", "1e16",
)  # fmt: skip
_DATES = (
    "2024-02-30", "2024-13-01", "0000-01-01", "-2011-01-01", "99-01-01", "2024-1-5", "2024-01-05 ",
    "2024/01/05", "05.01.2024", "3/4/2011", "2024-01-05T10:11", "2024-01-05 24:00", "2024-01-05 10:60",
    "20240105", "\uff12024-01-05", "12024-01-05", "2024-01-05 10:11:12.5", "2024-01-5", "+2024-01-05",
    "2024--01-05", "2023-02-29", "2024-02-29", "2024-01-05Z", "2024-01-05 10:11:60", "9999-12-31",
    "2024-001-05", "2024-01-005", "1-1-1", "2024-01", "today", "",
)  # fmt: skip
_IDS = (
    "", " ", "NULL", "NA", "nan", "17850.0", "17850", "0", "Qzanna\u200b", "Cafe\u0301", "Caf\u00e9",
    "\u00a0Qzanna", "C5", "C12", "'Qzanna'", "Qzanna;", "=1+1", "\ufeffQzanna", "Q\u202ez", "x" * 300,
    "DEL", "-", "Qz\x01", "Qz\x1f", "\x1cQz", "Qz\x7f", "\x85Qz",
)  # fmt: skip
_MARKS = (
    b'"', b",", b"\n", b"\r", b"\r\n", b"\t", b";", b"\0", b"\xef\xbb\xbf", b"\xe2\x80\x8b", b"\x01",
    b"\x1a", b" ", b'""', b"'", b"\xff", b"\xc2\xa0", b"\x85", b"\xe3\x80\x80", b"\n\n", b"\\", b"#", b"|",
    b'" ', b' "', b',"', b'",', b"\x0b", b"\x0c", b"-", b".", b"0",
)  # fmt: skip

_SETTINGS = (
    'policy = "drop"', 'encoding = "utf-8"', "header = true", 'separator = ","', "max_rows = 1000",
    'cancelled = "C"', "max_cells = 100_000",
)  # fmt: skip
_PLANS = (
    b"""kind = "purchases"

[[steps]]
method = "compact"
min_size = 8

[[steps]]
method = "delete"
share = 0.25
""",
    b"""{"kind": "purchases", "steps": [
{"method": "compact", "min_size": 8}, {"method": "delete", "share": 0.25}]}""",
)


def purchases(chance: Random) -> tuple[bytes, Dialect]:
    """Return a good table of purchases, and how it is written."""
    style = chance.randrange(6)
    goods = (*GOODS, *JAPANESE) if style in {1, 4} else GOODS
    clock = chance.random() < 0.3
    rows = [
        [
            chance.choice(PEOPLE), chance.choice(goods), f"r{chance.randrange(9)}",
            f"2024-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
            + (f" {chance.randrange(24):02}:05" if clock else ""),
            f"{chance.randrange(1, 9999) / 100:g}", str(chance.randrange(1, 20)),
            chance.choice(["", "x", "ok"]),
        ]
        for _ in range(chance.randrange(1, 7))
    ]  # fmt: skip
    dialect = Dialect(roles=_roles(chance), policy=chance.choice(["refuse", "drop"]))
    if chance.random() < 0.6:
        dialect = replace(dialect, time_format="%Y-%m-%d %H:%M" if clock else "%Y-%m-%d")
    if style == 3:
        dialect = replace(dialect, separator="\t")
    if style == 4:
        dialect = replace(dialect, encoding="cp932")
    if style == 5:
        numbers = {name: str(i + 1) for i, name in enumerate(_HEADER)}
        roles = tuple((role, numbers[name]) for role, name in dialect.roles)
        dialect = replace(dialect, header=False, roles=roles)
    if chance.random() < 0.4:
        _swap_field(chance, rows)
    return _written(chance, [list(_HEADER), *rows] if dialect.header else rows, dialect, style), dialect


def _roles(chance: Random) -> tuple[tuple[str, str], ...]:
    optional = [pair for pair in _ROLES[2:] if chance.random() < 0.7]
    return (*_ROLES[:2], *optional)


def _swap_field(chance: Random, rows: list[list[str]]) -> None:
    """Put one value in another form, good or bad."""
    column = chance.randrange(6)
    forms = {3: _DATES, 4: _NUMBERS, 5: _NUMBERS}.get(column, _IDS)
    chance.choice(rows)[column] = chance.choice(forms)


def _written(chance: Random, rows: list[list[str]], dialect: Dialect, style: int) -> bytes:
    quoted = {1: 0.5, 2: 1.0}.get(style, 0.05)
    end = "\r\n" if chance.random() < 0.3 else "\n"
    lines = []
    for row in rows:
        line = []
        for value in row:
            must = any(mark in value for mark in (dialect.separator, '"', "\n", "\r"))
            quote = must or chance.random() < quoted
            space = " " if quote and chance.random() < 0.05 else ""
            line.append(f'{space}"{value.replace(chr(34), chr(34) * 2)}"' if quote else value)
        lines.append(dialect.separator.join(line))
    content = (end.join(lines) + chance.choice([end, end, "", end * 2])).encode(dialect.encoding, "replace")
    return b"\xef\xbb\xbf" + content if dialect.encoding == "utf-8" and chance.random() < 0.2 else content


def pairing(chance: Random) -> bytes:
    """Return a good pairing."""
    lines = [f"tok{i},{chance.choice([*PEOPLE, ''])}" for i in range(chance.randrange(1, 6))]
    return ("released,original\n" + "\n".join(lines) + "\n").encode()


def settings(chance: Random) -> bytes:
    """Return good settings for a table of purchases."""
    lines = [f'{role} = "{name}"' for role, name in _roles(chance)]
    lines += chance.sample(_SETTINGS, 3)
    return ("\n".join(lines) + "\n").encode()


def plan(chance: Random) -> bytes:
    """Return a good plan in TOML or JSON."""
    return chance.choice(_PLANS)


@cache
def packed(ending: str) -> bytes:
    """Return a good Parquet file or workbook."""
    frame = pl.DataFrame(
        {
            "who": [*PEOPLE],
            "what": [*GOODS, "Zqtea4"],
            "cost": [1.5, 2.0, 3.25, 4.0, 5.0],
            "pieces": [1, 2, 3, 4, 5],
        }
    )
    made = io.BytesIO()
    if ending == "parquet":
        frame.write_parquet(made)
    else:
        with xlsxwriter.Workbook(made) as book:
            frame.write_excel(book)
    return made.getvalue()


def mutated(chance: Random, content: bytes) -> bytes:
    """Return the bytes after one to four things happened to them (or none, now and then)."""
    for _ in range(chance.choice([0, 1, 1, 1, 2, 2, 3, 4])):
        content = chance.choice(_CHANGES)(chance, content)
    return content


def _flip(chance: Random, content: bytes) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]


def _delete(chance: Random, content: bytes) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[at + chance.choice([1, 1, 2, 5, 20]) :]


def _repeat(chance: Random, content: bytes) -> bytes:
    at = chance.randrange(len(content) + 1)
    length = chance.choice([1, 3, 10, 40])
    return content[: at + length] + content[at:]


def _insert(chance: Random, content: bytes) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(_MARKS) + content[at:]


def _truncate(chance: Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _line(chance: Random, content: bytes) -> bytes:
    """Change a whole line: gone, twice, blank, with a field more or less, or swapped with another."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    parts = lines[at].split(b",")
    other = chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(at, chance.choice([b"", b" ", b"\r", b"\t"]))
        case 3:
            lines[at] = b",".join(parts[:-1])
        case 4:
            lines[at] += b"," + chance.choice([b"", b"x"])
        case 5:
            chance.shuffle(parts)
            lines[at] = b",".join(parts)
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _number(chance: Random, content: bytes) -> bytes:
    """Put another form in the place of some digits."""
    at = chance.randrange(len(content) + 1)
    digits = content[at : at + 2].isdigit()
    return content[:at] + chance.choice(_NUMBERS).encode() + content[at + (2 if digits else 0) :]


_CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    _flip, _delete, _repeat, _insert, _insert, _insert, _truncate, _line, _line, _number,
)  # fmt: skip
