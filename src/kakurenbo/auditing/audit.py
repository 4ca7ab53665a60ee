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
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import LADDERS, up_to
from kakurenbo.attacks.purchases.scans import Agree
from kakurenbo.attacks.search.seek import scan_of
from kakurenbo.auditing.dummies import dummies_told
from kakurenbo.auditing.earlier import check_kinds, found_with, join, learnt_with
from kakurenbo.auditing.exposure import exposure
from kakurenbo.auditing.figures import figures
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.names import naming
from kakurenbo.auditing.panel.effort import Effort
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.practice import practised
from kakurenbo.auditing.proof.prove import prove
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
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.auditing.results import (
        Dummies,
        Finding,
        Kept,
        People,
        Proof,
        Proved,
        Synthetic,
        Targets,
        TransformedProof,
    )
    from kakurenbo.auditing.sample import Secret
    from kakurenbo.auditing.search import Search
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.unseen import Unseen
    from kakurenbo.theory.population import Population

    Earlier: TypeAlias = Release[Data] | Data | Blocks | tuple[Data | Blocks, Pairing | Owners | Secret]

MAX_RISK = 0.1
_diversities: ByKind[tuple[Diversity, ...]] = ByKind(purchases=lambda *_: (), microdata=diversity)
_BINS = 20


def audit(  # noqa: PLR0915 - the story of an audit, step by step
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
    learnable = max_risk if max_learnt is None else max_learnt
    limits = Limits(max_risk, _least(min_utility), trust_pairing, learnable, knowledge, minutes)
    _check_limits(limits)
    fixed = drawn_seed() if seed is None else seed
    chance = Chance(fixed)
    given = AuditInput.of(original, release, secret, targets, chance, steps.part(0.0, 0.1))
    before, released, pairing = given.original, given.released, given.owners
    _check_measures(limits, before.kind)
    _check(given, control, earlier)
    steps = steps if given.complete else steps.part(0.1, 1.0)
    steps.step("comparing the tables", 0)
    deciding = tuple(rung.name for rung in up_to(knowledge, before.kind))
    unread = unseen(released, before)
    made = _as_told(given.made, unread)
    common, lost = before.common_with(released)
    spoken = vocabulary(before, released)
    seen = spoken.original
    guessed = None
    if not (isinstance(release, Release) or made.reproducible):
        steps.step("guessing seeds", 0)
        guessed = seed_guessed(before, released, pairing, chance)
    idle = Panel.of(seen).idle(released)
    practice = practised(common, made.plan, chance.under("practice"), released=released)
    ready = None if isinstance(practice, str) else practice
    panel = Panel.of(seen, plain=common, practice=ready).without(idle)
    tables = Tables(seen, released, chance, common, ready)
    asked = learners(seen)
    beside = partial(
        _beside, given, spoken, panel, idle, seed=fixed, cache=cache, apart=_folders([release, *earlier]),
        progress=steps if given.complete else steps.unseen(),
    )  # fmt: skip
    with meanwhile(beside, apart=not given.complete) as others:
        seeking, effort = steps.part(0.3, 0.6), Effort(minutes, began)
        attack = partial(panel.attack_input, learners=asked, recode=spoken.alike, effort=effort)
        look_for = partial(search, members=asked, recode=spoken.alike)
        attacked = None if pairing is None else attack(given, tables, progress=seeking)
        found = attacked.search if attacked is not None else None
        held = joined = None
        if earlier:
            found = found or look_for(given, tables, progress=steps.part(0.6, 0.65))
            held = join(given, earlier, found.matches, chance, steps.part(0.6, 0.62))
            joined = held.attacked(given, tables, attack, look_for)
        proof, disguised, use = others()
    aside = not given.complete and given.by_threads
    look = partial(exposure, given, spoken, chance, steps.unseen() if aside else steps.part(0.6, 0.65))
    with meanwhile(look, apart=aside) as exposed:
        found = found or look_for(given, tables, progress=steps.part(0.6, 0.65))
        sought = _Sought()
        if attacked is not None and pairing is not None:
            steps.step("asking who is found, and why", 0.65)
            both = attacked if held is None or joined is None else found_with(attacked, joined, held.releases)
            sought = _sought(_proven(both, proof), given, pairing, deciding, spoken, chance)
        ran = sought.ran
        names = naming(seen, tables, pairing)
        learn = partial(
            learning, spoken=spoken, plan=made.plan, control=control,
            inside=None if pairing is None else pairing.persons,
        )  # fmt: skip
        taught = learn(found, progress=steps.part(0.65, 0.9))
        if held is not None and joined is not None and joined.search is not None:
            taught = learnt_with(taught, learn(joined.search), held.releases)
        nobodys = _NOBODYS(seen, released, cast("Any", control), spoken, chance) if pairing is None else None
        kept, unmeasured = use or utility(before, released, pairing, steps.part(0.9, 0.97), spoken=seen)
        if not given.complete:
            kept = tuple(
                with_intervals(
                    kept, cast("Any", given), cast("Any", seen), chance.under("groups"), steps.part(0.97, 1.0)
                )
            )
        near, unique, groups, fingerprints = exposed()
    excess, unjudged = _excess(before, released, pairing)
    honest = None if pairing is None else honesty(seen, released, pairing)
    result = Audit(
        kind=before.kind, ladder=tuple((rung.name, rung.meaning) for rung in LADDERS[before.kind]),
        attacks=ran.findings if ran else (), proof=proof, utility=kept,
        excess=excess, nearness=near, uniqueness=unique, groups=groups,
        people=sought.people, pictures=tuple(figures(seen, released, before)),
        skipped=(
            *_left_out(lost), *dict.fromkeys(idle.values()), *_unpractised(seen, practice),
            *(ran.skipped if ran else ()), *unmeasured, *unjudged,
        ),
        limits=limits,
        counts=given.counts,
        facts={} if given.facts is None else given.facts.to_dict(),
        provenance=replace(made, fingerprints=fingerprints),
        seed=seed, seconds=time.perf_counter() - began,
        verdict="not measured", reasons=(),
        unseen=unread, dropped={"original": before.left_out, "released": released.left_out},
        own_ids=() if pairing is None else own_ids(before, released, pairing, chance), seed_guessed=guessed,
        coverage=spoken.coverage, disguised=disguised, honesty=honest,
        learnt=taught.lessons, control=taught.control, membership=taught.membership,
        owners=taught.owners, inferred=spoken.inferred, worst_again=sought.again, deciding=deciding,
        names=names, earlier=() if held is None else held.earlier, dummies=sought.dummies, synthetic=nobodys,
        population=() if population is None else _IN_POPULATION(released, population),
        practised="" if ready is None else "guessed" if ready.guessed else "known",
        diversity=_diversities(released, before.hierarchies), filing=Filing(now()),
        targets=_targets(found),
        engine=given.engine(
            _targets(found), units=_by_units(panel, asked, tables), proved=proof.people,
            linked=0 if held is None else len(held.believed.people), control=taught.control,
            owning=None if found.receipts is None else len(found.receipts.people),
        ),
    )  # fmt: skip
    result = replace(result, holding=holding(result))
    verdict, reasons = judge(result)
    return replace(result, verdict=verdict, reasons=reasons)


def _beside(
    given: AuditInput[Data],
    spoken: Spoken[Data],
    panel: Panel[Data],
    idle: Mapping[tuple[str, str, str], Skipped],
    *,
    seed: int,
    cache: bool,
    apart: Sequence[Path],
    progress: Progress,
) -> tuple[Proof, TransformedProof, tuple[tuple[Kept, ...], tuple[Skipped, ...]] | None]:
    """Prove the attackers; where many people are gone through meanwhile, measure what is kept as well."""
    seen, practised = spoken.original, panel.practice is not None
    steps = progress.part(0, 0.22)
    proof = prove(
        seen, seed=seed, progress=steps, without=idle, practised=practised, cache=cache, apart=apart
    )
    disguised = spoken.proved(seed=seed, progress=progress.part(0.22, 0.3))
    use = None
    if not given.complete:
        use = utility(given.original, given.released, given.owners, progress, spoken=seen)
    return proof, disguised, use


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


def _by_units(panel: Panel[Any], asked: Sequence[Attacker], tables: Tables[Any]) -> bool:
    """Tell whether anybody learns how telling it is that records or visits agree."""
    return any(isinstance(scan_of(who, tables.shown), Agree) for who in (*panel.members, *asked))


@dataclass(frozen=True)
class _Sought:
    """What came of seeking people: nothing where no pairing says who was found."""

    ran: PanelRun[Any] | None = None
    people: People | None = None
    again: Rate | None = None
    dummies: Dummies | None = None


def _sought(  # noqa: PLR0917 - what was found, and of what
    proven: PanelRun[Data],
    given: AuditInput[Data],
    pairing: Owners,
    deciding: tuple[str, ...],
    spoken: Spoken[Data],
    chance: Chance,
) -> _Sought:
    """Ask who was found and why, and how sure the worst rate is."""
    labels = clusters(given.released) if pairing.one_to_one else ()
    ran = _together(proven, labels)
    rungs = [rung.name for rung in LADDERS[given.released.kind]]
    people = victims(ran, given, rungs, cast("Any", spoken.alike))
    return _Sought(ran, people, _again(ran, deciding, labels, chance), dummies_told(ran, pairing))


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


def _check(given: AuditInput[Data], control: Data | Blocks | None, earlier: Sequence[Earlier[Data]]) -> None:
    """Refuse two kinds of data, and a pairing of other people, before any work."""
    original = given.original
    if control is not None and control.kind != original.kind:
        raise ParameterError("The original and the release must be of one kind.", code="parameter")
    check_kinds(original.kind, earlier)
    if given.complete and given.owners is not None:
        given.owners.check(original, given.released)


def _check_limits(limits: Limits) -> None:
    Effort(limits.minutes)  # refuses what is no time
    least = {f"min_utility {name}": share for name, share in limits.min_utility.items()}
    asked = {"max_risk": limits.max_risk, "max_learnt": limits.max_learnt, **least}
    for name, share in asked.items():
        if not 0 <= share <= 1:
            parameter = name.split()[0]
            raise ParameterError(f"{name} must lie between 0 and 1.", code="parameter", parameter=parameter)


def _check_measures(limits: Limits, kind: Kind) -> None:
    """Refuse limits of what nobody measures, before anything is measured."""
    names = [*(entry.name for entry in measures_of(kind)), "mean"]
    if not limits.min_utility.keys() <= set(names):
        raise ParameterError(
            f"There is no utility measure of this name; there are: {', '.join(names)}.",
            code="unknown-name",
            parameter="min_utility",
        )


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
