"""The panel: all attackers of the ladder on one release, nothing computed twice, worst first.

One-to-one assignments take longest and need no Python, so they run beside the rest.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.attacks.purchases.likeness import LikenessAttack
from kakurenbo.attacks.purchases.view import shows
from kakurenbo.auditing.panel.ladder import rungs_below, rungs_of
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.views import Shared, plain
from kakurenbo.auditing.results import Finding, Skipped
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from kakurenbo.attacks.microdata.base import MicrodataAttack
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing

    Data = Purchases | Microdata


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an attacker achieved, and with whom: everybody's chance to be found, by sorted released id."""

    attacker: Attacker
    finding: Finding
    chance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ran:
    """A run of the panel: outcomes worst first, who could not attack and why, and what they shared."""

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    shared: Shared | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone."""
        return tuple(outcome.finding for outcome in self.outcomes)


@dataclass(frozen=True, eq=False)
class Panel:
    """The attackers for some original data.

    Attributes:
        original: what they may know.
        members: the attackers, rung by rung.
        rungs: the rungs they stand on, least knowledge first.
    """

    original: Data
    members: tuple[Attacker, ...]
    rungs: tuple[str, ...]

    @classmethod
    def of(cls, original: Data, upto: str | None = None) -> Panel:
        """Return the attackers on a rung and those who know less (all of them, where none is named)."""
        names = [name for name, _ in rungs_of(original)]
        wanted = frozenset(names) if upto is None else rungs_below(upto, original)
        chosen = tuple(one for one in attackers(original) if one.knowledge in wanted)
        return cls(original, chosen, tuple(name for name in names if name in wanted))

    def run(self, released: Data, secret: Pairing, *, seed: int | None = None) -> tuple[Finding, ...]:
        """Attack a release; return what everybody achieved, worst first."""
        return self.attack(released, secret, seed=seed).findings

    def attack(
        self, released: Data, secret: Pairing, *, seed: int | None = None, progress: Progress | None = None
    ) -> Ran:
        """Attack a release; see `Ran`.

        Args:
            released: the release.
            secret: its pairing, to score the guesses with.
            seed: repeats what is known and how ties are broken.
            progress: shows the steps, and stops between them.
        """
        fixed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
        run = _Run(self, released, secret, fixed)
        outcomes = sorted(run.all(progress or Progress()), key=self._badness)
        return Ran(tuple(outcomes), tuple(run.skipped), run.shared)

    def _badness(self, outcome: Outcome) -> tuple[float, int, str]:
        """Sort the worst first: who finds most, of equals who needs to know least."""
        found = outcome.finding
        return -found.rate.value, self.rungs.index(found.knowledge), found.name


class _Run:
    """One run: scores every guess as it comes in, and bounds how many assignments are under way."""

    def __init__(self, panel: Panel, released: Data, secret: Pairing, seed: int) -> None:
        self._panel, self._released, self._secret, self._seed = panel, released, secret, seed
        self.skipped: list[Skipped] = []
        self.shared: Shared | None = None
        if isinstance(panel.original, Purchases) and isinstance(released, Purchases):
            self.shared = Shared(panel.original, released, seed)

    def all(self, progress: Progress) -> Iterator[Outcome]:
        able = [one for one in self._panel.members if self._can(one)]
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            waiting: set[Future[Outcome]] = set()
            for _, same in groupby(able, key=lambda one: _base(one.attack)):
                members = list(same)
                message = f"attacking with {members[0].knowledge}: {members[0].name}"
                progress.step(message, able.index(members[0]) / len(able))
                for made in self._group(members, pool):
                    if isinstance(made, Outcome):
                        yield made
                        continue
                    waiting.add(made)
                    while len(waiting) >= workers:
                        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        yield from (future.result() for future in done)
            progress.step("pairing everybody with somebody")
            yield from (future.result() for future in waiting)

    def _can(self, attacker: Attacker) -> bool:
        """Whether both tables have what he needs; if not, say so."""
        if self.shared is None:
            return True
        both = shows(self.shared.original) & shows(self.shared.released)
        missing = [part for part in attacker.needs if part not in both]
        if missing:
            self._skip(attacker, f"no {missing[0]} in both tables")
        return not missing

    def _skip(self, attacker: Attacker, why: str) -> None:
        self.skipped.append(Skipped(f"{attacker.knowledge}: {attacker.name}", why))

    def _group(
        self, members: list[Attacker], pool: ThreadPoolExecutor
    ) -> Iterator[Outcome | Future[Outcome]]:
        """Run attackers who differ in their reading only."""
        first = members[0].attack
        if not isinstance(first, LikenessAttack) or self.shared is None:
            yield from (made for one in members for made in self._alone(one))
            return
        start = time.perf_counter()
        try:
            seen = self.shared.look(first)
            scores = first.scores(seen) if any(one.reading == "assignment" for one in members) else None
        except KakurenboError as error:
            for one in members:
                self._skip(one, str(error))
            return
        before = (time.perf_counter() - start) / len(members)
        for one in members:
            work = partial(self._compare, one, seen, scores, before)
            try:
                yield pool.submit(work) if one.reading == "assignment" else work()
            except KakurenboError as error:
                self._skip(one, str(error))

    def _compare(
        self, attacker: Attacker, seen: View, scores: NDArray[np.float64] | None, before: float
    ) -> Outcome:
        began = time.perf_counter() - before
        attack = cast("LikenessAttack", attacker.attack)
        rng = np.random.default_rng([self._seed, _number(attacker)])
        return self._outcome(attacker, attack.compare(seen, rng, scores), began)

    def _alone(self, attacker: Attacker) -> Iterator[Outcome]:
        began = time.perf_counter()
        attack = cast("PurchasesAttack | MicrodataAttack", attacker.attack)
        tables = cast("Any", self._panel.original), cast("Any", self._released)
        try:
            guess = attack.guess(*tables, seed=self._seed + _number(attacker))
        except KakurenboError as error:
            self._skip(attacker, str(error))
            return
        yield self._outcome(attacker, guess, began)

    def _outcome(self, attacker: Attacker, guess: Pairing, began: float) -> Outcome:
        found = reidentification(self._secret, guess)
        finding = Finding(
            attack=attacker.name,
            reading=attacker.reading,
            knowledge=attacker.knowledge,
            story=attacker.story,
            parameters=attacker.attack.model_dump(mode="json"),
            rate=found.rate,
            chance=found.chance,
            people=found.people,
            abstained=found.abstained,
            proven=True,
            seconds=time.perf_counter() - began,
        )
        return Outcome(attacker, finding, found.by_person["chance"].to_numpy())


def _base(attack: Any) -> Any:  # noqa: ANN401 - any attack, compared by its parameters
    return plain(attack) if isinstance(attack, LikenessAttack) else attack


def _number(attacker: Attacker) -> int:
    """Return a number of the attacker's own, the same in every run."""
    return sum((place + 1) * ord(letter) for place, letter in enumerate("".join(attacker.key)))
