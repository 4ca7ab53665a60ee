"""A table that Spark reads, or a DataFrame of its own, as purchases in blocks on the cluster.

Roles and settings are told from the first rows as they are from a file: named, set beside a local file,
recognised, or proposed where there is no doubt. Then every row goes through the same door, where it lies.
"""

from __future__ import annotations

import pickle
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakurenbo.data.blocks import RECORDS, block_count
from kakurenbo.data.checks import columns, policy
from kakurenbo.data.checks import records as checks
from kakurenbo.data.checks.numbers import Marks
from kakurenbo.data.checks.policy import CANCELLED
from kakurenbo.data.checks.spelling import refuse_twins
from kakurenbo.data.layout import ROLES, Column, Layout
from kakurenbo.data.source import Source
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files import known
from kakurenbo.files import roles as roles_of
from kakurenbo.files.hierarchy import read_hierarchy
from kakurenbo.files.options import ReadOptions, options_for, options_given, options_like
from kakurenbo.files.places import folder_of
from kakurenbo.spark import folders, sealing, sources
from kakurenbo.spark.blocks import SparkBlocks, fetched, shuffled
from kakurenbo.spark.door import Door, Note
from kakurenbo.spark.folders import address
from kakurenbo.spark.session import start, translated
from kakurenbo.spark.workers import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

    from kakurenbo.data.hierarchy import Hierarchy


def read(
    place: Any,  # noqa: ANN401 - a path or a DataFrame
    *,
    session: SparkSession | None = None,
    master: str | None = None,
    like: Any = None,  # noqa: ANN401 - a path or a DataFrame
    records: int = RECORDS,
    **options: Any,  # noqa: ANN401 - checked by ReadOptions
) -> SparkBlocks:
    """Read purchases on a cluster: check them, put them into blocks, and let the workers keep these.

    Args:
        place: a DataFrame of Spark, or a path that Spark reads: Parquet, or text with a header.
        session: the session to use; without one, and for a path, one is started.
        master: the cluster of a session that is started; this machine's processors without one.
        like: the original of a release, whose settings hold for it.
        records: how many records a block has, about.
        **options: the fields of `ReadOptions`: roles (`customer="CustomerID"`, ...), `policy`, `spelling` and
            so on, as for `read_purchases`.
    """
    require("spark")
    started = session or (start(master) if isinstance(place, str | Path) else place.sparkSession)
    settled = _settled(started, place, like, options)
    if settled.layout is known.PWS_CUP:
        raise ParameterError(
            "The tables of the PWS Cup are small and are not read on a cluster; use another engine.",
            code="parameter",
        )
    return _in_blocks(settled, records, _words(started, settled, released=like is not None))


def open(path: str | Path, options: Mapping[str, Any], master: str | None = None) -> SparkBlocks:  # noqa: A001 - of a command
    """Read purchases for a command: its options as they are, None where one was not given."""
    named = {name: value for name, value in options.items() if value not in (None, (), {})}
    return read(address(path), master=master, **named)


def _settled(session: SparkSession, place: Any, like: Any, options: dict[str, Any]) -> roles_of.Settled:  # noqa: ANN401
    if like is None:
        return roles_of.of_original(partial(sources.opened, session, place), _options(place, options))
    original = roles_of.of_original(partial(sources.opened, session, like), _options(like, options))
    local = isinstance(like, str | Path) and Path(like).exists()
    elsewhere = options_given({**options, "hierarchies": None})
    given = options_like(Path(like), options) if local else elsewhere
    return roles_of.of_release(partial(sources.opened, session, place), given, original)


def _options(place: Any, options: dict[str, Any]) -> ReadOptions:  # noqa: ANN401 - a path or a DataFrame
    """Return the options given, over those that stand beside a file of this machine."""
    if isinstance(place, str | Path) and Path(place).exists():
        return options_for(folder_of(Path(place)), options)
    return options_given(options)


def _words(session: SparkSession, settled: roles_of.Settled, *, released: bool) -> dict[str, Hierarchy]:
    """Read what words stand for: of a release what lies beside its table, and whatever was named."""
    table, given = settled.table, settled.given
    assert isinstance(table, sources.Head)  # noqa: S101 - as it was opened
    columns.require(list(given.hierarchies), ["goods"])
    folder, _, name = (table.path or "").rpartition("/")
    beside = {}
    if folder and (name == folders.TABLE or released):
        beside = folders.read_words(session, folder, given.spelling)
    named = {
        name: read_hierarchy(file, encoding=given.encoding, spelling=given.spelling)
        for name, file in given.hierarchies.items()
    }
    return {**beside, **named}


def _in_blocks(settled: roles_of.Settled, each: int, words: dict[str, Hierarchy]) -> SparkBlocks:
    table, given, roles = settled.table, settled.given, settled.roles
    assert isinstance(table, sources.Head)  # noqa: S101 - as it was opened
    roles = {role: roles[role] for role in ROLES if role in roles}
    wanted = [name for names in roles.values() for name in names]
    checks.check_roles(table.rows, roles)
    marks = Marks(given.decimal, given.thousands, _likely(table))
    declared = checks.Known(given.time_format, marks)
    _, _, told = checks.converted(table.load(wanted), roles, given.spelling, declared)
    cancelled = CANCELLED if given.cancelled is None else given.cancelled
    frame = table.frame.select(*(f"`{name}`" for name in wanted))
    with translated():
        count = frame.count()
    door = Door(roles, told, cancelled, given.spelling, block_count(count, each))
    held = shuffled(frame, door, door.blocks)
    note = _note(held, door.blocks)
    if (given.policy or ("drop" if settled.layout else "refuse")) == "refuse":
        policy.refuse(note.dropped, note.read, {str(role): names[0] for role, names in roles.items()})
    if note.read == note.dropped.total:
        raise checks.nothing_left()
    layout = _layout(table, roles, note)
    unread = tuple(name for name in table.names if name not in wanted)
    said = None if table.folder is None else sealing.said(table.frame.sparkSession, str(table.path))
    source = Source(Path(table.path or "DataFrame", "*"), (), unread, said=said)
    made = SparkBlocks(held, Form(layout, tuple(roles), words), door.blocks, note.dropped, source)
    if given.spelling == "refuse":
        refuse_twins(made.whole.goods, column=layout.name_of("goods"))
    return made


def _likely(table: sources.Head) -> Any:  # noqa: ANN401 - a mark of decimals
    """Return the decimal mark that goes with the separator of text."""
    return {";": ",", ",": "."}.get(table.separator) if table.format == "csv" else None


def _note(held: DataFrame, blocks: int) -> Note:
    """Fetch what all partitions tell, which lies behind the blocks."""
    notes = [pickle.loads(body) for _, body in fetched(held, [blocks])]  # noqa: S301 - from our own workers
    note: Note = reduce(Note.beside, notes, Note())
    if note.refused is not None:
        raise note.refused.error()
    return note


def _layout(table: sources.Head, roles: checks.Roles, note: Note) -> Layout:
    by_name = {name: role for role, names in roles.items() for name in names}
    forms = note.forms[0] if note.forms else {}
    kept = tuple(
        Column(name, by_name[name], **forms.get(name, {})) for name in table.names if name in by_name
    )
    how = table.dialect
    return Layout(
        kept, table.format, table.header, table.separator,
        encoding=how.encoding, mark=how.mark, line_end=how.line_end,
    )  # fmt: skip
