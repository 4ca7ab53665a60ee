"""The first screen: the answer with its reasons, and the few numbers that carry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.audit.risk import NOT_PROVEN, shown_rate
from kakurenbo.report.blocks import Card, Table, heads

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Answer, Audit
    from kakurenbo.report.blocks import Tone

QUESTION: Final = "Does the release keep the limits that were asked for?"
TONES: Final[dict[Answer, Tone]] = {"yes": "good", "no": "bad", "not measured": "open"}
ANSWERS: Final[dict[Answer, str]] = {
    "yes": "Yes, against the attackers that were run",
    "no": "No",
    "not measured": "Not measured",
}


def warnings(audit: Audit) -> tuple[str, ...]:
    """Return what must be read before any number."""
    if audit.proof is None or audit.proof.holds:
        return ()
    failed, tried = len(audit.proof.failed), len(audit.proof.attackers)
    warning = (
        f"The proof failed: {failed} of {tried} attackers did not pass. What they did not find "
        "is no evidence of low risk. Their rates within the limit are withheld and read "
        f"“{NOT_PROVEN}”."
    )
    return (warning,)


def cards(audit: Audit) -> tuple[Card, ...]:
    """Return the key numbers."""
    risk = (_worst(audit), *_contrast(audit), *_people(audit))
    copies = words.percent(audit.nearness.copies)
    detail = "Released people at distance 0 from some original, whoever that is."
    return (*risk, _utility(audit), _distance(audit), Card("Verbatim copies", copies, detail))


def limits(audit: Audit) -> Table:
    """Return what was asked for beside what was found."""
    worst = audit.worst
    kept = {measure.name: measure.kept for measure in audit.utility} | {"mean": audit.kept}
    risk = shown_rate(audit, worst) if worst else "not measured"
    most = f"at most {words.asked(audit.limits.max_risk)}"
    rows = [("risk: share found by the worst attacker", most, risk)]
    rows += [
        (
            "utility: mean share kept" if name == "mean" else f"utility: share kept of {name}",
            f"at least {words.asked(least)}",
            words.percent(kept[name]) if name in kept else "not measured",
        )
        for name, least in audit.limits.min_utility.items()
    ]
    decides = "told only: the pairing is trusted" if audit.limits.trust_pairing else "accepted"
    distance = audit.excess.verdict if audit.excess else "not measured"
    rows.append(("distance: not excessive", decides, distance))
    return Table("Limits asked for, and what was found", heads("limit", "asked", "found"), tuple(rows))


def _worst(audit: Audit) -> Card:
    worst = audit.worst
    label = "Worst attacker finds"
    if worst is None:
        why = (
            "No attacker is proven." if audit.attacks else "No pairing was given, so no guess can be checked."
        )
        return Card(label, "not measured", why, "open")
    over = worst.rate.value > audit.limits.max_risk
    detail = (
        f"{worst.name}, who knows {worst.knowledge}. {worst.story} 95 % interval "
        f"{words.interval(worst.rate)}; chance finds {words.percent(worst.chance)}."
    )
    return Card(label, shown_rate(audit, worst), detail, "bad" if over else "good")


def _contrast(audit: Audit) -> tuple[Card, ...]:
    """Return the attacker of the papers beside the one who knows everything."""
    plain = next((f for f in audit.shown if f.papers and f.reading == "nearest"), None)
    full = next((f for rung, _ in reversed(audit.ladder) if (f := audit.worst_of(rung))), None)
    if plain is None or full is None or plain is full:
        return ()
    value = f"{shown_rate(audit, plain)} → {shown_rate(audit, full)}"
    detail = (
        f"Found by {plain.papers} ({plain.name}, {plain.knowledge}), and by the best informed attacker "
        f"({full.name}, {full.knowledge}). The difference is what other columns give away."
    )
    return (Card("Plain and full knowledge", value, detail),)


def _people(audit: Audit) -> tuple[Card, ...]:
    people = audit.people
    if people is None:
        return ()
    detail = (
        f"Named rightly by at least one of {people.attackers} attackers with a chance of one half or more."
    )
    return (Card("People found by anybody", f"{people.found:,} of {people.people:,}", detail),)


def _utility(audit: Audit) -> Card:
    if not audit.utility:
        return Card("Utility kept, mean", "not measured", "No measure was run.", "open")
    least = min(audit.utility, key=lambda measure: measure.kept)
    share = words.percent(least.kept)
    detail = f"Mean over {len(audit.utility)} measures. Least is kept of {least.name}: {share}."
    return Card("Utility kept, mean", words.percent(audit.kept), detail)


def _distance(audit: Audit) -> Card:
    excess = audit.excess
    label = "Distance from own records"
    if excess is None:
        return Card(label, "not measured", "It needs the pairing, and a limit that exists.", "open")
    mean, threshold = words.number(excess.mean), words.number(excess.threshold)
    detail = f"Mean {mean}, threshold {threshold} ({excess.measure}). {excess.reason}"
    return Card(label, excess.verdict, detail, "plain" if excess.verdict == "accepted" else "bad")
