"""The sections on what is learnt: of every rung the worst way, beside the control, and then every way.

Nothing here needs a pairing, so no pairing can hide it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.audit.risk import NOT_MEASURED
from kakurenbo.report.blocks import Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit, Control, Lesson

_MEANT: Final = (
    "An attacker knows a part of what a person has, takes the released person who fits it best, or the "
    "records that most likely belong to it, and believes the rest of what stands there. Learnt is the "
    "Jaccard similarity of what he claims and the truth; a person is laid open when that is one half or "
    "more. Precision is the share of his claims that is true, recall the share of the truth that he claims. "
    "No pairing is used, so none can change these numbers."
)


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return both sections, where anything could be learnt about."""
    if not audit.learnt:
        return ()
    control = (Text(control_in_words(audit.control)),) if audit.control else ()
    return (
        Section("learnt", "What is learnt", (Text(_MEANT), *control, _worst(audit))),
        Section("ways", "Every way to learn", (_ways(audit),)),
    )


def control_in_words(control: Control) -> str:
    """Say what the lessons are compared with."""
    if control.kind == "no release":
        return (
            f"The control is the best claim without any release: {control.why}. What is laid open beyond it "
            "is what the release adds."
        )
    made = "a release by the same plan" if control.kind == "plan" else "this release"
    given = control.drawn_from
    drawn = f" These people were drawn from the {given:,} who were given." if given else ""
    return (
        f"The control is the same attacks with {made} on {control.people:,} people who are not in it: who "
        "knows nothing of a person still knows what people have. What is laid open beyond the control is "
        f"what the release adds, and that is held against the limit.{drawn}"
    )


def _worst(audit: Audit) -> Table:
    """Return of each rung and grain the worst way."""
    columns = (
        *heads("attacker knows", "and learns", "worst way"),
        *heads(
            "people", "mean learnt", "mean of the control", "laid open (95 % interval)", "control",
            "added (95 % interval)", "nine tenths learnt", "precision", "recall", kind="number",
        ),
    )  # fmt: skip
    lessons = tuple(_of_rungs(audit))
    worst = {id(audit.lesson_of(rung)) for rung, _ in audit.ladder}
    marked = frozenset(place for place, lesson in enumerate(lessons) if id(lesson) in worst)
    caption = (
        "The worst way of every kind of knowledge and grain; bold is the worst of each kind of knowledge"
    )
    return Table(caption, columns, tuple(_row(audit, lesson) for lesson in lessons), marked)


def _of_rungs(audit: Audit) -> Iterator[Lesson]:
    """Yield the first, that is the worst, lesson of every rung and grain, up the ladder."""
    for rung, _ in audit.ladder:
        seen: set[str] = set()
        for lesson in audit.learnt:
            if lesson.knowledge == rung and lesson.grain not in seen:
                seen.add(lesson.grain)
                yield lesson


def _row(audit: Audit, lesson: Lesson) -> tuple[str, ...]:
    whose = (lesson.knowledge, lesson.grain, lesson.name, f"{lesson.people:,}")
    if audit.unmeasured(lesson):
        return (*whose, *[NOT_MEASURED] * 8)
    return (
        *whose,
        f"{lesson.mean:.2f}", f"{lesson.control:.2f}",
        words.rated(lesson.laid_open), words.percent(lesson.control_laid_open), words.rated(lesson.advantage),
        *map(words.percent, (lesson.certain, lesson.precision, lesson.recall)),
    )  # fmt: skip


def _ways(audit: Audit) -> Table:
    columns = (
        *heads("way", "attacker knows", "and learns"),
        *heads("lays open", "95 % interval", "control", "added", kind="number"),
        Column("what he does", "prose"),
    )
    worst = {id(audit.lesson_of(rung)) for rung, _ in audit.ladder}
    marked = frozenset(place for place, lesson in enumerate(audit.learnt) if id(lesson) in worst)
    caption = (
        "Ways to learn, worst first by what the release adds; bold is the worst of each kind of knowledge"
    )
    return Table(caption, columns, tuple(_way(audit, lesson) for lesson in audit.learnt), marked)


def _way(audit: Audit, lesson: Lesson) -> tuple[str, ...]:
    numbers = (NOT_MEASURED,) * 4
    if not audit.unmeasured(lesson):
        laid_open, control = lesson.laid_open, words.percent(lesson.control_laid_open)
        added = words.percent(lesson.advantage.value)
        numbers = (words.percent(laid_open.value), words.interval(laid_open), control, added)
    return lesson.name, lesson.knowledge, lesson.grain, *numbers, lesson.story
