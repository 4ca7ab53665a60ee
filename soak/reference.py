"""A strict reader of purchases in plain Python, written from the docs and without a table library.

It is slow and obvious: a machine of states for the text, a pattern for every number and date. What it refuses
must be refused; what it accepts must be read to the very same records, or be refused for a reason that is
stricter than this reader and told (`touchy` says where that is allowed).
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass, field
from fractions import Fraction

Record = tuple[object, ...]
ROLES = ("customer", "goods", "receipt", "time", "price", "quantity")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PLAIN_ID = re.compile(r"[A-Za-z0-9 _-]+")
_MISSING = {"", "nan", "nat", "null", "none", "nil", "na", "n/a", "#n/a", "<na>"}
_CANCELLED = re.compile(r"C[0-9]+", re.ASCII)
_WHITE = "".join(map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029]))
_WHITE += "\u202f\u205f\u3000"
_BLANKS = re.compile(f"[{_WHITE}]+")  # between date and clock there may be several
_LARGEST = 2**53


class RefusedError(Exception):
    """The table is not one that may be read."""


@dataclass(frozen=True)
class Dialect:
    """How a text is written, and which columns have which role."""

    encoding: str = "utf-8"
    separator: str = ","
    header: bool = True
    policy: str = "refuse"
    roles: tuple[tuple[str, str], ...] = ()
    time_format: str | None = None


@dataclass
class Table:
    """What was read."""

    records: list[Record]
    dropped: int = 0
    touchy: set[str] = field(default_factory=set)  # what a stricter reader may refuse


def fields(content: bytes, dialect: Dialect) -> list[list[str]]:
    """Return the records of a text, each a list of fields, or refuse it."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        raise RefusedError("UTF-16 or NUL")
    try:
        text = content.decode(dialect.encoding)
    except UnicodeDecodeError:
        raise RefusedError("encoding") from None
    if dialect.encoding == "utf-8":
        text = text.removeprefix("\ufeff")
    records = list(_records(text, dialect.separator))
    white = " \t\r\n\v\f".replace(dialect.separator, "")
    while records and len(records[-1]) == 1 and records[-1][0][1].strip(white) == "":
        if records[-1][0][0]:
            break
        records.pop()
    if not records:
        raise RefusedError("empty")
    blank = len(records[0]) == 1 and not records[0][0][0] and not records[0][0][1].strip(white)
    if blank or any(len(record) != len(records[0]) for record in records):
        raise RefusedError("widths")
    return [[value for _, value in record] for record in records]


def _records(text: str, separator: str) -> list[list[tuple[bool, str]]]:
    """Return records of (whether quoted, value)."""
    machine = _Machine(separator)
    at = 0
    while at < len(text):
        at += machine.step(text[at], text[at + 1 : at + 2])
    return machine.end()


class _Machine:
    """Looks at one letter, and the next, at a time."""

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self.records: list[list[tuple[bool, str]]] = []
        self.record: list[tuple[bool, str]] = []
        self.value = ""
        self.state = "start"  # or plain, quoted, closed

    def step(self, letter: str, following: str) -> int:
        """Take a letter in; return how many were taken."""
        if self.state == "quoted":
            return self._in_quotes(letter, following)
        if letter == self.separator:
            self._end_field()
        elif letter == "\n":
            self._end_record()
        elif letter == "\r" and following in {"\n", ""}:
            self._end_record()
            return 2
        elif letter == '"':
            self._open()
        elif self.state == "closed" or letter == "\r":
            raise RefusedError("after a quote, or a carriage return")
        else:
            self.value += letter
            self.state = "plain"
        return 1

    def end(self) -> list[list[tuple[bool, str]]]:
        """Return all records, the last of which need not have ended."""
        if self.state == "quoted":
            raise RefusedError("unclosed")
        if self.record or self.state != "start":
            self._end_record()
        return self.records

    def _in_quotes(self, letter: str, following: str) -> int:
        if letter == '"' and following != '"':
            self.state = "closed"
            return 1
        self.value += letter
        return 2 if letter == '"' else 1

    def _open(self) -> None:
        if self.state == "closed" or self.value.strip(" ") or len(self.value) > 64:
            raise RefusedError("a quote inside")
        self.value, self.state = "", "quoted"

    def _end_field(self) -> None:
        self.record.append((self.state == "closed", self.value))
        self.value, self.state = "", "start"

    def _end_record(self) -> None:
        self._end_field()
        self.records.append(self.record)
        self.record = []


def read(content: bytes, dialect: Dialect) -> Table:
    """Return the purchases in a text."""
    rows = fields(content, dialect)
    names = _names(rows[0]) if dialect.header else [str(i + 1) for i in range(len(rows[0]))]
    rows = rows[1:] if dialect.header else rows
    if not rows:
        raise RefusedError("no rows")
    places: dict[str, list[int]] = {}
    for role, wanted in dialect.roles:
        parts = wanted.split(",") if role == "time" else [wanted]
        if any(names.count(part) != 1 for part in parts):
            raise RefusedError("column missing")
        places[role] = [names.index(part) for part in parts]
    if "receipt" in places:
        receipts = [row[places["receipt"][0]] for row in rows if row[places["receipt"][0]]]
        if receipts and set(receipts) == {"0"}:
            del places["receipt"]
    return _checked(rows, places, dialect)


def _names(first: list[str]) -> list[str]:
    return [name.strip() for name in first]


def _checked(rows: list[list[str]], places: dict[str, list[int]], dialect: Dialect) -> Table:
    touchy: set[str] = set()
    columns: dict[str, list[object]] = {}
    for role, at in places.items():
        texts = [[row[i].strip(_WHITE) for i in at] for row in rows]
        if role == "time":
            columns[role] = list(_times(texts, dialect.time_format))
        elif role == "price":
            columns[role] = [None if not t[0] else _number(t[0], touchy) for t in texts]
        elif role == "quantity":
            columns[role] = [None if not t[0] else _whole(t[0], touchy) for t in texts]
        else:
            columns[role] = [_id(t[0], touchy) for t in texts]
    return _kept(columns, len(rows), dialect, touchy)


def _kept(columns: dict[str, list[object]], height: int, dialect: Dialect, touchy: set[str]) -> Table:
    kept: list[Record] = []
    for i in range(height):
        row = {role: column[i] for role, column in columns.items()}
        if _is_no_purchase(row):
            if dialect.policy == "refuse":
                raise RefusedError("no purchase")
            continue
        kept.append(tuple(row.get(role) for role in ROLES))
    if not kept:
        raise RefusedError("nothing left")
    if any(record[ROLES.index(role)] is None for record in kept for role in columns):
        raise RefusedError("missing")
    return Table(kept, height - len(kept), touchy)


def _is_no_purchase(row: dict[str, object]) -> bool:
    if any(row[role] is None for role in ("customer", "goods", "receipt") if role in row):
        return True
    if "receipt" in row and _CANCELLED.fullmatch(str(row["receipt"])):
        return True
    return any(isinstance(row.get(role), int | float) and row[role] <= 0 for role in ("price", "quantity"))  # type: ignore[operator]


def canonical(value: object) -> str:
    """Return an id as one text, whichever way a whole number is written."""
    return re.sub(r"^(-?[1-9][0-9]*|0)\.0+$", r"\1", str(value))


def _id(text: str, touchy: set[str]) -> str | None:
    """Return an id; None where there is none, or a word says so."""
    if text and not _PLAIN_ID.fullmatch(text):
        touchy.add("id")  # it may differ from another only in how it is written
    return None if _seen(text).lower() in _MISSING else canonical(text)


def _seen(text: str) -> str:
    """Return what a person sees of a text, in its plainest form."""
    letters = "".join(letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cf"})
    return unicodedata.normalize("NFKC", letters).strip()


def _number(text: str, touchy: set[str]) -> float:
    if not _NUMBER.fullmatch(text):
        raise RefusedError("number")
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise RefusedError("infinite")
    if abs(number) > 1e15 or (abs(number) < 1e-100 and re.search("[1-9]", text.lower().split("e")[0])):
        touchy.add("number")  # prices have a range
    return number


def _whole(text: str, touchy: set[str]) -> int:
    number = _number(text, touchy)
    exact = Fraction(text) if abs(number) < 1e30 and len(text) < 100 else Fraction(number)
    if exact.denominator != 1:
        raise RefusedError("fraction")
    if abs(exact) >= _LARGEST:
        touchy.add("number")
    if abs(exact) >= 2**63:
        raise RefusedError("too large")
    return int(exact)


_DATES = {
    "%Y-%m-%d": r"(?P<Y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})",
    "%Y/%m/%d": r"(?P<Y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})",
    "%Y.%m.%d": r"(?P<Y>\d{4})\.(?P<m>\d{1,2})\.(?P<d>\d{1,2})",
    "%Y%m%d": r"(?P<Y>\d{4})(?P<m>\d{2})(?P<d>\d{1,2})",
    "%d.%m.%Y": r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<Y>\d{4})",
    "%d-%m-%Y": r"(?P<d>\d{1,2})-(?P<m>\d{1,2})-(?P<Y>\d{4})",
    "%m/%d/%Y": r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<Y>\d{4})",
    "%d/%m/%Y": r"(?P<d>\d{1,2})/(?P<m>\d{1,2})/(?P<Y>\d{4})",
}
_CLOCKS = {
    "": "",
    " %H:%M": r" (?P<H>\d{1,2}):(?P<M>\d{1,2})",
    " %H:%M:%S": r" (?P<H>\d{1,2}):(?P<M>\d{1,2}):(?P<S>\d{1,2})",
    "T%H:%M": r"T(?P<H>\d{1,2}):(?P<M>\d{1,2})",
    "T%H:%M:%S": r"T(?P<H>\d{1,2}):(?P<M>\d{1,2}):(?P<S>\d{1,2})",
    " %H:%M:%S%.f": r" (?P<H>\d{1,2}):(?P<M>\d{1,2}):(?P<S>\d{1,2})(?P<f>\.\d{1,9})?",
    "T%H:%M:%S%.f": r"T(?P<H>\d{1,2}):(?P<M>\d{1,2}):(?P<S>\d{1,2})(?P<f>\.\d{1,9})?",
}
_PATTERNS = {
    day + clock: re.compile(days + clocks, re.ASCII)
    for clock, clocks in _CLOCKS.items()
    for day, days in _DATES.items()
}


def _times(texts: list[list[str]], declared: str | None) -> list[dt.datetime | None]:
    """Return the times, all by the one pattern that fits the most; where two fit as well, they must agree."""
    joined = [None if not all(parts) else _BLANKS.sub(" ", " ".join(parts)) for parts in texts]
    patterns = [declared] if declared else list(_PATTERNS)
    read = {name: [None if text is None else _time(text, name) for text in joined] for name in patterns}
    fits = {name: sum(value is not None for value in values) for name, values in read.items()}
    most = max(fits.values())
    if not any(text is not None for text in joined):
        return [None] * len(joined)
    best = [values for name, values in read.items() if fits[name] == most]
    if not most or any(values != best[0] for values in best):
        raise RefusedError("dates")
    if any(text is not None and value is None for text, value in zip(joined, best[0], strict=True)):
        raise RefusedError("a date")
    return best[0]


def _time(text: str, pattern: str) -> dt.datetime | None:
    match = _PATTERNS[pattern].fullmatch(text)
    if not match:
        return None
    parts = match.groupdict()
    micro = int(((parts.get("f") or ".0")[1:] + "000000")[:6])
    try:
        hour, minute, second = (int(parts.get(name) or 0) for name in "HMS")
        return dt.datetime(int(parts["Y"]), int(parts["m"]), int(parts["d"]), hour, minute, second, micro)
    except ValueError:
        return None


@dataclass
class Pairs:
    """What a pairing says."""

    records: dict[str, str | None]
    touchy: set[str]


def read_pairing(content: bytes) -> Pairs:
    """Return released -> original."""
    rows = fields(content, Dialect())
    names = _names(rows[0])
    if names.count("released") != 1 or names.count("original") != 1 or len(rows) < 2:
        raise RefusedError("columns")
    pairs = Pairs({}, set())
    for row in rows[1:]:
        released = _id(row[names.index("released")].strip(_WHITE), pairs.touchy)
        if released is None or released in pairs.records:
            raise RefusedError("released")
        pairs.records[released] = _id(row[names.index("original")].strip(_WHITE), pairs.touchy)
    return pairs
