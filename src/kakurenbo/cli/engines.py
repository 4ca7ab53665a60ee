"""Which engine holds the data of a command: memory, blocks on disk, or a cluster.

A command that can work on blocks asks here for its table and gets `Purchases` or `Blocks`; what it then does
with either gives the same answer. By itself a table goes into memory where it fits with ease, and into blocks
above a stated size, or where blocks of it stand on disk already.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from kakurenbo.cli import options, output
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.checks.spelling import refuse_apart
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files.pairings import read_owners
from kakurenbo.files.secret_lines import SecretLines, holds_pairs
from kakurenbo.files.store.read import is_large, read_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

ENGINES = ("auto", "memory", "blocks", "spark")


def read(
    path: Path,
    given: Mapping[str, Any],
    *,
    engine: str = "auto",
    master: str | None = None,
    like: Path | None = None,
    progress: Progress | None = None,
    quiet: bool = False,
) -> Purchases | Microdata | Blocks:
    """Read a table with the engine that was asked for.

    Args:
        path: the file or folder; for Spark whatever Spark reads.
        given: the reading options of the command.
        engine: `auto`, `memory`, `blocks` or `spark`.
        master: the URL of the cluster, for Spark alone.
        like: the original of a release, whose settings hold for it.
        progress: told how far the encoding is, and asked whether to stop.
        quiet: whether to say nothing of blocks that were made.
    """
    chosen = chosen_engine(engine, master, given, path, like=like)
    if chosen == "memory":
        return options.read(path, given, like=like)
    if chosen == "spark":
        return _on_cluster(path, given, master, like)
    made = read_blocks(path, like=like, progress=progress, **options.reading_options(given))
    if made.made and not quiet:
        told = f"Purchases in blocks are kept for the next command in {made.folder}; they name people."
        print(output.visible(told), file=sys.stderr)
    return made


def read_both(
    original: Path,
    release: Path,
    given: Mapping[str, Any],
    *,
    engine: str = "auto",
    master: str | None = None,
    progress: Progress | None = None,
    quiet: bool = False,
) -> tuple[Any, Any]:
    """Read an original and its release, both with the same engine: blocks where one of them needs it."""
    chosen = chosen_engine(engine, master, given, original, release)
    if chosen == "memory":
        return options.read_both(original, release, given)
    named = {"engine": chosen, "master": master, "progress": progress, "quiet": quiet}
    before = cast("Blocks", read(original, given, **named))  # type: ignore[arg-type] # as declared above
    after = cast("Blocks", read(release, given, like=original, **named))  # type: ignore[arg-type] # the same
    if options.spelling_of(original, given) == "refuse":
        refuse_apart(before.whole.goods, after.whole.goods, column=after.whole.layout.name_of("goods"))
    return before, after


def secret_of(
    path: Path | None, original: Path, given: Mapping[str, Any], tables: tuple[Any, Any]
) -> Owners | SecretLines | None:
    """Return whose every released name is: all lines in memory, or of tables in blocks those asked for.

    Columns under other names than ours are told apart by the ids of both tables, which are then gathered.
    """
    if path is None or not any(isinstance(table, Blocks) for table in tables):
        return options.owners_of(path, original, given, tables)
    spelling = options.spelling_of(original, given)
    if holds_pairs(path):
        return SecretLines(path, spelling)
    before, after = (
        pl.concat(list(in_blocks(table).map(_people, doing="gathering ids"))) for table in tables
    )
    return read_owners(path, spelling=spelling, original=before, released=after)


def _people(block: Purchases) -> pl.Series:
    return block.customers.cast(pl.String)


def chosen_engine(
    engine: str, master: str | None, given: Mapping[str, Any], *paths: Path, like: Path | None = None
) -> str:
    """Return the engine that is meant: `memory`, `blocks` or `spark`."""
    if engine not in ENGINES:
        raise ParameterError(
            f"The engine is one of {', '.join(ENGINES)}.", code="parameter", parameter="engine"
        )
    if master is not None and engine not in {"auto", "spark"}:
        raise ParameterError("Only the engine spark has a master.", code="parameter", parameter="master")
    if master is not None:
        return "spark"
    if options.kind_of(like or paths[0], given) == "microdata":
        if engine in {"blocks", "spark"}:
            raise ParameterError(
                "Microdata are held in memory; blocks and clusters are for purchases.",
                code="parameter",
                parameter="engine",
            )
        return "memory"
    if engine == "auto":
        return "blocks" if any(map(is_large, paths)) else "memory"
    return engine


def on_cluster(table: object) -> Any | None:  # noqa: ANN401 - the module, of an extra
    """Return what works on a table that a cluster holds; None where this machine does."""
    blocks: Any = sys.modules.get("kakurenbo.spark.blocks")
    there = blocks is not None and isinstance(table, blocks.SparkBlocks)
    return import_module("kakurenbo.spark") if there else None


def _on_cluster(path: Path, given: Mapping[str, Any], master: str | None, like: Path | None) -> Blocks:
    require("spark")
    cluster: Any = import_module("kakurenbo.spark")
    options_read = {**options.reading_options(given), **({} if like is None else {"like": like})}
    return cast("Blocks", cluster.open(path, options_read, master))
