"""The scan: all attackers who look people up one by one, on one block after the other.

What is known of the targets, and what stands under their names, is laid out once and sent to every block. A
block is loaded once for all attackers. What comes back is small: how well each target's best places fit, how
many they are, whether he is among them, and of the first targets a few of those places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.attacks.search.targets import bits_of
from kakurenbo.kernels.scan import Beside, Postings, Records, Ties, look_up, own_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Grain, Laid, Reading
    from kakurenbo.attacks.search.scores import LookUp
    from kakurenbo.attacks.search.targets import Targets
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_COMPARING = 3  # steps for everybody who holds any


@dataclass(frozen=True, eq=False)
class Search:
    """One look-up, with as many rules for equal scores as attackers have.

    Attributes:
        how: the look-up.
        shorter: of each rule, whether the shorter history is the better.
        bounds: target t knows the rows bounds[t]:bounds[t+1] of keys.
        keys: records x grains, numbered through all grains.
        reached: what somebody is known to score for each target, his own name or one of a few people who were
            looked at before; who scores less is not looked at.
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
class ScanRelease:
    """Work: every target looked up in a block of the release."""

    reading: Reading
    searches: tuple[Search, ...]
    counts: Counts
    targets: Targets
    chance: Chance

    def __call__(self, block: Purchases) -> tuple[tuple[Ties, ...], ...]:
        """Return the places of all targets, search by search and rule by rule."""
        laid, people = self.reading.lay(block), bits_of(self.chance, block.customers)
        own, bits = self.targets.own.among(people), (self.targets.bits, people)
        found: dict[int, tuple[Ties, ...]] = {}
        for (grains, counts, least, close), (places, records) in self._alike.items():
            postings = self._postings(laid, grains, counts, least)
            beside = Beside(own, bits, self.targets.remembering, close, self.targets.few)
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
        laid = self.reading.lay(released)
        own = self.targets.own.among(bits_of(self.chance, released.customers))

        def barred(search: Search) -> Search:
            how, ordered = search.how, search.by_rarity(self.counts) if search.adds else search
            postings = self._postings(laid, how.grains, how.counts, how.least)
            known = ordered.bounds, ordered.keys
            return replace(ordered, reached=own_scores(known, postings, least=search.least, own=own))

        return replace(self, searches=tuple(barred(search) for search in self.searches))

    def raised(self, some: Purchases) -> ScanRelease:
        """Return the same work, given some people of the release: the best of all scores what they do.

        So bars stand where somebody's own name does not help, as where its records were deleted.
        """

        def raised(search: Search, score: Floats) -> Search:
            return replace(
                search, reached=np.maximum(score, 0.0 if search.reached is None else search.reached)
            )

        best = [rules[0].score for rules in self(some)]
        return replace(self, searches=tuple(map(raised, self.searches, best)))

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
        return postings_of(laid, self.reading, self.counts, grains, counts=counts, least=least)


def _sizes(rules: Iterable[bool], lengths: Floats) -> Floats:
    """Return what decides among equal scores by each rule: the shorter history, or nothing."""
    return np.stack([lengths if shorter else np.zeros(len(lengths)) for shorter in rules])


def postings_of(
    laid: Laid, reading: Reading, counted: Counts, grains: tuple[Grain, ...], *, counts: str, least: float
) -> Postings:
    """Return who of a block holds the keys of a dictionary, grain after grain, and what that counts.

    Args:
        laid: the block.
        reading: the dictionary.
        counted: how many of all people, and records, have each key.
        grains: at which records are compared.
        counts: what a key counts that a person has, as of `LookUp`.
        least: what is added to that before the logarithm is taken, if it is.
    """
    starts, who, held = [np.zeros(1, np.int64)], [], []
    for grain in grains:
        seen, codes = laid.at(grain), len(reading.codes[grain])
        last = seen.starts[codes]
        starts.append(seen.starts[1 : codes + 1] + starts[-1][-1])
        who.append(seen.who[:last])
        held.append(_held(laid, counted, counts, grain, codes))
    made = Postings(np.concatenate(starts), np.concatenate(who), np.concatenate(held), len(laid))
    return made.logarithms(least) if least and len(grains) == 1 else made


def _held(laid: Laid, counted: Counts, counts: str, grain: Grain, codes: int) -> Floats:
    seen = laid.at(grain)
    last, each = seen.starts[codes], np.diff(seen.starts[: codes + 1])
    if counts == "one":
        return np.ones(last)
    if counts == "rarity":
        return np.repeat(counted.rarity(grain), each)
    share: Floats = seen.held[:last] / laid.records[seen.who[:last]]
    if counts == "ratio":
        share *= np.repeat(counted.records / np.maximum(counted.having[grain], 1), each)
    return share


def beside(some: tuple[Ties, ...], others: tuple[Ties, ...], close: tuple[float, ...]) -> tuple[Ties, ...]:
    """Return the best places of two parts of a table, search by search."""
    return tuple(one.beside(other, nearly) for one, other, nearly in zip(some, others, close, strict=True))


def flat(searches: tuple[tuple[Ties, ...], ...]) -> tuple[Ties, ...]:
    """Return the rules of all searches one after the other."""
    return tuple(ties for search in searches for ties in search)


def within(searches: tuple[Search, ...], counts: Counts, work: int, fewest: int) -> tuple[Search, ...]:
    """Return the look-ups, those that would take longest cut down to the first targets, so that all fit.

    Every one may take the same, and what cheap ones leave goes to the others. Nobody is cut down below so
    few targets.
    """
    costs = [_costs(search, counts) for search in searches]
    made, left = list(searches), float(work)
    order = np.argsort([cost[-1] if len(cost) else 0 for cost in costs], kind="stable").tolist()
    for place, one in enumerate(order):
        share = left / (len(order) - place)
        first = int(np.searchsorted(costs[one], share, "right"))
        first = min(max(first, fewest), len(costs[one]))
        made[one] = searches[one].of_first(first)
        left = max(left - (costs[one][first - 1] if first else 0), 0.0)
    return tuple(made)


def _costs(search: Search, counts: Counts) -> NDArray[np.float64]:
    """Return what the first targets take: a step for all who hold a key, and some to compare them.

    Where it is known what somebody scores, lists are gone through as long as newcomers could still reach it.
    """
    holders = np.concatenate([counts.holders[grain] for grain in search.how.grains])
    walked = holders[search.keys].sum(axis=1)
    if search.reached is not None and search.adds:
        walked = np.where(_open(search, counts), walked, 0)
    steps = np.concatenate([[0.0], np.cumsum(walked, dtype=np.float64)])
    each = np.diff(steps[search.bounds])
    return np.cumsum(each + _COMPARING * np.minimum(each, counts.people))


def _open(search: Search, counts: Counts) -> NDArray[np.bool_]:
    """Return at which keys, the rarest of a target first, newcomers could still reach what is known."""
    bars = cast("NDArray[np.float64]", search.reached)
    target = np.repeat(np.arange(len(bars)), np.diff(search.bounds))
    added = np.concatenate([[0.0], np.cumsum(_most(search.how, counts)[search.keys[:, 0]])])
    still: NDArray[np.bool_] = added[search.bounds[1:]][target] - added[:-1] >= bars[target]
    return still


def _most(how: LookUp, counts: Counts) -> NDArray[np.float64]:
    """Return the most that a person can hold of each key."""
    each = []
    for grain in how.grains:
        ones = np.ones(len(counts.holders[grain]))
        if how.counts == "rarity":
            ones = counts.rarity(grain)
        elif how.counts == "ratio":
            ones = counts.records / np.maximum(counts.having[grain], 1)
        each.append(np.log(ones + how.least) - np.log(how.least) if how.least else ones)
    return np.concatenate(each)
