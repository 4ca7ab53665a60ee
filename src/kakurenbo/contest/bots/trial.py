"""How much telling leaks: bots that know nothing seek in made-up releases, and what they find is counted.

People are hidden among look-alikes; a bot starts with whom each released person may be and asks as often as
it is let. `Telling` is what the contest answers, by the very functions that the server uses. What the bot's
last guess finds beyond chance, of everybody, is its gain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from kakurenbo.chance import Chance
from kakurenbo.contest.bots.oracle import BLANK, Ask
from kakurenbo.contest.disclosure import score_on, stepped
from kakurenbo.contest.lookalikes import SIZE, chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.contest.rules import Seek

    Ints = NDArray[np.int64]

Bot = Callable[[Ask, "Ints", int, np.random.Generator], "Ints"]
PEOPLE: Final = 400
QUERIES: Final = 1000


@dataclass(frozen=True)
class Telling:
    """What is answered to a guess.

    Attributes:
        seek: the rules; None answers the exact score on everybody.
        fills: whether blanks are filled by chance; else they are misses.
    """

    seek: Seek | None = None
    fills: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a bot got, as shares of all people.

    Attributes:
        gain: what its last guess finds beyond chance.
        luck: what the best of all guesses it asked about finds beyond chance.
    """

    gain: float
    luck: float


@dataclass(frozen=True, eq=False)
class World:
    """Released people, who they are, and what anybody knows of that.

    Attributes:
        truth: the person at every place.
        candidates: for every place, whom it may be.
        labels: the cluster of look-alikes of every person.
    """

    truth: Ints
    candidates: Ints
    labels: Ints

    @classmethod
    def made(cls, people: int, candidates: int, rng: np.random.Generator) -> World:
        """Make one: people are divided at random into groups, and exchanged within each of them.

        Args:
            people: how many there are.
            candidates: the size of the groups, which divides the people.
            rng: chance.
        """
        order = rng.permutation(people)
        groups = order.reshape(-1, candidates)
        truth, known = np.empty(people, np.int64), np.empty((people, candidates), np.int64)
        for group in groups:
            truth[group], known[group] = rng.permutation(group), group
        labels = np.empty(people, np.int64)
        labels[order] = np.arange(people) // SIZE
        return cls(truth, known, labels)


class Oracle:
    """A contest that is asked about guesses: it answers what its rules tell.

    Args:
        world: what is guessed at.
        telling: what is answered.
        seed: what only the contest knows.
    """

    def __init__(self, world: World, telling: Telling, seed: int) -> None:
        self._world, self._telling, self._seed = world, telling, seed
        share = 1.0 if telling.seek is None else telling.seek.share
        self._share = chosen(world.labels, share, seed)[world.truth]
        self._step = 0.0
        self.asked: list[float] = []

    def __call__(self, guess: Ints) -> float | None:
        """Return what is told of a guess."""
        hits = self._filled(guess) == self._world.truth
        self.asked.append(float(hits.mean()))
        seek = self._telling.seek
        if seek is None:
            return self.asked[-1]
        if seek.tells == "nothing":
            return None
        score = score_on(hits, self._share)
        if seek.tells == "rounded":
            return round(score, seek.decimals)
        self._step = stepped(self._step, score, seek.step)
        return self._step

    def _filled(self, guess: Ints) -> Ints:
        """Fill blanks anew at every question: the same guess may be written in another order of lines."""
        blank = guess == BLANK
        if not self._telling.fills or not blank.any():
            return guess
        text = hashlib.sha256(guess.tobytes()).hexdigest()
        drawn = Chance(self._seed).under("blanks", len(self.asked), text).stream("fill")
        return np.where(blank, drawn.integers(0, len(guess), len(guess)), guess)


def tried(
    bot: Bot, telling: Telling, *, candidates: int, seed: int, people: int = PEOPLE, queries: int = QUERIES
) -> Outcome:
    """Let a bot play once.

    Args:
        bot: who asks.
        telling: what is answered.
        candidates: how many each released person may be: all know nothing, fewer have attacked before.
        seed: of everything.
        people: how many are hidden.
        queries: how often it may ask.
    """
    rng = np.random.default_rng(seed)
    world = World.made(people, candidates, rng)
    oracle = Oracle(world, telling, seed)
    guess = bot(oracle, world.candidates, queries, rng)
    found, chance = float((guess == world.truth).mean()), 1 / candidates
    return Outcome(found - chance, max(oracle.asked) - chance)


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some numbers and its standard error."""
    values = np.asarray(numbers, dtype=np.float64)
    return float(values.mean()), float(values.std() / np.sqrt(max(len(values) - 1, 1)))
