"""The first screen: the answer with its reasons, and the few numbers that carry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.audit.ladder import EVERYTHING, NO_PAIRING
from kakurenbo.report.audit.risk import NOT_MEASURED, NOT_PROVEN, lottery, shown_rate
from kakurenbo.report.blocks import Card, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Answer, Audit
    from kakurenbo.report.blocks import Block, Tone

    Cells = tuple[str, str, str]

QUESTION: Final = "Does the release keep the limits that were asked for?"
TONES: Final[dict[Answer, Tone]] = {"yes": "good", "no": "bad", "not measured": "open"}
ANSWERS: Final[dict[Answer, str]] = {
    "yes": "Yes, against the attackers that were run",
    "no": "No",
    "not measured": "Not measured",
}


def warnings(audit: Audit) -> tuple[str, ...]:
    """Return what must be read before any number."""
    return (*_unproven(audit), *_blind(audit))


def _unproven(audit: Audit) -> Iterator[str]:
    if audit.proof is not None and not audit.proof.holds:
        failed, tried = len(audit.proof.failed), len(audit.proof.attackers)
        yield (
            f"The proof failed: {failed} of {tried} attackers did not pass. What they did not find "
            "is no evidence of low risk. Their rates within the limit are withheld and read "
            f"“{NOT_PROVEN}”."
        )


def _blind(audit: Audit) -> Iterator[str]:
    if audit.blind:
        lost = " and ".join(one.role for one in audit.coverage if not one.comparable) or "what was changed"
        counted = f"{len(audit.blind)} of {len(audit.disguised.rungs)} kinds of knowledge"
        yield (
            f"Nobody could compare {lost} with the original: with {counted} attackers see nothing in this "
            "release, which is no evidence of low risk. What they find and learn within the limits is "
            f"withheld and reads “{NOT_MEASURED}”."
        )


def cards(audit: Audit) -> tuple[Card, ...]:
    """Return the key numbers: found and learnt side by side, then who is worst off, then the use kept."""
    risk = (_worst(audit), *_laid_open(audit), *_contrast(audit), *_people(audit), *_bared(audit))
    copies = words.percent(audit.nearness.copies)
    detail = "Released people at distance 0 from some original, whoever that is."
    return (*risk, _utility(audit), _distance(audit), Card("Verbatim copies", copies, detail))


def limits(audit: Audit) -> tuple[Block, ...]:
    """Return what was asked for beside what was found."""
    rows = (*_risks(audit), *_time(audit), *_uses(audit), _excess(audit))
    table = Table("Limits asked for, and what was found", heads("limit", "asked", "found"), rows)
    return (table, Text(EVERYTHING)) if audit.learnt else (table,)


def _risks(audit: Audit) -> Iterator[Cells]:
    """Yield the limits of what is found and learnt, and of what an attacker may know."""
    asked, worst, lesson = audit.limits, audit.worst, audit.worst_lesson
    partly = ", as far as measured" if any(map(audit.decides, audit.blind)) else ""
    tried = ", as far as tried" if audit.late else ""
    risk = f"{shown_rate(audit, worst)}{partly}{tried}" if worst else NOT_MEASURED
    learnt = f"{words.percent(lesson.advantage.value)}{partly}" if lesson else NOT_MEASURED
    yield "risk: share found by the worst attacker", f"at most {words.asked(asked.max_risk)}", risk
    more = f"at most {words.asked(asked.max_learnt)} more"
    yield "learnt: share laid open, beyond the control", more, learnt
    known = "everything" if asked.knowledge is None else f"at most {asked.knowledge}"
    kept = f"both kept for who knows at most {'; '.join(audit.holding)}" if audit.holding else "-"
    yield "knowledge of the attackers who decide", known, kept


def _time(audit: Audit) -> Iterator[Cells]:
    """Yield how long attackers might seek, where that was asked, and who was left over."""
    if audit.limits.minutes is not None:
        late = f"{len(audit.late)} who decide were not tried" if audit.late else "nobody was left over"
        yield "time for attackers", f"at most {audit.limits.minutes:g} minutes", late


def _uses(audit: Audit) -> Iterator[Cells]:
    kept = {measure.name: measure.kept for measure in audit.utility} | {"mean": audit.kept}
    for name, least in audit.limits.min_utility.items():
        what = "utility: mean share kept" if name == "mean" else f"utility: share kept of {name}"
        share = words.percent(kept[name]) if name in kept else NOT_MEASURED
        yield what, f"at least {words.asked(least)}", share


def _excess(audit: Audit) -> Cells:
    decides = "told only: the pairing is trusted" if audit.limits.trust_pairing else "accepted"
    return "distance: not excessive", decides, audit.excess.verdict if audit.excess else NOT_MEASURED


def _worst(audit: Audit) -> Card:
    worst = audit.worst
    label = "Worst attacker finds"
    if worst is None:
        return Card(label, NOT_MEASURED, _unfound(audit), "open")
    said = (
        f"{worst.name}, who knows {worst.knowledge}. {worst.story} 95 % interval "
        f"{words.interval(worst.exposed)}; chance finds {words.percent(worst.luck)}."
    )
    tone = _tone(audit, over=worst.exposed.value > audit.limits.max_risk)
    tone = "open" if tone == "good" and audit.late else tone
    return Card(
        label, shown_rate(audit, worst), " ".join((said, *lottery(audit, worst), *_doubts(audit))), tone
    )


def _tone(audit: Audit, *, over: bool) -> Tone:
    """Return the tone of a worst number: none is good while others who decide see nothing."""
    return "bad" if over else "open" if any(map(audit.decides, audit.blind)) else "good"


def _unfound(audit: Audit) -> str:
    """Say why nobody is counted as found."""
    if not audit.attacks:
        return NO_PAIRING if audit.learnt else "No pairing was given, so no guess can be checked."
    blind = [one for one in audit.attacks if one.proven and one.knowledge in audit.blind]
    return "Nobody sees through the release." if blind else "No attacker is proven."


def _doubts(audit: Audit) -> Iterator[str]:
    """Yield why the worst rate may be read as too high, or as too low."""
    if audit.worst_again is not None:
        again = audit.worst_again
        yield (
            "The worst is the largest of many; read on people it was not chosen on, it is "
            f"{words.percent(again.value)} ({words.interval(again)})."
        )
    if any(map(audit.decides, audit.blind)):
        yield "This is the worst of those who see anything; who knows more is not measured."
    if audit.late:
        yield f"{len(audit.late)} attackers were not tried for want of time."
    if audit.honesty is not None and audit.honesty.looks_false:
        yield "The pairing looks false, so this cannot be relied on."


def _laid_open(audit: Audit) -> tuple[Card, ...]:
    """Return what the worst attacker learns, whatever the pairing says."""
    label, lesson = "Worst attacker lays open", audit.worst_lesson
    if not audit.learnt:
        return ()
    if lesson is None:
        return (Card(label, NOT_MEASURED, "Nobody sees through the release.", "open"),)
    tone = _tone(audit, over=lesson.advantage.value > audit.limits.max_learnt)
    detail = (
        f"Of these people he learns at least half of what else they have ({lesson.grain}), whatever the "
        f"pairing says. {lesson.name}, who knows {lesson.knowledge}; 95 % interval "
        f"{words.interval(lesson.laid_open)}. Control {words.percent(lesson.control_laid_open)}, so the "
        f"release adds {words.rated(lesson.advantage)}; the limit is {words.asked(audit.limits.max_learnt)}."
    )
    return (Card(label, words.percent(lesson.laid_open.value), detail, tone),)


def _contrast(audit: Audit) -> tuple[Card, ...]:
    """Return the attacker of the papers beside the one who knows everything."""
    plain = next((f for f in audit.shown if f.papers and f.reading == "nearest" and f.releases == 1), None)
    full = next((f for rung, _ in reversed(audit.ladder) if (f := audit.worst_of(rung))), None)
    if plain is None or full is None or plain is full:
        return ()
    value = f"{shown_rate(audit, plain)} → {shown_rate(audit, full)}"
    said = (
        f"Found by {plain.papers} ({plain.name}, {plain.knowledge}), and by the best informed attacker "
        f"({full.name}, {full.knowledge})."
    )
    more = full.exposed.value > plain.exposed.value
    why = "The difference is what other columns give away." if more else ""
    detail = " ".join(filter(None, (said, why, *_beyond(audit, full.knowledge))))
    return (Card("Plain and full knowledge", value, detail),)


def _beyond(audit: Audit, *rungs: str) -> Iterator[str]:
    """Yield that a number counts attackers who know more than the limits are asked of, where it does."""
    if not all(map(audit.decides, rungs)):
        yield "Attackers who know more than those who decide are counted here."


def _people(audit: Audit) -> tuple[Card, ...]:
    people = audit.people
    if people is None:
        return ()
    detail = (
        f"Named rightly by at least one of {people.attackers} attackers with a chance of one half or more; "
        f"{people.certain:,} all but certainly, nine times in ten or more."
    )
    if people.drawn_from is not None:
        detail += f" They were drawn from {people.drawn_from:,}."
    if audit.blind:
        detail += " Who sees nothing finds nobody."
    detail = " ".join((detail, *_beyond(audit, *(finding.knowledge for finding in audit.attacks))))
    return (Card("People found by anybody", f"{people.found:,} of {people.people:,}", detail),)


def _bared(audit: Audit) -> tuple[Card, ...]:
    """Return how many the worst attacker knows nearly all of: they are people, not a share."""
    lesson = audit.worst_lesson
    if lesson is None:
        return ()
    count = round(lesson.certain * lesson.people)
    detail = (
        "People of whom that attacker learns nine tenths or more of what else they have "
        f"({words.percent(lesson.certain)} of those of whom there is something to learn)."
    )
    return (Card("Laid open to nine tenths", f"{count:,} of {lesson.people:,}", detail),)


def _utility(audit: Audit) -> Card:
    if not audit.utility:
        return Card("Utility kept, mean", "not measured", "No measure was run.", "open")
    least = min(audit.utility, key=lambda measure: measure.kept)
    share = words.percent(least.kept)
    worst = (
        f"Least is kept of {least.name}: {share}." if least.kept < 1 else "Nothing is lost in any of them."
    )
    detail = f"Mean over {len(audit.utility)} measures. {worst}"
    return Card("Utility kept, mean", words.percent(audit.kept), detail)


def _distance(audit: Audit) -> Card:
    excess = audit.excess
    label = "Distance from own records"
    if excess is None:
        return Card(label, "not measured", "It needs the pairing, and a limit that exists.", "open")
    mean, threshold = words.number(excess.mean), words.number(excess.threshold)
    detail = f"Mean {mean}, threshold {threshold} ({excess.measure}). {excess.reason}"
    return Card(label, excess.verdict, detail, "plain" if excess.verdict == "accepted" else "bad")
