"""Yes or no: the limits asked for against what was measured, with every reason in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.attacks.ladder import up_to
from kakurenbo.data.unseen import spoken
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kakurenbo.auditing.results import Answer, Audit
    from kakurenbo.data.unseen import UnreadColumn

SEEDED = (
    "The release was drawn with a seed: whoever knows it can compute the new names again. Reproducible: it "
    "must not be handed out."
)
_NOTHING = ("order", "receipts")  # what nobody would call knowledge of a person
_LISTED = 6  # rungs that a reason names
_NAMED = 10  # columns or files that a reason names

_CLEARLY = 0.05  # dummies are told when dropping them finds so many more than leaving them in


def judge(audit: Audit) -> tuple[Answer, tuple[str, ...]]:
    """Return the answer and its reasons, those against first; a seed is told before all."""
    against = [
        *_undone(audit), *_unseen(audit), *_proof(audit), *_blind(audit), *_risk(audit), *_learnt(audit),
        *_synthetic(audit), *_pairing(audit), *_leaks(audit), *_utility(audit), *_excess(audit),
    ]  # fmt: skip
    label = (SEEDED,) if audit.provenance.reproducible else ()
    if against:
        return "no", (*label, *against, *_holding(audit))
    compared = audit.synthetic is not None and audit.synthetic.judged
    if audit.worst is None and audit.worst_lesson is None and not compared:
        unknown = "No attack could be scored, and nothing can be learnt about: the risk is not known."
        return "not measured", (*label, unknown)
    if audit.late:
        return "not measured", (*label, _late(audit))
    return "yes", (*label, *_in_favour(audit))


def _late(audit: Audit) -> str:
    rungs = _joined(list(dict.fromkeys(left.late for left in audit.late)), "or")
    return (
        f"{len(audit.late)} attackers who know {rungs} were not tried within "
        f"{audit.limits.minutes:g} minutes. Nobody who was tried passes the limits; give more time to know."
    )


def _undone(audit: Audit) -> Iterator[str]:
    if audit.seed_guessed:
        yield (
            "The new names come from a seed that anybody would try: the release is undone by computing them "
            "again from a list of ids."
        )
    for shown in audit.own_ids:
        if shown.share > audit.limits.max_risk:
            what = f"their own original ids {shown.disguise}".strip()
            yield f"In {shown.column} {shown.share:.1%} of the people show {what}."


def _unseen(audit: Audit) -> Iterator[str]:
    """Name what was released and not looked at."""
    unseen = audit.unseen
    if unseen.rows:
        total, rows = sum(unseen.rows.values()), spoken(unseen.rows)
        yield f"{total:,} released rows were left out, so no attacker could be tried on them: {rows}."
    if unseen.columns:
        count = _counted(len(unseen.columns), "released column")
        yield f"{count} that nobody read: {_listed([_column(column) for column in unseen.columns])}."
    if unseen.files:
        named = _listed([f"{file.name} ({file.what})" if file.what else file.name for file in unseen.files])
        yield f"The release brings what is none of its tables: {named}."


def _column(column: UnreadColumn) -> str:
    if not column.holds:
        return column.name
    return f"{column.name} holds {column.holds} in {column.share:.0%} of its rows"


def _counted(count: int, what: str) -> str:
    return f"There is a {what}" if count == 1 else f"There are {count:,} {what}s"


def _listed(names: Sequence[str]) -> str:
    more = f"; and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return "; ".join(names[:_NAMED]) + more


def _proof(audit: Audit) -> Iterator[str]:
    if audit.proof is not None and not audit.proof.holds:
        named = sorted({f"{proved.knowledge}: {proved.attack}" for proved in audit.proof.failed})
        yield f"The proof failed for {', '.join(named)}: their low rates mean nothing."
    elif not all(finding.proven for finding in audit.attacks):
        named = sorted({f"{tried.knowledge}: {tried.name}" for tried in audit.attacks if not tried.proven})
        yield f"The proof could not try {', '.join(named)}: their low rates mean nothing."


def _blind(audit: Audit) -> Iterator[str]:
    """Name what could not be compared, and who therefore saw nothing."""
    lost = [one for one in audit.coverage if not one.comparable]
    rungs = [rung for rung in audit.blind if audit.decides(rung)]
    untaught = [rung for rung in audit.untaught if audit.decides(rung) and rung not in rungs]
    if rungs or untaught:
        why = "; ".join(one.why for one in lost) or "; ".join(audit.disguised.shows)
        what = _joined([one.role for one in lost], "and") or "what was changed"
        said = [f"{what.capitalize()} could not be compared with the original: {why}."]
        if rungs:
            said.append(
                f"Nobody who knows {_joined(rungs, 'or')} sees through that, so what they find and learn is "
                "not measured."
            )
        if untaught:
            said.append(f"What is learnt by who knows {_joined(untaught, 'or')} is not measured.")
        yield " ".join(said)
    if audit.disguised.failed:
        named = sorted({f"{one.knowledge}: {one.attack}" for one in audit.disguised.failed})
        yield f"On a copy in the release's disguise the proof failed for {', '.join(named)}."


def _joined(names: Sequence[str], word: str) -> str:
    """Return names as people list them, many of them counted."""
    shown = [*names[:_LISTED], f"{len(names) - _LISTED} more"] if len(names) > _LISTED + 1 else [*names]
    return f" {word} ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def _risk(audit: Audit) -> Iterator[str]:
    worst, limit = audit.worst, audit.limits.max_risk
    if worst is not None and worst.exposed.value > limit:
        deciding = [finding for finding in audit.attacks if audit.decides(finding.knowledge)]
        over = sum(finding.exposed.value > limit for finding in deciding)
        yield (
            f"The worst attacker ({worst.name}, knowing {worst.knowledge}) finds {worst.exposed.value:.1%} "
            f"of the people; {over} of {len(deciding)} attackers find more than the limit of "
            f"{limit:.1%}."
        )


def _learnt(audit: Audit) -> Iterator[str]:
    worst, limit = audit.worst_lesson, audit.limits.max_learnt
    if worst is not None and worst.advantage.value > limit:
        yield (
            f"Who knows {worst.knowledge} lays open {worst.laid_open.value:.1%} of the people "
            f"({worst.name}): he learns at least half of what else they have. That is "
            f"{worst.advantage.value:.1%} more than {_compared(audit)}; the limit is {limit:.1%}. No pairing "
            f"changes this.{_unknown_share(audit)}"
        )


def _unknown_share(audit: Audit) -> str:
    """Say that a part of it may be true of anybody, where nobody tells how much."""
    if audit.synthetic is None or audit.synthetic.judged:
        return ""
    return (
        " A part of it may be true of anybody of this population; people who were not used for the release "
        "would tell how much."
    )


def _synthetic(audit: Audit) -> Iterator[str]:
    """Hold what rows give away that are nobody's against the same of people who were not used."""
    made, limit = audit.synthetic, audit.limits.max_learnt
    if made is None or not made.judged:
        return
    for what, tried in (("infers", made.inferred), ("singles people out by", made.singled_out)):
        over = [one for one in tried if one.above(limit)]
        for one in over[:_LISTED]:
            yield (
                f"Who holds the release {what} {one.what} in {one.rate.value:.1%} of the attempts; of people "
                f"who were not used, in {0.0 if one.control is None else one.control.value:.1%}. The "
                f"difference may be {limit:.1%}."
            )
    worst = max(made.membership, key=lambda one: one.advantage, default=None)
    if worst is not None and worst.advantage > limit:
        yield (
            f"It can be told who was used for the release ({worst.attack}): {worst.caught_tenth:.1%} of them "
            f"with 10 % false alarms, {worst.caught:.1%} with 1 %. The excess may be {limit:.1%}."
        )


def _compared(audit: Audit) -> str:
    if audit.control is None or audit.control.kind == "no release":
        return "can be told without the release"
    return "of people who are not in the release"


def holding(audit: Audit) -> tuple[str, ...]:
    """Return the rungs up to which both limits are kept, without those that another of them includes.

    None where the pairing looks false: what is then not found tells nothing.
    """
    if audit.honesty is not None and audit.honesty.looks_false:
        return ()
    over = {one.knowledge for one in audit.shown if one.exposed.value > audit.limits.max_risk}
    over |= {one.knowledge for one in audit.learnt if one.advantage.value > audit.limits.max_learnt}
    tried = {one.knowledge for one in audit.attacks} | {one.knowledge for one in audit.learnt}
    below = {
        rung: {lower.name for lower in up_to(rung, audit.kind)} for rung, _ in audit.ladder if rung in tried
    }
    unknown = over | set(audit.blind) | set(audit.untaught)
    kept = {rung for rung, lower in below.items() if not unknown & lower}
    included = {lower for rung in kept for lower in below[rung] - {rung}}
    return tuple(rung for rung in below if rung in kept - included)


def _holding(audit: Audit) -> Iterator[str]:
    """Say for which attackers the limits would be kept, where they are not kept for all."""
    rungs = [rung for rung in audit.holding if rung not in _NOTHING]
    if rungs and (audit.worst is not None or audit.worst_lesson is not None):
        yield f"The limits for what is found and learnt are kept for who knows at most: {'; '.join(rungs)}."


def _pairing(audit: Audit) -> Iterator[str]:
    """Say who stands where he is not declared to; trusting the pairing does not undo it."""
    seen = audit.honesty
    if seen is None or not seen.looks_false:
        return
    said = []
    if seen.elsewhere:
        said.append(
            f"{seen.elsewhere:,} of {seen.people:,} people stand whole under a name not declared theirs"
        )
    if seen.unpaired:
        said.append(f"{seen.unpaired:,} people of whom it says nothing stand whole in the release")
    if seen.agreed:
        said.append(
            f"for {seen.agreed:,} names two seekers without common evidence agree on another than the "
            f"declared person, for {seen.rightly:,} on the declared one"
        )
    yield f"The pairing looks false: {'; '.join(said)}. What is counted as found cannot be relied on."


def _leaks(audit: Audit) -> Iterator[str]:
    """Name the carelessness behind attackers who should have found nobody."""
    alone = [finding for finding in audit.attacks if finding.releases == 1]
    for finding in alone:
        plain = (
            other.rate.value for other in alone if other.knowledge == finding.beyond and not other.betrays
        )
        least = max(audit.limits.max_risk, max(plain, default=0.0) + _CLEARLY if finding.beyond else 0.0)
        if finding.betrays and finding.reading == "nearest" and finding.rate.value > least:
            yield f"{finding.betrays}: this alone gives {finding.rate.value:.1%} away."


def _utility(audit: Audit) -> Iterator[str]:
    shares = {measure.name: measure.kept for measure in audit.utility} | {"mean": audit.kept}
    for name, least in audit.limits.min_utility.items():
        if name not in shares:
            raise ParameterError(
                f"There is no utility measure of this name here; there are: {', '.join(shares)}.",
                code="unknown-name",
            )
        if shares[name] < least:
            what = "The mean over all utility measures" if name == "mean" else f"The measure {name}"
            yield f"{what} says that {shares[name]:.1%} is kept, less than the limit of {least:.1%}."


def _excess(audit: Audit) -> Iterator[str]:
    excess = audit.excess
    if excess is None or excess.verdict != "excessive" or audit.limits.trust_pairing:
        return
    read = next((reading for reading in excess.readings if reading.excessive), None)
    what, mean, limit = "", excess.mean, excess.threshold
    if mean <= limit and read is not None and read.mean_distance and read.mean_threshold:
        what, mean, limit = f"by {read.of}, ", read.mean_distance, read.mean_threshold
    yield (
        f"The pairing is as far from the data as a shuffled one ({what}mean {excess.measure} distance "
        f"{mean:.3f}, limit {limit:.3f}): low rates may come from a false pairing."
    )


def _measured(audit: Audit) -> Iterator[str]:
    """Say what was measured of rows that are nobody's, and what could not be."""
    made = audit.synthetic
    if made is None:
        return
    if made.judged:
        yield (
            f"Compared with {made.outsiders:,} people who were not used, no attribute is inferred, nobody is "
            f"singled out and nobody's part in it is told beyond {audit.limits.max_learnt:.1%}."
        )
    else:
        yield (
            "Nobody was given who was not used: whether people's part in it can be told was not measured, "
            "and singling out is told without deciding."
        )


def _known(audit: Audit) -> str:
    return "" if audit.limits.knowledge is None else f" who knows at most {audit.limits.knowledge}"


def _in_favour(audit: Audit) -> Iterator[str]:
    worst, lesson, known = audit.worst, audit.worst_lesson, _known(audit)
    if worst is None:
        yield "Without a pairing nobody can be counted as found: this answer is about what is learnt."
        yield from _measured(audit)
    else:
        yield (
            f"No attacker{known} finds more than {worst.exposed.value:.1%} of the people (95 % interval up "
            f"to {worst.exposed.high:.1%}); the limit is {audit.limits.max_risk:.1%}."
        )
        if worst.exposed.high > audit.limits.max_risk:
            yield "The interval reaches above the limit: another release made the same way may not pass."
    if lesson is not None:
        yield (
            f"No attacker{known} lays open more than {lesson.laid_open.value:.1%} of the people, "
            f"{lesson.advantage.value:.1%} more than {_compared(audit)}; the limit is "
            f"{audit.limits.max_learnt:.1%}."
        )
    if audit.targets is not None:
        yield (
            f"{audit.targets.drawn:,} of {audit.targets.people:,} people, drawn at random, were sought; the "
            "intervals say what that costs, and who could not be tried so is listed with the reason."
        )
    for name, least in audit.limits.min_utility.items():
        yield f"The use kept ({name}) is at least the {least:.1%} asked for."
    if audit.excess is not None and audit.excess.verdict == "excessive":
        yield "The pairing is as far from the data as a shuffled one; it was declared to be trusted."
