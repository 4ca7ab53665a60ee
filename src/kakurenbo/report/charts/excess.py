"""Figures of 004: the least cost of a shuffle beside a release (figure 6), and what cheats cost (8-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from kakurenbo.files.atomic import write_file
from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.look import image

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_WIDTH, _HEIGHT = 520, 260
_BINS = 40


def figure(
    *,
    people: int,
    s_lower: Sequence[tuple[int, float]],
    s_exact: Sequence[tuple[int, float, float]],
    threshold: float,
    distance: float | None,
    trials: Mapping[str, Sequence[float]],
    path: Path,
) -> None:
    """Draw the limits, the release's place and the cheats' histograms to an SVG or PNG.

    Args:
        people: n; all sums are drawn as means.
        s_lower: (r, value).
        s_exact: (r, lower, upper).
        threshold: t.
        distance: d of a release, if there is one.
        trials: the sums of every trial, by cheat.
        path: where to, ending in .svg or .png.
    """
    charts = [curve(people, s_lower, s_exact, threshold, distance)]
    charts += [
        histogram(name, [d / people for d in sums], threshold / people) for name, sums in trials.items()
    ]
    write_file(path, image(alt.vconcat(*charts).to_dict(), path.suffix))


def curve(
    people: int,
    s_lower: Sequence[tuple[int, float]],
    s_exact: Sequence[tuple[int, float, float]],
    threshold: float,
    distance: float | None,
) -> Any:  # noqa: ANN401 - altair has no types
    """Return 004's figure 6 with the bracket of s_exact and the release beside s_lower."""
    lower = _points("s_lower", people, s_lower)
    least = _points("s_exact, lower end", people, [(r, low) for r, low, _ in s_exact])
    upper = _points("s_exact, upper end", people, [(r, high) for r, _, high in s_exact])
    lines = alt.Chart(data([*lower, *least, *upper])).mark_line(point=len(s_lower) < 30)
    chart = lines.encode(
        x=alt.X("r:Q", title="people left in place, at most"),
        y=alt.Y("mean:Q", title="mean distance"),
        color=alt.Color("what:N", title=None),
    )
    levels = [("threshold", threshold / people)]
    levels += [] if distance is None else [("this release", distance / people)]
    rules = alt.Chart(data([{"what": name, "mean": mean} for name, mean in levels])).mark_rule(
        strokeDash=[6, 3], size=2
    )
    level = rules.encode(y="mean:Q", color=alt.Color("what:N", title=None))
    return (chart + level).properties(
        width=_WIDTH, height=_HEIGHT, title="Least distance of a shuffle of true records"
    )


def histogram(cheat: str, means: Sequence[float], threshold: float) -> Any:  # noqa: ANN401 - altair
    """Return a histogram of the mean distance over the trials of one cheat (004 figures 8-10)."""
    bars = alt.Chart(data(counted(means))).mark_bar()
    chart = bars.encode(
        x=alt.X("low:Q", bin="binned", title="mean distance", scale=alt.Scale(zero=False)),
        x2="high:Q",
        y=alt.Y("trials:Q", title="trials"),
    )
    rule = alt.Chart(data([{"t": threshold}])).mark_rule(strokeDash=[6, 3], size=2).encode(x="t:Q")
    return (chart + rule).properties(width=_WIDTH, height=110, title=f"{len(means):,} trials of {cheat}")


def counted(means: Sequence[float]) -> list[dict[str, float]]:
    """Return the counts of equal bins between the smallest and the largest value."""
    low, high = min(means), max(means)
    width = (high - low) / _BINS or 1e-6
    counts = [0] * _BINS
    for mean in means:
        counts[min(int((mean - low) / width), _BINS - 1)] += 1
    return [
        {"low": low + i * width, "high": low + (i + 1) * width, "trials": count}
        for i, count in enumerate(counts)
    ]


def _points(what: str, people: int, values: Sequence[tuple[int, float]]) -> list[dict[str, Any]]:
    return [{"what": what, "r": r, "mean": value / people} for r, value in values]
