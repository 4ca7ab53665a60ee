"""What was not read, and what is not released: told by every command that reads a table, in one form.

Rows that are no purchase are dropped by a declared policy, columns without a role are not loaded, and of a
master only named columns are released. None of it may happen silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.data.table import ByKind
from kakurenbo.data.unseen import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table


def document(data: Table | Blocks) -> dict[str, Any]:
    """Return what was left out of one table, under the JSON keys of all commands."""
    return {"dropped": dict(data.left_out), "unread": list(_unread(data))}


def documents(original: Table | Blocks, released: Table | Blocks | None) -> dict[str, Any]:
    """Return the same of an original and its release, each under its name."""
    each = {name: document(data) for name, data in _named(original, released)}
    return {key: {name: told[key] for name, told in each.items()} for key in ("dropped", "unread")}


def remarks(data: Table | Blocks, what: str = "") -> Iterator[str]:
    """Yield sentences about one table, none where nothing was left out."""
    rows = {reason: count for reason, count in data.left_out.items() if count}
    if rows:
        yield f"Dropped {sum(rows.values()):,} rows{what}: {spoken(rows)}."
    unread = _unread(data)
    if unread:
        yield f"Columns without a role were not read{what}: {', '.join(unread)}."


def remarks_on_both(original: Table | Blocks, released: Table | Blocks | None) -> Iterator[str]:
    """Yield the same of an original and its release."""
    for name, data in _named(original, released):
        yield from remarks(data, f" of the {name}")


def _named(original: Table | Blocks, released: Table | Blocks | None) -> list[tuple[str, Table | Blocks]]:
    return [("original", original), *([] if released is None else [("release", released)])]


def _unread(data: Table | Blocks) -> tuple[str, ...]:
    return () if data.source is None else data.source.unread


def _of_purchases(data: Purchases | Blocks) -> dict[str, list[str]]:
    return {"master_kept": list(data.keep_master), "master_dropped": list(data.master_dropped)}


def _of_microdata(data: Microdata) -> dict[str, list[str]]:  # noqa: ARG001 - there is no master
    return {"master_kept": [], "master_dropped": []}


# Which columns of the master a release of the data holds, and which stay behind.
master: ByKind[dict[str, list[str]]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)


_idle: ByKind[int] = ByKind(purchases=lambda data: data.without_purchases, microdata=lambda _: 0)


def remarks_on_master(data: Table | Blocks) -> Iterator[str]:
    """Yield a sentence about the columns of the master that are not released."""
    columns = master(data)
    idle = _idle(data)
    if idle:
        yield f"Not released, because they bought nothing: {idle:,} people of the master."
    if columns["master_dropped"]:
        yield f"Not released from the master: {', '.join(columns['master_dropped'])}."
