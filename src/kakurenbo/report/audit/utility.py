"""The sections on utility: how much of it is kept, and pictures of before and after."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kakurenbo.auditing.results import Compared, Dots
from kakurenbo.report import scatter, shapes
from kakurenbo.report.audit import words
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text
from kakurenbo.report.words import number

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Kept

_READ = (
    "Share kept is 1 minus the cost as a share of the original's own scale: 100 % for a copy, 0 % where "
    "the cost is as large as what there was, or larger."
)
_NEW = "Larger dots stand for more."


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return what is kept, and the pictures if there are any."""
    blocks = (
        (Text(_READ), Gallery((_bars(audit),)), _table(audit)) if audit.utility else (Text("Not measured."),)
    )
    kept = Section("utility", "What is kept", blocks)
    drawable = [one for one in audit.pictures if (one.points if isinstance(one, Dots) else one.labels)]
    pictures = tuple(_picture(place, one) for place, one in enumerate(drawable, 1))
    return (kept, Section("before-after", "Before and after", (Gallery(pictures),))) if pictures else (kept,)


def _bars(audit: Audit) -> Figure:
    kept = [*((one.name, one.kept) for one in audit.utility), ("mean", audit.kept)]
    told = "; ".join(f"{name}: {words.percent(share)}" for name, share in kept)
    note = "Full bars would be the original; the coloured part is what the release keeps."
    return Figure(
        "kept", "Share of utility kept", f"{told}.", note,
        shapes.shares(kept, x="share kept, original = 100 %", wide=True), shapes.shares(kept, x="share kept"),
    )  # fmt: skip


def _table(audit: Audit) -> Table:
    columns = (
        Column("measure"), Column("kept", "number"), Column("value", "number"), Column("unit"),
        Column("better"), Column("what it looks at", "prose"), Column("source"),
    )  # fmt: skip
    return Table("Measures of utility", columns, tuple(_row(one) for one in audit.utility))


def _row(one: Kept) -> tuple[str, ...]:
    return one.name, words.percent(one.kept), number(one.value), one.unit, one.better, one.story, one.source


def _picture(place: int, one: Compared | Dots) -> Figure:
    slug = f"picture-{place}-{re.sub('[^a-z0-9]+', '-', one.name.lower()).strip('-')}"
    if isinstance(one, Compared):
        chart = shapes.before_after(one.labels, one.before, one.after, x=one.x, y=one.y)
        pairs = zip(one.labels, one.before, one.after, strict=True)
        told = "; ".join(f"{label}: {number(old)}, then {number(new)}" for label, old, new in pairs)
        return Figure(slug, one.title, f"{one.y} before and after. {told}.", one.note, chart)
    above = sum(after > before for before, after in one.points) / len(one.points)
    below = sum(after < before for before, after in one.points) / len(one.points)
    told = (
        f"{one.y} against {one.x}: {len(one.points):,} dots, {words.percent(above)} above the diagonal, "
        f"{words.percent(below)} below."
    )
    note = " ".join(filter(None, (one.note, _NEW if scatter.crowded(one.points) else "")))
    return Figure(slug, one.title, told, note, scatter.dots(one.points, x=one.x, y=one.y))
