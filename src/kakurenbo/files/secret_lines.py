"""A secret of which only some lines are held: whoever asks for some people gets their names.

The file is gone through part by part each time, so that memory holds the lines that are asked for, however
many there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.owners import Owners
from kakurenbo.errors import InputError
from kakurenbo.files.pairings import COLUMNS, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kakurenbo.chance import Chance
    from kakurenbo.data.checks.spelling import Spelling

_AT_ONCE = 500_000  # lines


@dataclass(frozen=True)
class SecretLines:
    """The secret of a release in a file with the columns `released` and `original`.

    Attributes:
        path: the file.
        spelling: how ids are read, as in the tables.
    """

    path: Path
    spelling: Spelling = "refuse"

    def of(self, people: pl.Series) -> Owners:
        """Return the names of these people."""
        wanted = people.cast(pl.String).implode()
        rows = pl.concat([part.filter(pl.col("original").is_in(wanted)) for part in self._parts()])
        if not rows.height:
            raise InputError("Nobody of the people drawn is in the secret.", code="unknown-id")
        return Owners(rows["released"], rows["original"])

    def fakes(self, chance: Chance, share: float) -> pl.Series:
        """Return such a share of the names that are nobody's, drawn by name."""
        names = pl.concat([part.filter(pl.col("original").is_null())["released"] for part in self._parts()])
        names = names.unique().sort()
        if not len(names):
            return names
        return names.filter(pl.Series(chance.uniform("targets", names) < share))

    @property
    def one_to_one(self) -> bool:
        """Whether everybody has one name, and every name one owner."""
        rows = pl.concat(list(self._parts()))
        return not rows["original"].null_count() and all(
            rows[name].n_unique() == rows.height for name in COLUMNS
        )

    def _parts(self) -> Iterator[pl.DataFrame]:
        for part in opened(self.path).batches(COLUMNS, _AT_ONCE):
            yield pl.DataFrame(
                {name: as_text(part[name], column=name, spelling=self.spelling) for name in COLUMNS}
            )


def holds_pairs(path: Path) -> bool:
    """Tell whether the columns of a secret are called as ours are."""
    return set(COLUMNS) <= set(opened(path).names)
