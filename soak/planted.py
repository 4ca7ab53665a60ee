"""Planted leaks: twenty careless writers of releases, each of which the search for canaries must catch.

A search that finds nothing proves nothing until it is seen to find something. Each writer here does what a
careless program does: leaves a column, a file, an order or a name behind.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
from typing import TYPE_CHECKING, Any, ClassVar
from unittest import mock

import polars as pl
import pyarrow.parquet as pq

from kakurenbo.data.pairing import Pairing
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.release_folder import write_release
from soak.canaries import FORMATS, METHODS, hide, leaks, spoken
from soak.part import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from soak.canaries import Hidden

_METHOD = "pseudonymize"


class Written:
    """A release as it was written, and its original: what a careless writer has at hand."""

    def __init__(self, folder: Path, hidden: Hidden, secret: dict[str, str]) -> None:
        self.folder, self.hidden, self.secret = folder, hidden, secret

    @property
    def path(self) -> Path:
        """The released records."""
        return next(path for path in self.folder.iterdir() if path.stem == "transactions")

    @property
    def original(self) -> pl.DataFrame:
        """The original records."""
        return _read(next(path for path in self.hidden.data.iterdir() if path.stem == "transactions"))

    def change(self, made: pl.Expr | pl.Series) -> None:
        """Put a column into the released records."""
        _write(_read(self.path).with_columns(made), self.path)

    def owners(self) -> pl.Series:
        """The original id of every released record."""
        return _read(self.path)["customer"].replace_strict(self.secret)

    def rename(self, change: Callable[[str], str]) -> None:
        """Give people names made from their ids."""
        names = {released: change(original) for released, original in self.secret.items()}
        for path in self.folder.iterdir():
            if path.stem in {"transactions", "master"}:
                table = _read(path).with_columns(pl.col("customer").replace_strict(names))
                _write(table.sort(table.columns), path)
        pairs = Pairing.of({names[released]: original for released, original in self.secret.items()})
        self.hidden.secret.write_bytes(as_bytes(pairs))


def _read(path: Path) -> pl.DataFrame:
    if path.suffix == ".parquet":
        return pl.read_parquet(path)
    return pl.read_csv(path, infer_schema=False)


def _write(table: pl.DataFrame, path: Path) -> None:
    table.write_parquet(path) if path.suffix == ".parquet" else table.write_csv(path)


def _in_order(written: Written) -> None:
    """Name people so that the new names are sorted as the old."""
    fresh: Iterator[str] = iter(sorted(written.secret))
    names = {original: next(fresh) for original in sorted(written.secret.values())}
    written.rename(names.__getitem__)


def _as_it_was(written: Written) -> None:
    table = _read(written.path).with_columns(owner=written.owners()).sort("owner").drop("owner")
    _write(table, written.path)


def _metadata(written: Written) -> None:
    table = pq.read_table(written.path) if written.path.suffix == ".parquet" else None
    if table is None:
        with written.path.open("a") as file:
            file.write(f"# from {written.hidden.data}\n")
    else:
        pq.write_table(table.replace_schema_metadata({"source": str(written.hidden.data)}), written.path)


def _master(written: Written) -> None:
    source = next(path for path in written.hidden.data.iterdir() if path.stem == "master")
    back = {original: released for released, original in written.secret.items()}
    table = _read(source).with_columns(pl.col("customer").replace_strict(back))
    _write(table.sort("customer"), written.folder / source.name)


def _empty_column(written: Written) -> None:
    path = next(path for path in written.folder.iterdir() if path.stem == "master")
    _write(_read(path).with_columns(pl.lit("").alias(f"m{written.hidden.named}")), path)


def _receipts(change: Callable[[str], str]) -> Callable[[Written], None]:
    def kept(written: Written) -> None:
        old = written.original["receipt"].to_list()
        count = _read(written.path).height
        written.change(pl.Series("receipt", [change(old[i % len(old)]) for i in range(count)]))

    return kept


def _rows(written: Written) -> None:
    written.change(pl.int_range(pl.len()).alias("index"))


def _column(name: str, change: Callable[[str], str]) -> Callable[[Written], None]:
    return lambda written: written.change(pl.Series(name, [change(one) for one in written.owners()]))


def _goods(written: Written) -> None:
    goods = zip(_read(written.path)["goods"], written.owners(), strict=True)
    written.change(pl.Series("goods", [f"{good}-{one.encode().hex()}" for good, one in goods]))


def _file(name: str, text: Callable[[Written], bytes]) -> Callable[[Written], Any]:
    return lambda written: (written.folder / name).write_bytes(text(written))


def _ids(written: Written) -> str:
    return "\n".join(written.hidden.ids)


LEAKS: dict[str, Callable[[Written], Any]] = {
    "the number of every row": _rows,
    "a column of ids": _column("x", str),
    "a column of ids in capitals": _column("goods", str.upper),
    "ids hashed with SHA-256": _column("x", lambda one: hashlib.sha256(one.encode()).hexdigest()),
    "new names by MD5": lambda written: written.rename(
        lambda one: hashlib.md5(one.encode()).hexdigest()  # noqa: S324 - as careless people do
    ),
    "new names backwards": lambda written: written.rename(lambda one: one[::-1]),
    "new names around the old": lambda written: written.rename(lambda one: f"a{one}b"),
    "new names in order": _in_order,
    "rows in the order of the people": _as_it_was,
    "receipts kept": _receipts(str),
    "receipts in base64": _receipts(lambda one: base64.b64encode(one.encode()).decode()),
    "where it came from": _metadata,
    "the whole master": _master,
    "a column of the master, emptied": _empty_column,
    "goods with ids in hexadecimal": _goods,
    "a log": _file(".log", lambda written: _ids(written).encode()),
    "a log in UTF-16": _file("notes.txt", lambda written: _ids(written).encode("utf-16")),
    "the secret": lambda written: shutil.copy(written.hidden.secret, written.folder / "secret.csv"),
    "the settings": _file("kakurenbo.toml", lambda _: b"policy = 'drop'\n"),
    "the seed": _file("about.json", lambda written: f'{{"seed": {written.hidden.seed}}}'.encode()),
}


class Planted(Part):
    """Each careless writer once, on an original full of marks."""

    name: ClassVar = "planted"
    promise: ClassVar = "each of twenty planted leaks is caught"
    share: ClassVar = 0.1
    enough: ClassVar = len(LEAKS)
    total: ClassVar = len(LEAKS)

    def case(self, number: int) -> str | None:
        """Let one careless writer write, and search what it wrote."""
        what, spoil = list(LEAKS.items())[number]
        place = self.place / f"{number}"
        place.mkdir()
        try:
            caught = self._caught(place, number, spoil)
        finally:
            shutil.rmtree(place)
        self.counts["caught"] += bool(caught)
        return None if caught else f"{what} went unnoticed"

    def _caught(self, place: Path, number: int, spoil: Callable[[Written], Any]) -> list[str]:
        hidden, out = hide(place, self.chance(number), _folder_case(number)), place / "out"
        seed = hidden.seed = hidden.seed or 918273645546
        words = ["deidentify", _METHOD, str(hidden.data), "--out", str(out), "--secret", str(hidden.secret)]

        def careless(release: Any, folder: Any, **options: Any) -> None:  # noqa: ANN401 - as the writer it stands for
            write_release(release, folder, **options)
            secret = {name: str(original) for name, original in release.pairing.to_dict().items()}
            honest = leaks(hidden, folder)
            if honest:
                raise AssertionError(f"the honest release leaks: {honest}")
            spoil(Written(folder, hidden, secret))

        with mock.patch("kakurenbo.files.release_folder.write_release", careless):
            code, said = spoken([*words, *hidden.reading, "--seed", str(seed)])
        if code:
            raise AssertionError(said)
        return leaks(hidden, out)


def _folder_case(number: int) -> int:
    """Return the number of a case of canaries whose original is a folder of purchases, text or Parquet."""
    made = [(kind, name) for kind, name, _ in METHODS]
    return made.index(("purchases", _METHOD)) + len(METHODS) * FORMATS.index(
        ("folder", "parquet")[number % 2]
    )
