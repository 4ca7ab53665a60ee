"""The risk ladder: what attackers find, from those who know least down to those who know most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt

from kakurenbo.report import words
from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.look import AFTER, BEFORE, FAINT, INK, LIMIT, NARROW, PAPER, WIDE, themed

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Finding

_HEAD, _FOOT = " ", "  "  # bands above and below the rungs, for the names of the lines
_WHOLE = 1.12  # the axis to 100 %, with room to its right for a number
_ZOOM = 0.4


def reach(audit: Audit) -> float:
    """Return where the axis ends: past 100 %, or past all there is where that is little."""
    most = max((0.01, audit.limits.max_risk, *(finding.rate.high for finding in audit.shown)))
    return _WHOLE if most > _ZOOM else 1.2 * most


def ladder(audit: Audit, *, wide: bool) -> dict[str, Any]:
    """Return the picture: a rung a row, a dot and interval an attacker, the worst of each in full colour."""
    axes = _Axes(tuple(rung for rung, _ in audit.ladder), reach(audit), wide)
    layers = [*_lines(audit, axes), *_attackers(audit, axes), *([] if wide else _labels(axes))]
    height = (30 if wide else 46) * (len(axes.rungs) + 2) + 40
    return themed(alt.layer(*layers), WIDE if wide else NARROW, height)


@dataclass(frozen=True)
class _Axes:
    """Rungs downwards and shares across; on a narrow picture the rungs' names stand above their rows."""

    rungs: tuple[str, ...]
    end: float
    wide: bool

    def x(self, name: str) -> Any:  # noqa: ANN401 - altair ships no types
        steps = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1]} if self.end == _WHOLE else {"tickCount": 5}
        axis = alt.Axis(format="~%", domain=False, ticks=False, **steps)
        scale = alt.Scale(domain=[0, self.end], nice=False)
        return alt.X(f"{name}:Q", title="share of released people named rightly", axis=axis, scale=scale)

    def y(self, **more: Any) -> Any:  # noqa: ANN401 - altair ships no types
        names = alt.Axis(
            title=None, labelLimit=260, ticks=False, domain=False, labelColor=INK, labelPadding=10
        )
        scale = alt.Scale(type="band", domain=[_HEAD, *self.rungs, _FOOT])
        return alt.Y("rung:N", sort=None, scale=scale, axis=names if self.wide else None, **more)


def _attackers(audit: Audit, axes: _Axes) -> list[Any]:
    room = [-1, 1] if axes.wide else [-2.4, 0.9]
    rows = [row for rung in axes.rungs for row in _rung([f for f in audit.shown if f.knowledge == rung])]
    offset = alt.YOffset("offset:Q", scale=alt.Scale(domain=room))
    base = alt.Chart(data(rows)).encode(y=axes.y(), yOffset=offset)
    others, worst = base.transform_filter("!datum.worst"), base.transform_filter("datum.worst")
    spans = [
        group.mark_rule(color=colour, strokeWidth=width, opacity=0.9).encode(x=axes.x("low"), x2="high:Q")
        for group, colour, width in ((others, BEFORE, 1.5), (worst, AFTER, 3))
    ]
    dots = [
        group.mark_point(filled=True, color=colour, opacity=1, size=size, shape=shape).encode(
            x=axes.x("rate")
        )
        for group, colour, size, shape in ((others, BEFORE, 38, "circle"), (worst, AFTER, 110, "diamond"))
    ]
    labels = worst.encode(x=axes.x("end"), text="text:N")
    return [*spans, *dots, *_written(labels, AFTER, dx=9, fontWeight="bold")]


def _rung(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return the attackers of a rung one below the other, the worst first."""
    step = 1.2 / max(len(findings), 4)
    end = max((finding.rate.high for finding in findings), default=0.0)
    return [
        {
            "rung": finding.knowledge, "rate": finding.rate.value, "low": finding.rate.low,
            "high": finding.rate.high, "end": end, "worst": place == 0,
            "offset": (place - (len(findings) - 1) / 2) * step, "text": words.percent(finding.rate.value),
        }
        for place, finding in enumerate(findings)
    ]  # fmt: skip


def _lines(audit: Audit, axes: _Axes) -> list[Any]:
    """Return the limit with the field beyond it, and the level of chance, both named."""
    limit = audit.limits.max_risk
    chance = max((finding.chance for finding in audit.attacks), default=0.0)
    top = {"at": limit, "end": axes.end, "rung": _HEAD, "text": f"limit {words.asked(limit)}"}
    bottom = {"at": chance, "rung": _FOOT, "text": f"chance {words.percent(chance)}"}
    above, below = (alt.Chart(data([row])).encode(x=axes.x("at")) for row in (top, bottom))
    return [
        above.mark_rect(color=LIMIT, opacity=0.06).encode(x2="end:Q"),
        above.mark_rule(color=LIMIT, strokeWidth=2),
        below.mark_rule(color=FAINT, strokeWidth=2, strokeDash=[5, 4]),
        *_written(above.encode(y=axes.y(), text="text:N"), LIMIT, dx=5, fontWeight="bold"),
        *_written(below.encode(y=axes.y(), text="text:N"), FAINT, dx=5),
    ]


def _labels(axes: _Axes) -> list[Any]:
    """Return the rungs' names above their rows, where there is no room beside them."""
    rows = alt.Chart(data({"rung": rung, "at": 0.0} for rung in axes.rungs))
    return _written(rows.encode(x=axes.x("at"), y=axes.y(bandPosition=0.2), text="rung:N"), INK, dx=6)


def _written(base: Any, colour: str, **look: Any) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return text on a rim of paper, so that lines may pass below it."""
    rim = {"fill": PAPER, "stroke": PAPER, "strokeWidth": 4}
    return [base.mark_text(align="left", **look, **paint) for paint in (rim, {"fill": colour})]
