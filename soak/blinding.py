"""Blinding: releases that carry their secret where no attacker looks, or tell the audit how to read them.

Every way is tried on a release that gets a plain yes without it. With it the answer must be another, and a
reason must name what was done.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import pyarrow.parquet as pq
import xlsxwriter

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.files import manifest
from soak.little_shop import LittleShop, little_shop
from soak.part import Part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LIMITS = ["--max-risk", "0.75", "--trust-pairing", "--seed", "1", "--json"]


@dataclass
class Scene:
    """An original, its honest release and who is who; what a way does, it does to the release."""

    folder: Path
    shop: LittleShop
    secret: dict[str, str]  # released -> original
    pairing: Path

    @property
    def table(self) -> pl.DataFrame:
        """The released records as they stand in the folder."""
        return pl.read_csv(self.folder / "transactions.csv", infer_schema=False)

    def write(self, table: pl.DataFrame) -> None:
        """Put other records in their place, in a folder that then looks untouched."""
        table.write_csv(self.folder / "transactions.csv")
        self.seal()

    def seal(self) -> None:
        """Let the manifest agree, if there is one: who blinds an audit would see to it."""
        if (self.folder / manifest.NAME).exists():
            made = manifest.Manifest.of(self.folder, reproducible=False)
            (self.folder / manifest.NAME).write_text(made.to_json())

    def column(self, name: str, change: Callable[[str], str]) -> None:
        """Add a column made from everybody's original id."""
        made = [change(self.secret[who]) for who in self.table["customer"]]
        self.write(self.table.with_columns(pl.Series(name, made)))

    def rows(self, **values: str) -> None:
        """Append everybody's true records, spoilt so that the policy drops them."""
        back = {original: released for released, original in self.secret.items()}
        true = self.shop.records.with_columns(pl.all().cast(pl.String)).with_columns(
            pl.col("customer").replace_strict(back)
        )
        spoilt = true.with_columns(pl.lit(value).alias(name) for name, value in values.items())
        self.write(pl.concat([self.table, spoilt.select(self.table.columns)]))

    def renamed(self, change: Callable[[str], str]) -> None:
        """Give everybody a new name made from the original id, in the release and the secret."""
        names = {released: change(original) for released, original in self.secret.items()}
        self.write(self.table.with_columns(pl.col("customer").replace_strict(names)))
        master = pl.read_csv(self.folder / "master.csv", infer_schema=False)
        master.with_columns(pl.col("customer").replace_strict(names)).write_csv(self.folder / "master.csv")
        frame = pl.read_csv(self.pairing, infer_schema=False)
        frame.with_columns(pl.col("released").replace_strict(names)).write_csv(self.pairing)
        self.seal()

    def parquet(self) -> Path:
        """Release the records as Parquet."""
        path = self.folder / "transactions.parquet"
        table = self.table.with_columns(pl.col("price").cast(pl.Float64), pl.col("quantity").cast(pl.Int64))
        table.write_parquet(path)
        (self.folder / "transactions.csv").unlink()
        return path

    def workbook(self, more: Callable[[xlsxwriter.Workbook], Any]) -> None:
        """Release the records as a workbook with something more in it."""
        table = self.table
        (self.folder / "transactions.csv").unlink()
        with xlsxwriter.Workbook(self.folder / "transactions.xlsx") as book:
            table.write_excel(book, worksheet="transactions")
            more(book)

    @property
    def text(self) -> str:
        """The pairing as text."""
        return self.pairing.read_text()


def _settings(scene: Scene) -> None:
    """Decoy columns, and settings in the release that name them."""
    decoy = scene.table.with_columns(pl.lit("good00").alias("decoy"))
    true = scene.shop.records["goods"].head(decoy.height)
    scene.write(decoy.with_columns(pl.Series("seen", [*true, *[""] * (decoy.height - len(true))])))
    (scene.folder / "kakurenbo.toml").write_text('customer = "customer"\ngoods = "decoy"\n')
    scene.seal()


def _metadata(scene: Scene) -> None:
    path = scene.parquet()
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"note": json.dumps(scene.secret)}), path)


def _nested(scene: Scene) -> None:
    path = scene.parquet()
    table = pl.read_parquet(path)
    lists = [[scene.secret[who], "x"] for who in table["customer"]]
    table.with_columns(pl.Series("tags", lists)).write_parquet(path)


def _typed(scene: Scene) -> None:
    path = scene.parquet()
    table = pl.read_parquet(path)
    marks = [hash(scene.secret[who]) % 2**31 for who in table["customer"]]
    table.with_columns(pl.Series("weight", marks)).write_parquet(path)


def _sheet(scene: Scene) -> None:
    def more(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet("other")
        for row, pair in enumerate(scene.secret.items()):
            sheet.write_row(row, 0, pair)

    scene.workbook(more)


def _hidden_sheet(scene: Scene) -> None:
    scene.workbook(lambda book: book.add_worksheet("h").hide())


def _property(scene: Scene) -> None:
    scene.workbook(lambda book: book.set_custom_property("pairs", scene.text[:250]))


def _comment(scene: Scene) -> None:
    scene.workbook(lambda book: book.worksheets()[0].write_comment("A1", scene.text[:2000]))


def _master_column(scene: Scene) -> None:
    path = scene.folder / "master.csv"
    table = pl.read_csv(path, infer_schema=False)
    table.with_columns(old=pl.col("customer").replace_strict(scene.secret)).write_csv(path)
    scene.seal()


def _smuggled(scene: Scene) -> None:
    files = {original: released for released, original in scene.secret.items()}
    made = manifest.Manifest.of(scene.folder, reproducible=False)
    text = manifest.Manifest(made.made_by, {**made.files, **files}, reproducible=False).to_json()
    (scene.folder / manifest.NAME).write_text(text)


def _zipped(scene: Scene) -> None:
    with zipfile.ZipFile(scene.folder / "more.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pairs", scene.text)


def _inner_folder(scene: Scene) -> None:
    (scene.folder / "docs").mkdir()
    (scene.folder / "docs" / "readme.txt").write_text(scene.text)


def _seeded(scene: Scene) -> None:
    """The same method with a seed that anybody would try, and nothing that says so."""
    shop = kb.read_purchases(scene.folder.parent / "shop")
    release = kb.methods.Deal(min_size=8, of="records").release(shop, seed=2024)
    shutil.rmtree(scene.folder)
    scene.pairing.unlink()
    kb.write_release(release, scene.folder, secret=scene.pairing)
    (scene.folder / manifest.NAME).unlink(missing_ok=True)


def _put(name: str, content: Callable[[Scene], bytes]) -> Callable[[Scene], None]:
    return lambda scene: _written(scene, scene.folder / name, content(scene))


def _written(scene: Scene, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    scene.seal()


def _goods(scene: Scene) -> None:
    made = [
        f"{good}/{scene.secret[who]}" for who, good in scene.table.select("customer", "goods").iter_rows()
    ]
    scene.write(scene.table.with_columns(goods=pl.Series(made)))


WAYS: dict[str, tuple[Callable[[Scene], Any], str]] = {  # what is done -> what a reason must say
    "rows of price zero": (lambda scene: scene.rows(price="0"), "price not positive"),
    "rows of no pieces": (lambda scene: scene.rows(quantity="0"), "quantity not positive"),
    "rows sent back": (lambda scene: scene.rows(quantity="-1"), "quantity not positive"),
    "rows without goods": (lambda scene: scene.rows(goods=""), "missing id"),
    "rows without a receipt": (lambda scene: scene.rows(receipt=" "), "missing id"),
    "cancelled rows": (lambda scene: scene.rows(receipt="C1"), "cancellation"),
    "settings": (_settings, "settings, which were not obeyed"),
    "settings that drop": (_put("kakurenbo.toml", lambda _: b'policy = "drop"\n'), "kakurenbo.toml"),
    "a column of ids": (lambda scene: scene.column("note", str), "customer ids in 100%"),
    "ids in MD5": (lambda scene: scene.column("n", lambda i: hashlib.md5(i.encode()).hexdigest()), "MD5"),  # noqa: S324 - as careless people do
    "ids in SHA-1": (
        lambda scene: scene.column("n", lambda i: hashlib.sha1(i.encode()).hexdigest()), "SHA-1",  # noqa: S324 - the same
    ),
    "ids in SHA-256": (
        lambda scene: scene.column("n", lambda i: hashlib.sha256(i.encode()).hexdigest()),
        "SHA-256",
    ),
    "ids in base64": (
        lambda scene: scene.column("n", lambda i: base64.b64encode(i.encode()).decode()),
        "base64",
    ),
    "ids backwards": (lambda scene: scene.column("n", lambda i: i[::-1]), "backwards"),
    "ids in capitals": (lambda scene: scene.column("n", str.upper), "customer ids in 100%"),
    "ids within text": (lambda scene: scene.column("n", lambda i: f"seen{i}here"), "within other text"),
    "e-mails": (lambda scene: scene.column("n", lambda i: f"{i}@mail.example"), "master's email"),
    "marks of no known kind": (
        lambda scene: scene.column("n", lambda i: hashlib.blake2b(i.encode(), digest_size=4).hexdigest()),
        "released column",
    ),
    "a column called by an id": (
        lambda scene: scene.column(min(scene.secret.values()), str), "tells of a person",
    ),
    "a column with the name of another": (
        lambda scene: scene.column("goods ", str), "goods (2) holds the original's customer ids",
    ),
    "a constant that holds all": (
        lambda scene: scene.write(scene.table.with_columns(note=pl.lit(scene.text))), "within other text",
    ),
    "the secret": (_put("secret.csv", lambda scene: scene.text.encode()), "a pairing of released"),
    "the secret under another name": (_put("about.txt", lambda scene: scene.text.encode()), "a pairing"),
    "pairs without a header": (
        _put("x.bin", lambda scene: "\n".join(map(";".join, scene.secret.items())).encode()), "holds 24 of",
    ),
    "pairs in UTF-16": (_put("x", lambda scene: scene.text.encode("utf-16")), "holds 24 of"),
    "a hidden file": (_put(".pairs", lambda scene: scene.text.encode()), ".pairs"),
    "a packed file": (_put("x.gz", lambda scene: gzip.compress(scene.text.encode())), "holds 24 of"),
    "a zipped file": (_zipped, "more.zip"),
    "a table beside the tables": (
        _put("customers.csv", lambda scene: scene.shop.master.write_csv().encode()), "holds 24 of",
    ),
    "an empty file": (_put("nothing", lambda _: b""), "nothing"),
    "a folder": (_inner_folder, "a folder with 1 entries, which holds 24 of"),
    "a link": (lambda scene: (scene.folder / "link").symlink_to(scene.pairing), "a link"),
    "a pipe": (lambda scene: os.mkfifo(scene.folder / "pipe"), "no regular file"),
    "metadata of Parquet": (_metadata, "metadata note"),
    "a nested column": (_nested, "tags"),
    "a column of numbers": (_typed, "weight"),
    "another sheet": (_sheet, "sheet2.xml"),
    "a hidden sheet": (_hidden_sheet, "sheet2.xml"),
    "a property of a workbook": (_property, "custom.xml"),
    "a comment in a workbook": (_comment, "comments1.xml"),
    "a column of the master": (_master_column, "old holds"),
    "a manifest that lists people": (_smuggled, "release.json"),
    "a manifest that is none": (
        lambda scene: (scene.folder / manifest.NAME).write_text(scene.text), "release.json (a pairing",
    ),
    "the old names": (lambda scene: scene.renamed(str), "In the new names"),
    "old names in MD5": (
        lambda scene: scene.renamed(lambda i: hashlib.md5(i.encode()).hexdigest()[:32]), "hashed with MD5",  # noqa: S324 - the same
    ),
    "old names within new ones": (lambda scene: scene.renamed(lambda i: f"p{i}q"), "In the new names"),
    "old names backwards": (lambda scene: scene.renamed(lambda i: f"{i[::-1]}x"), "backwards"),
    "ids within goods": (_goods, "In the column goods"),
    "a seed that can be guessed": (_seeded, "from a seed that anybody would try"),
}  # fmt: skip


def stage(shop: LittleShop, place: Path) -> None:
    """Write a shop, an honest release of it and the secret into a new folder."""
    place.mkdir()
    shop.write(place / "shop")
    release = kb.methods.Deal(min_size=8, of="records").release(kb.read_purchases(place / "shop"))
    kb.write_release(release, place / "release", secret=place / "secret.csv")


def blinded(blind: Callable[[Scene], Any], honest: Path, shop: LittleShop, place: Path) -> None:
    """Copy the stage to a new folder and blind it there."""
    shutil.copytree(honest, place)
    pairs = pl.read_csv(place / "secret.csv", infer_schema=False).iter_rows()
    blind(Scene(place / "release", shop, dict(pairs), place / "secret.csv"))


class Blinding(Part):
    """Every way of blinding an audit, on one little shop after another."""

    name: ClassVar = "blinding"
    promise: ClassVar = "an audit never says yes to what it did not see, and says what that was"
    share: ClassVar = 1.0
    enough: ClassVar = 4 * len(WAYS)
    patience: ClassVar = 60.0
    _made: tuple[Path, dict[str, Any], LittleShop] | None = None

    def case(self, number: int) -> str | None:
        """Blind an audit of one shop in one way, after an honest audit of the same release."""
        way, (blind, must) = list(WAYS.items())[number % len(WAYS)]
        honest, plain, shop = self._honest(number // len(WAYS))
        if plain["verdict"] != "yes":
            return f"{way}: the honest release gets {plain['verdict']}: {plain['reasons']}"
        place = self.place / f"{number}"
        try:
            blinded(blind, honest, shop, place)
            told = self._audit(place)
        finally:
            shutil.rmtree(place)
        self.counts[told["verdict"]] += 1
        if told["verdict"] == "yes":
            return f"{way}: the audit says yes"
        if not any(must in reason for reason in told["reasons"]):
            return f"{way}: no reason says {must!r}: {told['reasons']}"
        return None

    def _honest(self, number: int) -> tuple[Path, dict[str, Any], LittleShop]:
        """Return a shop with an honest release of it, and what an audit says of that; made once."""
        if self._made is None or self._made[0].name != f"honest{number}":
            place, shop = self.place / f"honest{number}", little_shop(self.chance(-1 - number))
            stage(shop, place)
            self._made = place, self._audit(place), shop
        return self._made

    def _audit(self, place: Path) -> dict[str, Any]:
        """Audit through the command line, as anybody would."""
        words = ["audit", str(place / "shop"), str(place / "release"), "--secret", str(place / "secret.csv")]
        out, said = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(said):
            code = run([*words, *_LIMITS])
        if code not in {0, 1}:
            return {"verdict": f"exit {code}", "reasons": [said.getvalue()]}
        answer: dict[str, Any] = json.loads(out.getvalue())
        return answer
