"""Pools: people among whom attackers look who must see everybody at once.

An attacker who pairs everybody with somebody, or learns from all people first, cannot go through a table in
blocks. Where everybody is looked for, the pool is the tables themselves. Otherwise it is the first targets
and those who came out as most like them in the search, with all their records, as if nobody else were in the
release. There are fewer people to mistake a person for, so what is found there mostly errs on the high side;
where nearly everybody is found it may be a little low, since whoever would settle a rival's claim may not be
there. Where more people tied than are remembered, a target that is found counts for as much less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

import numpy as np
import polars as pl

from kakurenbo.data.table import Data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.search.seek import Sought
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.owners import Owners
    from kakurenbo.kernels.scan import Ties

    Bits = NDArray[np.uint64]

NAMES = 3000  # released names in a pool, about


@dataclass(frozen=True, eq=False)
class Pool(Generic[Data]):
    """Targets and their candidates.

    Attributes:
        tables: both of them before, in the words of the release, and after.
        owners: whose every name there is; None where that is not known.
        targets: how many of the first targets are among them.
        compared: the attackers by whose comparisons the candidates were chosen.
        complete: whether everybody is in it.
    """

    tables: Tables[Data]
    owners: Owners | None
    targets: int
    compared: tuple[tuple[str, str, str], ...] = ()
    complete: bool = False

    @classmethod
    def whole(cls, given: AuditInput[Data], tables: Tables[Data]) -> Pool[Data]:
        """Return the pool of everybody."""
        return cls(tables, given.owners, len(given.original.people), complete=True)

    @classmethod
    def nobody(cls, tables: Tables[Data]) -> Pool[Data]:
        """Return an empty pool: nobody came out as like a target."""
        return cls(tables, None, 0)

    @property
    def names(self) -> int:
        """How many released names are in it."""
        return len(self.tables.released.people) if self.targets else 0

    @property
    def said(self) -> str:
        """What is told of a finding in it; nothing where everybody is there."""
        if self.complete:
            return ""
        return (
            f" Of {self.targets:,} people, among the {self.names:,} names that look most like theirs: errs "
            "mostly on the high side."
        )


def candidates(sought: Sought, keys: Sequence[tuple[str, str, str]], most: int = NAMES) -> tuple[int, Bits]:
    """Return of how many of the first names the candidates are taken, and the bits of those people.

    Args:
        sought: what the scan remembers.
        keys: of the attackers who compared names with people.
        most: how many names there may be, about.
    """
    made = [sought.places[key] for key in keys if key in sought.places]
    made = [ties for ties in made if len(ties.kept)]
    if not made:
        return 0, np.empty(0, np.uint64)
    first = min(len(ties.kept) for ties in made)
    seen: set[int] = set()
    for name in range(first):
        here = np.concatenate([ties.kept[name][ties.remembered[name]] for ties in made])
        wanted = seen | set(here.tolist())
        if len(wanted) + name + 1 > most and name:
            return name, np.fromiter(seen, np.uint64, len(seen))
        seen = wanted
    return first, np.fromiter(seen, np.uint64, len(seen))


def cut_down(
    who: Attacker, sought: Sought, names: int, keys: Sequence[tuple[str, str, str]] = ()
) -> NDArray[np.float64]:
    """Return what a find of each of the first names counts: less where more tied than are remembered.

    Of who compares nobody in the scan, as little as for him who told people apart best there: where words
    are so coarse that thousands are alike to all of them, the few who are in a pool do not make it a find.

    Args:
        who: the attacker.
        sought: what the scan remembers.
        names: how many of the first names there are.
        keys: of the attackers who compared names with people.
    """
    plain = who.attack.model_copy(update={"reading": "nearest"})
    own = sought.places.get((who.knowledge, who.name, plain.model_dump_json()))
    others = [sought.places[key] for key in keys if key in sought.places]
    enough = [ties for ties in ([own] if own is not None else others) if len(ties.kept) >= names]
    if not enough:
        return np.ones(names)
    counts: NDArray[np.float64] = np.max([_share(ties, names) for ties in enough], axis=0)
    return counts


def _share(ties: Ties, names: int) -> NDArray[np.float64]:
    """Return which share of those who tied is remembered."""
    remembered = ties.remembered[:names].sum(axis=1)
    share: NDArray[np.float64] = np.minimum((remembered + 1) / np.maximum(ties.ties[:names], 1), 1.0)
    return share


def rows_of(
    owners: Owners,
    sample: pl.DataFrame,
    chance: NDArray[np.float64],
    sought: Sought,
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the chances of the rows of the sample, given those of the rows of a pool.

    Rows of the sample that are not about its targets are not numbers.
    """
    known = owners.owned.frame.with_columns(chance=pl.Series(chance))
    first = pl.DataFrame({"released": sought.names.head(len(weight)), "weight": weight})
    made = sample.join(first, on="released", how="left", maintain_order="left").join(
        known, on=["released", "original"], how="left", maintain_order="left"
    )
    return (made["chance"] * made["weight"]).fill_null(np.nan).to_numpy()
