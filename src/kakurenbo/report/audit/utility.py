"""The sections on utility: how much of it is kept, and pictures of before and after."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kakurenbo.auditing.results import Compared, Dots
from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Figure, Gallery, Section, Table, Text
from kakurenbo.report.charts import basic, dots

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Kept

_READ = (
    "Share kept is 1 minus the cost as a share of the original's own scale: 100 % for a copy, 0 % where "
    "the cost is as large as what there was, or larger."
)
_SIZES = "Larger dots stand for more."


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return what is kept, and the pictures if there are any."""
    blocks = (
        (Text(_READ), Gallery((_bars(audit),)), _table(audit)) if audit.utility else (Text("Not measured."),)
    )
    kept = Section("utility", "What is kept", blocks)
    drawable = filter(_drawable, audit.pictures)
    pictures = (*_pairs(audit), *(_picture(place, picture) for place, picture in enumerate(drawable, 1)))
    return (kept, Section("before-after", "Before and after", (Gallery(pictures),))) if pictures else (kept,)


def _bars(audit: Audit) -> Figure:
    kept = [*((measure.name, measure.kept) for measure in audit.utility), ("mean", audit.kept)]
    shares = "; ".join(f"{name}: {words.percent(share)}" for name, share in kept)
    note = "Full bars would be the original; the coloured part is what the release keeps."
    return Figure(
        "kept", "Share of utility kept", f"{shares}.", note,
        basic.shares(kept, x="share kept, original = 100 %", wide=True), basic.shares(kept, x="share kept"),
    )  # fmt: skip


def _pairs(audit: Audit) -> tuple[Figure, ...]:
    """Return the shares that measures rest on, before and after, as one picture if there are any."""
    pairs = [
        (f"{measure.name}: {name.removesuffix('before').strip()}", value, measure.detail[other])
        for measure in audit.utility
        for name, value in measure.detail.items()
        if name.endswith("before") and (other := f"{name.removesuffix('before')}after") in measure.detail
    ]
    shares = [pair for pair in pairs if max(pair[1:]) <= 1]
    if not shares:
        return ()
    names, before, after = zip(*shares, strict=True)
    told = "; ".join(f"{name}: {words.percent(old)}, then {words.percent(new)}" for name, old, new in shares)
    chart = basic.before_after(names, before, after, x="", y="share")
    note = "Of a score, before is a model taught on the original, after one taught on the release."
    return (Figure("figures-before-after", "Figures an analyst would read", f"{told}.", note, chart),)


def _table(audit: Audit) -> Table:
    columns = (
        Column("measure"), Column("kept", "number"), Column("value", "number"), Column("unit"),
        Column("better"), Column("what it rests on", "prose"), Column("what it looks at", "prose"),
        Column("source"),
    )  # fmt: skip
    return Table("Measures of utility", columns, tuple(map(_row, audit.utility)))


def _row(measure: Kept) -> tuple[str, ...]:
    kept, value = words.percent(measure.kept), words.number(measure.value)
    if measure.low is not None and measure.high is not None:
        value = f"{value} ({words.number(measure.low)} to {words.number(measure.high)})"
    rests = "; ".join(f"{name} {words.number(figure)}" for name, figure in measure.detail.items())
    return measure.name, kept, value, measure.unit, measure.better, rests, measure.story, measure.source


def _drawable(picture: Compared | Dots) -> bool:
    return bool(picture.points if isinstance(picture, Dots) else picture.labels)


def _picture(place: int, picture: Compared | Dots) -> Figure:
    slug = f"picture-{place}-{re.sub('[^a-z0-9]+', '-', picture.name.lower()).strip('-')}"
    if isinstance(picture, Compared):
        draw = basic.before_after_lines if picture.form == "line" else basic.before_after
        chart = draw(picture.labels, picture.before, picture.after, x=picture.x, y=picture.y)
        pairs = zip(picture.labels, picture.before, picture.after, strict=True)
        values = "; ".join(
            f"{label}: {words.number(old)}, then {words.number(new)}" for label, old, new in pairs
        )
        return Figure(slug, picture.title, f"{picture.y} before and after. {values}.", picture.note, chart)
    count, places = len(picture.points), picture.points
    above = words.percent(sum(after > before for before, after in places) / count)
    below = words.percent(sum(after < before for before, after in places) / count)
    sides = f"{above} above the diagonal, {below} below"
    described = f"{picture.y} against {picture.x}: {count:,} dots, {sides}."
    note = " ".join(filter(None, (picture.note, _SIZES if dots.many(picture.points) else "")))
    return Figure(slug, picture.title, described, note, dots.dots(picture.points, x=picture.x, y=picture.y))
