"""The sections on distance and on groups: how far people were moved, and among whom they stand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text, heads
from kakurenbo.report.charts import basic
from kakurenbo.report.words import number

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Distance
    from kakurenbo.report.blocks import Block
    from kakurenbo.risk.exposure.nearness import Groups
    from kakurenbo.risk.exposure.unicity import Unicity

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


def _excess(excess: Distance) -> tuple[Block, ...]:
    verdict = Text(
        f"{excess.verdict.capitalize()}. {excess.reason}", "good" if excess.verdict == "accepted" else "bad"
    )
    rows = (
        ("mean distance of this release", number(excess.mean)),
        ("threshold: above it the release is excessive", number(excess.threshold)),
        ("lower limit: a threshold must lie above it", number(excess.low)),
        ("upper limit: and not above this", number(excess.high)),
        ("largest distance of one person", number(excess.farthest)),
    )
    columns = (Column("distance"), Column(excess.measure, "number"))
    marks = (("mean", excess.mean), ("threshold", excess.threshold))
    return (
        Text(_WHY), verdict, Gallery((_spread(excess, marks), *_least(excess, marks))),
        Table("Mean distance and its limits", columns, rows),
    )  # fmt: skip


def _spread(excess: Distance, marks: tuple[tuple[str, float], ...]) -> Figure:
    limits = (*marks, ("lower limit", excess.low), ("upper limit", excess.high))
    counts = "; ".join(
        f"{number(low)} to {number(high)}: {people:,}" for low, high, people in excess.histogram
    )
    return Figure(
        "distances", "Everybody's distance", f"People by their distance. {counts}.",
        "How far each person's released record is from his own, with the mean and its limits.",
        basic.histogram(excess.histogram, x=f"distance ({excess.measure})", y="people", marks=limits),
    )  # fmt: skip


def _least(excess: Distance, marks: tuple[tuple[str, float], ...]) -> tuple[Figure, ...]:
    if not excess.s_lower:
        return ()
    (most, high), (least, low) = excess.s_lower[0], excess.s_lower[-1]
    ends = f"From {number(high)} with {most:,} people left in place to {number(low)} with {least:,}."
    return (
        Figure(
            "shuffles", "The least distance of a mere shuffle", ends,
            "A shuffle of true records that leaves so many people in place costs at least this much "
            "(s_lower). A release above the threshold may be one.",
            basic.curve(excess.s_lower, x="people left in place, at most", y="mean distance", marks=marks),
        ),
    )  # fmt: skip


def _among(audit: Audit) -> tuple[Block, ...]:
    figures, tables = [_groups(audit.groups)], [_groups_table(audit.groups)]
    if audit.uniqueness:
        figures.append(_unique(audit.uniqueness))
        tables.append(_unique_table(audit.uniqueness))
    told = (*tables, *_diversity(audit), *_population(audit))
    return Text(_AMONG), Gallery(tuple(figures)), *told, _nearness(audit)


def _diversity(audit: Audit) -> tuple[Table, ...]:
    """Return what the groups say of every sensitive attribute: l and t."""
    if not audit.diversity:
        return ()
    columns = (
        Column("attribute"),
        *heads("values in all", "l (distinct)", "l (entropy)", "c of (c, l)", "t", kind="number"),
    )
    rows = tuple(
        (
            one.attribute, f"{one.values:,}", f"{one.l_distinct:,}", f"{one.l_entropy:,}",
            "-" if one.c is None else f"{one.c:,}", number(one.t),
        )
        for one in audit.diversity
    )  # fmt: skip
    caption = "Sensitive attributes in groups of equal quasi-identifiers: l-diversity and t-closeness"
    return (Table(caption, columns, rows),)


def _population(audit: Audit) -> tuple[Table, ...]:
    """Return what models say of a population that the released people were drawn from."""
    if not audit.population:
        return ()
    columns = (
        Column("model"),
        *heads("alone here", "of these alone there", "journalist", "marketer", "misfit", kind="number"),
        Column("to be believed"),
    )
    rows = tuple(
        (
            one.model, f"{one.alone:,}", words.percent(one.alone_there), words.percent(one.journalist),
            words.percent(one.marketer), words.percent(one.misfit), "fits" if one.fits else "does not fit",
        )
        for one in audit.population
    )  # fmt: skip
    caption = (
        "Estimates for the population: the chance to name somebody who is alone here (journalist), and the "
        "share named by naming anybody of the group (marketer)"
    )
    return (Table(caption, columns, rows),)


def _nearness(audit: Audit) -> Table:
    near = audit.nearness
    columns = heads("verbatim copies", *(f"{name} quantile" for name in _QUANTILES), kind="number")
    row = (words.percent(near.copies), *map(number, near.quantiles))
    caption = f"Distance of released people to the nearest original, whoever it is ({near.measure})"
    return Table(caption, columns, (row,))


def _unique(rows: tuple[Unicity, ...]) -> Figure:
    curves = [(row.knowledge, row.k, row.rate.value) for row in rows]
    shares = "; ".join(f"{row.k} of {row.knowledge}: {words.percent(row.rate.value)}" for row in rows)
    return Figure(
        "uniqueness", "How few points single a person out", f"Share singled out. {shares}.",
        "Share of released people whom so many known points set apart from all other released people.",
        basic.share_lines(curves, x="points known", y="singled out"),
    )  # fmt: skip


def _unique_table(rows: tuple[Unicity, ...]) -> Table:
    points, ks = list(dict.fromkeys(row.knowledge for row in rows)), sorted({row.k for row in rows})
    rates = {(row.knowledge, row.k): row.rate for row in rows}
    columns = (Column("a point is"), *(Column(f"{k} known", "number") for k in ks))
    cells = tuple(
        (point, *(words.rated(rates[point, k]) if (point, k) in rates else "-" for k in ks))
        for point in points
    )
    return Table("Share of released people singled out, with 95 % interval", columns, cells)


def _groups(groups: Groups) -> Figure:
    sizes = banded(groups.sizes)
    counts = "; ".join(f"groups of {size}: {people:,} people" for size, people in sizes)
    return Figure(
        "groups", "Sizes of groups of equals", f"{counts}.",
        f"People by the size of their group; within a group all have the same {groups.of}.",
        basic.counts(sizes, x="people in the group", y="people"),
    )  # fmt: skip


def _groups_table(groups: Groups) -> Table:
    columns = (Column("equal in"), *heads("groups", "smallest", "mean size", "people alone", kind="number"))
    sizes = (f"{groups.count:,}", f"{groups.smallest:,}", f"{groups.mean:,.1f}")
    row = (groups.of, *sizes, words.percent(groups.alone))
    return Table("Groups of released people who are equal", columns, (row,))


def banded(sizes: tuple[tuple[int, int], ...]) -> list[tuple[str, int]]:
    """Return sizes one by one where they are few, and in growing bands where they are many."""
    if len(sizes) <= _FEW:
        return [(str(size), people) for size, people in sizes]
    bands = []
    for low, end in zip(_STEPS, (*_STEPS[1:], math.inf), strict=True):
        name = f"{low}+" if end == math.inf else f"{low}-{end - 1}"
        people = sum(count for size, count in sizes if low <= size < end)
        bands.append((str(low) if end == low + 1 else name, people))
    return [(name, people) for name, people in bands if people]
