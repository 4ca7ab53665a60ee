"""An audit's result: everything that was measured on one release, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from kakurenbo.about import Better, Kind
from kakurenbo.attacks.base import roles_of
from kakurenbo.auditing.coverage.covered import Coverage
from kakurenbo.auditing.results.earlier import Earlier
from kakurenbo.auditing.results.found import BINS, Dummies, Finding, Names, People, Proof, TransformedProof
from kakurenbo.auditing.results.learnt import Attribution, Control, Lesson, Membership
from kakurenbo.auditing.results.synthetic import Synthetic
from kakurenbo.auditing.results.targets import Engine, Targets
from kakurenbo.data.unseen import Unseen
from kakurenbo.document import LATER, named, parse, plain, record, rows, text, written
from kakurenbo.notebook import Drawn, card
from kakurenbo.provenance import Filing, Provenance
from kakurenbo.risk.classical.diversity import Diversity, summary
from kakurenbo.risk.excess.readings import Reading
from kakurenbo.risk.exposure.nearness import Groups, Nearness
from kakurenbo.risk.exposure.unicity import Unicity
from kakurenbo.risk.honesty import Honesty
from kakurenbo.theory.population import Population
from kakurenbo.theory.rate import Rate

_FOUND = ("rate", "low", "high", "persons_rate", "persons_low", "persons_high", "spread")
_TAUGHT = ("mean", "laid_open", "low", "high", "advantage", "advantage_low", "advantage_high")

Answer = Literal["yes", "no", "not measured"]


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
        detail: the further figures it rests on; of those whose names end so, what was `before` and `after`.
        said: what that means for who will use the release, in a few words; empty where it says nothing.
        low: where it was measured on people drawn from all, the lower end of the 95 % interval of the number.
        high: the upper end.
    """

    name: str
    value: float
    unit: str
    better: Better
    loss: float
    story: str
    source: str
    detail: Mapping[str, float] = field(default_factory=dict)
    said: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def kept(self) -> float:
        """The share kept, 1 - loss."""
        return 1.0 - self.loss


@dataclass(frozen=True)
class Skipped:
    """An attack or measure that was not run, and why.

    Attributes:
        name: which.
        why: the reason, in words.
        late: the rung on which he was not tried for want of time; empty where that is not the reason.
    """

    name: str
    why: str
    late: str = ""


@dataclass(frozen=True)
class Distance:
    """The distance of everybody from his record beside its limits (paper 004); means over people.

    Attributes:
        measure: multiset or set of purchases, scaled of microdata: limits hold for this very distance.
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
    histogram: tuple[tuple[float, float, int], ...] = field(metadata=BINS)
    verdict: str
    reason: str
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Compared:
    """A picture: the same bars or the same line before and after; a line goes through times or steps."""

    name: str
    title: str
    x: str
    y: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    note: str = ""
    form: Literal["bars", "line"] = "bars"


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
        minutes: how long attackers may seek; None for as long as it takes.
    """

    max_risk: float
    min_utility: Mapping[str, float]
    trust_pairing: bool = False
    max_learnt: float = 0.1
    knowledge: str | None = None
    minutes: float | None = None


@dataclass(frozen=True, eq=False)
class Audit(Drawn):
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
        names: how names change in the release, and how well they are linked; None where they do not.
        practised: whether the plan that attackers practised was known or guessed; empty where nobody did.
        dummies: how well dummies are told from real purchases; None without a pairing, and where none are.
        seed_guessed: whether the new names come from a seed that anybody would try; None where the release is
            known to have one, or none.
        earlier: the earlier releases that attackers held besides, and how names were linked with theirs.
        synthetic: what rows of microdata give away that are nobody's; None with a pairing.
        population: what models say of people alone in the release, where the population was given.
        diversity: of microdata, l and t of every sensitive attribute of the release.
        filing: when it was run, and where it is known by whom, with what command and on what files.
        targets: who was sought, where that was not everybody.
        engine: what held the tables, and what was worked out on some of the people or names; None where an
            earlier version did not say it.
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
    earlier: tuple[Earlier, ...] = ()
    names: Names | None = None
    dummies: Dummies | None = None
    practised: Literal["", "known", "guessed"] = ""
    filing: Filing = field(default_factory=Filing)
    synthetic: Synthetic | None = None
    population: tuple[Population, ...] = ()
    diversity: tuple[Diversity, ...] = ()
    targets: Targets | None = None
    engine: Engine | None = field(default=None, metadata=LATER)

    def __repr__(self) -> str:
        return f"Audit({self.verdict}: {', '.join(f'{name} {said}' for name, said in self._headline)})"

    def _repr_html_(self) -> str:
        told = [(name, said) for name, said in self._headline]
        return card(f"Audit of {self.kind}: {self.verdict}", told, " ".join(self.reasons[:3]))

    @property
    def _headline(self) -> list[tuple[str, str]]:
        """What is found, learnt and kept at worst, as far as it may be told."""
        told = [] if self.worst is None else [("found", f"{self.worst.exposed.value:.1%}")]
        if self.worst_lesson is not None:
            told.append(("laid open beyond outside", f"{self.worst_lesson.advantage.value:.1%}"))
        return [*told, ("kept", f"{self.kept:.0%}")] if self.utility else told

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
        return not (told or finding.exposed.value > self.limits.max_risk)

    @cached_property
    def blind(self) -> tuple[str, ...]:
        """The rungs on which nobody sees through the release's disguise: what is not found tells nothing."""
        return tuple(rung for rung, seen in self.disguised.rungs.items() if not seen)

    @cached_property
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
    def late(self) -> tuple[Skipped, ...]:
        """Those who were not tried for want of time, of those who decide."""
        return tuple(left for left in self.skipped if left.late and self.decides(left.late))

    @property
    def not_run(self) -> dict[str, tuple[str, ...]]:
        """What was not run by the reason why, each name once."""
        named: dict[str, dict[str, None]] = {}
        for left in self.skipped:
            named.setdefault(left.why, {})[left.name] = None
        return {why: tuple(names) for why, names in named.items()}

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
            row.update(dict.fromkeys(_FOUND) if self.withheld(finding) else {})
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
            "utility_intervals": {
                measure.name: {"low": plain(measure.low), "high": plain(measure.high)}
                for measure in self.utility if measure.low is not None and measure.high is not None
            },
            "kept": {measure.name: plain(measure.kept) for measure in self.utility},
            "kept_mean": plain(self.kept) if self.utility else None, "randomness": self.randomness,
            **(summary(self.groups.smallest, self.diversity) if self.kind == "microdata" else {}),
            **document,
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as the text of a file."""
        return text(self.to_dict())

    @classmethod
    def from_json(cls, document: str) -> Audit:
        """Return the audit whose `to_json` this is: the same answer and report, but nobody's name."""
        return parse(document, lambda stored: record(cls, stored), "an audit")
