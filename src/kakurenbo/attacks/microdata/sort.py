"""Sort: who stands in the same place when everybody is lined up by the sum of their amounts?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.microdata.base import (
    BOTH,
    MicrodataAttack,
    Scaling,
    SomeSa,
    chosen,
    first_sa,
    numbers,
)
from kakurenbo.data.groups import column_codes
from kakurenbo.data.guess import Guess, Links
from kakurenbo.kernels.euclid import assign_in_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata


class IdentifySort(MicrodataAttack):
    """E3 identify-sort: ranks both tables by the sum of the sensitive attributes and matches equal ranks.

    Of attributes that are numbers; where there are none, categories count by their places in order of name.
    Needs no quasi-identifier, so changing those does not help against him. He is led astray by deleted rows,
    which shift all ranks; as a one-to-one assignment he is not.
    """

    about: ClassVar = AttackAbout(
        name="identify-sort", kind="microdata", source="001 E3", promises=("finds-copies",), needs=("sa",),
        stands=(
            Stand(
                rung="all attributes", story="Lines everybody up by the sum of the attributes", readings=BOTH
            ),
        ),
    )  # fmt: skip

    s: SomeSa = ()
    scaling: Scaling = "none"

    def compares(self, data: Microdata) -> Values:
        """Return the sum, as far as rounding lets it be told."""
        names = self._summed(data)
        places = [_value(data.records[name]) for name in names]
        return Values((pl.sum_horizontal(places).round_sig_figs(12),))

    def _summed(self, data: Microdata) -> list[str]:
        """Return the attributes that are added up: numbers, or where there are none of them all."""
        names = list(self.s or data.sa)
        return [name for name in names if data.records[name].dtype.is_numeric()] or names

    def rerank(self, tables: Tables[Microdata], chance: Chance) -> Guess:
        """Match equal ranks; where sums tie, every order of them is equally likely."""
        original, released = tables.original, tables.released
        first_sa(self.s, original, released)
        chosen(self.s, original, released, "sa")
        names = self._summed(original)
        a, b = numbers(*_placed(original, released, names), names, self.scaling)
        mine, theirs = a.sum(axis=1), b.sum(axis=1)
        group, their_sizes = _equal_sums(theirs)
        my_group, my_sizes = _equal_sums(mine)
        if self.reading == "assignment":
            everybody, rng = np.zeros_like(group), chance.stream("assignment")
            paired = assign_in_groups(theirs[:, None], everybody, mine[:, None], np.zeros_like(my_group), rng)
            return Guess.paired(released.ids, original.ids, (group, my_group), paired)
        links = _equal_ranks(their_sizes, my_sizes)
        return Guess.among(released.ids, original.ids, (group, my_group), links, chance)


def _value(column: pl.Series) -> pl.Expr:
    """Return what is added up of a column."""
    named = pl.col(column.name)
    return named if column.dtype.is_numeric() else named.rank("dense").cast(pl.Float64)


def _placed(original: Microdata, released: Microdata, names: list[str]) -> tuple[Microdata, Microdata]:
    """Return both tables with categories as their places in the order of all names that either has."""
    for name in names:
        if not (original.records[name].dtype.is_numeric() and released.records[name].dtype.is_numeric()):
            codes = pl.Series(name, column_codes([original.records[name], released.records[name]])[0])
            places = codes.cast(pl.Float64)
            original = original.with_columns(places.head(len(original)))
            released = released.with_columns(places.tail(len(released)))
    return original, released


def _equal_sums(sums: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the group of equal sums that each row is in, ascending, and the groups' sizes."""
    _, group, sizes = np.unique(sums, return_inverse=True, return_counts=True)
    return group.astype(np.int64), sizes.astype(np.int64)


def _equal_ranks(theirs: NDArray[np.int64], mine: NDArray[np.int64]) -> Links:
    """Link groups that share ranks: chance = shared ranks / (size of the one x size of the other)."""
    cuts = np.unique(np.concatenate([[0], np.cumsum(theirs), np.cumsum(mine)]))
    cuts = cuts[cuts <= min(theirs.sum(), mine.sum())]
    start, shared = cuts[:-1], np.diff(cuts)
    group = np.searchsorted(np.cumsum(theirs), start, side="right")
    my_group = np.searchsorted(np.cumsum(mine), start, side="right")
    return Links(group, my_group, shared / (theirs[group] * mine[my_group]))
