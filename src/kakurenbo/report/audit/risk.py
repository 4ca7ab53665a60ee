"""The sections on attackers who find: everyone of them, their proof, and whom they find."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text, heads
from kakurenbo.report.charts import basic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakurenbo.auditing.results import Audit, Finding, People, Proof, Proved
    from kakurenbo.report.blocks import Block

NOT_PROVEN: Final = "not proven"
NOT_MEASURED: Final = "not measured"


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the sections in their order; the proof stands without a pairing too."""
    found = (*_names(audit), _attackers(audit))
    attackers = (Section("attackers", "Every attacker", found),) if audit.attacks else ()
    tried = audit.attacks or audit.proof is not None
    proof = (Section("proof", "Are the attackers proven?", _proof(audit.proof)),) if tried else ()
    people = (Section("people", "Who is found", _victims(audit.people)),) if audit.people else ()
    return (*attackers, *proof, *people)


def shown_rate(audit: Audit, finding: Finding) -> str:
    """Return a rate as it may be shown."""
    if audit.withheld(finding):
        return unknown(audit, finding.knowledge)
    return words.percent(finding.exposed.value) + ("" if finding.proven else f" ({NOT_PROVEN})")


def lottery(audit: Audit, finding: Finding) -> tuple[str, ...]:
    """Return how far equally good pairings lie apart, where a rate is the mean over them and may be shown."""
    spread = finding.spread
    if spread is None or spread.low == spread.high or audit.withheld(finding):
        return ()
    low, high = words.percent(spread.low), words.percent(spread.high)
    return (f"The rate is the mean over {spread.draws} equally good pairings, which find {low} to {high}.",)


def unknown(audit: Audit, rung: str) -> str:
    """Return why a rate of this rung is withheld: nobody could see anything there, or he is not proven."""
    return NOT_MEASURED if rung in audit.blind else NOT_PROVEN


def _attackers(audit: Audit) -> Table:
    finds = ("of names", "of people") if _several(audit) else ("finds",)
    rates = heads(*finds, "95 % interval", "chance", kind="number")
    columns = (*who_heads(audit), *rates, Column("what he does", "prose"))
    worst = {id(audit.worst_of(rung)) for rung, _ in audit.ladder}
    marked = frozenset(place for place, finding in enumerate(audit.attacks) if id(finding) in worst)
    caption = "Attackers, worst first; bold is the worst of each kind of knowledge"
    return Table(caption, columns, tuple(_attacker(audit, finding) for finding in audit.attacks), marked)


def _attacker(audit: Audit, finding: Finding) -> tuple[str, ...]:
    withheld = unknown(audit, finding.knowledge) if audit.withheld(finding) else ""
    span = withheld or words.interval(finding.exposed)
    rates: tuple[str, ...] = (shown_rate(audit, finding),)
    if _several(audit):
        rates = (
            withheld or words.percent(finding.rate.value),
            withheld or words.percent(finding.persons_rate.value),
        )
    chance = words.percent(finding.luck)
    story = " ".join((finding.story, *lottery(audit, finding)))
    return *who(audit, finding), *rates, span, chance, story


def who_heads(audit: Audit) -> tuple[Column, ...]:
    """Return the heads of the columns that tell attackers apart."""
    held = heads("releases", kind="number") if audit.earlier else ()
    return (*heads("attacker", "reading", "knows"), *held)


def who(audit: Audit, finding: Finding) -> tuple[str, ...]:
    """Return what tells an attacker from the others; how many releases he holds, where some hold several."""
    held = (str(finding.releases),) if audit.earlier else ()
    return finding.attack, finding.reading, finding.knowledge, *held


def _several(audit: Audit) -> bool:
    """Whether names and people are not the same, so that both are counted."""
    return any(finding.persons != finding.people for finding in audit.attacks)


def _names(audit: Audit) -> tuple[Block, ...]:
    """Say how names change, and how well they are linked to each other."""
    return () if audit.names is None else (Text(str(audit.names)),)


def _proof(proof: Proof | None) -> tuple[Block, ...]:
    if proof is None:
        return (Text("The attackers were not tried on controls.", "open"),)
    tried = len(proof.attackers)
    method = (
        f"Every attacker was tried on {proof.people:,} people where the answer is known. In a verbatim "
        "copy he must find everybody whose knowledge tells him apart (attainable). In records dealt at "
        "random he must find no more than chance. Whoever is meant to see through a disguise must find at "
        "least half of that in a made-up shop so disguised. Only then does a low rate on the release mean "
        "anything."
    )
    failed = (
        Text(f"{len(proof.failed)} of {tried} attackers failed. Do not rely on low rates.", "bad")
        if proof.failed
        else Text(f"All {tried} attackers passed.", "good")
    )
    rates = heads("copy", "attainable", "noise", "chance", kind="number")
    columns = (
        *heads("attacker", "reading", "knows"),
        *rates,
        Column("sees through", "prose"),
        Column("proof"),
    )
    ordered = sorted(proof.attackers, key=lambda attacker: attacker.holds)
    rows = tuple(_proven(attacker) for attacker in ordered)
    table = Table("Share found in the controls", columns, rows, frozenset(range(len(proof.failed))))
    return Text(method), failed, table


def _proven(attacker: Proved) -> tuple[str, ...]:
    numbers = (attacker.copy, attacker.attainable, attacker.noise, attacker.chance)
    verdict = "holds" if attacker.holds else "FAILED"
    through = "; ".join(
        f"{disguise}: {words.percent(found)} ({words.percent(most)} attainable)"
        for disguise, found, most in attacker.through
    )
    told = attacker.attack, attacker.reading, attacker.knowledge
    return *told, *map(words.percent, numbers), through, verdict


def _victims(people: People) -> tuple[Block, ...]:
    counted = (
        f"{people.found:,} of {people.people:,} people are named rightly, with a chance of one half or "
        f"more, by at least one of {people.attackers} attackers, and {people.certain:,} all but certainly, "
        "nine times in ten or more. The file that says who they are is secret and apart."
    )
    if people.drawn_from is not None:
        counted += f" These people were drawn from {people.drawn_from:,}; of the others nothing is told."
    missed = people.people - sum(count for _, count in people.least)
    least = [*filter(itemgetter(1), people.least), *([("not found", missed)] if missed > 0 else [])]
    figures = (
        Figure(
            "least-knowledge", "The least knowledge that finds a person", _listed(least),
            "People by the lowest rung of the ladder on which any attacker finds them.",
            basic.counts(least, x="knowledge", y="people"),
        ),
        Figure(
            "risk-attackers", "How many attackers find a person", _listed(people.by_attackers),
            f"People by the number of attackers, of {people.attackers}, that find them.",
            basic.counts([(str(n), count) for n, count in people.by_attackers], x="attackers", y="people"),
        ),
        Figure(
            "risk-chance", "The highest chance any attacker has",
            _listed((f"{low:.0%} to {high:.0%}", count) for low, high, count in people.by_chance),
            "People by the chance with which their best attacker names them; below one where he draws lots.",
            basic.histogram(people.by_chance, x="chance of being named", y="people"),
        ),
    )  # fmt: skip
    return Text(counted), Gallery(figures)


def _listed(counts: Iterable[tuple[object, int]]) -> str:
    return "; ".join(f"{name}: {count:,} people" for name, count in counts) + "."
