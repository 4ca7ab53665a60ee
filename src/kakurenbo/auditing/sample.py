"""The paired sample: targets drawn by their ids, their records before, and what became of them.

Who is a target depends on the seed and his id alone, so every engine draws the same people, however the
tables are cut. Everything that needs people one by one (the words of the release, what is kept, distances) is
asked of the sample with the code of a whole table; seeking goes through everybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

from kakurenbo.attacks.search.targets import bits_of
from kakurenbo.data.checks.ids import stacked
from kakurenbo.data.owners import Owners
from kakurenbo.data.pairing import Pairing
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

_SPARE = 6  # standard deviations: how many more are drawn at first than are wanted, so that enough are


class Secret(Protocol):
    """Whose every released name is, of which only the lines about some people are held."""

    def of(self, people: pl.Series) -> Owners:
        """Return the names of these people."""

    def fakes(self, chance: Chance, share: float) -> pl.Series:
        """Return such a share of the names that are nobody's, drawn by name."""

    @property
    def one_to_one(self) -> bool:
        """Whether everybody has one name, and every name one owner."""


@dataclass(frozen=True, eq=False)
class Held:
    """A secret that is held in memory."""

    owners: Owners

    def of(self, people: pl.Series) -> Owners:
        """Return the names of these people."""
        rows = self.owners.frame.filter(pl.col("original").is_in(people.implode()))
        return _owners(rows)

    def fakes(self, chance: Chance, share: float) -> pl.Series:
        """Return such a share of the names that are nobody's, drawn by name."""
        names = self.owners.frame.filter(pl.col("original").is_null())["released"]
        return names.filter(pl.Series(below(chance, names, share)))

    @property
    def one_to_one(self) -> bool:
        """Whether everybody has one name, and every name one owner."""
        return self.owners.one_to_one


def held(secret: Pairing | Owners | Secret) -> Secret:
    """Return a secret as one of which some lines can be asked for."""
    return Held(Owners.of(secret)) if isinstance(secret, Pairing | Owners) else secret


def _owners(rows: pl.DataFrame) -> Owners:
    if not rows.height:
        raise InputError("Nobody of the people drawn is in the secret.", code="unknown-id")
    return Owners(rows["released"], rows["original"])


@dataclass(frozen=True, eq=False)
class Sample:
    """Targets, and what became of them.

    Attributes:
        original: their records.
        released: what stands under their names, and under their share of the names that are nobody's;
            without a secret, under as many names drawn for themselves.
        owners: whose these names are; None without a secret.
        people: how many people there are in all.
        names: how many names.
    """

    original: Purchases
    released: Purchases
    owners: Owners | None
    people: int
    names: int


@dataclass(frozen=True)
class Draw:
    """Work: the people of a block whose number lies below a bound, with their records."""

    chance: Chance
    share: float

    def __call__(self, block: Purchases) -> Purchases | None:
        """Return them, or None where there are none."""
        return _those(block, below(self.chance, block.customers, self.share))


@dataclass(frozen=True, eq=False)
class Fetch:
    """Work: these people of a block, and those whose names have these bits, with their records."""

    people: pl.Series
    chance: Chance | None = None
    bits: NDArray[np.uint64] | None = None

    def __call__(self, block: Purchases) -> Purchases | None:
        """Return them, or None where there are none."""
        inside = block.customers.is_in(self.people.implode()).to_numpy()
        if self.chance is not None and self.bits is not None:
            inside = inside | np.isin(bits_of(self.chance, block.customers), self.bits)
        return _those(block, inside)


def below(chance: Chance, ids: pl.Series, share: float) -> NDArray[np.bool_]:
    """Tell which ids are drawn, where such a share of all is."""
    if not len(ids):
        return np.zeros(0, dtype=bool)
    return chance.uniform("targets", ids) < share


def _those(block: Purchases, inside: NDArray[np.bool_]) -> Purchases | None:
    if not inside.any():
        return None
    rows = inside[block.records["customer"].to_physical().to_numpy()]
    master = block.master
    if master is not None:
        people = block.customers.filter(pl.Series(inside))
        master = master.filter(pl.col("customer").is_in(people.implode()))
    return block.with_records(block.records.filter(pl.Series(rows)), master=master)


def together(parts: Sequence[Purchases | None]) -> Purchases | None:
    """Return the people of several blocks as one table."""
    some = [part for part in parts if part is not None]
    if not some:
        return None
    if len(some) == 1:
        return some[0]
    master = None
    if some[0].master is not None:
        master = pl.concat([part.master for part in some if part.master is not None])
    return some[0].with_records(stacked([part.records for part in some]), master=master)


def gathered(blocks: Blocks, work: Draw | Fetch, progress: Progress, doing: str) -> Purchases:
    """Go through a table and return those whom the work picks; it must pick somebody."""
    made = together(list(blocks.map(work, progress=progress, doing=doing)))
    if made is None:
        raise InputError("Nobody of the secret is in the release.", code="unknown-id")
    return made


def draw(  # noqa: PLR0917 - both tables, and what is drawn of them
    original: Blocks,
    released: Blocks,
    secret: Secret | None,
    targets: int,
    chance: Chance,
    progress: Progress,
) -> Sample:
    """Draw so many targets, and gather what became of them.

    Args:
        original: everybody before.
        released: everybody after.
        secret: who became whom, where it is known.
        targets: how many are drawn.
        chance: draws them, by their ids.
        progress: told how far it is.
    """
    people, names = (table.whole.counts["customers"] for table in (original, released))
    share = min((targets + _SPARE * math.sqrt(targets)) / people, 1.0)
    first = gathered(original, Draw(chance, share), progress.part(0.0, 0.5), "drawing people")
    order = np.argsort(chance.numbers("targets", first.customers), kind="stable")[:targets]
    whom = first.customers.gather(np.sort(order))
    mine = replace(_only(first, whom), dropped=original.whole.dropped, source=original.whole.source)
    steps, doing = progress.part(0.5, 1.0), "gathering their names"
    if secret is None:
        drawn = Draw(chance.under("names"), min(targets / names, 1.0))
        theirs = gathered(released, drawn, steps, doing)
        owners = None
    else:
        owners = secret.of(whom)
        fakes = secret.fakes(chance, len(whom) / people)
        theirs = gathered(released, Fetch(pl.concat([owners.names, fakes])), steps, doing)
        missing = owners.names.is_in(theirs.customers.implode()).not_().sum()
        if missing:
            raise InputError(
                "The secret must speak of exactly the people in the release; the original of a fake is left "
                "empty.",
                code="unknown-id",
            )
        if len(fakes):
            nobody = pl.DataFrame(
                {"released": fakes, "original": pl.Series([None] * len(fakes), dtype=pl.String)}
            )
            rows = pl.concat([owners.frame, nobody])
            owners = Owners(rows["released"], rows["original"])
    theirs = replace(theirs, dropped=released.whole.dropped, source=released.whole.source)
    return Sample(mine, theirs, owners, people, names)


def _only(data: Purchases, people: pl.Series) -> Purchases:
    inside = data.customers.is_in(people.implode()).to_numpy()
    made = _those(data, inside)
    if made is None:
        raise InputError("Nobody was drawn.", code="unknown-id")
    return made
