"""The panel: all attackers of the ladder on one release, nothing computed twice, worst first.

Attackers who differ only in how they read share what they see; those that take long and leave the interpreter
alone (one-to-one assignments) run beside the rest.
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import up_to
from kakurenbo.auditing.panel.effort import LATE, Effort
from kakurenbo.auditing.panel.members import TARGET, Attacker, attackers, naming
from kakurenbo.auditing.results import Finding, Skipped
from kakurenbo.chance import Chance
from kakurenbo.data.owners import Owners
from kakurenbo.data.table import Data
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress
from kakurenbo.risk.found import looked_up, reidentification
from kakurenbo.threads import processors

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Practice
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.risk.found import Reidentification


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an attacker achieved, and with whom: the chance of every name to be given to its owner.

    The chances stand in the order of the owners' rows, fakes left out; not a number where nobody asked.
    """

    attacker: Attacker
    finding: Finding
    chance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ran(Generic[Data]):
    """A run of the panel: outcomes worst first, who could not attack and why, and the tables they saw.

    Those are the whole tables, or those of some people who were sought among all.
    """

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    tables: Tables[Data]
    whole: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone."""
        return tuple(outcome.finding for outcome in self.outcomes)


@dataclass(frozen=True, eq=False)
class Panel(Generic[Data]):
    """The attackers for some original data.

    Attributes:
        original: what they may know.
        members: the attackers, rung by rung.
        rungs: the rungs they stand on, least knowledge first.
        plain: the original as it was, where it was written as a release writes.
        practice: other people released in the same way, for who must practise.
    """

    original: Data
    members: tuple[Attacker, ...]
    rungs: tuple[str, ...]
    plain: Data | None = None
    practice: Practice[Data] | None = None

    @classmethod
    def of(
        cls,
        original: Data,
        knowledge: str | None = None,
        *,
        plain: Data | None = None,
        practice: Practice[Data] | None = None,
    ) -> Panel[Data]:
        """Return the attackers on a rung and those who know less (all of them, where none is named).

        Who must practise is among them only where there is something to practise on.
        """
        rungs = tuple(rung.name for rung in up_to(knowledge, original.kind))
        members = naming(attackers(original, knowledge))
        able = tuple(who for who in members if practice is not None or not who.stand.practised)
        return cls(original, able, rungs, plain, practice)

    def idle(self, released: Data) -> dict[tuple[str, str, str], Skipped]:
        """Return who cannot matter on a release, by his key, and why: the same wherever he stands."""
        tables = Tables(self.original, released, Chance(0))
        why = ((who, who.attack.idle(tables)) for who in self.members)
        return {who.key: Skipped(who.called, reason) for who, reason in why if reason}

    def without(self, left_out: Collection[tuple[str, str, str]]) -> Panel[Data]:
        """Return the panel without attackers of these keys."""
        return replace(self, members=tuple(who for who in self.members if who.key not in left_out))

    def run(
        self, released: Data, secret: Pairing | Owners, *, seed: int | None = None
    ) -> tuple[Finding, ...]:
        """Attack a release; return what everybody achieved, worst first."""
        return self.attack(released, secret, seed=seed).findings

    def attack(
        self,
        released: Data,
        secret: Pairing | Owners,
        *,
        seed: int | None = None,
        progress: Progress | None = None,
        everybody: bool = False,
        effort: Effort | None = None,
    ) -> Ran[Data]:
        """Attack a release; see `Ran`.

        Args:
            released: the release.
            secret: its pairing, to score the guesses with.
            seed: repeats what is known and how ties are broken.
            progress: told about each step.
            everybody: whether those attack too who say that they cannot matter here, as in a proof.
            effort: how long may be sought; none given means as long as it takes.
        """
        tables = Tables(self.original, released, Chance(seed), self.plain, self.practice)
        run = _Run(tables, Owners.of(secret), effort or Effort(), everybody=everybody)
        outcomes = sorted(run.all(self.members, progress or Progress()), key=self.badness)
        return Ran(tuple(outcomes), tuple(run.skipped), run.tables)

    def badness(self, outcome: Outcome) -> tuple[float, int, str, str]:
        """Sort the worst first: who finds most, of equals who needs to know least, never who ended first."""
        finding = outcome.finding
        rung = self.rungs.index(finding.knowledge)
        return -finding.exposed.value, rung, finding.name, str(finding.parameters)


class _Run(Generic[Data]):
    """One run: scores every guess as it comes in, and bounds how many are under way beside each other."""

    def __init__(self, tables: Tables[Data], secret: Owners, effort: Effort, *, everybody: bool) -> None:
        self.tables, self._secret, self._everybody = tables, secret, everybody
        self._effort = effort
        self.skipped: list[Skipped] = []

    def all(self, members: tuple[Attacker, ...], progress: Progress) -> Iterator[Outcome]:
        """Yield what everybody achieved; where time is short, who pairs all at once comes after the rest."""
        if not self._effort.hurried:
            yield from self._each(members, progress)
            return
        for slow in (False, True):
            turn = tuple(attacker for attacker in members if attacker.attack.beside == slow)
            for outcome in self._each(turn, progress):
                self._effort.saw(outcome.finding)
                yield outcome

    def _each(self, members: tuple[Attacker, ...], progress: Progress) -> Iterator[Outcome]:
        workers = processors()
        able = [attacker for attacker in members if self._can(attacker)]
        done = 0
        with ThreadPoolExecutor(workers) as pool:
            waiting: set[Future[Outcome | None]] = set()
            for _, alike in groupby(able, key=lambda attacker: _without_reading(attacker.attack)):
                group = list(alike)
                progress.step(f"attacking with {group[0].knowledge}: {group[0].name}", done / len(able))
                done += len(group)
                group = [attacker for attacker in group if not self._spared(attacker)]
                if not group:
                    continue
                for attacker, work in self._prepared(group):
                    if not attacker.attack.beside:
                        yield from _some(work())
                        continue
                    waiting.add(pool.submit(work))
                    while len(waiting) >= workers:
                        ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        yield from (outcome for future in ready for outcome in _some(future.result()))
            progress.step("pairing everybody with somebody", 1.0)
            yield from (outcome for future in waiting for outcome in _some(future.result()))

    def _can(self, attacker: Attacker) -> bool:
        """Whether both tables have what he needs, and he may find more than others; if not, say so."""
        missing = [part for part in attacker.attack.needs if part not in self.tables.shown]
        idle = None if missing or self._everybody else attacker.attack.idle(self.tables)
        why = f"no {missing[0]} in both tables" if missing else idle
        if why:
            self._skip(attacker, why)
        return not why

    def _spared(self, attacker: Attacker) -> bool:
        """Whether he is not asked for want of time, or of anything to gain; if so, say it."""
        why = self._effort.spared(attacker.knowledge)
        if why:
            self._skip(attacker, why)
        return bool(why)

    def _skip(self, attacker: Attacker, why: str) -> None:
        late = attacker.knowledge if why == LATE else ""
        self.skipped.append(Skipped(f"{attacker.knowledge}: {attacker.name}", why, late))

    def _prepared(self, group: list[Attacker]) -> Iterator[tuple[Attacker, Callable[[], Outcome | None]]]:
        """Yield the work of attackers who differ in their reading only: what they see is made once."""
        first, start = group[0].attack, time.perf_counter()
        try:
            readings = [attacker.reading for attacker in group]
            seen = None if set(readings) == {TARGET} else first.prepared(first.look(self.tables), readings)
        except KakurenboError as error:
            for attacker in group:
                self._skip(attacker, str(error))
            return
        before = (time.perf_counter() - start) / len(group)
        for attacker in group:
            yield attacker, partial(self._answered, attacker, seen, before)

    def _answered(self, attacker: Attacker, seen: Any, before: float) -> Outcome | None:  # noqa: ANN401 - as `look`
        """Score the attacker's guess; one that cannot be made is skipped, in whatever thread it was tried."""
        began = time.perf_counter() - before
        try:
            scored = self._looked_up(attacker) or self._guessed_by(attacker, seen)
        except KakurenboError as error:
            self._skip(attacker, str(error))
            return None
        finding = Finding(
            attack=attacker.name, reading=attacker.reading, knowledge=attacker.knowledge,
            story=attacker.story + self._guessed(attacker),
            parameters=attacker.attack.model_dump(mode="json"),
            rate=scored.rate, chance=scored.chance, people=scored.people, abstained=scored.abstained,
            persons=scored.persons, persons_rate=scored.persons_rate,
            persons_chance=None if self._secret.one_to_one else scored.persons_chance,
            proven=True, seconds=time.perf_counter() - began,
            betrays=attacker.stand.betrays, beyond=attacker.stand.beyond, papers=attacker.stand.papers,
        )  # fmt: skip
        return Outcome(attacker, finding, scored.by_person["chance"].to_numpy())

    def _looked_up(self, attacker: Attacker) -> Reidentification | None:
        """Score who looks people up one by one; None for who names all of them at once."""
        tables = self.tables
        best = attacker.attack.finds(tables) if attacker.reading == TARGET else None
        if best is None:
            return None
        return looked_up(
            self._secret, tables.original.people, tables.released.people, (best.indptr, best.indices)
        )

    def _guessed_by(self, attacker: Attacker, seen: Any) -> Reidentification:  # noqa: ANN401 - as `look`
        seen = attacker.attack.look(self.tables) if seen is None else seen
        guess = attacker.attack.answer(seen, self.tables.chance.under(*attacker.key))
        return reidentification(self._secret, guess)

    def _guessed(self, attacker: Attacker) -> str:
        """Say which plan was guessed, of who practised it."""
        practice = self.tables.practice
        plan = practice.guessed if practice is not None and attacker.stand.practised else ""
        return f" The plan was guessed: {plan}." if plan else ""


def _some(outcome: Outcome | None) -> tuple[Outcome, ...]:
    return () if outcome is None else (outcome,)


def _without_reading(attack: Any) -> Any:  # noqa: ANN401 - any attack, compared by its parameters
    return attack.model_copy(update={"reading": "nearest"} if "reading" in type(attack).model_fields else {})
