"""Hierarchy: what the values of a column are called at every coarser level; Norway, Northern Europe, Europe.

Goods have one (a code, a kind of goods, a department), countries and diagnoses have one, and a release that
shows coarser words carries it, so that everybody who compares can map up what he knows. It is a plain table,
one row a value and one column a level, that people write and edit by hand. A release may show words of
several levels beside each other: of a value the finest of its names that is shown there stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.groups import as_text
from kakurenbo.data.table import ByKind
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kakurenbo.data.table import Table

VALUE = "value"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """An immutable tree of words.

    Attributes:
        frame: text columns, `value` first, then one a level, the finest first; one row a value, sorted. An
            empty cell means: as the level before.
    """

    frame: pl.DataFrame

    def __post_init__(self) -> None:
        names = self.frame.columns
        if len(names) < 2 or names[0] != VALUE:
            raise InputError(
                "A hierarchy has a column of values and at least one level beside it.", code="hierarchy"
            )
        table = self.frame.select(pl.col(name).cast(pl.String).str.strip_chars() for name in names)
        table = table.with_columns(pl.col(name).replace("", None) for name in names)
        if table[VALUE].null_count():
            raise InputError("Every row of a hierarchy needs a value.", code="hierarchy")
        if table[VALUE].n_unique() < table.height:
            raise InputError("A hierarchy may name a value only once.", code="hierarchy")
        table = table.with_columns(
            pl.coalesce(*reversed(names[: place + 1])).alias(name) for place, name in enumerate(names)
        )
        _refuse_two_parents(table)
        object.__setattr__(self, "frame", table.sort(VALUE))

    @classmethod
    def of(cls, names: Mapping[str, Sequence[str] | str]) -> Hierarchy:
        """Build a hierarchy from value -> its names, the finest first, as many for each."""
        rows = [(value, *((words,) if isinstance(words, str) else words)) for value, words in names.items()]
        levels = [f"level {place}" for place in range(1, max(map(len, rows), default=1))]
        return cls(pl.DataFrame(rows, schema=dict.fromkeys([VALUE, *levels], pl.String), orient="row"))

    def __repr__(self) -> str:
        return f"Hierarchy({self.frame.height} values, {len(self.levels)} levels)"

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, the finest first."""
        return tuple(self.frame.columns[1:])

    @cached_property
    def words(self) -> pl.Series:
        """All words of all levels, the values among them, each once, sorted."""
        return pl.concat([column.alias("word") for column in self.frame]).unique().sort()

    @cached_property
    def below(self) -> pl.DataFrame:
        """Return (word, value): the values that every word stands for, itself if it is a value."""
        pairs = (self.frame.select(pl.col(name).alias("word"), VALUE) for name in self.frame.columns)
        return pl.concat(pairs).unique().sort("word", VALUE)

    @cached_property
    def parts(self) -> pl.DataFrame:
        """Return (word, part): the words, values among them, that every word holds, itself too."""
        names = self.frame.columns
        pairs = (
            self.frame.select(pl.col(coarse).alias("word"), pl.col(fine).alias("part"))
            for place, coarse in enumerate(names)
            for fine in names[: place + 1]
        )
        return pl.concat(pairs).unique().sort("word", "part")

    def lifted(self, words: Iterable[str]) -> pl.DataFrame:
        """Return (part, word): of everything below these words the coarsest of them that it stands under.

        Words of several levels may stand beside each other, Norway in one row and Europe in another: only the
        coarsest of them tells both apart from the rest.
        """
        shown = pl.Series(list(words), dtype=pl.String).implode()
        names = [pl.col(name) for name in self.frame.columns]
        coarsest = pl.coalesce(*(pl.when(name.is_in(shown)).then(name) for name in reversed(names)))
        tops = self.frame.select(word=coarsest).unique().drop_nulls()
        return self.parts.join(tops, on="word", how="semi").select("part", "word")

    def at(self, level: int) -> pl.DataFrame:
        """Return (value, word) at a level: 1 is the finest, 0 the values themselves."""
        if not 0 <= level <= len(self.levels):
            raise InputError(f"The hierarchy has {len(self.levels)} levels.", code="hierarchy")
        return self.frame.select(VALUE, word=pl.col(self.frame.columns[level]))

    def up_to(self, words: Iterable[str]) -> pl.DataFrame:
        """Return (value, word): of every value the finest name that is among these words, null for none."""
        shown = pl.Series(list(words), dtype=pl.String).implode()
        named = (pl.when(pl.col(name).is_in(shown)).then(pl.col(name)) for name in self.frame.columns)
        return self.frame.select(VALUE, word=pl.coalesce(*named))

    def written(self, values: pl.Series, words: Iterable[str]) -> pl.Series:
        """Return values as those words write them; one that the words have no name for stays as it is."""
        known = self.up_to(words).drop_nulls()
        return values.cast(pl.String).replace(known[VALUE], known["word"])


def known_trees(original: Table, released: Table) -> dict[str, Hierarchy]:
    """Return what the words of a release stand for, by column: as is known, else as the release says.

    What a release says of its words is a claim of whoever made it. One that calls a value of the original by
    another's name is not believed: it would hide everybody of both among each other, in words alone.

    Args:
        original: the data before, in its own words.
        released: the release.
    """
    values = _columns(original)
    said = {name: tree for name, tree in released.hierarchies.items() if name in values.columns}
    believed = {name: tree for name, tree in said.items() if not _renames(tree, values[name])}
    return {**believed, **original.hierarchies}


_columns: ByKind[pl.DataFrame] = ByKind(
    purchases=lambda data: data.attributes, microdata=lambda data: data.records
)


def _renames(tree: Hierarchy, values: pl.Series) -> bool:
    """Whether a hierarchy calls a value of a column by the name of another one."""
    known = as_text(values).drop_nulls().unique().implode()
    both = tree.below.filter(pl.col("word").is_in(known) & pl.col(VALUE).is_in(known))
    return bool((both["word"] != both[VALUE]).any())


def _refuse_two_parents(table: pl.DataFrame) -> None:
    """Refuse a word that stands under two others: then nobody could say what it is a part of."""
    for fine, coarse in zip(table.columns[1:], table.columns[2:], strict=False):
        parents = table.group_by(fine).agg(pl.col(coarse).n_unique())[coarse]
        if (parents > 1).any():
            raise InputError(
                "A word of the hierarchy stands under two different words of the next level; each may have "
                "one alone.",
                code="hierarchy",
                column=fine,
            )
