"""The figures of the papers beside ours.

Ours are drawn in full colour with their range over seeds as a band, theory as a thin dashed line, and what
the papers print as black marks on top, so that one sees at a glance whose number is whose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from kakurenbo.report.charts.look import plain

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Figure, Point, Series

_WIDTH, _HEIGHT = 560, 320
_OURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by colour-blind readers too
_THEORY: Final = "#666666"
_PRINTED: Final = "#000000"
_AXIS: Final = {"tickCount": 9, "labelFlush": False, "labelOverlap": True}
_SHAPES: Final = ("diamond", "cross", "triangle-up")


def chart(figure: Figure) -> dict[str, Any]:
    """Return the specification of a figure."""
    shown = [series for series in figure.series if series.points]
    layers = [layer for series in shown for layer in _layers(series, figure, _styles(shown))]
    title = alt.Title(f"{figure.paper} {figure.number}: {figure.title}", anchor="start", fontSize=15)
    drawn = alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=title)
    return plain(drawn, symbolSize=90, symbolOpacity=1, orient="bottom", columns=_columns(shown))


def _columns(shown: list[Series]) -> int:
    """Return how many names of a legend have room side by side below the picture."""
    longest = max((len(series.name) for series in shown), default=1)
    return max(1, min(3, _WIDTH // (7 * longest + 40)))


@dataclass(frozen=True, slots=True)
class _Style:
    colour: str
    shape: str
    dash: tuple[int, ...] = (1, 0)


def _styles(shown: list[Series]) -> dict[str, _Style]:
    """Give every series a look: ours by colour, theory dashed grey, print black by shape."""
    ours, prints = iter(_OURS * 3), iter(_SHAPES * 3)
    look: dict[str, _Style] = {}
    for series in shown:
        match series.whose:
            case "ours":
                look[series.name] = _Style(next(ours), "circle")
            case "theory":
                look[series.name] = _Style(_THEORY, "stroke", (5, 4))
            case "printed":
                look[series.name] = _Style(_PRINTED, "stroke" if series.mark == "rule" else next(prints))
    return look


def _layers(series: Series, figure: Figure, look: dict[str, _Style]) -> list[Any]:
    rows = [_row(point, series.name) for point in series.points]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("x:Q", title=figure.x, axis=_AXIS, scale=alt.Scale(domain=_span(figure), nice=False)),
        color=_legend(alt.Color, [style.colour for style in look.values()], look),
    )
    y = alt.Y("y:Q", title=figure.y, axis=alt.Axis(format=_format(figure)))
    match series.mark:
        case "rule":
            return [base.mark_rule(strokeDash=[2, 3], strokeWidth=2)]
        case "bars":
            low, high = _span(figure)
            width = max(_WIDTH * _step(series) / (high - low) - 1, 1)
            bars = base.mark_bar(width=width, opacity=0.75).encode(y=y)
            return [bars, *_range(base, series, figure)]
        case "points":
            shapes = _legend(alt.Shape, [style.shape for style in look.values()], look)
            size = 45 if series.whose == "ours" else 75
            return [base.mark_point(filled=True, size=size, opacity=0.9).encode(y=y, shape=shapes)]
        case "line":
            dash = list(look[series.name].dash)
            dots = {"size": 40, "filled": True} if series.whose == "ours" else False
            line = base.mark_line(strokeWidth=2, strokeDash=dash, point=dots).encode(y=y)
            return [*_range(base, series, figure), line]


def _range(base: Any, series: Series, figure: Figure) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return the smallest and largest over seeds: a band along a line, a whisker on a bar."""
    if all(point.low == point.high for point in series.points):
        return []
    low, high = alt.Y("low:Q", title=figure.y), alt.Y2("high:Q")
    if series.mark == "line":
        return [base.mark_area(opacity=0.18).encode(y=low, y2=high)]
    return [base.mark_rule(strokeWidth=1.5, opacity=0.9).encode(y=low, y2=high, color=alt.value("#333333"))]


def _legend(make: Any, values: list[str], look: dict[str, _Style]) -> Any:  # noqa: ANN401 - altair ships no types
    return make("series:N", scale=alt.Scale(domain=list(look), range=values), legend=alt.Legend(title=None))


def _row(point: Point, name: str) -> dict[str, Any]:
    row: dict[str, Any] = {"x": point.x, "y": point.y, "series": name}
    return row if point.low is None else {**row, "low": point.low, "high": point.high}


def _span(figure: Figure) -> tuple[float, float]:
    """Return the ends of the x axis: from 0 for curves, half a bar beyond the first and last for bars."""
    places = [point.x for series in figure.series for point in series.points]
    bars = next((series for series in figure.series if series.mark == "bars" and series.points), None)
    if bars is None:
        return 0.0, max(places) * 1.02
    half = _step(bars) / 2
    return bars.points[0].x - half, max(places) + half


def _step(bars: Series) -> float:
    """Return how far bars stand from one another."""
    return bars.points[1].x - bars.points[0].x if len(bars.points) > 1 else 1.0


def _format(figure: Figure) -> str:
    largest = max((point.y for series in figure.series for point in series.points), default=0.0)
    return ",.0f" if largest >= 10 else ".2~f"
