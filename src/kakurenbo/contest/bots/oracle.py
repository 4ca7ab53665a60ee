"""Bots that use what a contest tells about guesses as an oracle: they ask, look, and ask better.

They hold no data, only whom each released person may be (`candidates`: all people, or the few that an attack
has left), and they may ask as often as they are let. Three ways to profit from answers are known:

- `climb`, hill climbing: some names of the best guess are drawn again; the new guess is kept when the answer
  is higher.
- `split`, group testing: a name is put to half of the places where it may belong, and what finds nobody
  elsewhere; the half with the higher answer is split again.
- `vote`, Blum & Hardt's attack on boards: names are drawn anew every time; in the end every place gets the
  name whose guesses had the highest answers.

What they find beyond chance is what the telling leaks. A contest that tells nothing leaves them at chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

Ask = Callable[["Ints"], float | None]
BLANK: Final = -1
_STARTS: Final = 8  # guesses among which the one that found the fewest is looked for


def drawn(candidates: Ints, rng: np.random.Generator) -> Ints:
    """Return a guess by chance: for every place one of its candidates."""
    places, names = candidates.shape
    guess: Ints = candidates[np.arange(places), rng.integers(0, names, places)]
    return guess


def climb(ask: Ask, candidates: Ints, queries: int, rng: np.random.Generator) -> Ints:
    """Return the guess that hill climbing ends with.

    How many names are drawn again is drawn too, between one and all of them: small steps climb where answers
    are exact, large ones where they are coarse.
    """
    places = len(candidates)
    best = drawn(candidates, rng)
    height = ask(best)
    for _ in range(queries - 1):
        again = rng.random(places) < places ** -rng.random()
        tried = np.where(again, drawn(candidates, rng), best)
        answer = ask(tried)
        if higher(answer, height):
            best, height = tried, answer
    return best


def higher(answer: float | None, other: float | None) -> bool:
    """Return whether one answer is higher than another; nothing told is no answer."""
    return answer is not None and (other is None or answer > other)


def vote(ask: Ask, candidates: Ints, queries: int, rng: np.random.Generator) -> Ints:
    """Return for every place the candidate whose guesses were answered highest on average, ties by chance."""
    places, names = candidates.shape
    rows = np.arange(places)
    sums, counts = np.zeros(candidates.shape), np.zeros(candidates.shape)
    for _ in range(queries):
        choice = rng.integers(0, names, places)
        sums[rows, choice] += ask(candidates[rows, choice]) or 0.0
        counts[rows, choice] += 1
    means = np.where(counts > 0, sums / np.maximum(counts, 1), sums.sum() / max(counts.sum(), 1))
    winners: Ints = candidates[rows, (means + 1e-12 * rng.random(means.shape)).argmax(axis=1)]
    return winners


class Splitter:
    """Group testing: one name after the other is bisected to its place.

    A question names somebody at half of the places where he may belong. Elsewhere stands what finds nobody:
    blanks, or names that are known to be wrong, which are those of a guess that was answered lowest. The two
    halves are asked one against the other, as often as `repeats` says where answers are shaken by chance.

    Args:
        ask: the oracle.
        candidates: for every place, whom it may be.
        queries: how often it may ask.
        rng: its chance.
        blanks: whether the rest is left blank.
        repeats: how often each half is asked; 1 asks only one half, and how it differs from the rest alone.
    """

    def __init__(
        self,
        ask: Ask,
        candidates: Ints,
        queries: int,
        rng: np.random.Generator,
        *,
        blanks: bool = True,
        repeats: int = 1,
    ) -> None:
        self._ask, self._left, self._rng, self._repeats = ask, queries, rng, repeats
        self._candidates = candidates
        self._taken = np.zeros(len(candidates), dtype=bool)
        self._rest, self._floor = self._start(blanks=blanks)

    def guess(self) -> Ints:
        """Return whom it found, and chance for the others."""
        found = drawn(self._candidates, self._rng)
        for name in self._rng.permutation(int(self._candidates.max()) + 1):
            place = self._place_of(int(name))
            if place is None:
                break
            found[place] = name
            self._taken[place] = True
        return found

    def _start(self, *, blanks: bool) -> tuple[Ints, float | None]:
        """Return what stands at places that are not asked about, and how it alone is answered."""
        places = len(self._candidates)
        if blanks:
            nothing = np.full(places, BLANK, dtype=np.int64)
            return nothing, self._asked(nothing)
        guesses = [self._rng.integers(0, places, places) for _ in range(_STARTS)]
        answers = [self._asked(guess) for guess in guesses]
        lowest = min(range(_STARTS), key=lambda number: answers[number] or 0.0)
        return guesses[lowest], answers[lowest]

    def _place_of(self, name: int) -> int | None:
        """Return the place of a name, None when no question is left."""
        open_places = np.flatnonzero((self._candidates == name).any(axis=1) & ~self._taken)
        while len(open_places) > 1:
            if self._left < 2 * self._repeats:
                return None
            halves = np.array_split(self._rng.permutation(open_places), 2)
            open_places = halves[0] if self._in_first(name, halves) else halves[1]
        return int(open_places[0]) if len(open_places) else None

    def _in_first(self, name: int, halves: list[Ints]) -> bool:
        if self._repeats == 1:
            return higher(self._named(name, halves[0]), self._floor)
        answers = [[self._named(name, half) or 0.0 for _ in range(self._repeats)] for half in halves]
        return sum(answers[0]) > sum(answers[1])

    def _named(self, name: int, places: Ints) -> float | None:
        question = self._rest.copy()
        question[places] = name
        return self._asked(question)

    def _asked(self, question: Ints) -> float | None:
        self._left -= 1
        return self._ask(question)


def split(ask: Ask, candidates: Ints, queries: int, rng: np.random.Generator) -> Ints:
    """Return the guess of group testing with blanks."""
    return Splitter(ask, candidates, queries, rng).guess()


def split_named(ask: Ask, candidates: Ints, queries: int, rng: np.random.Generator) -> Ints:
    """Return the guess of group testing without blanks: names known to be wrong stand for them."""
    return Splitter(ask, candidates, queries, rng, blanks=False).guess()


def split_again(ask: Ask, candidates: Ints, queries: int, rng: np.random.Generator) -> Ints:
    """Return the guess of group testing with blanks that asks all four times, as chance fills blanks."""
    return Splitter(ask, candidates, queries, rng, repeats=4).guess()
