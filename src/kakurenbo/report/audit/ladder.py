"""The risk ladder: of every rung of knowledge who is found and who is laid open, drawn and in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.audit.risk import NOT_MEASURED, shown_rate, unknown
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text
from kakurenbo.report.charts.ladder import ladder
from kakurenbo.report.charts.lanes import labelled, reach, tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit
    from kakurenbo.report.blocks import Block

NO_PAIRING: Final = (
    "There is no pairing, so nobody can be counted as found. What is learnt needs none: the answer is about "
    "that."
)
EVERYTHING: Final = (
    "Who knows everything of a person finds the name and learns nothing by it: on such rungs there is only "
    "found."
)
_NEITHER = (
    "There is no pairing, so no attacker's guess could be checked, and nothing could be learnt about. This "
    "is not a finding of low risk."
)


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the section: the picture and its numbers, or that there are none."""
    if not tried(audit):
        return (Section("risk", "The risk ladder", (Text(_NEITHER, "open"),)),)
    missing = () if audit.attacks else (Text(NO_PAIRING, "open"),)
    blocks: tuple[Block, ...] = (*missing, Gallery((_figure(audit),)), _rungs(audit))
    return (Section("risk", "The risk ladder", blocks),)


def _figure(audit: Audit) -> Figure:
    found, learnt = bool(audit.attacks), bool(audit.learnt)
    what = {(True, True): "find and lay open", (True, False): "find", (False, True): "lay open"}
    return Figure(
        "ladder", f"What attackers {what[found, learnt]}, by what they know",
        " ".join(f"{_described(audit, rung)}." for rung in tried(audit)), " ".join(_note(audit)),
        ladder(audit, wide=True), ladder(audit, wide=False),
    )  # fmt: skip


def _described(audit: Audit, rung: str) -> str:
    """Say what stands in a rung's row, for those who cannot see it."""
    finding, lesson, parts = audit.worst_of(rung), audit.lesson_of(rung), []
    if any(one.knowledge == rung for one in audit.attacks):
        parts.append(f"found {unknown(audit, rung) if finding is None else shown_rate(audit, finding)}")
    if any(one.knowledge == rung for one in audit.learnt):
        share, control = NOT_MEASURED, ""
        if lesson is not None:
            share = words.percent(lesson.laid_open.value)
            control = f" (control {words.percent(lesson.control_laid_open)})"
        parts.append(f"laid open {share}{control}")
    return f"{labelled(audit, rung)}: {', '.join(parts)}"


def _note(audit: Audit) -> Iterator[str]:
    """Yield how to read the picture, as far as there is something of it."""
    yield "Every row is a kind of knowledge, more of it downwards."
    if audit.attacks:
        yield (
            "A dot is an attacker who names people, with his 95 % interval; the diamond is the worst of the "
            "row."
        )
    if audit.attacks and audit.earlier:
        yield "Those who hold the earlier releases too stand among them."
    if audit.learnt:
        yield (
            "The square is the share of people of whom the worst attacker learns at least half of what else "
            "they have, with its interval; the hollow circle is the same of the control, and the way between "
            "them is what the release adds."
        )
    yield from _field(audit)
    if not all(map(audit.decides, tried(audit))):
        yield "Pale rows are shown only: the limits are asked of who knows less."
    if audit.blind:
        yield "Rows that read “not measured”: nobody who knows that sees through the release."
    missing = sum(audit.withheld(one) for one in audit.attacks if one.knowledge not in audit.blind)
    if missing:
        yield f"{missing} attackers who are not proven are not drawn."
    if reach(audit) < 1:
        yield f"The axis ends at {words.percent(reach(audit))}."


def _field(audit: Audit) -> Iterator[str]:
    limits = audit.limits
    found, learnt = words.asked(limits.max_risk), words.asked(limits.max_learnt)
    said = [f"{found} of the people found"] if audit.attacks else []
    said += [f"{learnt} more laid open than in the control"] if audit.learnt else []
    yield f"The shaded field lies beyond the limit: {', or '.join(said)}."


def _rungs(audit: Audit) -> Table:
    columns = [Column("attacker knows"), Column("that is", "prose")]
    columns += [Column("worst attacker"), Column("finds", "number")] if audit.attacks else []
    columns += [Column("this release alone", "number")] if audit.attacks and audit.earlier else []
    if audit.learnt:
        columns += [Column("lays open", "number"), Column("control", "number"), Column("by")]
    rows = tuple((labelled(audit, rung), means, *_numbers(audit, rung)) for rung, means in audit.ladder)
    return Table("The ladder of knowledge, least first", tuple(columns), rows)


def _numbers(audit: Audit, rung: str) -> Iterator[str]:
    if audit.attacks:
        yield from _found(audit, rung)
        yield from _alone(audit, rung)
    if audit.learnt:
        yield from _laid_open(audit, rung)


def _found(audit: Audit, rung: str) -> tuple[str, str]:
    worst = audit.worst_of(rung)
    if worst is not None:
        return worst.name, shown_rate(audit, worst)
    run = any(finding.knowledge == rung for finding in audit.attacks)
    return "none", unknown(audit, rung) if run else "not run"


def _alone(audit: Audit, rung: str) -> Iterator[str]:
    """Yield what is found by who holds no other release, where some do."""
    if audit.earlier:
        rates = (shown_rate(audit, one) for one in audit.shown if (one.knowledge, one.releases) == (rung, 1))
        yield next(rates, "-")


def _laid_open(audit: Audit, rung: str) -> tuple[str, str, str]:
    worst = audit.lesson_of(rung)
    if worst is None:
        run = any(lesson.knowledge == rung for lesson in audit.learnt)
        return NOT_MEASURED if run else "-", "-", "-"
    return words.percent(worst.laid_open.value), words.percent(worst.control_laid_open), worst.name
