"""Keys of records that are the same in every block: what a record shows, hashed.

Two records have the same key if they show the same parts alike. The parts are read as both tables can be
compared: as they are where both have one type, else as numbers, else as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import polars as pl

from kakurenbo.attacks.purchases.view import PART_VALUES
from kakurenbo.data.groups import as_text
from kakurenbo.kernels.scan import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import Part

    Bits = NDArray[np.uint64]
    Grain = tuple[Part, ...]

Form = Literal["plain", "number", "text"]


@dataclass(frozen=True, eq=False)
class Forms:
    """How every part is read.

    Attributes:
        of: the form of each part.
    """

    of: Mapping[Part, Form]

    @classmethod
    def common(cls, known: pl.DataFrame, released: pl.DataFrame, parts: Iterable[Part]) -> Forms:
        """Return the forms in which both tables can be compared."""
        return cls({part: _form(_read(known, part), _read(released, part)) for part in set(parts)})

    def hashes(self, records: pl.DataFrame, grains: Iterable[Grain]) -> dict[Grain, Bits]:
        """Return the key of every record at each grain."""
        wanted = tuple(grains)
        parts = {part: self.hashed(records, part) for part in {part for grain in wanted for part in grain}}
        return {grain: joined([parts[part] for part in grain], records.height) for grain in wanted}

    def hashed(self, records: pl.DataFrame, part: Part) -> Bits:
        """Return a part of every record as bits."""
        column = _read(records, part)
        if isinstance(column.dtype, pl.Enum):
            words: Bits = column.dtype.categories.hash().to_numpy()
            coded: Bits = words[column.to_physical().to_numpy()]
            return coded
        form = self.of[part]
        if form == "number":
            column = column.cast(pl.Float64)
        elif form == "text":
            column = as_text(column)
        return (column + 0.0 if column.dtype.is_float() else column).hash().to_numpy()


def _read(records: pl.DataFrame, part: Part) -> pl.Series:
    return records.select(PART_VALUES[part]).to_series()


def _form(known: pl.Series, released: pl.Series) -> Form:
    texts = {pl.Categorical, pl.Enum}
    kinds = {pl.String() if column.dtype in texts else column.dtype for column in (known, released)}
    if len(kinds) == 1:
        return "plain"
    return "number" if all(kind.is_numeric() for kind in kinds) else "text"
