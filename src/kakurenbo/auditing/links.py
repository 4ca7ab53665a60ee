"""Links with an earlier release in blocks, of some names of a release.

Two names are linked where each is clearly the other's best, so both tables matter to every link. Nobody has
to compare all names with all for that: the earlier release is gone through for whoever is most like the names
that are asked about, and the release for whoever is most like those. Among the names that were found so they
are linked as whole tables are, and a trace is as rare as it is in the whole earlier release. A name whose
rivals are linked with names far from all of these stays as it was, so rather too few are linked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.linking import Extent, grains_of, linked, paired, sharpest, stands_out
from kakurenbo.attacks.purchases.view import Sight, by_rarity
from kakurenbo.attacks.search.agree import Together
from kakurenbo.attacks.search.compare import Seen, Views, columns_of
from kakurenbo.attacks.search.counts import Count, Counts, counted
from kakurenbo.attacks.search.keys import Forms, Laid, Reading
from kakurenbo.attacks.search.targets import bits_of
from kakurenbo.auditing.dropping import Dropping
from kakurenbo.auditing.sample import Fetch, gathered
from kakurenbo.data.guess import Guess
from kakurenbo.data.sampling import draw_and_fetch, places
from kakurenbo.kernels.nearest import top
from kakurenbo.kernels.scan import Codes
from kakurenbo.mappings.vocabulary import Vocabulary, common_vocabulary, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.search.keys import Grain
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix
    from kakurenbo.progress import Progress

    Bits = NDArray[np.uint64]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Alike = tuple[Floats, Bits]

SAMPLE = 2_000  # people of an earlier release, who say how it writes and roughly how rare traces are
_TRIED = 300  # names by which it is found out which traces link
_THEIRS, _OURS = 3, 2  # names that are looked at for each: of the earlier release, and of this one for those
_DOING = "linking with earlier releases"


@dataclass(frozen=True, eq=False)
class Links:
    """Names of a release beside an earlier one.

    Attributes:
        links: the earlier name of every name that was asked about, or nobody.
        released: what stands under these names, in words that both releases have in common.
        earlier: what stands under the earlier names, likewise.
        extent: what the earlier release has anything of at all; None where these are all its names.
    """

    links: Pairing
    released: Purchases
    earlier: Purchases
    extent: Extent | None = None

    @classmethod
    def whole(cls, released: Purchases, earlier: Purchases) -> Links:
        """Link two tables in memory, all names with all."""
        ours, theirs = (spoken.original for spoken in common_words(released, earlier))
        return cls(linked(theirs, ours), ours, theirs)


def common_words(released: Purchases, earlier: Purchases) -> tuple[Vocabulary, Vocabulary]:
    """Return both in the words of the coarser of the two, row by row as they stand."""
    theirs = common_vocabulary(earlier, released)
    if theirs.of("goods") is not None:
        return Vocabulary(released), theirs
    return common_vocabulary(released, earlier), Vocabulary(earlier)


def links_in_blocks(
    asked: Purchases, released: Blocks, earlier: Blocks, chance: Chance, progress: Progress
) -> Links:
    """Link some names of a release with those of an earlier one.

    Args:
        asked: what stands under these names.
        released: the whole release.
        earlier: the whole earlier release.
        chance: draws who is looked at first.
        progress: told how far it is.
    """
    some = draw_and_fetch(earlier, SAMPLE, chance.under("earlier"), progress=progress.part(0.0, 0.1))
    ours, theirs = common_words(asked, some)
    both = _Both.of(released, earlier, ours, theirs, chance)
    asked = ours.original
    nobody = Links(_named(asked, theirs.original, np.full(len(asked.customers), -1)), asked, theirs.original)
    grain = both.sharpest(asked, progress.part(0.1, 0.2))
    if grain is None:
        return nobody
    bits = both.likest(asked, both.before, (grain,), _THEIRS, progress.part(0.2, 0.4))[grain][1]
    if not bits.any():
        return nobody
    candidates = both.fetched(both.before, None, bits, progress.part(0.4, 0.5))
    bits = both.likest(candidates, both.after, (grain,), _OURS, progress.part(0.5, 0.7))[grain][1]
    names = both.fetched(both.after, asked, bits, progress.part(0.7, 0.8))
    seen, extent = both.seen(grain, names, candidates, progress.part(0.8, 1.0))
    at = places(asked.customers.cast(pl.String), names.customers.cast(pl.String))
    return Links(_named(asked, candidates, paired(seen)[at]), asked, candidates, extent)


def _named(released: Purchases, earlier: Purchases, named: Ints) -> Pairing:
    return Guess.certain(released.customers, earlier.customers, named)


@dataclass(frozen=True, eq=False)
class _Both:
    """Both releases in words that they have in common.

    Attributes:
        after: the release.
        before: the earlier one.
        forms: how their records are read.
        some: people of the earlier one, who say roughly how rare traces are.
        grains: what both show that may link names, sharpest first.
        chance: draws who is looked at first.
    """

    after: Blocks
    before: Blocks
    forms: Forms
    some: Purchases
    grains: tuple[Grain, ...]
    chance: Chance

    @classmethod
    def of(
        cls, released: Blocks, earlier: Blocks, ours: Vocabulary, theirs: Vocabulary, chance: Chance
    ) -> _Both:
        """Write both in common words, given how people of each are written."""
        names, some = ours.original, theirs.original
        grains = grains_of(names.shown & some.shown)
        forms = Forms.common(some.records, names.records, {part for grain in grains for part in grain})
        return cls(_in_words(released, ours), _in_words(earlier, theirs), forms, some, grains, chance)

    def sharpest(self, asked: Purchases, progress: Progress) -> Grain | None:
        """Return which traces link the names, as far as some of them tell; None where there are none."""
        order = self.chance.order("tried", asked.customers)[:_TRIED]
        tried = asked.of(asked.customers.gather(np.sort(order)))
        made = self.likest(tried, self.before, self.grains, 2, progress)
        theirs, ours = (table.whole.counts["customers"] for table in (self.before, self.after))
        most = len(tried.customers) * min(theirs / ours, 1.0)
        best = sharpest(self.grains, lambda grain: np.where(stands_out(made[grain][0]), 1, -1), most)
        return None if best is None else best[0]

    def likest(
        self, names: Purchases, table: Blocks, grains: tuple[Grain, ...], few: int, progress: Progress
    ) -> dict[Grain, Alike]:
        """Return by grain how alike the few people of a table are who are most like each of these names.

        And who they are, as the bits of their names; 0 where there are not so many.
        """
        reading = self._reading(grains, names, self.some)
        counts = counted([Count(reading, grains)(self.some)], reading, grains)
        laid = Laid(names, reading)
        theirs = tuple(columns_of(laid, reading, (Sight(grain),)) for grain in grains)
        work = _Likest(reading, grains, theirs, counts, few, self.chance)
        found: tuple[Alike, ...] | None = None
        for part in table.map(work, progress=progress, doing=_DOING):
            found = part if found is None else tuple(map(_better, found, part))
        return dict(zip(grains, found or (), strict=True))

    def fetched(self, table: Blocks, also: Purchases | None, bits: Bits, progress: Progress) -> Purchases:
        """Return what stands under names of which the bits are known, and under those of others."""
        names = pl.Series([], dtype=pl.String) if also is None else also.customers.cast(pl.String)
        return gathered(table, Fetch(names, self.chance, np.unique(bits[bits > 0])), progress, _DOING)

    def seen(
        self, grain: Grain, names: Purchases, candidates: Purchases, progress: Progress
    ) -> tuple[Seen, Extent]:
        """Return names beside candidates, every trace as rare as in the earlier release, and its extent."""
        reading = self._reading((grain,), candidates, names)
        work = Together((Count(reading, (grain,)), Extent.of))
        parts = list(self.before.map(work, progress=progress, doing=_DOING))
        counts = counted((count for count, _ in parts), reading, (grain,))
        mine, theirs = (
            columns_of(Laid(data, reading), reading, (Sight(grain),)) for data in (candidates, names)
        )
        who = candidates.customers, names.customers
        return (
            Seen(mine, theirs, *who, (), whole=counts.rarity(grain)),
            Extent.together(extent for _, extent in parts),
        )

    def _reading(self, grains: tuple[Grain, ...], *tables: Purchases) -> Reading:
        each = [self.forms.hashes(table.records, grains) for table in tables]
        return Reading(self.forms, {grain: Codes.of(*(made[grain] for made in each)) for grain in grains})


@dataclass(frozen=True, eq=False)
class _Likest:
    """Work: the few people of a block who are most like each of some names, grain by grain."""

    reading: Reading
    grains: tuple[Grain, ...]
    theirs: tuple[Matrix, ...]
    counts: Counts
    few: int
    chance: Chance

    def __call__(self, block: Purchases) -> tuple[Alike, ...]:
        views = Views(Laid(block, self.reading), self.reading, self.counts)
        people = bits_of(self.chance, block.customers)
        return tuple(
            self._likest(views, grain, theirs, people)
            for grain, theirs in zip(self.grains, self.theirs, strict=True)
        )

    def _likest(self, views: Views, grain: Grain, theirs: Matrix, people: Bits) -> Alike:
        seen = views.through((Sight(grain),), theirs, rarity=True)
        best = top(by_rarity(seen.theirs, seen), by_rarity(seen.mine, seen), self.few, "cosine")
        return best.score, np.where(best.indices >= 0, people[best.indices], np.uint64(0))


def _better(one: Alike, other: Alike) -> Alike:
    """Return the best of both, as many as of each."""
    score, bits = (np.concatenate(pair, axis=1) for pair in zip(one, other, strict=True))
    order = np.argsort(-score, axis=1, kind="stable")[:, : one[0].shape[1]]
    return np.take_along_axis(score, order, axis=1), np.take_along_axis(bits, order, axis=1)


def _in_words(table: Blocks, spoken: Vocabulary) -> Blocks:
    """Return a table in blocks as people of it were written."""
    return Dropping(table, partial(written, mappings=spoken.mappings)) if spoken.mappings else table
