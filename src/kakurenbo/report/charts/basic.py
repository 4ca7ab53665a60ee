"""Bars, histograms, curves, before and after: numbers in, Vega-Lite specifications in the shared look out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from kakurenbo.report.charts.look import AFTER, BEFORE, FAINT, GRID, INK, LIMIT, NARROW, WIDE, themed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_HEIGHT = 270
_WORD = 5  # labels longer than this lie beside their bars
_FEW = 12  # more bars than this have no room for their numbers
_SHARE: dict[str, Any] = {"format": ".0%", "tickCount": 5}
_AXIS = {"tickCount": 4, "domain": False, "ticks": False}
_NAMES = {
    "title": None, "labelLimit": 190, "ticks": False, "domain": False, "labelColor": INK, "labelPadding": 6,
}  # fmt: skip
_PLACES = {"labelAngle": 0, "ticks": False, "grid": False, "labelOverlap": True}


def data(rows: Iterable[Mapping[str, Any]]) -> Any:  # noqa: ANN401 - altair ships no types
    """Return rows as the data of a chart."""
    return alt.InlineData(values=list(rows))


def shares(values: Sequence[tuple[str, float]], *, x: str, wide: bool = False) -> dict[str, Any]:
    """Return a bar a label on a track from 0 to 100 %, its share written beside it."""
    rows = [{"name": name, "share": share, "text": f"{share:.0%}", "whole": 1.0} for name, share in values]
    y = alt.Y("name:N", sort=None, axis=_NAMES)
    axis = alt.Axis(**_SHARE, values=[0, 0.25, 0.5, 0.75, 1], title=x, grid=False)
    base = alt.Chart(data(rows)).encode(y=y)
    track = base.mark_bar(color=GRID, opacity=0.6, height=15).encode(
        x=alt.X("whole:Q", axis=axis, scale=alt.Scale(domain=[0, 1.07 if wide else 1.16], nice=False))
    )
    bars = base.mark_bar(color=AFTER, height=15).encode(x=alt.X("share:Q"))
    labels = base.mark_text(align="left", dx=6).encode(x=alt.X("whole:Q"), text=alt.Text("text:N"))
    return themed(track + bars + labels, WIDE if wide else NARROW, 60 + 28 * len(rows))


def counts(values: Sequence[tuple[str, int]], *, x: str, y: str) -> dict[str, Any]:
    """Return a bar a label with its count, upright for short labels and lying for long ones."""
    rows = [{"name": name, "count": count, "text": f"{count:,}"} for name, count in values]
    room = alt.Scale(domain=[0, 1.2 * max((count for _, count in values), default=1) or 1], nice=False)
    lying = _long(name for name, _ in values)
    base = _placed(alt.Chart(data(rows)), "count:Q", x, y, lying=lying, scale=room)
    if lying:
        text = base.mark_text(align="left", dx=5).encode(text=alt.Text("text:N"))
        return themed(base.mark_bar(color=AFTER, height=16) + text, NARROW, 84 + 27 * len(rows))
    bars = base.mark_bar(color=AFTER, width=min(48, 280 / max(len(rows), 1)))
    text = base.mark_text(dy=-8).encode(text=alt.Text("text:N"))
    return themed(bars + text if len(rows) <= _FEW else bars, NARROW, _HEIGHT)


def histogram(
    bins: Sequence[tuple[float, float, int]], *, x: str, y: str, marks: Sequence[tuple[str, float]] = ()
) -> dict[str, Any]:
    """Return counted bins, with named values of x as lines across."""
    rows = [{"low": low, "high": high, "count": count} for low, high, count in bins]
    top = max((count for *_, count in bins), default=1)
    bars = alt.Chart(data(rows)).mark_bar(color=AFTER, binSpacing=1, opacity=0.75).encode(
        x=alt.X("low:Q", bin="binned", title=x, axis=alt.Axis(grid=False, tickCount=6)), x2=alt.X2("high:Q"),
        y=alt.Y("count:Q", title=y, axis=_AXIS, scale=alt.Scale(domain=[0, top * 1.05 or 1], nice=False)),
    )  # fmt: skip
    return themed(alt.layer(bars, *_rules(marks, "x")), NARROW, _HEIGHT)


def curve(
    points: Sequence[tuple[float, float]], *, x: str, y: str, marks: Sequence[tuple[str, float]]
) -> dict[str, Any]:
    """Return a curve, with named values of y as lines across."""
    rows = [{"x": place, "y": value} for place, value in points]
    line = alt.Chart(data(rows)).mark_line(color=AFTER, strokeWidth=2.5).encode(
        x=alt.X("x:Q", title=x, axis=alt.Axis(grid=False, tickCount=5)), y=alt.Y("y:Q", title=y, axis=_AXIS)
    )  # fmt: skip
    return themed(alt.layer(line, *_rules(marks, "y")), NARROW, _HEIGHT)


def share_lines(rows: Sequence[tuple[str, int, float]], *, x: str, y: str) -> dict[str, Any]:
    """Return a line of shares for every name over whole numbers."""
    points = [{"name": name, "x": place, "y": share} for name, place, share in rows]
    chart = alt.Chart(data(points)).encode(
        x=alt.X("x:O", title=x, axis=alt.Axis(labelAngle=0, grid=False)),
        y=alt.Y("y:Q", title=y, axis=alt.Axis(**_SHARE), scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("name:N", sort=None, legend=alt.Legend(columns=2)),
    )
    return themed(chart.mark_line(strokeWidth=2.5, point={"size": 60}), NARROW, _HEIGHT + 20)


def before_after(
    labels: Sequence[str], before: Sequence[float], after: Sequence[float], *, x: str, y: str
) -> dict[str, Any]:
    """Return two bars a label, upright for short labels and lying for long ones."""
    when = (("before", before), ("after", after))
    rows = [
        {"name": n, "when": w, "value": v} for w, values in when for n, v in zip(labels, values, strict=True)
    ]
    scale = alt.Scale(domain=["before", "after"], range=[BEFORE, AFTER])
    base = alt.Chart(data(rows)).mark_bar().encode(color=alt.Color("when:N", scale=scale))
    lying = _long(labels)
    bars = _placed(base, "value:Q", x, y, lying=lying)
    if lying:
        return themed(bars.encode(yOffset=alt.YOffset("when:N", sort=None)), NARROW, 90 + 30 * len(labels))
    return themed(bars.encode(xOffset=alt.XOffset("when:N", sort=None)), NARROW, _HEIGHT)


def before_after_lines(
    labels: Sequence[str], before: Sequence[float], after: Sequence[float], *, x: str, y: str
) -> dict[str, Any]:
    """Return two lines over labels that follow each other, the one before dashed."""
    when = (("before", before), ("after", after))
    rows = [
        {"name": n, "when": w, "value": v} for w, values in when for n, v in zip(labels, values, strict=True)
    ]
    names = ["before", "after"]
    legend = alt.Legend(symbolType="stroke", symbolStrokeWidth=2.5)
    colours = alt.Color("when:N", scale=alt.Scale(domain=names, range=[BEFORE, AFTER]), legend=legend)
    dashes = alt.StrokeDash("when:N", scale=alt.Scale(domain=names, range=[[6, 4], [1, 0]]), legend=legend)
    lines = alt.Chart(data(rows)).mark_line(strokeWidth=2.5)
    below = alt.X("name:O", sort=None, title=x, axis=_PLACES)
    beside = alt.Y("value:Q", title=y, axis=_AXIS, scale=alt.Scale(zero=True))
    return themed(lines.encode(x=below, y=beside, color=colours, strokeDash=dashes), NARROW, _HEIGHT)


def _long(labels: Iterable[str]) -> bool:
    return max(map(len, labels), default=0) > _WORD


def _placed(base: Any, value: str, x: str, y: str, *, lying: bool, **more: Any) -> Any:  # noqa: ANN401 - altair ships no types
    """Return the chart with names along one side and values along the other."""
    if lying:
        beside = alt.Y("name:N", sort=None, axis=_NAMES)
        return base.encode(y=beside, x=alt.X(value, title=y, axis=_AXIS, **more))
    below = alt.X("name:N", sort=None, title=x, axis=_PLACES)
    return base.encode(x=below, y=alt.Y(value, title=y, axis=_AXIS, **more))


def _rules(marks: Sequence[tuple[str, float]], across: str) -> list[Any]:
    """Return a dashed line for every named value, told apart by colour and dash in the legend."""
    if not marks:
        return []
    names = [name for name, _ in marks]
    looks = [(INK, [1, 0]), (LIMIT, [6, 4]), (FAINT, [2, 3]), (FAINT, [8, 3, 2, 3])][: len(marks)]
    legend = alt.Legend(columns=2, symbolType="stroke", symbolStrokeWidth=2)
    rules = alt.Chart(data({"what": name, across: value} for name, value in marks)).mark_rule(strokeWidth=2)
    colour = alt.Scale(domain=names, range=[look for look, _ in looks])
    dash = alt.Scale(domain=names, range=[dash for _, dash in looks])
    colours = alt.Color("what:N", scale=colour, legend=legend)
    dashes = alt.StrokeDash("what:N", scale=dash, legend=legend)
    return [rules.encode(**{across: f"{across}:Q"}, color=colours, strokeDash=dashes)]
