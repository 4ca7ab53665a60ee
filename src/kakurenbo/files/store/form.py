"""The form on disk: a folder with what is known of the whole, all goods, and blocks of whole customers.

```
retail.parquet.blocks/          mode 0700: it names people
  store.json                    version, where it comes from, roles, layout, counts, dropped rows, blocks
  goods.parquet                 goods: all goods, sorted
  goods_table.parquet           what is known of goods beside their codes, where anything is
  blocks/00000.parquet          one row a purchase, sorted by customer: customer (his place in the people of
                                the block), goods (its place in goods.parquet), receipt, time, price, quantity
  people/00000.parquet          one row a customer of the block, sorted: customer, and what the master says
```

Which block a customer is in is told by `kakurenbo.data.blocks.block_of`; within a customer the rows stand in
the order of the source. A block or its people that nobody is in are not there. All of it can be made again
from the source, and is, when that has changed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakurenbo.data.checks.numbers import NumberForm
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.data.layout import Column, Layout
from kakurenbo.data.source import Source
from kakurenbo.files.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.layout import Role

VERSION = 1
ABOUT = "store.json"
GOODS = "goods.parquet"
GOODS_TABLE = "goods_table.parquet"
BLOCKS, PEOPLE = "blocks", "people"
_KIND = "kakurenbo purchases in blocks"
_LARGEST = 1 << 22  # bytes of what is said of a store
_NAMES = {ABOUT, GOODS, GOODS_TABLE, BLOCKS, PEOPLE, ".gitignore"}


@dataclass(frozen=True)
class About:
    """What a store says of itself.

    Attributes:
        origin: the identity of what it was made from: files with size and time, and how they were read.
        blocks: how many blocks there are, those without anybody included.
        roles: the roles present, in their fixed order.
        layout: the form the table came in.
        counts: customers, records, receipts where there are any, goods.
        dropped: rows the policy left out, by reason.
        master: the columns of the master, None where there is none.
        keep_master: those of them that a release may hold.
        source: the file or folder it was read from.
        idle: people of the master who bought nothing, and are in no block.
    """

    origin: Mapping[str, Any]
    blocks: int
    roles: tuple[Role, ...]
    layout: Layout
    counts: Mapping[str, int]
    dropped: Dropped
    master: tuple[str, ...] | None
    keep_master: tuple[str, ...]
    source: Source
    idle: int = 0

    def to_json(self) -> str:
        """Return it as the text of its file."""
        said = {
            "made_by": _KIND,
            "version": VERSION,
            "origin": self.origin,
            "blocks": self.blocks,
            "roles": self.roles,
            "layout": asdict(self.layout),
            "counts": self.counts,
            "dropped": self.dropped.as_dict(),
            "master": self.master,
            "keep_master": self.keep_master,
            "source": _spoken(self.source),
            "idle": self.idle,
        }
        return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def about(folder: Path) -> About | None:
    """Return what a store says of itself; None where there is none, or one of another version."""
    said = _document(folder)
    if said is None or said.get("version") != VERSION:
        return None
    try:
        return About(
            said["origin"], int(said["blocks"]), tuple(said["roles"]), _layout(said["layout"]),
            said["counts"], Dropped(**said["dropped"]),
            None if said["master"] is None else tuple(said["master"]), tuple(said["keep_master"]),
            _source(said["source"]), int(said.get("idle", 0)),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError):
        return None


def is_store(folder: Path) -> bool:
    """Tell whether a folder is a store of ours, of any version, with nothing of anybody else in it."""
    return _document(folder) is not None and {path.name for path in folder.iterdir()} <= _NAMES


def block_file(folder: Path, kind: str, block: int) -> Path:
    """Return the file of a block, or of its people."""
    return folder / kind / f"{block:05}.parquet"


def _document(folder: Path) -> dict[str, Any] | None:
    path = folder / ABOUT
    if folder.is_symlink() or path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
        return None
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and said.get("made_by") == _KIND else None


def _layout(said: dict[str, Any]) -> Layout:
    columns = tuple(
        Column(**{**column, "number": None if column["number"] is None else NumberForm(**column["number"])})
        for column in said["columns"]
    )
    return Layout(**{**said, "columns": columns})


def _spoken(source: Source) -> dict[str, Any]:
    opened = {name: value for name, value in source.opened.items() if name != "limits"}
    return {
        "place": str(source.place),
        "tables": list(map(str, source.tables)),
        "unread": source.unread,
        "opened": {**opened, "limits": asdict(source.opened["limits"])},
        "trees": list(map(str, source.trees)),
        "taken": source.taken,
    }


def _source(said: dict[str, Any]) -> Source:
    opened = {**said["opened"], "limits": Limits(**said["opened"]["limits"])}
    return Source(
        Path(said["place"]), tuple(map(Path, said["tables"])), tuple(said["unread"]), opened,
        tuple(map(Path, said["trees"])), said["taken"],
    )  # fmt: skip
