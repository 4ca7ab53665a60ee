"""A release on a cluster: made by the workers, put into new blocks by its new names, written where it lies.

The number of a block follows from an id, so what is released never stays in the block of its original: it is
dealt anew by its pseudonyms, and rows are sorted by their own content. The pairing goes to a path of its own:
through the driver into one private file of this machine, or to any path of Spark's by the workers.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from kakurenbo.data.blocks import Blocks, Made, Whole
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.in_blocks import ReleaseInBlocks, release_in_blocks
from kakurenbo.errors import ParameterError
from kakurenbo.files.pairings import write_pairing
from kakurenbo.spark import folders, pieces, sealing
from kakurenbo.spark.blocks import SparkBlocks, fetched, mapped, shuffled
from kakurenbo.spark.placing import placed
from kakurenbo.spark.session import translated
from kakurenbo.spark.workers import Form, Refused, Work, answered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Facts, Release
    from kakurenbo.deidentify.base import Method
    from kakurenbo.progress import Progress
    from kakurenbo.provenance import Provenance

    _Kept = tuple[SparkBlocks, int]  # the released blocks, and how many records they hold

_OWNER = "original"  # beside the records of a release until it is written
_TYPES: dict[Any, str] = {pl.String: "string", pl.Float64: "double", pl.Int64: "bigint", pl.Date: "date"}


@dataclass(frozen=True, eq=False)
class SparkRelease:
    """A release that the workers hold.

    Attributes:
        data: the released purchases, in blocks by their pseudonyms.
        facts: what there is to tell of the whole.
        records: how many were released.
        provenance: the plan, and whether a seed can repeat it.
    """

    data: SparkBlocks
    facts: Facts
    records: int
    provenance: Provenance

    def pairing(self) -> Pairing:
        """Fetch the secret: two ids a person."""
        bodies = fetched(mapped(self.data.held, partial(_owners, len(self.data)), pieces.SCHEMA),
                         range(len(self.data)))  # fmt: skip
        pairs = pl.concat([pieces.unpacked(body) for _, body in bodies]).sort("customer")
        return Pairing(pairs["customer"], pairs[_OWNER])

    def write(self, out: str | Path, *, secret: str | Path, allow_exposed: bool = False) -> None:
        """Write the release as Parquet by the workers, and its secret apart, which comes first.

        Args:
            out: a path of Spark's that does not exist; it becomes a folder with the table, in part files,
                with what its words stand for, and last with its manifest.
            secret: a file of this machine (mode 0600), or with a scheme such as `s3a://`, other than
                `file:`, a path of Spark's; not inside the release.
            allow_exposed: write the secret even where it may be published.
        """
        release = folders.address(out).rstrip("/")
        private = folders.here(folders.address(secret)).rstrip("/")
        if f"{private}/".startswith(f"{folders.here(release)}/"):
            raise ParameterError(
                "The secret would lie inside the release; give it a path elsewhere.", code="secret-place"
            )
        session = self.data.session
        if folders.listed(session, release):
            raise ParameterError("There is something at the path of the release already.", code="write")
        if folders.is_elsewhere(private):
            named = "released string, original string"
            with translated():
                mapped(self.data.held, partial(_pairs, len(self.data)), named).write.csv(private, header=True)
        else:
            write_pairing(self.pairing(), private, secret=True, allow_exposed=allow_exposed)
        layout = self.data.form.layout
        columns = {str(role): layout.name_of(role) for role in self.data.form.roles}
        schema = ", ".join(f"`{name}` {self.data.form.types[role]}" for role, name in columns.items())
        rows = mapped(self.data.held, partial(_rows, len(self.data), columns), schema)
        with translated():
            rows.write.parquet(f"{release}/{folders.TABLE}")
        folders.write_words(session, release, self.data.form.hierarchies, layout.name_of("goods"))
        sealing.seal(session, release, self.provenance)


def deidentify(
    method: Method[Any], blocks: SparkBlocks, *, seed: int | None = None, progress: Progress | None = None
) -> SparkRelease:
    """De-identify purchases on a cluster: the release that the whole table would get in memory.

    Args:
        method: a method or a chain of them; each must run in blocks.
        blocks: the table, as `read` returns it.
        seed: as for `Method.release`, and with the same release.
        progress: told how far the passes are.
    """
    settled = release_in_blocks(method, blocks, seed=seed, progress=progress).settled(progress)
    kept: list[_Kept] = []
    below = _at_bottom(settled.fitted.blocks, kept)
    made: ReleaseInBlocks = replace(settled, fitted=replace(settled.fitted, blocks=below))
    told = made.told(list(made.parts(_itself, progress=progress)))
    held, records = kept[0]
    data = replace(held, form=replace(held.form, hierarchies=told.trees))
    return SparkRelease(data, told.facts, records, made.provenance)


def _at_bottom(blocks: Blocks, kept: list[_Kept]) -> Blocks:
    """Return the same blocks, with those of the cluster, below all others, keeping what is made."""
    if isinstance(blocks, SparkBlocks):
        return _Keeping(blocks, kept)
    above: Any = blocks  # blocks on blocks are dataclasses
    return cast("Blocks", replace(above, blocks=_at_bottom(above.blocks, kept)))


@dataclass(frozen=True, eq=False)
class _Keeping(Blocks):
    """Blocks of a cluster whose released parts stay there; what is told of them comes back."""

    blocks: SparkBlocks
    kept: list[_Kept]

    @property
    def whole(self) -> Whole:
        return self.blocks.whole

    @property
    def by_threads(self) -> bool:
        """They do not: one pass has all of the cluster."""
        return False

    def __len__(self) -> int:
        return len(self.blocks)

    def regrouped(self, parts: pl.DataFrame) -> SparkBlocks:
        return self.blocks.regrouped(parts)

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        if progress is not None:
            progress.step(doing, 0.0)
        count = len(self.blocks)
        sent = self.blocks.session.sparkContext.broadcast(Work(self.blocks.form, work))
        held = shuffled(self.blocks.held, _Parted(sent, count), count)
        answers = [pickle.loads(body) for _, body in fetched(held, [count])]  # noqa: S301 - our own workers
        refused = next((answer for answer in answers if isinstance(answer, Refused)), None)
        if refused is not None:
            raise refused.error()
        form = next((form for _, form, _ in answers if form is not None), self.blocks.form)
        self.kept.append((SparkBlocks(held, form, count), sum(records for _, _, records in answers)))
        yield from (answer for answer, _, _ in answers)


@dataclass(frozen=True)
class _Parted:
    """The work on blocks, whose released records leave for new blocks, and the rest for the driver."""

    work: Any
    blocks: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number, body in pieces.gathered(batches):
            if number >= self.blocks:
                continue
            answer: Any = answered(self.work.value, body)
            told: Any = answer
            if not isinstance(answer, Refused):
                parts = answer if isinstance(answer, tuple) else (answer,)
                releases = [part.made for part in parts if part.made is not None]
                for release in releases:
                    yield from placed(_with_owners(release), self.blocks)
                light = tuple(replace(part, made=None) for part in parts)
                form = _form(releases[0].data) if releases else None
                records = sum(len(release.data) for release in releases)
                told = (light if isinstance(answer, tuple) else light[0], form, records)
            yield from pieces.in_pieces(self.blocks, pickle.dumps(told))


def _with_owners(release: Release[Purchases]) -> pl.DataFrame:
    owners = release.pairing.frame.rename({"released": "customer", "original": _OWNER})
    return release.data.under(None).join(owners, on="customer", how="left", maintain_order="left")


def _form(data: Purchases) -> Form:
    schema = data.under(None).schema
    types = {str(role): _TYPES.get(schema[role].base_type(), "timestamp_ntz") for role in data.roles}
    return Form(data.layout, data.roles, types=types)


def _rows(
    blocks: int, columns: dict[str, str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield released records under the names of their columns, sorted by their own content."""
    for number, body in pieces.gathered(batches):
        if number < blocks:
            plain = pieces.unpacked(body).with_columns(pl.col(pl.Enum).cast(pl.String)).select(list(columns))
            yield from _arrow(plain.sort(plain.columns).rename(columns))


def _owners(blocks: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for number, body in pieces.gathered(batches):
        if number < blocks:
            yield from pieces.in_pieces(number, pieces.packed(_pairs_of(body)))


def _pairs(blocks: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for number, body in pieces.gathered(batches):
        if number < blocks:
            yield from _arrow(_pairs_of(body).rename({"customer": "released"}))


def _pairs_of(body: bytes) -> pl.DataFrame:
    pairs = pieces.unpacked(body).select(pl.col("customer").cast(pl.String), _OWNER)
    return pairs.unique().sort("customer")


def _arrow(table: pl.DataFrame) -> list[pa.RecordBatch]:
    return cast("list[pa.RecordBatch]", table.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches())


def _itself(release: Release[Purchases]) -> Release[Purchases]:
    return release
