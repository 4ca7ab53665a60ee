"""The section on the pairing: whether people stand where it says, for every rate of finding believes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit
    from kakurenbo.report.blocks import Block
    from kakurenbo.risk.excess.readings import Reading
    from kakurenbo.risk.honesty import Honesty

_WHY: Final = (
    "What is counted as found believes the pairing that was declared. So people were looked for one by one "
    "without believing it. What is learnt does not need it."
)
_FALSE: Final = (
    "It looks false: more people stand elsewhere than an honest pairing and luck would have it. What is "
    "counted as found cannot be relied on."
)
_TRUE: Final = (
    "Nothing speaks against it: hardly anybody is seen elsewhere than it says, and two seekers without "
    "common evidence agree with it."
)
_UNKNOWN: Final = (
    "It cannot be told. Hardly anybody is seen elsewhere than it says, but the seekers do not agree with it "
    "either: too little of the people can be recognised."
)


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the section, where there is a pairing to ask about."""
    blocks = (*_counts(audit.honesty), *_readings(audit))
    return (Section("pairing", "Does the pairing look true?", (Text(_WHY), *blocks)),) if blocks else ()


def _counts(honesty: Honesty | None) -> Iterator[Block]:
    if honesty is None:
        return
    yield _verdict(honesty)
    rows = (
        ("people who stand whole under a name not declared theirs", honesty.elsewhere, honesty.people),
        (
            "people whom it does not name, and who stand whole in the release",
            honesty.unpaired,
            honesty.people,
        ),
        ("of both, told by a single record", honesty.single, honesty.people),
        ("names that two seekers give to another than their owner", honesty.agreed, honesty.names),
        ("names that both give to their owner", honesty.rightly, honesty.names),
    )
    columns = (Column("who", "prose"), *heads("counted", "of", kind="number"))
    counted = tuple((who, f"{count:,}", f"{of:,}") for who, count, of in rows)
    yield Table("Where people stand, and what two seekers without common evidence say", columns, counted)


def _verdict(honesty: Honesty) -> Text:
    """Say what the counts mean; where nobody is recognised they mean nothing."""
    if honesty.looks_false:
        return Text(_FALSE, "bad")
    return Text(_TRUE, "good") if honesty.rightly > honesty.agreed else Text(_UNKNOWN, "open")


def _readings(audit: Audit) -> Iterator[Block]:
    if audit.excess is None or not audit.excess.readings:
        return
    columns = (
        Column("distance by"),
        *heads("pieces that can be compared", "mean", "threshold", kind="number"),
        Column("so the pairing is"),
    )
    goods = ("goods", "-", words.number(audit.excess.mean), words.number(audit.excess.threshold))
    far = audit.excess.mean > audit.excess.threshold
    rows = ((*goods, _said(excessive=far)), *map(_reading, audit.excess.readings))
    caption = f"The distance from one's own records ({audit.excess.measure}), read with more than goods"
    yield Table(caption, columns, rows)


def _reading(reading: Reading) -> tuple[str, ...]:
    numbers = (words.number(reading.mean_distance), words.number(reading.mean_threshold))
    said = _said(excessive=reading.excessive) if reading.applies else "not told by this"
    return reading.of, words.percent(reading.compared), *numbers, said


def _said(*, excessive: bool) -> str:
    return "as far as a shuffled one" if excessive else "nearer than a shuffled one"
