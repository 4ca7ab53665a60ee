"""What an audit found: frozen records of plain numbers, from which every report is made.

Nothing here computes. The audit fills these records, the report draws them, and machines get them as JSON
under the keys the design promises; from its JSON an audit can be read back. Only `People.table` names
persons: it is secret, stays out of JSON and every report, and is written to a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from kakurenbo.about import Better, Kind
from kakurenbo.attacks.base import roles_of
from kakurenbo.auditing.coverage.covered import Coverage
from kakurenbo.data.unseen import Unseen
from kakurenbo.document import SECRET, flat, named, parse, plain, record, rows, text, written
from kakurenbo.provenance import Provenance
from kakurenbo.risk.excess.readings import Reading
from kakurenbo.risk.exposure.nearness import Groups, Nearness
from kakurenbo.risk.exposure.unicity import Unicity
from kakurenbo.risk.honesty import Honesty
from kakurenbo.theory.rate import Rate

_RATE = flat("rate", "low", "high", "exact")
_TAUGHT = ("mean", "laid_open", "low", "high", "advantage", "advantage_low", "advantage_high")
_BINS = rows("from", "to", "people")

Answer = Literal["yes", "no", "not measured"]


@dataclass(frozen=True)
class Finding:
    """What one attacker achieved.

    Attributes:
        attack: his name in the catalogue.
        reading: how he answers: nearest, assignment or target.
        knowledge: the rung of the ladder he stands on.
        story: what he knows and does, in a sentence.
        parameters: the attack's parameters.
        rate: the share of released people, that is names with an owner, he names rightly; 95 % interval.
        chance: the rate of naming anybody at random.
        people: released people.
        abstained: people he named nobody for.
        persons: people of the original who are in the release; fewer than the names where some have several.
        persons_rate: the share of them of whom he finds a name.
        proven: whether he passed his proof; a rate that is not proven is no evidence of low risk.
        seconds: what it took.
        betrays: the carelessness that his success gives away, if any.
        beyond: the rung whose attackers he must clearly beat before that is said.
        papers: what the papers' attacker, if this is he, goes by.
    """

    attack: str
    reading: str
    knowledge: str
    story: str
    parameters: Mapping[str, Any]
    rate: Rate = field(metadata=_RATE)
    chance: float
    people: int
    abstained: int
    persons: int
    persons_rate: Rate = field(metadata=flat("persons_rate", "persons_low", "persons_high", "persons_exact"))
    proven: bool
    seconds: float
    betrays: str = ""
    beyond: str = ""
    papers: str = ""

    @property
    def name(self) -> str:
        """The attack with its reading, where that is not the plain one."""
        return self.attack if self.reading == "nearest" else f"{self.attack}, {self.reading}"


@dataclass(frozen=True)
class Proved:
    """One attacker tried where the answer is known: on a verbatim copy, and on records dealt at random.

    Attributes:
        attack: his name; `reading` and `knowledge` as in the finding.
        reading: how he answers.
        knowledge: his rung.
        copy: the share he finds in a verbatim copy.
        attainable: the share that anybody could find there: people whose knowledge tells them apart.
        noise: the share he finds where no record has anything to do with its owner.
        chance: what is to be expected there.
        holds: whether he finds what can be found, and nothing where there is nothing.
        parameters: the attack's parameters, as in the finding.
    """

    attack: str
    reading: str
    knowledge: str
    copy: float
    attainable: float
    noise: float
    chance: float
    holds: bool
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """The audit's proof of itself: every attacker on both controls, with so many people drawn at random."""

    people: int
    attackers: tuple[Proved, ...]

    @property
    def holds(self) -> bool:
        """Whether every attacker passed."""
        return all(attacker.holds for attacker in self.attackers)

    @property
    def failed(self) -> tuple[Proved, ...]:
        """The attackers that did not."""
        return tuple(attacker for attacker in self.attackers if not attacker.holds)


@dataclass(frozen=True)
class Survivor:
    """One attacker on the transformed copy.

    Attributes:
        attack: his name; `reading` and `knowledge` as in the finding.
        reading: how he answers.
        knowledge: his rung.
        found: the share he finds in the transformed copy.
        attainable: the share that could be found in a plain one, in the vocabulary that was inferred.
        declared: whether he says that he survives this.
        survived: whether he finds nearly as many, and, where he does not say so, more than luck would.
        parameters: the attack's parameters, as in the finding.
    """

    attack: str
    reading: str
    knowledge: str
    found: float
    attainable: float
    declared: bool
    survived: bool
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether he kept his word."""
        return self.survived or not self.declared


@dataclass(frozen=True)
class TransformedProof:
    """The panel on a copy transformed as the release is.

    Attributes:
        shows: what was done to the copy, in words; nothing where the release shows nothing.
        people: how many were tried.
        attackers: everybody who could be tried, rung by rung.
    """

    shows: tuple[str, ...] = ()
    people: int = 0
    attackers: tuple[Survivor, ...] = ()

    @property
    def rungs(self) -> dict[str, bool]:
        """Whether at least one attacker of each rung that was tried survived."""
        found: dict[str, bool] = {}
        for one in self.attackers:
            found[one.knowledge] = found.get(one.knowledge, False) or one.survived
        return found

    @property
    def failed(self) -> tuple[Survivor, ...]:
        """Those who said that they survive, and did not."""
        return tuple(one for one in self.attackers if not one.holds)


@dataclass(frozen=True)
class Lesson:
    """What one attacker learns of people beyond what he knew; no pairing is needed to tell.

    Attributes:
        knowledge: the rung of the ladder he stands on.
        attack: his name in the catalogue.
        way: what he drops before, and how careful he is; nothing where he does neither.
        grain: what is learnt: goods, goods with their months, with days, with quantities.
        story: what he does, in a sentence.
        mean: of all people: the Jaccard similarity of what he claims and the truth.
        laid_open: the share of people of whom one half or more is learnt, with its 95 % interval.
        certain: the share of people of whom nine tenths or more is learnt.
        precision: the share of his claims that is true.
        recall: the share of the truth that he claims.
        people: of whom there is something to be learnt.
        control: the mean for people who are not in the release, or without a release.
        control_laid_open: the same of those laid open.
        advantage: laid open above the control: what the release does; its 95 % interval.
    """

    knowledge: str
    attack: str
    way: str
    grain: str
    story: str
    mean: float
    laid_open: Rate = field(metadata=flat("laid_open", "low", "high", "exact"))
    certain: float
    precision: float
    recall: float
    people: int
    control: float
    control_laid_open: float
    advantage: Rate = field(metadata=flat("advantage", "advantage_low", "advantage_high", "advantage_exact"))

    @property
    def name(self) -> str:
        """The attack with its way, where that is not the plain one."""
        return f"{self.attack}, {self.way}" if self.way else self.attack


@dataclass(frozen=True)
class Control:
    """What the lessons are compared with.

    Attributes:
        kind: the plan carried out without some people, a file of outsiders, or what can be claimed without
            any release.
        people: outsiders the attacks were run on; none without a release.
        why: why it is this one, in a sentence.
    """

    kind: Literal["plan", "file", "no release"]
    people: int
    why: str


@dataclass(frozen=True)
class Attribution:
    """How many released records an attacker gives to who bought them, whatever name stands on them.

    Attributes:
        knowledge: what he knows.
        attack: his name in the catalogue.
        way: how he puts receipts together.
        story: what he does, in a sentence.
        told: the share of released records of which it can be told who bought them: those that only one
            person of the original has.
        given: the share of these that he gives to anybody.
        right: the share of these that he gives to who bought them.
    """

    knowledge: str
    attack: str
    way: str
    story: str
    told: float
    given: float
    right: float


@dataclass(frozen=True)
class Membership:
    """Whether it can be told that somebody is in the release, from how well he is matched there.

    Attributes:
        knowledge: what the attacker knows.
        attack: his name in the catalogue.
        way: what he drops before.
        auc: the chance that somebody inside is matched better than somebody outside; one half is a guess.
        caught: the share of those inside who are matched better than all but 1 % of those outside.
    """

    knowledge: str
    attack: str
    way: str
    auc: float
    caught: float


@dataclass(frozen=True)
class Kept:
    """A utility measure of the release, and how much of the original's use it says is kept.

    Attributes:
        name: its name in the catalogue.
        value: the measure's own number.
        unit: of the number.
        better: which direction is better.
        loss: the share lost, 0 for a copy, 1 at most; see `measure`.
        story: what it looks at, in a sentence.
        source: where it comes from.
    """

    name: str
    value: float
    unit: str
    better: Better
    loss: float
    story: str
    source: str

    @property
    def kept(self) -> float:
        """The share kept, 1 - loss."""
        return 1.0 - self.loss


@dataclass(frozen=True)
class Skipped:
    """An attack or measure that was not run, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Distance:
    """The distance of everybody from his record beside its limits (paper 004); means over people.

    Attributes:
        measure: multiset, set or euclid: limits hold for this very distance.
        mean: of all people.
        threshold: above it the release is excessive.
        low: a threshold must lie above this.
        high: and not above this.
        farthest: the largest distance of one person.
        s_lower: (people left in place, least mean distance of such a shuffle).
        histogram: (from, to, people) over everybody's distance.
        verdict: accepted or excessive.
        reason: why, in a sentence.
        readings: the same distance read with times and prices.
    """

    measure: str
    mean: float = field(metadata=named("mean_distance"))
    threshold: float = field(metadata=named("mean_threshold"))
    low: float = field(metadata=named("limit_low"))
    high: float = field(metadata=named("limit_high"))
    farthest: float
    s_lower: tuple[tuple[int, float], ...] = field(metadata=rows("r", "value"))
    histogram: tuple[tuple[float, float, int], ...] = field(metadata=_BINS)
    verdict: str
    reason: str
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class People:
    """Who is found: counts for the report, and the secret table.

    Attributes:
        found: people found (with a chance of one half or more) by at least one attacker.
        certain: people named all but certainly (with a chance of nine tenths or more) by at least one.
        people: released people.
        by_attackers: (number of attackers that find a person, people).
        by_chance: (from, to, people) over the highest chance that any attacker has with a person.
        least: (rung, people whom no lower rung finds).
        attackers: how many attackers there were.
        table: one row a person: released, original, highest chance, attackers that find him, the least
            knowledge that suffices, why. **Secret**, so None in an audit that was read from JSON.
    """

    found: int
    certain: int
    people: int
    by_attackers: tuple[tuple[int, int], ...] = field(metadata=rows("attackers", "people"))
    by_chance: tuple[tuple[float, float, int], ...] = field(metadata=_BINS)
    least: tuple[tuple[str, int], ...] = field(metadata=rows("knowledge", "people"))
    attackers: int
    table: pl.DataFrame | None = field(default=None, repr=False, metadata=SECRET)


@dataclass(frozen=True)
class Compared:
    """A picture: the same bars before and after."""

    name: str
    title: str
    x: str
    y: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True)
class Dots:
    """A picture: one dot a thing, its value before across, after upwards; on the diagonal nothing moved."""

    name: str
    title: str
    x: str
    y: str
    points: tuple[tuple[float, float], ...] = field(metadata=rows("before", "after"))
    note: str = ""


@dataclass(frozen=True)
class Shown:
    """A released column in which people's own original ids stand.

    Attributes:
        column: which, in words.
        disguise: what was done to the ids, empty where nothing was.
        share: the share of people whose id stands there.
    """

    column: str
    disguise: str
    share: float


@dataclass(frozen=True)
class Limits:
    """What the user asked for.

    Attributes:
        max_risk: no attacker may find a larger share than this.
        min_utility: by measure, or `mean` for the mean over all: the least share kept.
        trust_pairing: the pairing is known to be true, so an excessive distance is told but does not decide.
        max_learnt: no attacker may lay open so many more people than outside the release.
        knowledge: what attackers may know at most to decide; None for everything.
    """

    max_risk: float
    min_utility: Mapping[str, float]
    trust_pairing: bool = False
    max_learnt: float = 0.1
    knowledge: str | None = None


@dataclass(frozen=True, eq=False)
class Audit:
    """All of it on one release: attackers worst first, what is kept, how far, and the answer.

    Attributes:
        kind: purchases or microdata.
        ladder: the rungs of knowledge, least first: (rung, what it means).
        attacks: worst first; empty where there is no pairing.
        proof: of the attackers, or None where no attack was run.
        utility: in the order of the catalogue.
        excess: distance and limits, or None without a pairing or where no limit exists.
        nearness: distance to the nearest original.
        uniqueness: of the released data.
        groups: of equals in the release.
        people: per-person risk, or None without a pairing.
        pictures: before and after.
        skipped: what was not run, and why.
        limits: what was asked for.
        counts: what the original and the release hold, and how much of it.
        facts: what is known of how the release was made, if anything.
        provenance: the plan of the release where it is known, fingerprints of both tables, versions.
        seed: the audit's own seed, or None for fresh randomness.
        seconds: what the audit took.
        verdict: yes, no, or not measured.
        reasons: why, a sentence each.
        unseen: what of the release no attacker saw.
        dropped: rows of the original and the release that were not read, by reason.
        own_ids: columns in which people's own ids stand.
        coverage: what of every role can be compared with the original.
        disguised: the proof on a copy in the release's own disguise; nothing was tried where it shows none.
        honesty: whether the declared pairing looks true; None without one.
        learnt: what attackers learn of people, worst first by what the release adds; needs no pairing.
        control: what that is compared with; None where nothing could be learnt about.
        membership: whether it can be told that somebody is in the release, rung by rung.
        owners: how many released records are given to who bought them, most first.
        inferred: how the release writes goods and times otherwise, in words; the original was read so.
        deciding: the rungs whose attackers decide; none of them means all.
        holding: the rungs up to which what is found and learnt keeps its limits.
        worst_again: what the worst attacker finds of people on whom he was not chosen as the worst.
        seed_guessed: whether the new names come from a seed that anybody would try; None where the release is
            known to have one, or none.
    """

    kind: Kind
    ladder: tuple[tuple[str, str], ...] = field(metadata=rows("knowledge", "meaning"))
    attacks: tuple[Finding, ...]
    proof: Proof | None
    utility: tuple[Kept, ...] = field(metadata=named("measures"))
    excess: Distance | None
    nearness: Nearness
    uniqueness: tuple[Unicity, ...]
    groups: Groups
    people: People | None
    pictures: tuple[Compared | Dots, ...]
    skipped: tuple[Skipped, ...]
    limits: Limits
    counts: Mapping[str, Mapping[str, int]]
    facts: Mapping[str, int | None]
    provenance: Provenance
    seed: int | None
    seconds: float
    verdict: Answer
    reasons: tuple[str, ...]
    unseen: Unseen = field(default_factory=Unseen)
    dropped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    own_ids: tuple[Shown, ...] = ()
    seed_guessed: bool | None = None
    coverage: tuple[Coverage, ...] = ()
    disguised: TransformedProof = field(default_factory=TransformedProof)
    honesty: Honesty | None = None
    learnt: tuple[Lesson, ...] = ()
    control: Control | None = None
    membership: tuple[Membership, ...] = ()
    owners: tuple[Attribution, ...] = ()
    inferred: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    worst_again: Rate | None = None

    @property
    def randomness(self) -> str:
        """How the audit came by its chance."""
        return "fresh randomness" if self.seed is None else f"seed {self.seed}: reproducible, not for release"

    def withheld(self, finding: Finding) -> bool:
        """Tell whether a rate must not be shown: its attacker is not proven, and it does not pass the limit.

        Who failed his proof has told nothing by finding few people. A rate above the limit is shown with its
        mark all the same, because hiding it would hide a risk.
        """
        told = finding.proven and finding.knowledge not in self.blind
        return not (told or finding.rate.value > self.limits.max_risk)

    @property
    def blind(self) -> tuple[str, ...]:
        """The rungs on which nobody sees through the release's disguise: what is not found tells nothing."""
        return tuple(rung for rung, seen in self.disguised.rungs.items() if not seen)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The attackers whose rates may be shown, worst first."""
        return tuple(finding for finding in self.attacks if not self.withheld(finding))

    def decides(self, knowledge: str) -> bool:
        """Tell whether attackers of a rung decide."""
        return not self.deciding or knowledge in self.deciding

    def unmeasured(self, lesson: Lesson) -> bool:
        """Tell whether a lesson must not be shown: nothing could be seen, and it keeps the limit.

        On its rung all are blind, or what is claimed cannot be compared with the truth: who finds people by
        days and quantities learns what stands in other codes, and no share of it can be told.
        """
        unread = {one.role for one in self.coverage if not one.comparable}
        told = (
            unread.isdisjoint(roles_of([lesson.grain.split(" and ")])) and lesson.knowledge not in self.blind
        )
        return not (told or lesson.advantage.value > self.limits.max_learnt)

    @property
    def untaught(self) -> tuple[str, ...]:
        """The rungs on which something would be learnt, and nothing of it can be told."""
        told = {lesson.knowledge for lesson in self.taught}
        rungs = {lesson.knowledge for lesson in self.learnt} - told
        return tuple(rung for rung, _ in self.ladder if rung in rungs)

    @property
    def taught(self) -> tuple[Lesson, ...]:
        """The lessons that may be shown, worst first."""
        return tuple(lesson for lesson in self.learnt if not self.unmeasured(lesson))

    @property
    def worst(self) -> Finding | None:
        """The attacker who finds most, of those who decide and whose rates may be shown."""
        return next((finding for finding in self.shown if self.decides(finding.knowledge)), None)

    @property
    def worst_lesson(self) -> Lesson | None:
        """Who lays most people open beyond the control, of those who decide."""
        return next((lesson for lesson in self.taught if self.decides(lesson.knowledge)), None)

    @property
    def kept(self) -> float:
        """The mean over the utility measures of the share kept."""
        return sum(measure.kept for measure in self.utility) / len(self.utility) if self.utility else 0.0

    def lesson_of(self, knowledge: str) -> Lesson | None:
        """Return who lays most people open with some knowledge."""
        return next((lesson for lesson in self.taught if lesson.knowledge == knowledge), None)

    def worst_of(self, knowledge: str) -> Finding | None:
        """Return the worst attacker of a rung, of those whose rates may be shown."""
        return next((finding for finding in self.shown if finding.knowledge == knowledge), None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but who is who, as one JSON object; a withheld rate is null."""
        document = written(self)
        for row, finding in zip(document["attacks"], self.attacks, strict=True):
            row.update(dict.fromkeys(("rate", "low", "high")) if self.withheld(finding) else {})
        for row, lesson in zip(document["learnt"], self.learnt, strict=True):
            row.update(dict.fromkeys(_TAUGHT) if self.unmeasured(lesson) else {})
        if self.proof is not None:
            document["proof"]["holds"] = self.proof.holds
        return {
            "verdict": self.verdict, "reasons": document["reasons"],
            "worst": None if self.worst is None else plain(self.worst),
            "blind": list(self.blind),
            "worst_learnt": None if self.worst_lesson is None else plain(self.worst_lesson),
            "utility": {measure.name: plain(measure.value) for measure in self.utility},
            "kept": {measure.name: plain(measure.kept) for measure in self.utility},
            "kept_mean": plain(self.kept) if self.utility else None, "randomness": self.randomness,
            **document,
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as the text of a file."""
        return text(self.to_dict())

    @classmethod
    def from_json(cls, document: str) -> Audit:
        """Return the audit whose `to_json` this is: the same answer and report, but nobody's name."""
        return parse(document, lambda stored: record(cls, stored), "an audit")
