"""How a release writes the master: each column that both tables have, as any column of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from kakurenbo.data.hierarchy import known_trees
from kakurenbo.mappings.columns import Written, written, written_by_tree

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases


@dataclass(frozen=True)
class Master:
    """How the columns of a master are written in a release."""

    columns: tuple[Written, ...]

    role: ClassVar[str] = "master"

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with the columns of their master so written."""
        if data.master is None:
            return data
        master = data.master
        for column in self.columns:
            master = column.apply(master) if column.column in master.columns else master
        return replace(data, master=master)

    def __str__(self) -> str:
        return f"master: {'; '.join(map(str, self.columns))}"


def master_mapping(original: Purchases, released: Purchases) -> Master | None:
    """Return how the release writes those columns of the master that it writes otherwise."""
    if not all("master" in data.shown for data in (original, released)):
        return None
    mine, theirs = original.attributes, released.attributes
    trees = known_trees(original, released)
    found = (
        written_by_tree(mine[name], theirs[name], trees.get(name)) or written(mine, theirs, name)
        for name in mine.columns
        if name in theirs.columns
    )
    columns = tuple(column for column in found if column is not None)
    return Master(columns) if columns else None
