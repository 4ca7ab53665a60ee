"""Coarser words: quasi-identifiers that a release writes otherwise, read as far as both tables tell.

Ranges, sets, masks and stars say themselves what they hold, and `within` reads them row by row, overlapping
ones too. Other ways of writing do not: a postcode cut to two characters, an age rounded to tens, a country
replaced by its continent. What can be inferred of those, by a hierarchy that is known or from both tables, is
mapped, so that every attacker compares alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kakurenbo.data.hierarchy import known_trees
from kakurenbo.mappings.columns import says_itself, written, written_by_tree

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.mappings.columns import Written


def coarser(original: Microdata, released: Microdata) -> tuple[Written, ...]:
    """Return how the release writes quasi-identifiers that do not say themselves what they hold."""
    mine, theirs = original.records, released.records
    names = [name for name in original.qi if name in released.qi]
    trees = known_trees(original, released)
    found = (_written(mine, theirs, name, trees.get(name)) for name in names)
    return tuple(column for column in found if column is not None)


def _written(mine: pl.DataFrame, theirs: pl.DataFrame, name: str, tree: Hierarchy | None) -> Written | None:
    by_tree = written_by_tree(mine[name], theirs[name], tree)
    if by_tree is not None or says_itself(mine[name], theirs[name]):
        return by_tree
    return written(mine, theirs, name, ranges=False)


def written_alike(data: Microdata, columns: tuple[Written, ...]) -> Microdata:
    """Return a table with these columns written so; the very same where there are none."""
    records = data.records
    for column in columns:
        records = column.apply(records) if column.column in data.qi else records
    return replace(data, records=records) if columns else data
