"""The risk ladder: what attackers find and lay open, from who knows least down to who knows most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from kakurenbo.report import words
from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.lanes import FOOT, HEAD, Axes, laid_open_limit
from kakurenbo.report.charts.look import (
    AFTER,
    BEFORE,
    FAINT,
    FOURTH,
    GRID,
    INK,
    LIMIT,
    NARROW,
    PAPER,
    WIDE,
    themed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.auditing.results import Audit, Finding, Lesson
    from kakurenbo.report.charts.lanes import Lane, What

    Row = dict[str, Any]

_OTHERS: Final = "found by the others"
_WORST: Final = "found by the worst attacker"
_CONTROL: Final = "laid open: control"
_OPEN: Final = "laid open by the worst attacker"
_LOOKS: Final = {  # fill, rim, shape, size; in the order of the legend
    _WORST: (AFTER, AFTER, "diamond", 95),
    _OTHERS: (BEFORE, BEFORE, "circle", 26),
    _OPEN: (FOURTH, FOURTH, "square", 70),
    _CONTROL: (PAPER, FOURTH, "circle", 62),
}
_FADED = 0.4


def ladder(audit: Audit, *, wide: bool) -> dict[str, Any]:
    """Return the picture: of every rung who finds how many, and how many are laid open beside the control."""
    axes = Axes.of(audit, wide=wide)
    rows = [row for lane in axes.lanes for row in _lane(audit, lane)]
    marks = _marks(rows, axes) if any("mark" in row for row in rows) else []
    layers = [*_lines(audit, axes), *marks, *_texts(rows, axes)]
    if not wide:
        layers += _names(axes)
    return themed(alt.layer(*layers), WIDE if wide else NARROW, axes.height)


def _lane(audit: Audit, lane: Lane) -> list[Row]:
    """Return what stands in a lane: marks, or that nothing may be told."""
    shared = {"lane": lane.key, "decides": audit.decides(lane.rung)}
    if lane.what == "found":
        rows = list(_found([finding for finding in audit.shown if finding.knowledge == lane.rung]))
    else:
        worst = audit.lesson_of(lane.rung) if lane.what == "learnt" else None
        rows = [] if worst is None else list(_learnt(worst))
    if not rows and lane.what != "name":
        what = "found" if lane.what == "found" else "laid open"
        why = "not measured" if lane.rung in audit.blind else "not proven"
        rows = [{"text": f"{what}: {why}", "end": 0.0, "offset": 0.0, "told": False}]
    return [{**row, **shared} for row in rows]


def _found(findings: list[Finding]) -> Iterator[Row]:
    """Yield the attackers of a rung one below the other, the worst first."""
    step = 1.2 / max(len(findings), 4)
    end = max((finding.exposed.high for finding in findings), default=0.0)
    for place, finding in enumerate(findings):
        text = {"text": words.percent(finding.exposed.value), "end": end, "told": True}
        yield {
            "mark": _OTHERS if place else _WORST, "at": finding.exposed.value, "low": finding.exposed.low,
            "high": finding.exposed.high, "offset": (place - (len(findings) - 1) / 2) * step,
            **({} if place else text),
        }  # fmt: skip


def _learnt(lesson: Lesson) -> Iterator[Row]:
    """Yield the control, joined to what is laid open with its interval."""
    laid_open, control = lesson.laid_open, lesson.control_laid_open
    yield {"mark": _CONTROL, "at": control, "joined": laid_open.value, "offset": 0.0}
    yield {
        "mark": _OPEN, "at": laid_open.value, "low": laid_open.low, "high": laid_open.high, "offset": 0.0,
        "text": words.percent(laid_open.value), "end": max(laid_open.high, control), "told": True,
    }  # fmt: skip


def _marks(rows: list[Row], axes: Axes) -> list[Any]:
    """Return intervals, the way from the control to what is laid open, and on top of them every mark."""
    marks = [mark for mark in _LOOKS if any(row.get("mark") == mark for row in rows)]
    below = sorted((row for row in rows if "mark" in row), key=lambda row: row["mark"] in {_WORST, _OPEN})
    drawn = [{**row, "size": _LOOKS[row["mark"]][3]} for row in below]
    fading = alt.OpacityValue(_FADED, condition={"test": "datum.decides", "value": 1})
    place = {"y": axes.y(), "yOffset": _offset(), "opacity": fading}
    spans = [
        _chart(row for row in drawn if row["mark"] == mark and "low" in row)
        .mark_rule(color=_LOOKS[mark][1], strokeWidth=1.5 if mark == _OTHERS else 3)
        .encode(x=axes.x("low"), x2=alt.X2("high:Q"), **place)
        for mark in marks
    ]
    joined = _chart(row for row in drawn if "joined" in row).mark_rule(color=FOURTH, strokeDash=[2, 3])
    points = _chart(drawn).mark_point(strokeWidth=1.5).encode(x=axes.x("at"), **place, **_looks(marks, axes))
    return [joined.encode(x=axes.x("at"), x2=alt.X2("joined:Q"), **place), *spans, points]


def _looks(marks: list[str], axes: Axes) -> dict[str, Any]:
    """Return how marks look, with a legend in words."""
    fills, rims, shapes, _ = zip(*(_LOOKS[mark] for mark in marks), strict=True)
    legend = alt.Legend(columns=len(marks) if axes.wide else 1, symbolSize=75)

    def scaled(values: tuple[Any, ...]) -> dict[str, Any]:
        return {"scale": alt.Scale(domain=marks, range=list(values)), "sort": None, "legend": legend}

    return {
        "fill": alt.Fill("mark:N", **scaled(fills)),
        "stroke": alt.Stroke("mark:N", **scaled(rims)),
        "shape": alt.Shape("mark:N", **scaled(shapes)),
        "size": alt.Size("size:Q", scale=None, legend=None),
    }


def _texts(rows: list[Row], axes: Axes) -> list[Any]:
    """Return the numbers beside the worst of each lane, in its colour where it decides."""
    written = [row for row in rows if "text" in row]
    layers = []
    for colour, weight, chosen in (
        (AFTER, "bold", lambda row: row["told"] and row["decides"] and row["mark"] == _WORST),
        (FOURTH, "bold", lambda row: row["told"] and row["decides"] and row["mark"] == _OPEN),
        (FAINT, "normal", lambda row: not (row["told"] and row["decides"])),
    ):
        base = _chart(filter(chosen, written)).encode(x=axes.x("end"), y=axes.y(), text=alt.Text("text:N"))
        layers += _written(base, colour, dx=9, fontWeight=weight)
    return layers


def _lines(audit: Audit, axes: Axes) -> list[Any]:
    """Return the limit of every lane with the field beyond it, the level of chance, and both names."""
    limits = [{"lane": lane.key, "at": at, "end": axes.last} for lane, at in _limits(audit, axes)]
    chance = max((finding.luck for finding in audit.attacks), default=0.0)
    guessed = [{"lane": lane.key, "at": chance} for lane in axes.lanes if _told(audit, lane, "found")]
    heads = [{"lane": lane.key, "at": 0.0, "end": axes.last} for lane in _first(axes.lanes)]
    whole = {"y": axes.y(bandPosition=0), "y2": alt.Y2("lane:N", bandPosition=1)}
    beyond = _chart(limits).encode(x=axes.x("at"), **whole)
    luck = _chart(guessed).encode(x=axes.x("at"), **whole)
    return [
        _chart(heads)
        .mark_rule(color=GRID)
        .encode(x=axes.x("at"), x2=alt.X2("end:Q"), y=axes.y(bandPosition=0)),
        beyond.mark_rect(color=LIMIT, opacity=0.06).encode(x2=alt.X2("end:Q")),
        beyond.mark_rule(color=LIMIT, strokeWidth=2),
        luck.mark_rule(color=FAINT, strokeWidth=2, strokeDash=[5, 4]),
        *_names_of_lines(audit, axes, chance),
    ]


def _names_of_lines(audit: Audit, axes: Axes, chance: float) -> Iterator[Any]:
    """Yield what the lines are, written above and below them."""
    found, learnt = audit.limits.max_risk, audit.limits.max_learnt
    limit, text = found, f"limit {words.asked(found)}"
    if not audit.attacks:
        limit, text = learnt, f"limit: control + {words.asked(learnt)}"
    elif audit.learnt and found != learnt:
        text = f"limit of found {words.asked(found)}"
    said = [(HEAD, limit, text, LIMIT)]
    said += [(FOOT, chance, f"chance {words.percent(chance)}", FAINT)] if axes.foot else []
    for lane, at, name, colour in said:
        row = _chart([{"lane": lane, "at": at, "text": name}])
        yield from _written(row.encode(x=axes.x("at"), y=axes.y(), text=alt.Text("text:N")), colour, dx=-1)


def _told(audit: Audit, lane: Lane, what: What) -> bool:
    """Tell whether a lane shows this, and something may be told of it."""
    worst = audit.worst_of(lane.rung) if what == "found" else audit.lesson_of(lane.rung)
    return lane.what == what and worst is not None


def _limits(audit: Audit, axes: Axes) -> Iterator[tuple[Lane, float]]:
    """Yield the limit of each lane: of who is found, or of who is laid open beyond the control.

    The name of a rung goes with the lane below it.
    """
    for lane, below in zip(axes.lanes, (*axes.lanes[1:], axes.lanes[-1]), strict=True):
        shown = below if lane.what == "name" else lane
        lesson = audit.lesson_of(lane.rung)
        if _told(audit, shown, "found"):
            yield lane, audit.limits.max_risk
        elif lesson is not None and _told(audit, shown, "learnt"):
            yield lane, laid_open_limit(audit, lesson)


def _first(lanes: Iterable[Lane]) -> Iterator[Lane]:
    """Yield the first lane of each rung."""
    seen: set[str] = set()
    for lane in lanes:
        if lane.rung not in seen:
            seen.add(lane.rung)
            yield lane


def _names(axes: Axes) -> list[Any]:
    """Return the rungs' names above their lanes, where there is no room beside them."""
    rows = _chart({"lane": lane.key, "at": 0.0} for lane in axes.lanes if lane.what == "name")
    return _written(rows.encode(x=axes.x("at"), y=axes.y(), text=alt.Text("lane:N")), INK, dx=2)


def _offset() -> Any:  # noqa: ANN401 - altair ships no types
    return alt.YOffset("offset:Q", scale=alt.Scale(domain=[-1, 1]))


def _chart(rows: Iterable[Row]) -> Any:  # noqa: ANN401 - altair ships no types
    return alt.Chart(data(rows))


def _written(base: Any, colour: str, **look: Any) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return text on a rim of paper, so that lines may pass below it."""
    rim = {"fill": PAPER, "stroke": PAPER, "strokeWidth": 4, "strokeJoin": "round"}
    return [base.mark_text(align="left", **look, **paint) for paint in (rim, {"fill": colour})]
