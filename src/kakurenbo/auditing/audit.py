"""The audit: all of it on one release, and an honest answer.

Attackers are proved on controls and then set on the release. What they find is counted against the pairing;
what they learn of people is compared with the truth, and needs no pairing. Every utility measure is taken;
the distance is put beside its limits. The answer is yes only if no attacker finds or learns more than the
limits, enough use is kept, every attacker passed his proof, the pairing looks true, and nothing was released
that nobody looked at: no row left out, no column unread, no file beside the tables. It is a statement about
these attackers, never a promise.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, cast

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import LADDERS, up_to
from kakurenbo.attacks.search.scores import Agreement
from kakurenbo.attacks.search.seek import in_blocks
from kakurenbo.auditing.earlier import check_kinds, found_with, join, learnt_with
from kakurenbo.auditing.exposure import exposure
from kakurenbo.auditing.figures import figures
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.panel.effort import Effort
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.practice import practised
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.release_traits import dummies_told, naming
from kakurenbo.auditing.results import Audit, Distance, Limits, Skipped
from kakurenbo.auditing.search import search
from kakurenbo.auditing.synthetic import synthetic
from kakurenbo.auditing.undone import own_ids, seed_guessed
from kakurenbo.auditing.utility import measures_of, utility, with_intervals
from kakurenbo.auditing.verdict import holding, judge
from kakurenbo.auditing.victims import victims
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance, drawn_seed
from kakurenbo.data.release import Release
from kakurenbo.data.table import ByKind, Data
from kakurenbo.errors import KakurenboError, ParameterError
from kakurenbo.files.unseen import unseen
from kakurenbo.progress import Progress
from kakurenbo.provenance import Filing, Provenance, now
from kakurenbo.risk.classical.diversity import Diversity, diversity
from kakurenbo.risk.classical.population import in_population
from kakurenbo.risk.excess.judge import Excess
from kakurenbo.risk.excess.scaled import MEASURE as SCALED
from kakurenbo.risk.excess.scaled import scaled
from kakurenbo.risk.exposure.nearness import clusters
from kakurenbo.risk.honesty import honesty
from kakurenbo.theory.maximum import worst
from kakurenbo.theory.rate import Rate
from kakurenbo.threads import meanwhile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.attacks.base import Practice
    from kakurenbo.auditing.earlier import Held
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.auditing.results import (
        Dummies,
        Finding,
        Kept,
        People,
        Proof,
        Proved,
        Shown,
        Synthetic,
        Targets,
        TransformedProof,
    )
    from kakurenbo.auditing.results import Earlier as EarlierFound
    from kakurenbo.auditing.sample import Secret
    from kakurenbo.auditing.search import Search
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.unseen import Unseen
    from kakurenbo.risk.honesty import Honesty
    from kakurenbo.theory.population import Population

    Earlier: TypeAlias = Release[Data] | Data | Blocks | tuple[Data | Blocks, Pairing | Owners | Secret]

MAX_RISK = 0.1
_diversities: ByKind[tuple[Diversity, ...]] = ByKind(purchases=lambda *_: (), microdata=diversity)
_BINS = 20


def audit(
    original: Data | Blocks,
    release: Release[Data] | Data | Blocks,
    secret: Pairing | Owners | Secret | None = None,
    *,
    max_risk: float = MAX_RISK,
    max_learnt: float | None = None,
    knowledge: str | None = None,
    control: Data | Blocks | None = None,
    earlier: Sequence[Earlier[Data]] = (),
    min_utility: float | Mapping[str, float] | None = None,
    minutes: float | None = None,
    population: float | None = None,
    trust_pairing: bool = False,
    targets: int | Literal["all"] | None = None,
    cache: bool = True,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Audit a release.

    Where there are more people than `targets`, so many of them are drawn and sought among all: the tables are
    gone through in blocks, so that the time grows with them and no faster, and memory with the targets alone.
    What needs people one by one (what is kept, distances, the proof) is then told of those drawn, and whoever
    must see everybody at once seeks among the people most like them; the result says so. Who looks people up
    has no rivals, however many are drawn: a person is found with one chance in all places that fit.

    Args:
        original: the data before, as a table or in blocks.
        release: a release of ours, or data released by anybody, as a table or in blocks.
        secret: the pairing, where the release does not bring it, or whose every name is; without one nobody
            can be counted as found, and the answer is given on what is learnt.
        max_risk: the largest share that any attacker may find.
        max_learnt: by how much the share of people laid open may exceed that of people who are not in the
            release; none given means as max_risk.
        knowledge: what an attacker may know at most to decide, a rung of the ladder; none given means
            everything. All attackers are run and shown.
        control: people of the same population who are not in the release, as a table or in blocks; of many,
            1,000 are drawn where not everybody is sought. Without them the plan of the release is carried out
            once more without some people, where it is known.
        earlier: other releases of some of the same people that an attacker may hold, in memory or in blocks.
            He links names across all of them and believes what stands in all; the secret that one brings, as
            a release or a pair of data and secret, only judges the links. Of a large release of which some
            people are sought, the names of the first of these are linked, and those that look like them.
        min_utility: the least share of the use to be kept, as the mean over all measures, or by measure.
        minutes: how long attackers may seek, their proof included; then nobody is asked where nearly
            everybody is found already, and the answer is yes only if all were tried. None given means as
            long as it takes.
        population: of microdata: how many people the released ones were drawn from, or up to 1 the share
            drawn; the chances of who knows only that somebody is among them are then estimated.
        trust_pairing: the pairing is known to be true, so an excessive distance does not decide.
        targets: of purchases, how many people are sought, 10,000 if none is given; `all` for everybody.
        cache: whether the validation of the attackers on made-up people, which takes a while and is the same
            until the program changes, is remembered in the user's cache folder; else it is made anew.
        seed: repeats what attackers know and how ties are broken.
        progress: told about each step, and asked between them whether to stop.
    """
    began, steps = time.perf_counter(), progress or Progress()
    limits = _limits(max_risk, max_learnt, min_utility, knowledge, minutes, trust_pairing=trust_pairing)
    fixed = drawn_seed() if seed is None else seed
    given = AuditInput.of(original, release, secret, targets, Chance(fixed), steps.part(0.0, 0.1))
    _check(given, limits, control, earlier)
    steps = steps if given.complete else steps.part(0.1, 1.0)
    seen = _Seen.of(given, Chance(fixed), guess_seed=not isinstance(release, Release), progress=steps)
    effort, folders = Effort(minutes, began), _folders([release, *earlier])
    found, validated = _attack(seen, earlier, effort, steps, seed=fixed, cache=cache, folders=folders)
    reidentified = _reidentified(seen, found, validated.proof, limits, steps)
    names = naming(seen.recoded, seen.tables, given.owners)
    found, inferred, exposed = _infer(seen, found, control, steps)
    kept, unmeasured = _measure(seen, validated, steps)
    excess, unjudged = _excess(given.original, given.released, given.owners)
    near, unique, groups, fingerprints = exposed
    ran, searched = reidentified.ran, _targets(cast("Search[Any]", found.search))
    audited = Audit(
        kind=given.original.kind,
        ladder=tuple((rung.name, rung.meaning) for rung in LADDERS[given.original.kind]),
        attacks=ran.findings if ran else (), proof=validated.proof, utility=kept,
        excess=excess, nearness=near, uniqueness=unique, groups=groups,
        people=reidentified.people, pictures=tuple(figures(seen.recoded, given.released, given.original)),
        skipped=(*seen.skipped, *(ran.skipped if ran else ()), *unmeasured, *unjudged),
        limits=limits, counts=given.counts, facts={} if given.facts is None else given.facts.to_dict(),
        provenance=replace(seen.made, fingerprints=fingerprints),
        seed=seed, seconds=time.perf_counter() - began, verdict="not measured", reasons=(),
        unseen=seen.unread,
        dropped={"original": given.original.left_out, "released": given.released.left_out},
        own_ids=seen.own_ids, seed_guessed=seen.seed_guessed,
        coverage=seen.spoken.coverage, disguised=validated.disguised, honesty=seen.honesty,
        learnt=inferred.lessons, control=inferred.control, membership=inferred.membership,
        owners=inferred.owners, inferred=seen.spoken.inferred, worst_again=reidentified.again,
        deciding=_deciding(limits, given.original.kind), names=names,
        earlier=found.earlier, dummies=reidentified.dummies, synthetic=seen.of_nobody(control),
        population=() if population is None else _IN_POPULATION(given.released, population),
        practised=seen.practised, diversity=_diversities(given.released, given.original.hierarchies),
        filing=Filing(now()), targets=searched,
        engine=given.engine(
            searched, units=seen.by_units, proved=validated.proof.people, linked=found.linked,
            control=inferred.control, owning=found.owning,
        ),
    )  # fmt: skip
    audited = replace(audited, holding=holding(audited))
    verdict, reasons = judge(audited)
    return replace(audited, verdict=verdict, reasons=reasons)


@dataclass(frozen=True, eq=False)
class _Seen(Generic[Data]):
    """What is given as attackers see it, and who attacks.

    Attributes:
        given: both tables.
        chance: draws whatever is drawn.
        made: where the release comes from, as far as anybody says so.
        unread: what was released that nobody looks at.
        spoken: the original in the words of the release.
        common: the original with the columns that the release has, in its own words.
        lost: how many columns the release has not.
        seed_guessed: whether a seed that can be guessed made the release; None where nobody need guess.
        practice: other people released in the same way, or why there are none.
        panel: who attacks.
        idle: who cannot matter on this release, and why.
        learning: who believes something of people.
    """

    given: AuditInput[Data]
    chance: Chance
    made: Provenance
    unread: Unseen
    spoken: Spoken[Data]
    common: Data
    lost: int
    seed_guessed: bool | None
    practice: Practice[Data] | str
    panel: Panel[Data]
    idle: Mapping[tuple[str, str, str], Skipped]
    learning: Sequence[Attacker]

    @classmethod
    def of(
        cls, given: AuditInput[Data], chance: Chance, *, guess_seed: bool, progress: Progress
    ) -> _Seen[Data]:
        """Write the original as the release is written, and say who can attack it."""
        before, released = given.original, given.released
        progress.step("comparing the tables", 0)
        unread = unseen(released, before)
        made = _as_told(given.made, unread)
        common, lost = before.common_with(released)
        spoken = vocabulary(before, released)
        guessed = None
        if guess_seed and not made.reproducible:
            progress.step("guessing seeds", 0)
            guessed = seed_guessed(before, released, given.owners, chance)
        idle = Panel.of(spoken.original).idle(released)
        practice = practised(common, made.plan, chance.under("practice"), released=released)
        ready = None if isinstance(practice, str) else practice
        panel = Panel.of(spoken.original, plain=common, practice=ready).without(idle)
        return cls(
            given, chance, made, unread, spoken, common, lost, guessed, practice, panel, idle,
            learners(spoken.original),
        )  # fmt: skip

    @property
    def recoded(self) -> Data:
        """The original in the words of the release."""
        return self.spoken.original

    @cached_property
    def tables(self) -> Tables[Data]:
        """Both tables side by side."""
        released = self.given.released
        return Tables(self.recoded, released, self.chance, self.common, self.panel.practice)

    @property
    def practised(self) -> Literal["", "known", "guessed"]:
        """Whether the plan that attackers practised is known, or guessed; nothing where nobody practised."""
        ready = self.panel.practice
        return "" if ready is None else "guessed" if ready.guessed else "known"

    @property
    def by_units(self) -> bool:
        """Whether anybody learns how telling it is that records or visits agree."""
        members, shown = (*self.panel.members, *self.learning), self.tables.shown
        return any(isinstance(in_blocks(member, shown), Agreement) for member in members)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was not compared, and who could not attack, before anybody did."""
        out = (
            _left_out(self.lost),
            dict.fromkeys(self.idle.values()),
            _unpractised(self.recoded, self.practice),
        )
        return tuple(skipped for some in out for skipped in some)

    @property
    def own_ids(self) -> tuple[Shown, ...]:
        """Which columns show people's own ids, in any of several disguises."""
        given = self.given
        if given.owners is None:
            return ()
        return own_ids(given.original, given.released, given.owners, self.chance)

    @property
    def honesty(self) -> Honesty | None:
        """Whether the pairing looks true."""
        given = self.given
        return None if given.owners is None else honesty(self.recoded, given.released, given.owners)

    def of_nobody(self, control: Data | Blocks | None) -> Synthetic | None:
        """Ask what rows give away that pair with nobody; None where there is a pairing."""
        if self.given.owners is not None:
            return None
        others = cast("Any", control)
        return _NOBODYS(self.recoded, self.given.released, others, self.spoken, self.chance)


@dataclass(frozen=True, eq=False)
class _Found(Generic[Data]):
    """What came of seeking people in the release, and with earlier ones beside it.

    Attributes:
        search: where people were taken to be; None where that is not asked yet.
        ran: what the panel achieved; None without a pairing.
        held: the earlier releases; None where there are none.
        joined: what the panel achieves with those.
    """

    search: Search[Data] | None
    ran: PanelRun[Data] | None
    held: Held[Data] | None = None
    joined: PanelRun[Data] | None = None

    @property
    def earlier(self) -> tuple[EarlierFound, ...]:
        """What is told of earlier releases."""
        return () if self.held is None else self.held.earlier

    @property
    def linked(self) -> int:
        """How many names were linked with those of earlier releases."""
        return 0 if self.held is None else len(self.held.believed.people)

    @property
    def owning(self) -> int | None:
        """Of how many people it was asked which receipts are theirs; None where everybody was at hand."""
        if self.search is None or self.search.receipts is None:
            return None
        return len(self.search.receipts.people)


@dataclass(frozen=True)
class _Validated:
    """The attackers tried on controls, and what is kept, where that was measured meanwhile."""

    proof: Proof
    disguised: TransformedProof
    use: tuple[tuple[Kept, ...], tuple[Skipped, ...]] | None


def _attack(
    seen: _Seen[Data],
    earlier: Sequence[Earlier[Data]],
    effort: Effort,
    steps: Progress,
    *,
    seed: int,
    cache: bool,
    folders: Sequence[Path],
) -> tuple[_Found[Data], _Validated]:
    """Attack the release, and with earlier ones beside it; attackers are validated meanwhile or before."""
    given, beside = seen.given, steps if seen.given.complete else steps.unseen()
    validate = partial(_validate, seen, seed=seed, cache=cache, apart=folders, progress=beside)
    attack = partial(seen.panel.attack_input, learners=seen.learning, recode=seen.spoken.alike, effort=effort)
    look_for = partial(search, members=seen.learning, recode=seen.spoken.alike)
    with meanwhile(validate, apart=not given.complete) as validated:
        ran = None if given.owners is None else attack(given, seen.tables, progress=steps.part(0.3, 0.6))
        found = ran.search if ran is not None else None
        if not earlier:
            return _Found(found, ran), validated()
        found = found or look_for(given, seen.tables, progress=steps.part(0.6, 0.65))
        held = join(given, earlier, found.matches, seen.chance, steps.part(0.6, 0.62))
        joined = held.attacked(given, seen.tables, attack, look_for)
        return _Found(found, ran, held, joined), validated()


def _validate(
    seen: _Seen[Data], *, seed: int, cache: bool, apart: Sequence[Path], progress: Progress
) -> _Validated:
    """Try the attackers on controls; where many people are gone through meanwhile, measure what is kept."""
    given, trained = seen.given, seen.panel.practice is not None
    proof = prove(
        seen.recoded, seed=seed, progress=progress.part(0, 0.22), without=seen.idle, practised=trained,
        cache=cache, apart=apart,
    )  # fmt: skip
    disguised = seen.spoken.proved(seed=seed, progress=progress.part(0.22, 0.3))
    use = None
    if not given.complete:
        use = utility(given.original, given.released, given.owners, progress, spoken=seen.recoded)
    return _Validated(proof, disguised, use)


def _infer(
    seen: _Seen[Data], found: _Found[Data], control: Data | Blocks | None, steps: Progress
) -> tuple[_Found[Data], Learning, tuple[Any, ...]]:
    """Ask what is learnt of people where they were taken to be; how exposed they are is counted beside."""
    given = seen.given
    aside = not given.complete and given.by_threads
    shown = steps.unseen() if aside else steps.part(0.6, 0.65)
    with meanwhile(partial(exposure, given, seen.spoken, seen.chance, shown), apart=aside) as exposed:
        if found.search is None:
            asked = search(
                given, seen.tables, seen.learning, recode=seen.spoken.alike, progress=steps.part(0.6, 0.65)
            )
            found = replace(found, search=asked)
        learn = partial(
            learning, spoken=seen.spoken, plan=seen.made.plan, control=control,
            inside=None if given.owners is None else given.owners.persons,
        )  # fmt: skip
        taught = learn(cast("Search[Data]", found.search), progress=steps.part(0.65, 0.9))
        if found.held is not None and found.joined is not None and found.joined.search is not None:
            taught = learnt_with(taught, learn(found.joined.search), found.held.releases)
        return found, taught, exposed()


def _measure(
    seen: _Seen[Data], validated: _Validated, steps: Progress
) -> tuple[tuple[Kept, ...], tuple[Skipped, ...]]:
    """Measure what is kept of the use; of some people with intervals."""
    given = seen.given
    if given.complete:
        return utility(
            given.original, given.released, given.owners, steps.part(0.9, 0.97), spoken=seen.recoded
        )
    kept, unmeasured = validated.use or ((), ())
    groups, both = seen.chance.under("groups"), (cast("Any", given), cast("Any", seen.recoded))
    return tuple(with_intervals(kept, *both, groups, steps.part(0.97, 1.0))), unmeasured


def _folders(releases: Sequence[Earlier[Any]]) -> list[Path]:
    """Return the folders that releases were read from."""
    tables = (one[0] if isinstance(one, tuple) else one for one in releases)
    sources = [(one.data if isinstance(one, Release) else one).source for one in tables]
    return [source.place for source in sources if source is not None and source.place.is_dir()]


def _targets(found: Search[Any]) -> Targets | None:
    """Return who was looked for, where that was not everybody by every attacker."""
    given, pool = found.given, found.pool
    if pool.complete:
        return given.targets(found.matches.compared)
    compared = len(given.original.people) if given.owners is None else found.matches.compared
    return given.targets(compared, pool.targets, pool.names)


@dataclass(frozen=True)
class _Reidentified:
    """Who was found, and why: nothing where no pairing says so."""

    ran: PanelRun[Any] | None = None
    people: People | None = None
    again: Rate | None = None
    dummies: Dummies | None = None


def _reidentified(
    seen: _Seen[Data], found: _Found[Data], proof: Proof, limits: Limits, steps: Progress
) -> _Reidentified:
    """Ask who was found and why, and how sure the worst rate is."""
    given, ran = seen.given, found.ran
    if given.owners is None or ran is None:
        return _Reidentified()
    steps.step("asking who is found, and why", 0.6)
    if found.held is not None and found.joined is not None:
        ran = found_with(ran, found.joined, found.held.releases)
    labels = clusters(given.released) if given.owners.one_to_one else ()
    ran = _together(_proven(ran, proof), labels)
    rungs = [rung.name for rung in LADDERS[given.released.kind]]
    people = victims(ran, given, rungs, cast("Any", seen.spoken.alike))
    again = _again(ran, _deciding(limits, given.released.kind), labels, seen.chance)
    return _Reidentified(ran, people, again, dummies_told(ran, given.owners))


def _deciding(limits: Limits, kind: Kind) -> tuple[str, ...]:
    """Return the rungs that decide."""
    return tuple(rung.name for rung in up_to(limits.knowledge, kind))


def _as_told(made: Provenance, unread: Unseen) -> Provenance:
    """Return how a release was made, as far as it says so itself where its maker does not."""
    told = replace(made, plan=made.plan or unread.plan)
    return told if told.reproducible is not None else replace(told, reproducible=unread.labelled)


def _of_nobody(
    original: Microdata,
    released: Microdata,
    control: Microdata | None,
    spoken: Spoken[Microdata],
    chance: Chance,
) -> Synthetic:
    """Ask what rows give away that pair with nobody."""
    others = None if control is None else spoken.alike(control)
    return synthetic(original, released, others, chance.under("synthetic"))


_NOBODYS: ByKind[Synthetic | None] = ByKind(purchases=lambda *_: None, microdata=_of_nobody)


def _no_population(*_: object) -> tuple[Population, ...]:
    raise ParameterError(
        "population is for microdata, one row a person.", code="parameter", parameter="population"
    )


_IN_POPULATION: ByKind[tuple[Population, ...]] = ByKind(purchases=_no_population, microdata=in_population)


def _unpractised(original: Data, practice: object) -> tuple[Skipped, ...]:
    """Say who would have had to practise, and why nobody could."""
    if not isinstance(practice, str):
        return ()
    idle = [who for who in attackers(original) if who.stand.practised and who.stand.names]
    return tuple(dict.fromkeys(Skipped(f"{who.knowledge}: {who.name}", practice) for who in idle))


def _check(
    given: AuditInput[Data], limits: Limits, control: Data | Blocks | None, earlier: Sequence[Earlier[Data]]
) -> None:
    """Refuse limits of what nobody measures, two kinds of data, and a pairing of other people."""
    original = given.original
    names = [*(entry.name for entry in measures_of(original.kind)), "mean"]
    if not limits.min_utility.keys() <= set(names):
        raise ParameterError(
            f"There is no utility measure of this name; there are: {', '.join(names)}.",
            code="unknown-name",
            parameter="min_utility",
        )
    if control is not None and control.kind != original.kind:
        raise ParameterError("The original and the release must be of one kind.", code="parameter")
    check_kinds(original.kind, earlier)
    if given.complete and given.owners is not None:
        given.owners.check(original, given.released)


def _limits(
    max_risk: float,
    max_learnt: float | None,
    min_utility: float | Mapping[str, float] | None,
    knowledge: str | None,
    minutes: float | None,
    *,
    trust_pairing: bool,
) -> Limits:
    """Return the limits that are asked for; impossible ones are refused before any work."""
    learnable = max_risk if max_learnt is None else max_learnt
    limits = Limits(max_risk, _least(min_utility), trust_pairing, learnable, knowledge, minutes)
    Effort(minutes)  # refuses what is no time
    least = {f"min_utility {name}": share for name, share in limits.min_utility.items()}
    asked = {"max_risk": limits.max_risk, "max_learnt": limits.max_learnt, **least}
    for name, share in asked.items():
        if not 0 <= share <= 1:
            parameter = name.split()[0]
            raise ParameterError(f"{name} must lie between 0 and 1.", code="parameter", parameter=parameter)
    return limits


def _left_out(columns: int) -> tuple[Skipped, ...]:
    why = "not in the release, so nobody can compare them"
    return (Skipped(f"{columns} columns", why),) if columns else ()


def _least(asked: float | Mapping[str, float] | None) -> Mapping[str, float]:
    if asked is None:
        return {}
    return dict(asked) if not isinstance(asked, float | int) else {"mean": float(asked)}


def _proven(ran: PanelRun[Data], proof: Proof) -> PanelRun[Data]:
    """Mark the attackers who did not pass their proof, or could not be tried."""
    passed = [_who(proved) for proved in proof.attackers if proved.holds]
    marked = (
        replace(outcome, finding=replace(outcome.finding, proven=_who(outcome.finding) in passed))
        for outcome in ran.outcomes
    )
    return replace(ran, outcomes=tuple(marked))


def _together(ran: PanelRun[Data], labels: Sequence[NDArray[np.int64]]) -> PanelRun[Data]:
    """Widen the intervals of rates for people who may share their fate."""
    widened = (
        replace(outcome, finding=replace(outcome.finding, rate=_widest(outcome.chance, labels)))
        for outcome in ran.outcomes
    )
    return replace(ran, outcomes=tuple(widened)) if labels else ran


def _widest(chance: NDArray[np.float64], labels: Sequence[NDArray[np.int64]]) -> Rate:
    """Return the rate of those who were asked about."""
    asked = ~np.isnan(chance)
    return Rate.widest(chance[asked], [groups[asked] for groups in labels])


def _again(
    ran: PanelRun[Data], deciding: Sequence[str], labels: Sequence[NDArray[np.int64]], chance: Chance
) -> Rate | None:
    """Return what the worst of those who decide finds of people on whom he was not chosen."""
    chances = [one.chance for one in ran.outcomes if one.attacker.knowledge in deciding]
    found = np.array(chances)
    asked = ~np.isnan(found).any(axis=0) if chances else np.empty(0, dtype=bool)
    if not asked.any():
        return None
    return worst(found[:, asked], chance.stream("halves"), [groups[asked] for groups in labels])


def _who(tried: Finding | Proved) -> tuple[str, str, Mapping[str, Any]]:
    return tried.knowledge, tried.attack, tried.parameters


def _excess(
    original: Data, released: Data, secret: Owners | None
) -> tuple[Distance | None, tuple[Skipped, ...]]:
    if secret is None:
        return None, (Skipped("excess", "without the pairing nobody can be followed"),)
    try:
        return _DISTANCES(original, released, secret), ()
    except KakurenboError as error:
        return None, (Skipped("excess", str(error)),)


def _of_baskets(original: Purchases, released: Purchases, secret: Owners) -> Distance:
    """Return the distance of 004 beside its limits."""
    judged = Excess(solves=0).judge(original, released, secret)
    n, known = judged.limits.people, judged.limits
    return Distance(
        measure=known.measure, mean=judged.mean_distance, threshold=judged.threshold / n, low=known.low / n,
        high=known.high / n, farthest=judged.farthest,
        s_lower=tuple((r, value / n) for r, value in known.s_lower), histogram=_bars(judged.by_person),
        verdict=judged.verdict, reason=judged.reason, readings=judged.readings,
    )  # fmt: skip


def _of_rows(original: Microdata, released: Microdata, secret: Owners) -> Distance:
    """Return the same of a table of attributes, each in shares of its range; see `risk.excess.scaled`."""
    judged = scaled(original, released, secret)
    return Distance(
        measure=SCALED, mean=judged.mean, threshold=judged.threshold, low=0.0, high=judged.threshold,
        farthest=float(judged.by_person.max()), s_lower=(), histogram=_bars(judged.by_person),
        verdict=judged.verdict, reason=judged.reason,
    )  # fmt: skip


def _bars(apart: NDArray[np.float64]) -> tuple[tuple[float, float, int], ...]:
    bars, edges = np.histogram(apart, bins=_BINS, range=(0, 1.0))
    return tuple(zip(edges[:-1].tolist(), edges[1:].tolist(), bars.tolist(), strict=True))


_DISTANCES: ByKind[Distance] = ByKind(purchases=_of_baskets, microdata=_of_rows)
