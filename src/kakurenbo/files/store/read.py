"""Read purchases in blocks: open the store beside the data, and make it first where there is none.

The store stands beside the file or folder under its name and `.blocks`, and never inside a release. It is
made aside and appears whole; one that was made from other bytes, or read in another way, is made anew. It
holds what the source holds, so nobody but its owner may look into it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl

from kakurenbo.data.blocks import RECORDS, Blocks, Whole
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import WriteError, in_file
from kakurenbo.files import aside, atomic, disk, manifest, parts, places, tables
from kakurenbo.files.read import is_long, open_beginning, prepare
from kakurenbo.files.store import form
from kakurenbo.files.store.write import Making
from kakurenbo.progress import Progress
from kakurenbo.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.files.read import Prepared

Made = TypeVar("Made")

ENDING = ".blocks"
_NOT_READING = {
    "ledger", "contact", "hierarchies", "max_rows", "max_columns", "max_cells", "max_megabytes",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Store(Blocks):
    """Purchases in blocks on disk.

    Attributes:
        folder: the store.
        about: what it says of itself.
        hierarchies: what the words of the table stand for.
        made: whether it was made just now.
    """

    folder: Path
    about: form.About
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    made: bool = False

    @cached_property
    def whole(self) -> Whole:
        """What is known of all blocks together."""
        told = self.about
        with_master = told.master is not None and len(told.master) > 1
        shown = frozenset([*told.roles, "master"] if with_master else told.roles)
        return Whole(
            told.counts, self._goods, told.roles, told.layout, shown, told.keep_master, told.dropped,
            self.hierarchies, told.source, told.idle,
            tuple(name for name in told.master or () if name not in {"customer", *told.keep_master}),
        )  # fmt: skip

    @cached_property
    def _goods(self) -> pl.Series:
        return pl.read_parquet(self.folder / form.GOODS, glob=False)["goods"]

    @cached_property
    def _goods_table(self) -> pl.DataFrame | None:
        path = self.folder / form.GOODS_TABLE
        return pl.read_parquet(path, glob=False) if path.is_file() else None

    def __len__(self) -> int:
        return self.about.blocks

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block, two of them at a time."""
        steps, numbers = progress or Progress(), range(len(self))
        there = [n for n in numbers if form.block_file(self.folder, form.BLOCKS, n).is_file()]
        _ = self._goods, self._goods_table  # read once, before two threads ask for them
        for place, made in enumerate(in_order(lambda number: work(self.block(number)), there)):
            steps.step(doing or "going through the blocks", place / len(there))
            yield made

    def block(self, number: int) -> Purchases:
        """Return one block; somebody must be in it."""
        records = pl.read_parquet(form.block_file(self.folder, form.BLOCKS, number), glob=False)
        people = pl.read_parquet(form.block_file(self.folder, form.PEOPLE, number), glob=False)
        goods = records["goods"].to_numpy()
        present = np.zeros(len(self._goods), dtype=np.bool_)
        present[goods] = True
        own = np.cumsum(present) - 1
        there = self._goods.filter(pl.Series(present))
        coded = records.with_columns(
            _enum(people["customer"], records["customer"].to_numpy()).alias("customer"),
            _enum(there, own[goods]).alias("goods"),
        )
        return Purchases(
            coded, self.about.layout, None if self.about.master is None else people, Dropped(),
            keep_master=self.about.keep_master, goods_table=self._goods_table, hierarchies=self.hierarchies,
        )  # fmt: skip


def _enum(names: pl.Series, codes: NDArray[np.integer[Any]]) -> pl.Series:
    """Return codes as an Enum over these names, of which they are the places."""
    return names.cast(pl.Enum(names)).gather(codes)


def read_blocks(
    path: str | Path,
    *,
    like: str | Path | None = None,
    records: int = RECORDS,
    progress: Progress | None = None,
    **options: Any,  # noqa: ANN401 - checked by ReadOptions
) -> Store:
    """Read purchases into blocks on disk, however many they are, or open the blocks that stand there.

    Args:
        path: a CSV or Parquet file, or a folder with `transactions.*` and `master.*`.
        like: the original of a release: settings are taken from beside it, and none from the release.
        records: of a block, about.
        progress: told how far it is, and asked whether to stop.
        **options: as for `read_purchases`. Roles and forms are worked out from the first rows, and hold for
            all of them. Limits on rows and cells hold only where they are given.
    """
    place = Path(path)
    with in_file(place):
        prepared = prepare(place, None if like is None else Path(like), options, open_beginning)
        origin = _origin(prepared, records)
        folder = place_of(place)
        there = form.about(folder)
        fresh = there is not None and there.origin == origin
        if there is None or not fresh:
            making = Making(prepared, options, open_beginning, origin, _rows(prepared.table), records)
            there = _make(folder, making, progress or Progress())
        here = replace(there, source=there.source.at(place))  # it may have been moved since
        return Store(folder, here, prepared.hierarchies(here.master or ()), made=not fresh)


def place_of(path: Path) -> Path:
    """Return where the store of a file or folder stands: beside it, and never inside a release."""
    given = aside.located(path)
    inside = not places.is_folder(given) and manifest.read_manifest(given.parent) is not None
    if inside:
        return given.parent.with_name(f"{given.parent.name}.{given.name}{ENDING}")
    return given.with_name(f"{given.name}{ENDING}")


def is_large(path: Path) -> bool:
    """Tell whether a table is better held in blocks: it is large, or its blocks stand there already."""
    known = form.about(place_of(path))
    if known is not None and _files(known.source.at(path).tables) == known.origin.get("files"):
        return True
    return any(map(is_long, places.tables_in(path)))


def _rows(table: tables.Table) -> int | None:
    """Return how many rows there are, where the file says so, or about so many as its bytes make likely."""
    content = getattr(table, "content", None)
    return None if content is None else int(content.rows)


def _make(folder: Path, making: Making, progress: Progress) -> form.About:
    """Make the store aside and put it in its place, which one of ours may have."""
    with atomic.refusals(folder):
        aside.tidy(folder)
        with aside.aside_folder(folder) as made:
            made.path.chmod(0o700)
            making.fill(made.path, progress)
            disk.sync_tree(made.path)
            if form.is_store(folder):
                aside.discard(folder, folder)
            made.take()
            disk.sync_folder(folder.parent)
    made_of = form.about(folder)
    if made_of is None:
        raise WriteError(f"{folder} was written and cannot be read again.", code="write")
    return made_of


def _origin(prepared: Prepared, records: int) -> dict[str, Any]:
    """Return what tells whether a store is still that of its source."""
    files = (prepared.file, *([prepared.master] if prepared.master else []))
    given = prepared.given.model_dump(mode="json", exclude=_NOT_READING)
    roles = {role: list(names) for role, names in prepared.roles.items()}
    return {
        "files": _files(files),
        "options": given,
        "roles": roles,
        "release": prepared.is_release,
        "records": records,
    }


def _files(files: tuple[Path, ...]) -> list[dict[str, Any]]:
    """Return what tells whether tables are as they were; one in parts has one entry, not many."""
    return [_parts(file) if file.is_dir() else _file(file) for file in files if file.exists()]


def _file(file: Path) -> dict[str, Any]:
    stat = file.stat()
    return {"name": file.name, "size": stat.st_size, "changed": stat.st_mtime_ns}


def _parts(table: Path) -> dict[str, Any]:
    each = [_file(part) for part in parts.parts_of(table)]
    lines = "".join(f"{part['name']}/{part['size']}/{part['changed']}\n" for part in each)
    size = sum(part["size"] for part in each)
    return {"name": table.name, "size": size, "changed": hashlib.sha256(lines.encode()).hexdigest()}
