"""The panel: all attackers of the ladder on one release, nothing computed twice, worst first.

Attackers who judge a pair of people at a time go through both tables together (`search`). The others are set
on the pool, one after another, and those that take long and leave the interpreter alone (one-to-one
assignments) run beside the rest.
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import up_to
from kakurenbo.auditing import pool as pools
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.panel.effort import LATE, Effort
from kakurenbo.auditing.panel.members import Attacker, attackers, knows_everything, naming
from kakurenbo.auditing.panel.outcomes import Outcome, PanelRun, Rows, achieved, finding, outcomes, scored
from kakurenbo.auditing.results import Finding, Skipped
from kakurenbo.auditing.search import search
from kakurenbo.chance import Chance
from kakurenbo.data.owners import Owners
from kakurenbo.data.table import Data
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress
from kakurenbo.threads import processors

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    import polars as pl

    from kakurenbo.attacks.base import Practice
    from kakurenbo.auditing.search import Search
    from kakurenbo.data.pairing import Pairing

_BY_ROWS = "tables in blocks keep no order of rows"
_PART = "this attacker looks everybody up at once; others who know as much went through the whole release"
_NO_POOL = "nobody was compared by likeness, so there are no candidates to look among"


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

    @classmethod
    def among(
        cls,
        original: Data,
        members: Iterable[Attacker],
        *,
        plain: Data | None = None,
        practice: Practice[Data] | None = None,
    ) -> Panel[Data]:
        """Return a panel of these attackers alone."""
        rungs = tuple(rung.name for rung in up_to(None, original.kind))
        return cls(original, tuple(members), rungs, plain, practice)

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
        learners: Sequence[Attacker] = (),
    ) -> PanelRun[Data]:
        """Attack a release in memory, of which everybody is looked for.

        Args:
            released: the release.
            secret: its pairing, to score the guesses with.
            seed: repeats what is known and how ties are broken.
            progress: told about each step.
            everybody: whether those attack too who say that they cannot matter here, as in a proof.
            effort: how long may be sought; none given means as long as it takes.
            learners: who else goes through the release, since it is asked what they learn.
        """
        given = AuditInput.whole(self.original, released, Owners.of(secret))
        tables = Tables(self.original, released, Chance(seed), self.plain, self.practice)
        run = _Run(self, given, tables, effort or Effort(), everybody=everybody)
        return run.all(learners, None, progress or Progress())

    def attack_input(
        self,
        given: AuditInput[Data],
        tables: Tables[Data],
        *,
        learners: Sequence[Attacker] = (),
        recode: Callable[[Data], Data] | None = None,
        people: pl.Series | None = None,
        effort: Effort | None = None,
        progress: Progress | None = None,
    ) -> PanelRun[Data]:
        """Attack what an audit was given; arguments as of `search` and `attack`."""
        run = _Run(self, given, tables, effort or Effort(), everybody=False)
        return run.all(learners, recode, progress or Progress(), people)

    def badness(self, outcome: Outcome) -> tuple[float, int, str, str]:
        """Sort the worst first: who finds most, of equals who needs to know least, never who ended first."""
        finding = outcome.finding
        rung = self.rungs.index(finding.knowledge)
        return -finding.exposed.value, rung, finding.name, str(finding.parameters)


class _Run(Generic[Data]):
    """One run: scores every guess as it comes in, and bounds how many are under way beside each other."""

    def __init__(
        self,
        panel: Panel[Data],
        given: AuditInput[Data],
        tables: Tables[Data],
        effort: Effort,
        *,
        everybody: bool,
    ) -> None:
        self._panel, self._given, self._tables, self._effort = panel, given, tables, effort
        self._everybody = everybody
        self.skipped: list[Skipped] = []

    def all(
        self,
        learners: Sequence[Attacker],
        recode: Callable[[Data], Data] | None,
        progress: Progress,
        people: pl.Series | None = None,
    ) -> PanelRun[Data]:
        """Let everybody attack; where the time is over before, nobody does."""
        members = self._panel.members
        if self._effort.over:
            for attacker in members:
                self._skip(attacker, LATE)
            return PanelRun((), tuple(self.skipped), self._tables, whole=self._given.complete)
        able = [attacker for attacker in members if self._can(attacker)]
        began = time.perf_counter()
        both = list({attacker.key: attacker for attacker in (*able, *learners)}.values())
        found = search(
            self._given, self._tables, both, recode=recode, people=people, progress=progress.part(0.0, 0.7)
        )
        each = (time.perf_counter() - began) / max(len(found.matches.places), 1)
        made = list(outcomes(self._given, found.matches, able, each))
        for outcome in made if self._effort.hurried else ():
            self._effort.saw(outcome.finding)
        unable = {attacker.key: why for attacker, why in found.matches.skipped}
        others = [attacker for attacker in able if attacker.key not in found.matches.places]
        for attacker in others:
            if attacker.key in unable:
                self._skip(attacker, unable[attacker.key])
        others = [attacker for attacker in others if attacker.key not in unable]
        made += self._in_pool(found, others, progress.part(0.7, 1.0))
        made.sort(key=self._panel.badness)
        whole = self._given.complete
        return PanelRun(tuple(made), tuple(self.skipped), self._tables, whole=whole, search=found)

    def _can(self, attacker: Attacker) -> bool:
        """Whether both tables have what an attack needs, and it may find more than others; if not, say it."""
        missing = [part for part in attacker.attack.needs if part not in self._tables.shown]
        idle = None if missing or self._everybody else attacker.attack.idle(self._tables)
        if attacker.attack.by_rows and not self._given.keeps_order:
            idle = _BY_ROWS
        why = f"no {missing[0]} in both tables" if missing else idle
        if why:
            self._skip(attacker, why)
        return not why

    def _skip(self, attacker: Attacker, why: str) -> None:
        late = attacker.knowledge if why == LATE else ""
        self.skipped.append(Skipped(f"{attacker.knowledge}: {attacker.name}", why, late))

    def _in_pool(self, found: Search[Data], members: list[Attacker], progress: Progress) -> Iterator[Outcome]:
        """Yield what those achieved who must see everybody at once."""
        pool, owners = found.pool, self._given.owners
        assert owners is not None  # noqa: S101 - a panel runs where somebody can be counted as found
        if pool.complete:
            yield from self._hurried(pool.tables, owners, members, progress)
            return
        in_order = [attacker for attacker in members if _in_order(attacker, self._tables.original)]
        yield from self._hurried(self._tables, owners, in_order, progress.unseen())
        within = []
        for attacker in members:
            if attacker in in_order:
                continue
            if knows_everything(attacker) and pool.owners is not None:
                within.append(attacker)
            else:
                self._skip(attacker, _NO_POOL if knows_everything(attacker) else _PART)
        if pool.owners is None:
            return
        rows = Rows.of(owners, found.matches.people, found.matches.names)
        for outcome in self._hurried(pool.tables, pool.owners, within, progress):
            yield self._of_sample(found, rows, outcome)

    def _of_sample(self, found: Search[Data], rows: Rows, outcome: Outcome) -> Outcome:
        """Return what an outcome in a pool says of the people who were drawn."""
        pool, attacker = found.pool, outcome.attacker
        assert pool.owners is not None  # noqa: S101 - whoever was in the pool was counted there
        weight = pools.cut_down(attacker, found.matches, pool.targets, pool.compared)
        chance = pools.rows_of(pool.owners, rows.frame, outcome.chance, found.matches, weight)
        scores = scored(rows.frame, chance, others=self._given.people, by_person=False)
        made = finding(
            attacker,
            scores,
            one_to_one=pool.owners.one_to_one,
            seconds=outcome.finding.seconds,
            said=pool.said,
        )
        return Outcome(attacker, made, chance)

    def _hurried(
        self, tables: Tables[Data], owners: Owners, members: list[Attacker], progress: Progress
    ) -> Iterator[Outcome]:
        """Yield what everybody achieved; where time is short, who pairs all at once comes after the rest."""
        if not self._effort.hurried:
            yield from self._each(tables, owners, members, progress)
            return
        for slow in (False, True):
            turn = [attacker for attacker in members if attacker.attack.beside == slow]
            for outcome in self._each(tables, owners, turn, progress):
                self._effort.saw(outcome.finding)
                yield outcome

    def _each(
        self, tables: Tables[Data], owners: Owners, members: list[Attacker], progress: Progress
    ) -> Iterator[Outcome]:
        workers = processors()
        done = 0
        with ThreadPoolExecutor(workers) as executor:
            waiting: set[Future[Outcome | None]] = set()
            for attacker in members:
                progress.step(f"attacking with {attacker.knowledge}: {attacker.name}", done / len(members))
                done += 1
                if self._spared(attacker):
                    continue
                work = partial(self._answered, tables, owners, attacker)
                if not attacker.attack.beside:
                    yield from _some(work())
                    continue
                waiting.add(executor.submit(work))
                while len(waiting) >= workers:
                    ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (outcome for future in ready for outcome in _some(future.result()))
            progress.step("pairing everybody with somebody", 1.0)
            yield from (outcome for future in waiting for outcome in _some(future.result()))

    def _spared(self, attacker: Attacker) -> bool:
        """Whether an attacker is not asked for want of time, or of anything to gain; if so, say it."""
        why = self._effort.spared(attacker.knowledge)
        if why:
            self._skip(attacker, why)
        return bool(why)

    def _answered(self, tables: Tables[Data], owners: Owners, attacker: Attacker) -> Outcome | None:
        """Score the attacker's guess; one that cannot be made is skipped, in whatever thread it was tried."""
        began = time.perf_counter()
        try:
            scores = achieved(attacker.attack, tables, owners, tables.chance.under(*attacker.key))
        except KakurenboError as error:
            self._skip(attacker, str(error))
            return None
        made = finding(
            attacker, scores, one_to_one=owners.one_to_one, seconds=time.perf_counter() - began,
            said=_plan_guessed(tables, attacker),
        )  # fmt: skip
        return Outcome(attacker, made, scores.by_person["chance"].to_numpy())


def _in_order(attacker: Attacker, original: Any) -> bool:  # noqa: ANN401 - of either kind
    """Tell whether an attacker goes by the order of people alone, which a sample keeps."""
    return attacker.attack.compares(original).roles == frozenset({"customer"})


def _plan_guessed(tables: Tables[Data], attacker: Attacker) -> str:
    """Say which plan was guessed, of who practised it."""
    practice = tables.practice
    plan = practice.guessed if practice is not None and attacker.stand.practised else ""
    return f" The plan was guessed: {plan}." if plan else ""


def _some(outcome: Outcome | None) -> tuple[Outcome, ...]:
    return () if outcome is None else (outcome,)
