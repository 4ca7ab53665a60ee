"""Figures of 004: the least cost of a shuffle beside a release (figure 6), and what cheats cost (8-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from kakurenbo.files.atomic import write_file
from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.look import image
from kakurenbo.report.seal import is_picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kakurenbo.risk.excess.judge import Verdict
    from kakurenbo.risk.excess.limits import Limits
    from kakurenbo.risk.excess.trials import Trials

_WIDTH, _HEIGHT = 520, 260
_BINS = 40


def draw(
    limits: Limits,
    threshold: float,
    verdict: Verdict | None,
    tried: Sequence[Trials],
    path: Path,
    *,
    overwrite: bool = False,
) -> None:
    """Draw the limits, the release's place and the cheats' histograms, all sums as means, to .svg or .png."""
    charts = [curve(limits, threshold, verdict)]
    charts += [histogram(trials, limits.people, threshold / limits.people) for trials in tried]
    drawn = image(alt.vconcat(*charts).to_dict(), path.suffix)
    write_file(path, drawn, replaces=is_picture if overwrite else None)


def curve(limits: Limits, threshold: float, verdict: Verdict | None) -> Any:  # noqa: ANN401 - altair has no types
    """Return 004's figure 6 with the bracket of s_exact and the release beside s_lower."""
    n = limits.people
    rows = [{"what": "s_lower", "r": r, "mean": value / n} for r, value in limits.s_lower]
    rows += [
        {"what": f"s_exact, {end} end", "r": bracket.r, "mean": getattr(bracket, end) / n}
        for end in ("lower", "upper")
        for bracket in limits.s_exact
    ]
    colour = alt.Color("what:N", title=None)
    lines = alt.Chart(data(rows)).mark_line(point=len(limits.s_lower) < 30).encode(
        x=alt.X("r:Q", title="people left in place, at most"), y=alt.Y("mean:Q", title="mean distance"),
        color=colour,
    )  # fmt: skip
    levels = [{"what": "threshold", "mean": threshold / n}]
    levels += [] if verdict is None else [{"what": "this release", "mean": verdict.distance / n}]
    rules = alt.Chart(data(levels)).mark_rule(strokeDash=[6, 3], size=2).encode(y="mean:Q", color=colour)
    title = "Least distance of a shuffle of true records"
    return (lines + rules).properties(width=_WIDTH, height=_HEIGHT, title=title)


def histogram(trials: Trials, people: int, threshold: float) -> Any:  # noqa: ANN401 - altair
    """Return a histogram of the mean distance over the trials of one cheat (004 figures 8-10)."""
    means = [distance / people for distance in trials.sums.tolist()]
    bars = alt.Chart(data(counted(means))).mark_bar().encode(
        x=alt.X("low:Q", bin="binned", title="mean distance", scale=alt.Scale(zero=False)), x2="high:Q",
        y=alt.Y("trials:Q", title="trials"),
    )  # fmt: skip
    rule = alt.Chart(data([{"t": threshold}])).mark_rule(strokeDash=[6, 3], size=2).encode(x="t:Q")
    title = f"{len(means):,} trials of {trials.cheat}"
    return (bars + rule).properties(width=_WIDTH, height=110, title=title)


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
