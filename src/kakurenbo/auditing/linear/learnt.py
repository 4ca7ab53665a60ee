"""Learnt: what is believed of targets who were looked up among all, and of people who are not there.

Of the first targets it is remembered where they may be: all places that fit equally well, or some of them
drawn at random where they are many. What stands there was fetched, and what is learnt from it is counted as
in a table that fits into memory; the cautious one believes what the remembered places agree on. The control
is taken on some of the people in memory: there are fewer there who look like somebody outside, so less is
learnt of him, and the release is charged with rather more than it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.claims import Places
from kakurenbo.auditing.learning.claimers import Supposing
from kakurenbo.kernels.nearest import Nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.linear.seek import Sought
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.scan import Ties

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]


def remembered(sought: Sought, members: Sequence[Attacker]) -> Bits:
    """Return the bits of all names where somebody may be, by whoever believes something of him."""
    made = [sought.places[who.key] for who in members if who.key in sought.places]
    kept = [ties.kept[ties.remembered] for ties in made]
    return np.unique(np.concatenate(kept)) if kept else np.empty(0, np.uint64)


def scanned(
    tables: Tables[Purchases],
    names: Bits,
    sought: Sought,
    members: Sequence[Attacker],
    targets: Ints,
    *,
    drops: str = "",
) -> Iterator[Supposing]:
    """Yield where everybody who went through the release takes these targets to be.

    Args:
        tables: the targets, and what stands under the remembered names.
        names: the bits of the released people of these tables.
        sought: what the scan remembers.
        members: who believes something.
        targets: of whom it is asked, by their numbers among the original's customers.
        drops: what was dropped from these tables, in words.
    """
    order = _numbers(tables.original.customers.gather(targets), sought.people)
    for who in members:
        ties = sought.places.get(who.key)
        if ties is not None:
            yield Supposing(tables, who, drops, _places(ties, order, names))


def _places(ties: Ties, order: Ints, names: Bits) -> Places:
    """Return the remembered places of these targets, as numbers of released people."""
    taken, kept = ties.remembered[order], ties.kept[order]
    counts = taken.sum(axis=1)
    sorter = np.argsort(names, kind="stable")
    indices = sorter[np.searchsorted(names, kept[taken], sorter=sorter)]
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    score = ties.score[order]
    return Places(Nearest(indptr, indices.astype(np.int64), score), score)


def _numbers(people: pl.Series, among: pl.Series) -> Ints:
    """Return the places of these people among others."""
    places = pl.DataFrame({"who": among.cast(pl.String), "at": np.arange(len(among))})
    found = pl.DataFrame({"who": people.cast(pl.String)}).join(
        places, on="who", how="left", maintain_order="left"
    )
    return cast("Ints", found["at"].to_numpy().astype(np.int64))
