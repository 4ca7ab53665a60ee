"""Canaries: a mark in every place where a value can hide, and a search for it in every byte that leaves.

The mark stands in customer ids, receipts, columns without a role and their names, the master, its columns,
the names of files and folders, settings, metadata of Parquet and workbooks, the environment, the secret's
path, and beside it there is the seed. Releases are made by every method from every kind of file; the mark
must be in no released file, on no screen and in no report, neither plain nor backwards, in capitals,
hexadecimal or base64, nor may the ids' hashes be. Goods are released as they are, so they carry no mark.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import os
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import pyarrow.parquet as pq
import typer.main
import xlsxwriter

import kakurenbo as kb
from kakurenbo.cli.main import run
from soak.little_shop import ROLES, little_shop
from soak.part import Part

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

typer.main.get_command = functools.cache(typer.main.get_command)  # built once: it is the same every time

_LETTERS = "bcdfghjkmnpqrstvwxz"
FORMATS = ("csv", "folder", "parquet", "xlsx")
METHODS = [(entry.kind, entry.name, entry.example) for entry in kb.CATALOGUE if entry.family == "method"]
_TOKEN = re.compile(r"[a-hjkmnp-z2-9]{10}")
_SOUGHT, _REPORTED, _PAGED, _TUNED = 7, 20, 200, 500  # so often: an attack, an audit, with the page, a search


@dataclass
class Hidden:
    """An original full of marks.

    Attributes:
        data: the file or folder to be released.
        mark: what stands in every value that must not get out.
        named: what stands in names of columns and files, which a screen and a report may tell but no release
            may hold.
        ids: the ids of the people.
        reading: the options that tell how to read the data.
        secret: where the secret is to go.
        words: the method with its parameters, as typed.
        seed: the seed of the release, if it has one.
    """

    data: Path
    mark: str
    named: str
    ids: list[str]
    reading: list[str]
    secret: Path
    words: list[str]
    seed: int | None = None
    columns: set[str] = field(default_factory=set)


def hide(place: Path, chance: Random, number: int) -> Hidden:
    """Write an original for a case into a folder."""
    kind, method, example = METHODS[number % len(METHODS)]
    form = FORMATS[number // len(METHODS) % len(FORMATS)]
    mark, named = ("".join(chance.choices(_LETTERS, k=7)) for _ in range(2))
    home = place / f"h{mark}"
    (home / f"s{mark}").mkdir(parents=True)
    table, master, roles = (_purchases if kind == "purchases" else _microdata)(chance, mark, named)
    data = _written(home, form, table, master, (mark, named))
    words = [method]
    for name, value in example.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
        words += [f"--{name.replace('_', '-')}", text]
    reading = [word for option, column in roles.items() for word in (f"--{option}", column)]
    if kind == "purchases" and form in {"folder", "parquet"}:
        reading += ["--keep-master", "sex"]
    seed = chance.randrange(10**11, 10**12) if chance.random() < 0.3 else None
    first = "customer" if kind == "purchases" else "pid"
    released = {column for columns in roles.values() for column in columns.split(",")}
    return Hidden(
        data, mark, named, table[first].unique().to_list(), reading, home / f"s{mark}" / "secret.csv", words,
        seed, released,
    )  # fmt: skip


def _purchases(
    chance: Random, mark: str, named: str
) -> tuple[pl.DataFrame, pl.DataFrame | None, dict[str, str]]:
    shop = little_shop(chance, people=16, records=5)
    ids = {name: f"{mark}{i:02}" for i, name in enumerate(sorted(shop.master["customer"]))}
    records = shop.records.with_columns(
        pl.col("customer").replace_strict(ids),
        pl.Series("receipt", [f"r{mark}{i // 2}" for i in range(shop.records.height)]),
        pl.Series(f"x{named}", [f"{mark}note{i}" for i in range(shop.records.height)]),
    )
    master = shop.master.with_columns(pl.col("customer").replace_strict(ids)).with_columns(
        email=pl.col("customer") + "@mail.example", **{f"m{named}": pl.lit(f"{mark}say")}
    )
    return records, master, {role: role for role in ROLES}


def _microdata(chance: Random, mark: str, named: str) -> tuple[pl.DataFrame, None, dict[str, str]]:
    count = 18
    table = pl.DataFrame({
        "pid": [f"{mark}{i:02}" for i in range(count)],
        "age": [chance.randrange(20, 26) for _ in range(count)],
        "town": [chance.choice(["Oslo", "Bergen"]) for _ in range(count)],
        "income": [float(chance.randrange(100, 999)) for _ in range(count)],
        "rent": [float(chance.randrange(10, 99)) for _ in range(count)],
        f"x{named}": [f"{mark}note{i}" for i in range(count)],
    })  # fmt: skip
    return table, None, {"qi": "age,town", "sa": "income,rent", "id": "pid"}


def _written(
    home: Path, form: str, table: pl.DataFrame, master: pl.DataFrame | None, marks: tuple[str, str]
) -> Path:
    """Write the original in one format, with marks wherever the format has room for one."""
    mark, named = marks
    (home / "kakurenbo.toml").write_text(f"# {mark}\n")
    stem = "transactions" if master is not None else "microdata"
    match form:
        case "csv":
            path = home / f"t{named}.csv"
            table.write_csv(path)
            return path
        case "xlsx":
            path = home / f"t{named}.xlsx"
            with xlsxwriter.Workbook(path) as book:
                book.set_properties({"title": mark, "author": f"{mark}author", "comments": f"{mark}c"})
                table.write_excel(book, worksheet="data")
                book.add_worksheet(f"o{mark}").write("A1", f"{mark}cell")
            return path
    folder = home / f"d{named}"
    folder.mkdir()
    for name, part in ((stem, table), ("master", master)):
        if part is None:
            continue
        if form == "folder":
            part.write_csv(folder / f"{name}.csv")
        else:
            arrow = part.to_arrow().replace_schema_metadata({"origin": f"{mark}meta"})
            pq.write_table(arrow, folder / f"{name}.parquet")
    (folder / "kakurenbo.toml").write_text(f"# {mark}\n")
    (folder / f"readme{named}.txt").write_text(mark)
    return folder


def spoken(words: list[str]) -> tuple[int, str]:
    """Run a command of ours; return its exit code and all that it said."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = run(words)
    return code, out.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    """Return every released byte by file, packed ones unpacked as well, and the files' names."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        unpacked = b""
        if path.suffix == ".parquet":
            table, about = pl.read_parquet(path), pl.read_parquet_metadata(path)
            unpacked = (
                table.with_columns(pl.all().cast(pl.String)).write_csv().encode() + repr(about).encode()
            )
            unpacked += base64.b64decode(about.get("ARROW:schema", ""))
        found[path.name] = path.name.encode() + b"\n" + path.read_bytes() + unpacked
    return found


def forms(mark: str) -> dict[str, bytes]:
    """Return the mark in every form it is looked for, none of them longer than what surely shows."""
    plain = mark.encode()
    shifted = {
        f"in base64, shifted by {shift}": base64.b64encode(b"\0" * shift + plain)[-(-8 * shift // 6) :][:8]
        for shift in range(3)
    }
    return {
        "plain": plain, "backwards": plain[::-1], "in hexadecimal": plain.hex().encode(),
        "in UTF-16": mark.encode("utf-16-le"), **shifted,
    }  # fmt: skip


def hits(text: bytes, mark: str) -> list[str]:
    """Return the forms in which a mark stands in some bytes, whatever their case."""
    lower = text.lower()
    return [name for name, form in forms(mark).items() if form.lower() in lower]


def hashed(text: bytes, ids: list[str]) -> list[str]:
    """Return the functions whose hashes of ids stand in some bytes."""
    words = set(re.findall(rb"[0-9a-f]{32,64}", text.lower()))
    return [
        name
        for name in ("md5", "sha1", "sha256")
        if not words.isdisjoint(hashlib.new(name, one.encode()).hexdigest().encode() for one in ids)
    ]


def leaks(hidden: Hidden, folder: Path) -> list[str]:
    """Return whatever a release shows that it should not, by its bytes and by its shape."""
    found = []
    for name, text in contents(folder).items():
        found += [f"{name} holds a value {how}" for how in hits(text, hidden.mark)]
        found += [f"{name} holds the name of a column {how}" for how in hits(text, hidden.named)]
        found += [f"{name} holds ids by {how}" for how in hashed(text, hidden.ids)]
        if hidden.seed is not None and str(hidden.seed).encode() in text:
            found.append(f"{name} holds the seed")
    if follows(hidden.secret):
        found.append("the new names follow the old")
    return found + [fault for path in sorted(folder.iterdir()) for fault in _misshapen(hidden, path)]


def _misshapen(hidden: Hidden, path: Path) -> list[str]:
    """Return what is wrong with a file of a release as a file."""
    if path.name in {"release.json", "README.md", "datasheet.json"}:
        return []
    if path.stem not in {"transactions", "master", "microdata"} or path.suffix not in {".csv", ".parquet"}:
        return [f"there is a file {path.name}"]
    if path.suffix == ".parquet":
        table, about = pl.read_parquet(path), set(pl.read_parquet_metadata(path)) - {"ARROW:schema"}
        faults = [f"{path.name} has metadata"] if about else []
    else:
        table, faults = pl.read_csv(path, infer_schema=False), []
    allowed = {"customer", "sex"} if path.stem == "master" else hidden.columns
    if set(table.columns) - allowed:
        faults.append(f"{path.name} has columns nobody asked for")
    names = [name for name in ("customer", "receipt", "pid") if name in table.columns]
    if not all(_TOKEN.fullmatch(str(value)) for name in names for value in table[name]):
        faults.append(f"{path.name} has names that are no tokens")
    if path.stem != "microdata" and not table["customer"].is_sorted():
        faults.append(f"{path.name} is not sorted by its own content")
    return faults


def follows(secret: Path) -> bool:
    """Tell whether the new names are in the order of the old ones, or in the opposite."""
    pairs = sorted(pl.read_csv(secret, infer_schema=False).iter_rows(), key=lambda pair: pair[1])
    ups = sum(first[0] < second[0] for first, second in pairwise(pairs))
    return len(pairs) > 12 and not 0.1 < ups / (len(pairs) - 1) < 0.9


class Canaries(Part):
    """Releases by every method from every format, and now and then an audit with its reports."""

    name: ClassVar = "canaries"
    promise: ClassVar = "no value, id, path, seed or name of a column leaves that was not meant to"
    share: ClassVar = 1.0
    enough: ClassVar = 2_000
    patience: ClassVar = 90.0

    def case(self, number: int) -> str | None:
        """Make one release and search all that came of it."""
        place = self.place / f"{number}"
        place.mkdir()
        try:
            found = self._searched(place, number)
        finally:
            shutil.rmtree(place)
        return f"{'; '.join(found)}" if found else None

    def _searched(self, place: Path, number: int) -> list[str]:
        hidden, out = hide(place, self.chance(number), number), place / "out"
        os.environ |= {"CANARY": hidden.mark, "USER": f"u{hidden.mark}", "LOGNAME": f"u{hidden.mark}"}
        seed = [] if hidden.seed is None else ["--seed", str(hidden.seed)]
        target = ["--out", str(out), "--secret", str(hidden.secret), *hidden.reading]
        code, said = spoken(
            ["deidentify", hidden.words[0], str(hidden.data), *hidden.words[1:], *target, *seed]
        )
        if code:
            return [f"{hidden.words}: exit {code}: {said}"]
        self.counts["releases"] += 1
        found = leaks(hidden, out) + self._said(hidden, said, "the screen")
        if number % _REPORTED == 0:
            found += self._reported(hidden, place, page=number % _PAGED == 0)
        if number % _SOUGHT == 0:
            found += self._sought(hidden, out)
        if number % _TUNED == 0:
            found += self._tuned(hidden, place / "tuned")
        found += self._refused(hidden, out)
        return [f"{hidden.words[0]}: {fault}" for fault in found]

    def _said(self, hidden: Hidden, said: str, where: str) -> list[str]:
        """Return what was said that no screen may say; names of columns may be told."""
        seeded = hidden.seed is not None and str(hidden.seed) in said
        return [f"{where} says a value {how}" for how in hits(said.encode(), hidden.mark)] + (
            [f"{where} says the seed"] if seeded else []
        )

    def _reported(self, hidden: Hidden, place: Path, *, page: bool) -> list[str]:
        reports = [place / f"r.{ending}" for ending in ("md", "json", *(["html"] if page else []))]
        words = ["audit", str(hidden.data), str(place / "out"), "--secret", str(hidden.secret), "--seed", "1"]
        asked = [word for path in reports for word in ("--report", str(path))]
        reading = [word for word in hidden.reading if word not in {"--keep-master", "sex"}]
        code, said = spoken([*words, *asked, *reading])
        if code not in {0, 1}:
            return [f"the audit ends with {code}: {said}"]
        self.counts["audits"] += 1
        found = self._said(hidden, said, "the audit")
        for path in reports:
            found += self._said(hidden, path.read_text(), f"the report {path.name}")
        return found

    def _sought(self, hidden: Hidden, out: Path) -> list[str]:
        reading = [word for word in hidden.reading if word not in {"--keep-master", "sex"}]
        guess = str(out.parent / "guess")
        code, said = spoken(["attack", "order", str(hidden.data), str(out), "--out", guess, *reading])
        return (
            self._said(hidden, said, "the attack") if code == 0 else [f"the attack ends with {code}: {said}"]
        )

    def _tuned(self, hidden: Hidden, out: Path) -> list[str]:
        """Search for a plan, which need not be good, and let it be carried out."""
        apart = replace(hidden, secret=hidden.secret.with_name("tuned.csv"), seed=None)
        words = ["tune", str(hidden.data), "--trials", "1", "--jobs", "1", "--max-risk", "1", "--seed", "1"]
        target = ["--apply", "--out", str(out), "--secret", str(apart.secret), "--json"]
        code, said = spoken([*words, *target, *hidden.reading])
        if code:
            return [f"the search ends with {code}: {said}"]
        self.counts["searches"] += 1
        return leaks(apart, out) + self._said(apart, said, "the search")

    def _refused(self, hidden: Hidden, out: Path) -> list[str]:
        """Ask for what cannot be; an error names places, never values."""
        reading = [word for word in hidden.reading if word not in {"--keep-master", "sex"}]
        calls: list[list[Any]] = [
            ["deidentify", *hidden.words[:1], hidden.data, "--customer", "nobody", "--goods", "what"],
            ["deidentify", "delete", hidden.data, "--share", "0.1", *reading, "--policy", "keep"],
            ["score", "--secret", hidden.data, "--guess", hidden.secret],
            ["score", "--secret", hidden.secret, "--guess", out / next(iter(contents(out)))],
        ]
        target = ["--out", out.parent / "no", "--secret", out.parent / "no.csv"]
        found = []
        for words in calls:
            asked = [*words, *(target if words[0] == "deidentify" else [])]
            code, said = spoken([str(word) for word in asked])
            plain = said.replace(str(hidden.data), "").replace(hidden.data.name, "")
            found += self._said(hidden, plain, f"the refusal of {words[0]} ({code})")
        return found
