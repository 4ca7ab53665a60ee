"""Whom an audit seeks where there are too many: targets, drawn by their ids, among everybody.

The audit is told of the targets and of what became of them as if they were the tables. Who seeks or learns
asks here, where everybody is: attackers who look people up go through all blocks, and who cannot is set on
the targets and on those who look most like them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import up_to
from kakurenbo.attacks.purchases.scans import LookUp
from kakurenbo.auditing.learning.claimers import supposing
from kakurenbo.auditing.learning.learn import outsiders
from kakurenbo.auditing.learning.purchases import asking, claimed_by, lessons
from kakurenbo.auditing.learning.records import worse
from kakurenbo.auditing.linear import dropping, exposed, kept, learnt, world
from kakurenbo.auditing.linear.found import Rows, finding, outcomes
from kakurenbo.auditing.linear.sample import Fetch, bits_of, draw, gathered, held
from kakurenbo.auditing.linear.seek import DENSE, REMEMBERED, WORK, Sought, seek
from kakurenbo.auditing.panel.effort import LATE
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Outcome, Panel, Ran
from kakurenbo.auditing.results import Skipped, Targets
from kakurenbo.data.blocks import Blocks, InMemory
from kakurenbo.data.release import Release
from kakurenbo.errors import ParameterError
from kakurenbo.memory import give_back
from kakurenbo.threads import meanwhile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.linear.sample import Sample, Secret
    from kakurenbo.auditing.linear.world import World
    from kakurenbo.auditing.panel.effort import Effort
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Kept
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.chance import Chance
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table
    from kakurenbo.plan import Plan
    from kakurenbo.progress import Progress
    from kakurenbo.risk.exposure.nearness import Groups, Nearness
    from kakurenbo.risk.exposure.unicity import Unicity

    Exposure = tuple[Nearness, tuple[Unicity, ...], Groups, dict[str, str]]

TARGETS = 10_000
_OUTSIDE = 5_000  # people of whom the control is made
_UNBOUNDED = 2**62
_NEARLY = 0.98  # of the targets; the few who are not inside then hardly thin what is learnt of the rest
_BY_ROWS = "tables in blocks keep no order of rows"
_PART = "he looks everybody up at once; others who know as much went through the whole release"
_NO_CANDIDATES = "nobody was compared by likeness, so there are no candidates to seek among"


def many(original: Table | Blocks, released: object, targets: int | str | None) -> bool:
    """Whether people are drawn: where tables are in blocks, or hold more people than are asked for."""
    if isinstance(original, Blocks) or isinstance(released, Blocks):
        return True
    most = TARGETS if targets is None else targets
    return original.kind == "purchases" and isinstance(most, int) and len(original.people) > most


def blocks_of(data: Purchases | Blocks) -> Blocks:
    """Return a table in blocks."""
    return data if isinstance(data, Blocks) else InMemory.of(data)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Targets, and everybody.

    Attributes:
        sample: the targets, and what became of them.
        before: everybody in the original.
        after: everybody in the release.
        secret: whose every name is, where it is known.
        chance: of the audit.
    """

    sample: Sample
    before: Blocks
    after: Blocks
    secret: Secret | None
    chance: Chance
    _kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(  # noqa: PLR0917 - as an audit is asked
        cls,
        original: Purchases | Blocks,
        release: Release[Any] | Purchases | Blocks,
        secret: Pairing | Owners | Secret | None,
        targets: int | str | None,
        chance: Chance,
        progress: Progress,
    ) -> Drawn:
        """Draw so many targets; `all` means everybody."""
        released = release.data if isinstance(release, Release) else release
        known = release.pairing if secret is None and isinstance(release, Release) else secret
        before, after = blocks_of(original), blocks_of(released)
        people = before.whole.counts["customers"]
        count = people if targets == "all" else min(TARGETS if targets is None else int(targets), people)
        if count < 1:
            raise ParameterError("At least one person must be sought.", code="parameter", parameter="targets")
        told = None if known is None else held(known)
        return cls(draw(before, after, told, count, chance, progress), before, after, told, chance)

    @property
    def targets(self) -> Targets:
        """Who was sought, to be told."""
        sought: Sought | None = self._kept.get("sought")
        made: World | None = self._kept.get("world")
        drawn = len(self.sample.original.customers)
        compared = drawn if sought is None or self.secret is None else min(sought.compared, drawn)
        among = (0, 0) if made is None else (made.targets, len(made.tables.released.customers))
        return Targets(drawn, self.sample.people, compared, *among)

    def attacked(
        self, panel: Panel[Purchases], spoken: Spoken[Purchases], effort: Effort, progress: Progress
    ) -> Ran[Purchases]:
        """Seek the targets, and return what everybody achieved, worst first.

        All who go through the tables do so together: where the time is over before, none of them does, and it
        ends when they have come through.
        """
        give_back()
        owners = cast("Owners", self.sample.owners)
        tables = Tables(panel.original, self.sample.released, self.chance, panel.plain, panel.practice)
        if effort.over:
            late = (Skipped(f"{who.knowledge}: {who.name}", LATE, who.knowledge) for who in panel.members)
            return Ran((), tuple(late), tables, whole=False)
        left, able = [], []
        for who in panel.members:
            why = _why_not(who, tables)
            left += [Skipped(f"{who.knowledge}: {who.name}", why)] if why else []
            able += [] if why else [who]
        began = time.perf_counter()
        learning = asking(panel.original, _rungs())
        both = list({who.key: who for who in (*able, *learning) if not _why_not(who, tables)}.values())
        sought = self._seek(tables, spoken, both, progress.part(0.0, 0.7))
        each = (time.perf_counter() - began) / max(len(sought.places), 1)
        made = list(outcomes(sought, self.sample, owners, able, each))
        others = [who for who in able if who.key not in sought.places]
        unable = {who.key: why for who, why in sought.skipped}
        left += [
            Skipped(f"{who.knowledge}: {who.name}", unable[who.key]) for who in others if who.key in unable
        ]
        others = [who for who in others if who.key not in unable]
        self._fetch(tables, spoken, learning, progress.part(0.7, 0.8))
        for outcome in made if effort.hurried else ():
            effort.saw(outcome.finding)
        more, unrun = self._in_world(panel, others, effort, progress.part(0.8, 1.0))
        ran = sorted([*made, *more], key=panel.badness)
        return Ran(tuple(ran), (*left, *unrun), tables, whole=False)

    def _seek(
        self,
        tables: Tables[Purchases],
        spoken: Spoken[Purchases],
        members: Sequence[Attacker],
        progress: Progress,
    ) -> Sought:
        """Go through both tables; where everybody is to be sought, however long it takes."""
        blocks = self.before, self.after
        everybody = len(self.sample.original.customers) == self.sample.people
        dense, work = (_UNBOUNDED, _UNBOUNDED) if everybody else (DENSE, WORK)
        sought = seek(
            tables, self.sample.owners, blocks, members,
            alike=spoken.alike, progress=progress, dense=dense, work=work,
        )  # fmt: skip
        self._kept["sought"] = sought
        return sought

    def _fetch(
        self,
        tables: Tables[Purchases],
        spoken: Spoken[Purchases],
        learning: Sequence[Attacker],
        progress: Progress,
    ) -> None:
        """Fetch what stands under remembered names, and the people most like the first targets."""
        sought: Sought = self._kept["sought"]
        chance = self.chance.under("scan")
        names = learnt.remembered(sought, learning)
        people = pl.Series([], dtype=pl.String)
        count, original = 0, None
        if self.secret is not None:
            compared = [
                who.key for who in attackers(tables.original)
                if _everything(who) and not isinstance(_scan(who, tables), LookUp | None)
            ]  # fmt: skip
            self._kept["compared"] = compared
            count, bits = world.candidates(sought, compared)
            first = self._owners_of(sought.names.head(count))
            if count:
                work = Fetch(first, chance, bits)
                original = gathered(self.before, work, progress.part(0, 0.5), "gathering look-alikes")
                people = original.customers
        owners = None if original is None or self.secret is None else self.secret.of(people)
        wanted = pl.Series([], dtype=pl.String) if owners is None else owners.names
        fetched = self.sample.released
        if len(wanted) or len(names):
            doing = "gathering their names"
            fetched = gathered(self.after, Fetch(wanted, chance, names), progress.part(0.5, 1), doing)
        self._kept["fetched"] = fetched
        if owners is not None and original is not None:
            known, _ = spoken.alike(original).common_with(self.sample.released)
            plain, _ = original.common_with(self.sample.released)
            beside = Tables(known, fetched.of(owners.names), self.chance, plain, tables.practice)
            self._kept["world"] = world.World(beside, owners, count)

    def _owners_of(self, names: pl.Series) -> pl.Series:
        owners = cast("Owners", self.sample.owners)
        return (
            owners.owned.frame.filter(pl.col("released").is_in(names.implode()))["original"].unique().sort()
        )

    def _in_world(
        self, panel: Panel[Purchases], others: Sequence[Attacker], effort: Effort, progress: Progress
    ) -> tuple[list[Outcome], list[Skipped]]:
        """Set who must see everybody at once on the first targets and their look-alikes."""
        give_back()
        made: World | None = self._kept.get("world")
        alone, within, skipped = [], [], []
        for who in others:
            if _in_order(who, panel.original):
                alone.append(who)
            elif not _everything(who) or made is None:
                why = _NO_CANDIDATES if _everything(who) else _PART
                skipped.append(Skipped(f"{who.knowledge}: {who.name}", why))
            else:
                within.append(who)
        owners = cast("Owners", self.sample.owners)
        found: list[Outcome] = []
        if alone:
            few = replace(panel, members=tuple(alone))
            ran = few.attack(self.sample.released, owners, seed=None, effort=effort)
            found += ran.outcomes
            skipped += ran.skipped
        if within and made is not None:
            found += self._ran(panel, made, within, skipped, effort, progress)
        return found, skipped

    def _ran(  # noqa: PLR0917 - as it was asked
        self,
        panel: Panel[Purchases],
        made: World,
        members: Sequence[Attacker],
        skipped: list[Skipped],
        effort: Effort,
        progress: Progress,
    ) -> Iterator[Outcome]:
        sought: Sought = self._kept["sought"]
        owners = cast("Owners", self.sample.owners)
        beside = made.tables
        crowd = replace(panel, original=beside.original, plain=beside.plain, members=tuple(members))
        seed = int(self.chance.stream("world").integers(2**31))
        ran = crowd.attack(beside.released, made.owners, seed=seed, progress=progress, effort=effort)
        skipped += ran.skipped
        rows = Rows.of(owners, sought.people, sought.names)
        said = (
            f" Of {made.targets:,} people, among the {len(beside.released.customers):,} names that look most "
            "like theirs: errs mostly on the high side."
        )
        for one in ran.outcomes:
            weight = world.cut_down(one.attacker, sought, made.targets, self._kept["compared"])
            chance = world.rows_of(made, rows.frame, one.chance, sought, weight)
            told = finding(
                one.attacker, rows.frame, chance, 1 / self.sample.people, exclusive=False,
                seconds=one.finding.seconds, said=said,
            )  # fmt: skip
            yield Outcome(one.attacker, told, chance)

    def taught(
        self,
        tables: Tables[Purchases],
        spoken: Spoken[Purchases],
        *,
        plan: Plan | None,
        control: Purchases | None,
        common: Purchases,
        progress: Progress,
    ) -> Learning:
        """Return what is learnt of the first targets, beside people who are not in the release."""
        give_back()
        members = asking(tables.original, _rungs())
        if "sought" not in self._kept:
            self._seek(tables, spoken, members, progress.part(0.0, 0.6))
            self._fetch(tables, spoken, members, progress.part(0.6, 0.7))
        some = self._some(common)
        known, _ = spoken.alike(some).common_with(self.sample.released)
        fewer = Tables(known, self.sample.released, self.chance, some)
        progress.step("asking what is learnt of people", 0.7)
        first = self._kept["sought"].people.head(REMEMBERED)
        with meanwhile(lambda: outsiders(some, fewer, spoken, plan=plan, control=control)) as apart:
            self._drop(tables, first, members, progress.part(0.7, 0.85))
            outside = apart()
        made = self._asked(tables, members, first)
        progress.step("asking what is learnt of people who are not in it", 0.85)
        learning = lessons(fewer, made[0], made[1], outside, members)
        if self.sample.owners is None:
            return learning
        inside = first.filter(first.is_in(self.sample.owners.persons.implode()))
        if not len(inside) or len(inside) > _NEARLY * len(first):
            return learning
        asked = self._asked(tables, members, inside)
        again = lessons(fewer, asked[0], asked[1], outside, members)
        return worse(learning, again, _rungs())

    def _drop(
        self,
        tables: Tables[Purchases],
        first: pl.Series,
        members: Sequence[Attacker],
        progress: Progress,
    ) -> None:
        """Look the first targets up once more where dummies are dropped, if anything looks like one."""
        give_back()
        left = dropping.Left.of(self.sample.released)
        if left is None:
            return
        after = dropping.Dropping(self.after, left)
        plain = tables.plain.of(first)
        beside = Tables(tables.original.of(first), left(self.sample.released), self.chance, plain)
        able = [who for who in members if cast("PurchasesAttack", who.attack).strips]
        blocks = self.before, after
        owners, most = self.sample.owners, progress.part(0.0, 0.9)
        again = seek(beside, owners, blocks, able, alike=None, progress=most, compare=False)
        names = learnt.remembered(again, able)
        if len(names):
            work = Fetch(pl.Series([], dtype=pl.String), self.chance.under("scan"), names)
            fetched = gathered(after, work, progress.part(0.9, 1.0), "gathering their names")
            self._kept["left"] = Tables(beside.original, fetched, self.chance, plain), again

    def _asked(self, tables: Tables[Purchases], members: Sequence[Attacker], people: pl.Series) -> Any:  # noqa: ANN401 - as `lessons` takes it
        """Return what is claimed of these people, and whose records are told."""
        sought: Sought = self._kept["sought"]
        chance = self.chance.under("scan")
        fetched: Purchases = self._kept["fetched"]
        beside = Tables(tables.original, fetched, self.chance, tables.plain)
        targets = np.sort(_numbers(tables.original.customers, people))
        names = bits_of(chance, fetched.customers)
        made = list(learnt.scanned(beside, names, sought, members, targets))
        claims, owners = claimed_by(made, targets, _rungs())
        if "left" in self._kept:
            left, again = self._kept["left"]
            few = np.sort(_numbers(left.original.customers, people))
            names = bits_of(chance, left.released.customers)
            looked = learnt.scanned(left, names, again, members, few, drops=dropping.WORDS)
            more, whose = claimed_by(looked, few, _rungs())
            claims, owners = [*claims, *more], [*owners, *whose]
        crowd: World | None = self._kept.get("world")
        if crowd is not None:
            others = [who for who in members if who.key not in sought.places and _everything(who)]
            here = people.filter(people.is_in(crowd.tables.original.customers.implode()))
            within = np.sort(_numbers(crowd.tables.original.customers, here))
            more, whose = claimed_by(supposing(crowd.tables, others, within), within, _rungs())
            claims, owners = [*claims, *more], [*owners, *whose]
        return claims, owners

    def _some(self, common: Purchases) -> Purchases:
        """Return some of the targets, as many as the control is made of."""
        people = common.customers
        if len(people) <= _OUTSIDE:
            return common
        return common.of(people.gather(np.sort(self.chance.order("control", people)[:_OUTSIDE])))

    def of_everybody(self, measured: Sequence[Kept], seen: Purchases, progress: Progress) -> tuple[Kept, ...]:
        """Return what was measured on the people drawn as it is of everybody, with its interval."""
        give_back()
        return tuple(kept.with_intervals(measured, self.sample, seen, self.chance.under("groups"), progress))

    def exposure(self, spoken: Spoken[Purchases], progress: Progress) -> Exposure:
        """Return how exposed the people drawn are among all, and what tells both tables from all others."""
        give_back()
        groups, unique = exposed.among_all(
            self.after, self.sample.released, self.chance, progress.part(0.0, 0.5)
        )
        near = exposed.near_anybody(
            self.before, self.sample.released, spoken.alike, self.chance, progress.part(0.5, 1.0)
        )
        prints = {"original": _fingerprint(self.before), "released": _fingerprint(self.after)}
        return near, unique, groups, prints

    @property
    def by_threads(self) -> bool:
        """Whether several threads may go through the tables at a time."""
        return self.before.by_threads and self.after.by_threads

    @property
    def counts(self) -> dict[str, Mapping[str, int]]:
        """What both tables hold, and how much of it."""
        return {"original": self.before.whole.counts, "released": self.after.whole.counts}


def _fingerprint(blocks: Blocks) -> str:
    """Return the fingerprint of a table: the same as if it were not in blocks, where it is held in memory."""
    return blocks.data.fingerprint() if isinstance(blocks, InMemory) else blocks.fingerprint()


def _rungs() -> list[str]:
    return [rung.name for rung in up_to(None, "purchases")]


def _numbers(customers: pl.Series, people: pl.Series) -> Any:  # noqa: ANN401 - whole numbers
    places = pl.DataFrame({"who": customers.cast(pl.String)}).with_row_index("at")
    return (
        places.join(pl.DataFrame({"who": people.cast(pl.String)}), on="who", how="semi")["at"]
        .to_numpy()
        .astype(np.int64)
    )


def _scan(who: Attacker, tables: Tables[Purchases]) -> object:
    how = getattr(who.attack, "scan", None)
    return None if how is None else how(tables.shown)


def _everything(who: Attacker) -> bool:
    """Whether he knows all of the records that he goes by."""
    attack = cast("PurchasesAttack", who.attack)
    return (
        getattr(attack, "share", 1) == 1
        and attack_points(attack) is None
        and getattr(attack, "whole", None) is None
    )


def attack_points(attack: Any) -> int | None:  # noqa: ANN401 - any attack
    """Return how many records an attacker knows of everybody; None for all."""
    return cast("int | None", getattr(attack, "points", None))


def _in_order(who: Attacker, original: Purchases) -> bool:
    """Whether he goes by the order of people alone, which a sample keeps."""
    return who.attack.compares(original).roles == frozenset({"customer"})


def _why_not(who: Attacker, tables: Tables[Purchases]) -> str:
    """Return why an attacker cannot be set on both tables; nothing where he can."""
    if who.attack.by_rows:
        return _BY_ROWS
    missing = [part for part in who.attack.needs if part not in tables.shown]
    return f"no {missing[0]} in both tables" if missing else who.attack.idle(tables)
