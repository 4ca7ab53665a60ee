"""The scan: all attackers who look people up one by one, on one block after the other.

What is known of the targets, and what stands under their names, is laid out once and sent to every block. A
block is loaded once for all attackers. What comes back is small: how well each target's best places fit, how
many they are, whether he is among them, and of the first targets a few of those places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from kakurenbo.attacks.purchases.scans import Near
from kakurenbo.attacks.purchases.view import View
from kakurenbo.auditing.linear.keys import Laid
from kakurenbo.auditing.linear.sample import bits_of
from kakurenbo.kernels.scan import Beside, Postings, Records, Ties, look_up, own_scores, tied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.scans import Alike, LookUp
    from kakurenbo.attacks.purchases.view import Sight
    from kakurenbo.auditing.linear.keys import Grain, Reading
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Bits = NDArray[np.uint64]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Own:
    """Who is whose: of every target the bits of the names, or people, that are his own.

    Attributes:
        bits: ascending.
        target: whose each is.
        count: how many targets there are.
    """

    bits: Bits
    target: Ints
    count: int

    @classmethod
    def of(cls, bits: Bits, target: Ints, count: int) -> Own:
        """Return them sorted."""
        order = np.argsort(bits, kind="stable")
        return cls(bits[order], target[order], count)

    def among(self, people: Bits) -> tuple[Ints, Ints]:
        """Return (bounds, people): which of these, numbered as they stand, are each target's own."""
        start = np.searchsorted(self.bits, people, "left")
        count = np.searchsorted(self.bits, people, "right") - start
        who = np.repeat(np.arange(len(people)), count)
        rows = np.arange(len(who)) + np.repeat(start - (np.cumsum(count) - count), count)
        whose = self.target[rows]
        order = np.lexsort((who, whose))
        bounds = np.searchsorted(whose[order], np.arange(self.count + 1))
        return bounds.astype(np.int64), who[order].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Targets:
    """Those who are sought.

    Attributes:
        bits: of every target.
        own: who they are on the other side.
        remembering: of how many of the first it is remembered who ties.
    """

    bits: Bits
    own: Own
    remembering: int


@dataclass(frozen=True, eq=False)
class Search:
    """One look-up, with as many rules for equal scores as attackers have.

    Attributes:
        how: the look-up.
        shorter: of each rule, whether the shorter history is the better.
        bounds: target t knows the rows bounds[t]:bounds[t+1] of keys.
        keys: records x grains, numbered through all grains.
        reached: what each target's own name scores, where that is known; who scores less is not looked at.
    """

    how: LookUp
    shorter: tuple[bool, ...]
    bounds: Ints
    keys: NDArray[np.int32]
    reached: Floats | None = None

    @property
    def adds(self) -> bool:
        """Whether keys are added up one by one, so that what they can add at most is known beforehand."""
        return not self.how.least or len(self.how.grains) == 1

    @property
    def least(self) -> float:
        """What is left to be added before a logarithm: nothing where each was taken of one key."""
        return 0.0 if self.adds else self.how.least

    def by_rarity(self, counts: Counts) -> Search:
        """Return the same look-up, what fewest of all people have first: the same order in every block."""
        holders = np.concatenate([counts.holders[grain] for grain in self.how.grains])[self.keys[:, 0]]
        target = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        return replace(self, keys=self.keys[np.lexsort((holders, target))])

    def of_first(self, targets: int) -> Search:
        """Return the same look-up of the first so many targets."""
        if targets == len(self.bounds) - 1:
            return self
        bounds = self.bounds[: targets + 1]
        reached = None if self.reached is None else self.reached[:targets]
        return replace(self, bounds=bounds, keys=self.keys[: bounds[-1]], reached=reached)


@dataclass(frozen=True, eq=False)
class Counts:
    """How many people of a whole table have each key of the dictionary, and how many records."""

    people: int
    records: int
    holders: Mapping[Grain, Ints]
    having: Mapping[Grain, Ints]

    def rarity(self, grain: Grain) -> Floats:
        """Return ln(n / holders) + 1 of every key; of one that nobody has, as if one had it."""
        made: Floats = np.log(self.people / np.maximum(self.holders[grain], 1)) + 1
        return made


@dataclass(frozen=True, eq=False)
class Count:
    """Work: how many people of a block have each key, and how many records; only keys that are there."""

    reading: Reading
    grains: tuple[Grain, ...]
    alike: Callable[[Purchases], Purchases] | None = None

    def __call__(self, block: Purchases) -> tuple[int, int, dict[Grain, tuple[Any, Any, Any]]]:
        """Return people, records, and for every grain (keys, holders, records)."""
        laid = Laid(block if self.alike is None else self.alike(block), self.reading)
        made = {}
        for grain in self.grains:
            seen, codes = laid.at(grain), len(self.reading.codes[grain])
            held = np.diff(seen.starts[: codes + 1])
            there = np.flatnonzero(held).astype(np.int32)
            records = np.concatenate([[0], np.cumsum(seen.held[: seen.starts[codes]])])
            sums = np.diff(records[seen.starts[: codes + 1]])[there]
            made[grain] = (there, held[there].astype(np.int32), sums.astype(np.int32))
            laid.forget(grain)
        return len(laid), len(block), made


def counted(parts: Any, reading: Reading, grains: tuple[Grain, ...]) -> Counts:  # noqa: ANN401 - as `Count` returns
    """Add up what was counted in all blocks."""
    holders = {grain: np.zeros(len(reading.codes[grain]), np.int64) for grain in grains}
    having = {grain: np.zeros(len(reading.codes[grain]), np.int64) for grain in grains}
    people = records = 0
    for some, rows, made in parts:
        people, records = people + some, records + rows
        for grain, (keys, held, sums) in made.items():
            holders[grain][keys] += held
            having[grain][keys] += sums
    return Counts(people, records, holders, having)


@dataclass(frozen=True, eq=False)
class ScanRelease:
    """Work: every target looked up in a block of the release."""

    reading: Reading
    searches: tuple[Search, ...]
    counts: Counts
    targets: Targets
    chance: Chance

    def __call__(self, block: Purchases) -> tuple[tuple[Ties, ...], ...]:
        """Return the places of all targets, search by search and rule by rule."""
        laid, people = Laid(block, self.reading), bits_of(self.chance, block.customers)
        own, bits = self.targets.own.among(people), (self.targets.bits, people)
        found: dict[int, tuple[Ties, ...]] = {}
        for (grains, counts, least, close), (places, records) in self._alike.items():
            postings = self._postings(laid, grains, counts, least)
            beside = Beside(own, bits, self.targets.remembering, close)
            lengths = self._lengths(laid, grains)
            if records is not None and records.quicker(postings):
                rules = sorted({shorter for place in places for shorter in self.searches[place].shorter})
                made = records.look_up(postings, least=least, sizes=_sizes(rules, lengths), beside=beside)
                for place, ties in zip(places, made, strict=True):
                    asked = self.searches[place].shorter
                    found[place] = tuple(ties[rules.index(shorter)] for shorter in asked)
                continue
            for place in places:
                search = self.searches[place]
                found[place] = look_up(
                    (search.bounds, search.keys), postings, least=search.least,
                    sizes=_sizes(search.shorter, lengths), beside=beside, reached=search.reached,
                )  # fmt: skip
        return tuple(found[place] for place in range(len(self.searches)))

    def barred(self, released: Purchases) -> ScanRelease:
        """Return the same work, given what stands under the targets' own names.

        The best place of a target scores what his own name scores at least, so nobody below it needs to be
        looked at, and what is found is the same.
        """
        laid = Laid(released, self.reading)
        own = self.targets.own.among(bits_of(self.chance, released.customers))

        def barred(search: Search) -> Search:
            how, ordered = search.how, search.by_rarity(self.counts) if search.adds else search
            postings = self._postings(laid, how.grains, how.counts, how.least)
            known = ordered.bounds, ordered.keys
            return replace(ordered, reached=own_scores(known, postings, least=search.least, own=own))

        return replace(self, searches=tuple(barred(search) for search in self.searches))

    @cached_property
    def _alike(self) -> dict[Any, tuple[list[int], Records | None]]:
        """The searches that judge alike; where records are judged by several keys, those they know."""
        made: dict[Any, list[int]] = {}
        for place, search in enumerate(self.searches):
            how = search.how
            made.setdefault((how.grains, how.counts, how.least, how.close), []).append(place)
        return {how: (places, self._records(places)) for how, places in made.items()}

    def _records(self, places: list[int]) -> Records | None:
        some = [self.searches[place] for place in places]
        if some[0].adds:
            return None
        reached = [search.reached for search in some if search.reached is not None]
        return Records.of(
            [(search.bounds, search.keys) for search in some], self.targets.remembering, reached or None
        )

    def _lengths(self, laid: Laid, grains: tuple[Grain, ...]) -> Floats:
        """Return how many keys everybody has, at all grains."""
        made: Floats = np.sum([laid.at(grain).distinct for grain in grains], axis=0).astype(np.float64)
        return made

    def _postings(self, laid: Laid, grains: tuple[Grain, ...], counts: str, least: float) -> Postings:
        """Return who holds the keys of targets, all grains one after the other, and what that counts."""
        starts, who, held = [np.zeros(1, np.int64)], [], []
        for grain in grains:
            seen, codes = laid.at(grain), len(self.reading.codes[grain])
            last = seen.starts[codes]
            starts.append(seen.starts[1 : codes + 1] + starts[-1][-1])
            who.append(seen.who[:last])
            held.append(self._held(laid, counts, grain))
        made = Postings(np.concatenate(starts), np.concatenate(who), np.concatenate(held), len(laid))
        return made.logarithms(least) if least and len(grains) == 1 else made

    def _held(self, laid: Laid, counts: str, grain: Grain) -> Floats:
        seen, codes = laid.at(grain), len(self.reading.codes[grain])
        last, each = seen.starts[codes], np.diff(seen.starts[: codes + 1])
        if counts == "one":
            return np.ones(last)
        if counts == "rarity":
            return np.repeat(self.counts.rarity(grain), each)
        share: Floats = seen.held[:last] / laid.records[seen.who[:last]]
        if counts == "ratio":
            share *= np.repeat(self.counts.records / np.maximum(self.counts.having[grain], 1), each)
        return share


def _sizes(rules: Iterable[bool], lengths: Floats) -> Floats:
    """Return what decides among equal scores by each rule: the shorter history, or nothing."""
    return np.stack([lengths if shorter else np.zeros(len(lengths)) for shorter in rules])


@dataclass(frozen=True, eq=False)
class Seen(View):
    """A view of some people, in which keys are as rare as among all."""

    whole: NDArray[np.float64] | None = None

    @property
    def rarity(self) -> Floats:
        """The rarity of every key among all known people."""
        return np.ones(self.mine.shape[1]) if self.whole is None else self.whole


@dataclass(frozen=True, eq=False)
class Comparison:
    """One comparison by likeness, or by points.

    Attributes:
        how: who compares, and what.
        theirs: names x keys through all grains, where keys are compared.
        points: of the names, where points are.
        reached: how like its owner every name is, where that is known; who is less so is not looked at.
    """

    how: Alike | Near
    theirs: Matrix | None = None
    points: Floats | None = None
    reached: Floats | None = None


@dataclass(frozen=True, eq=False)
class ScanOriginal:
    """Work: the names of targets compared with everybody in a block of the original."""

    reading: Reading
    comparisons: tuple[Comparison, ...]
    counts: Counts
    targets: Targets
    chance: Chance
    alike: Callable[[Purchases], Purchases] | None = None

    def __call__(self, block: Purchases) -> tuple[Ties, ...]:
        """Return the known people most like every name, comparison by comparison."""
        known = block if self.alike is None else self.alike(block)
        laid, people = Laid(known, self.reading), bits_of(self.chance, known.customers)
        own, made = self.targets.own.among(people), _Views(laid, self.reading, self.counts)
        bits = self.targets.bits, people
        found = []
        for comparison in self.comparisons:
            if comparison.points is not None:
                places, size = _nearest_points(comparison, known), np.zeros(len(people))
            else:
                seen = made.through(comparison.how.sights, comparison.theirs, comparison.how.rarity)  # type: ignore[union-attr]
                best, size = comparison.how.by.weighed_nearest(seen, comparison.reached)  # type: ignore[union-attr]
                places = best.indptr, best.indices, best.score
            found.append(tied(*places, size, own, bits, self.targets.remembering))
        return tuple(found)

    def barred(self, known: Purchases, owners: Ints) -> ScanOriginal:
        """Return the same work, given some known people and which of them owns every name; -1 for none.

        Whoever is most like a name is so at least as much as its owner.
        """
        views = _Views(Laid(known, self.reading), self.reading, self.counts)

        def barred(one: Comparison) -> Comparison:
            if isinstance(one.how, Near):
                return one
            seen = views.through(one.how.sights, one.theirs, one.how.rarity)
            reached = one.how.by.reached(replace(seen, mine=seen.mine[np.maximum(owners, 0)]))
            reached[owners < 0] = (0, 1)
            return replace(one, reached=reached)

        return replace(self, comparisons=tuple(barred(one) for one in self.comparisons))


class _Views:
    """The views of one block, each made once for all who look through the same sights."""

    def __init__(self, laid: Laid, reading: Reading, counts: Counts) -> None:
        self._laid, self._reading, self._counts = laid, reading, counts
        self._made: dict[tuple[Sight, ...], tuple[Matrix, Floats | None]] = {}

    def through(self, sights: tuple[Sight, ...], theirs: Matrix | None, rarity: bool) -> Seen:
        """Return the names beside the people of the block."""
        if sights not in self._made:
            self._made[sights] = columns_of(self._laid, self._reading, sights), None
        mine, whole = self._made[sights]
        if rarity and whole is None:
            whole = self._rarity(sights, mine.shape[1])
            self._made[sights] = mine, whole
        assert theirs is not None  # noqa: S101 - of who compares by keys
        wide = sparse.csr_array(
            (theirs.data, theirs.indices, theirs.indptr), shape=(theirs.shape[0], mine.shape[1])
        )
        nobody = self._laid.block.customers.head(0)
        return Seen(mine, wide, nobody, nobody, (), whole=whole if rarity else None)

    def _rarity(self, sights: tuple[Sight, ...], width: int) -> Floats:
        """Return how rare keys are; one that no target has counts as if one person had it."""
        known = np.concatenate([self._counts.rarity(sight.parts) for sight in sights])
        made = np.full(width, np.log(max(self._counts.people, 1)) + 1)
        made[: len(known)] = known
        return made


def columns_of(laid: Laid, reading: Reading, sights: tuple[Sight, ...]) -> Matrix:
    """Return people x keys through all sights: those of the dictionary first, then all others."""
    seen = [laid.at(sight.parts, sight.counting) for sight in sights]
    last = [len(reading.codes[sight.parts]) for sight in sights]
    ends = [int(one.starts[codes]) for one, codes in zip(seen, last, strict=True)]
    known = [(one, slice(0, end)) for one, end in zip(seen, ends, strict=True)]
    pieces = [*known, *((one, slice(end, None)) for one, end in zip(seen, ends, strict=True))]
    each = [np.diff(one.starts) for one in seen]
    counts = [count[:codes] for count, codes in zip(each, last, strict=True)]
    counts += [count[codes:] for count, codes in zip(each, last, strict=True)]
    starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    held = np.concatenate([one.held[piece] for one, piece in pieces])
    if all(sight.counting == "set" for sight in sights):
        held = np.ones(len(held), np.int8)
    who = np.concatenate([one.who[piece] for one, piece in pieces])
    turned = sparse.csc_array((held, who, starts), shape=(len(laid), len(starts) - 1))
    made = turned.tocsr()  # key after key, so every row ascends
    made.has_sorted_indices = made.has_canonical_format = True
    return made


def _nearest_points(comparison: Comparison, known: Purchases) -> tuple[Ints, Ints, Floats]:
    """Return who lies nearest to every name, with a score that falls with the distance."""
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    how, theirs = comparison.how, comparison.points
    assert theirs is not None  # noqa: S101 - of who compares points
    tree = cKDTree(how.by.located(known))  # type: ignore[union-attr]
    distance, _ = tree.query(theirs)
    equals = tree.query_ball_point(theirs, np.asarray(distance) + how.close, return_sorted=True)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in equals])]).astype(np.int64)
    indices = np.fromiter((i for row in equals for i in row), dtype=np.int64, count=int(indptr[-1]))
    return indptr, indices, 1 / (1 + np.asarray(distance))


def merged(parts: Any, closeness: tuple[float, ...]) -> tuple[Ties, ...]:  # noqa: ANN401 - rows of ties
    """Return the best places of all blocks, one row of each part beside the other."""
    made: tuple[Ties, ...] | None = None
    for part in parts:
        made = part if made is None else tuple(
            one.beside(other, close) for one, other, close in zip(made, part, closeness, strict=True)
        )  # fmt: skip
    return made or ()


def flat(parts: Any) -> Any:  # noqa: ANN401 - an iterator of rows of rows
    """Yield every part with the rules of its searches one after the other."""
    for part in parts:
        yield tuple(ties for search in part for ties in search)


def of_strings(chance: Chance, names: pl.Series) -> Bits:
    """Return the bits of names that stand in a column of text."""
    return bits_of(chance, names)


def first_of(targets: Targets, count: int) -> Targets:
    """Return the first so many targets."""
    own = targets.own
    inside = own.target < count
    return replace(targets, bits=targets.bits[:count], own=Own(own.bits[inside], own.target[inside], count))
