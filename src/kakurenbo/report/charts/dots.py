"""Before and after as dots about the diagonal, readable for ten dots and for a million."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.look import AFTER, FAINT, NARROW, themed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MANY = 1_000
_SQUARES = 40
_STRETCHED = 25


def many(points: Sequence[tuple[float, float]]) -> bool:
    """Tell whether there are too many dots to draw each: then a dot's size tells how many it stands for."""
    return len(points) > _MANY


def dots(points: Sequence[tuple[float, float]], *, x: str, y: str) -> dict[str, Any]:
    """Return one dot a thing, or a grid of counted dots; axes are logarithmic where values are far apart."""
    places = np.asarray(points, dtype=float)
    low, high = float(places.min()), float(places.max())
    stretched = low >= 0 and high > _STRETCHED * float(np.median(places))
    rows = _counted(places, stretched=stretched) if many(points) else _each(places)
    size = alt.Size("count:Q", scale=alt.Scale(range=[12, 130]), legend=None)
    marks = alt.Chart(data(rows)).mark_point(filled=True, color=AFTER, opacity=0.55)
    marks = marks.encode(size=size) if many(points) else marks.encode(size=alt.SizeValue(34))
    ends = data([{"x": low, "y": low}, {"x": high, "y": high}])
    line = alt.Chart(ends).mark_line(color=FAINT, strokeDash=[5, 4], strokeWidth=1.5)
    scale, axis = _stretched(high) if stretched else _even()
    chart = alt.layer(line, marks).encode(
        x=alt.X("x:Q", title=x, scale=scale, axis=axis), y=alt.Y("y:Q", title=y, scale=scale, axis=axis)
    )
    return themed(chart, NARROW, NARROW - 80)


def _each(places: np.ndarray[Any, Any]) -> list[dict[str, float]]:
    return [{"x": float(before), "y": float(after), "count": 1} for before, after in places]


def _counted(places: np.ndarray[Any, Any], *, stretched: bool) -> list[dict[str, float]]:
    """Return the middles of the squares that hold dots, with their number."""
    space = np.log1p(places) if stretched else places
    span = [space.min(), space.max()]
    counts, edges, _ = np.histogram2d(space[:, 0], space[:, 1], bins=_SQUARES, range=[span, span])
    middles = (edges[1:] + edges[:-1]) / 2
    middles = np.expm1(middles) if stretched else middles
    return [
        {"x": float(middles[i]), "y": float(middles[j]), "count": int(counts[i, j])}
        for i, j in np.argwhere(counts)
    ]


def _even() -> tuple[Any, Any]:
    return alt.Scale(zero=False), alt.Axis(tickCount=6, domain=False, ticks=False)


def _stretched(high: float) -> tuple[Any, Any]:
    steps = [0, *(factor * 10**power for power in range(12) for factor in (1, 3))]
    shown = [step for step in steps if step <= high]
    scale = alt.Scale(type="symlog", constant=1, nice=False)
    return scale, alt.Axis(values=shown, domain=False, ticks=False, labelOverlap=True)
