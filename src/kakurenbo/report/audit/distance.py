"""The sections on distance and on groups: how far people were moved, and among whom they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report import shapes
from kakurenbo.report.audit import words
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text
from kakurenbo.report.words import number

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Distance
    from kakurenbo.report.blocks import Block
    from kakurenbo.risk.exposure.groups import Groups
    from kakurenbo.risk.exposure.unicity import Unicity
    from kakurenbo.theory.rate import Rate

_WHY = (
    "A release whose people are too far from their own records may have a pairing that is not true: then "
    "attackers seem to miss whom they found (excessive anonymization, JIP 2018). So the mean distance is "
    "held against what a mere shuffle of true records costs at least. The limits hold for this distance "
    "and no other."
)
_AMONG = (
    "These numbers need no pairing. They look at the release alone, and at how near its people come to "
    "any original. Few equals and few points that suffice mean that somebody with the right knowledge "
    "can recognise a person."
)
_FEW = 12
_STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
_QUANTILES = ("5 %", "25 %", "50 %", "75 %", "95 %")


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return both sections."""
    missing = Text(
        "It needs the pairing, and a limit that exists for this data. Neither accepted nor excessive.", "open"
    )
    excess = _excess(audit.excess) if audit.excess else (missing,)
    return (
        Section("distance", "How far people were moved", excess),
        Section("groups", "Among whom people stand", _among(audit)),
    )


def _excess(found: Distance) -> tuple[Block, ...]:
    verdict = Text(
        f"{found.verdict.capitalize()}. {found.reason}", "good" if found.verdict == "accepted" else "bad"
    )
    rows = (
        ("mean distance of this release", number(found.mean)),
        ("threshold: above it the release is excessive", number(found.threshold)),
        ("lower limit: a threshold must lie above it", number(found.low)),
        ("upper limit: and not above this", number(found.high)),
        ("largest distance of one person", number(found.farthest)),
    )
    columns = (Column("distance"), Column(found.measure, "number"))
    marks = (("mean", found.mean), ("threshold", found.threshold))
    return (
        Text(_WHY), verdict, Gallery((_spread(found, marks), *_least(found, marks))),
        Table("Mean distance and its limits", columns, rows),
    )  # fmt: skip


def _spread(found: Distance, marks: tuple[tuple[str, float], ...]) -> Figure:
    limits = (*marks, ("lower limit", found.low), ("upper limit", found.high))
    told = "; ".join(f"{number(low)} to {number(high)}: {people:,}" for low, high, people in found.histogram)
    return Figure(
        "distances", "Everybody's distance", f"People by their distance. {told}.",
        "How far each person's released record is from his own, with the mean and its limits.",
        shapes.histogram(found.histogram, x=f"distance ({found.measure})", y="people", marks=limits),
    )  # fmt: skip


def _least(found: Distance, marks: tuple[tuple[str, float], ...]) -> tuple[Figure, ...]:
    if not found.s_lower:
        return ()
    (most, high), (least, low) = found.s_lower[0], found.s_lower[-1]
    told = f"From {number(high)} with {most:,} people left in place to {number(low)} with {least:,}."
    return (
        Figure(
            "shuffles", "The least distance of a mere shuffle", told,
            "A shuffle of true records that leaves so many people in place costs at least this much "
            "(s_lower). A release above the threshold may be one.",
            shapes.falling(found.s_lower, x="people left in place, at most", y="mean distance", marks=marks),
        ),
    )  # fmt: skip


def _among(audit: Audit) -> tuple[Block, ...]:
    return (
        Text(_AMONG),
        Gallery((_groups(audit.groups), *_unique(audit.uniqueness))),
        _groups_table(audit.groups),
        *_unique_table(audit.uniqueness),
        _near(audit),
    )


def _near(audit: Audit) -> Table:
    near = audit.nearness
    columns = (
        Column("verbatim copies", "number"),
        *(Column(f"{name} quantile", "number") for name in _QUANTILES),
    )
    row = (words.percent(near.copies), *map(number, near.quantiles))
    return Table(
        f"Distance of released people to the nearest original, whoever it is ({near.measure})",
        columns,
        (row,),
    )


def _unique(rows: tuple[Unicity, ...]) -> tuple[Figure, ...]:
    if not rows:
        return ()
    curves = [(one.knowledge, one.k, one.rate.value) for one in rows]
    told = "; ".join(f"{one.k} of {one.knowledge}: {words.percent(one.rate.value)}" for one in rows)
    return (
        Figure(
            "uniqueness", "How few points single a person out", f"Share singled out. {told}.",
            "Share of released people whom so many known points set apart from all other released people.",
            shapes.rising(curves, x="points known", y="singled out"),
        ),
    )  # fmt: skip


def _unique_table(rows: tuple[Unicity, ...]) -> tuple[Table, ...]:
    if not rows:
        return ()
    points, ks = list(dict.fromkeys(one.knowledge for one in rows)), sorted({one.k for one in rows})
    found = {(one.knowledge, one.k): one.rate for one in rows}
    columns = (Column("a point is"), *(Column(f"{k} known", "number") for k in ks))
    cells = tuple((point, *(_share(found.get((point, k))) for k in ks)) for point in points)
    return (Table("Share of released people singled out, with 95 % interval", columns, cells),)


def _share(rate: Rate | None) -> str:
    if rate is None:
        return "-"
    return words.percent(rate.value) + ("" if rate.exact else f" ({words.interval(rate)})")


def _groups(groups: Groups) -> Figure:
    sizes = banded(groups.sizes)
    told = "; ".join(f"groups of {size}: {people:,} people" for size, people in sizes)
    return Figure(
        "groups", "Sizes of groups of equals", f"{told}.",
        f"People by the size of their group; within a group all have the same {groups.of}.",
        shapes.counts(sizes, x="people in the group", y="people"),
    )  # fmt: skip


def _groups_table(groups: Groups) -> Table:
    columns = (
        Column("equal in"), Column("groups", "number"), Column("smallest", "number"),
        Column("mean size", "number"), Column("people alone", "number"),
    )  # fmt: skip
    row = (
        groups.of,
        f"{groups.count:,}",
        f"{groups.smallest:,}",
        f"{groups.mean:,.1f}",
        words.percent(groups.alone),
    )
    return Table("Groups of released people who are equal", columns, (row,))


def banded(sizes: tuple[tuple[int, int], ...]) -> list[tuple[str, int]]:
    """Return sizes one by one where they are few, and in growing bands where they are many."""
    if len(sizes) <= _FEW:
        return [(str(size), people) for size, people in sizes]
    ends = (*_STEPS[1:], None)
    bands = [
        (
            _band(low, end),
            sum(people for size, people in sizes if size >= low and (end is None or size < end)),
        )
        for low, end in zip(_STEPS, ends, strict=True)
    ]
    return [(name, people) for name, people in bands if people]


def _band(low: int, end: int | None) -> str:
    if end is None:
        return f"{low}+"
    return str(low) if end == low + 1 else f"{low}-{end - 1}"
