"""The risk ladder: what attackers find, from those who know least down to those who know most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from kakurenbo.report.audit import words
from kakurenbo.report.drawing import AFTER, BEFORE, FAINT, INK, LIMIT, NARROW, PAPER, WIDE, themed
from kakurenbo.report.shapes import data

if TYPE_CHECKING:
    from kakurenbo.audit.results import Audit, Finding

_HEAD, _FOOT = " ", "  "  # bands above and below the rungs, for the names of the lines
_END = 1.12  # room to the right of 100 % for the number of the worst


def ladder(audit: Audit, *, wide: bool) -> dict[str, Any]:
    """Return the picture: a rung a row, a dot and interval an attacker, the worst of each in full colour."""
    rungs = [rung for rung, _ in audit.ladder]
    y: dict[str, Any] = {
        "shorthand": "rung:N",
        "sort": None,
        "scale": alt.Scale(type="band", domain=[_HEAD, *rungs, _FOOT]),
    }
    names = alt.Axis(title=None, labelLimit=260, ticks=False, domain=False, labelColor=INK, labelPadding=10)
    place = alt.Y(**y, axis=names if wide else None)
    layers = [
        *_lines(audit, place),
        *_attackers(audit, place, wide=wide),
        *([] if wide else _labels(rungs, y)),
    ]
    return themed(alt.layer(*layers), WIDE if wide else NARROW, (30 if wide else 46) * (len(rungs) + 2) + 40)


def _attackers(audit: Audit, y: Any, *, wide: bool) -> list[Any]:  # noqa: ANN401 - altair ships no types
    room = [-1, 1] if wide else [-2.4, 0.9]  # the names of the rungs stand above
    rows = [
        row
        for rung, _ in audit.ladder
        for row in _rung([f for f in words.shown(audit) if f.knowledge == rung])
    ]
    base = alt.Chart(data(rows)).encode(y=y, yOffset=alt.YOffset("offset:Q", scale=alt.Scale(domain=room)))
    others, worst = base.transform_filter("!datum.worst"), base.transform_filter("datum.worst")
    spans = [
        group.mark_rule(color=colour, strokeWidth=width, opacity=0.9).encode(x=_x("low"), x2="high:Q")
        for group, colour, width in ((others, BEFORE, 1.5), (worst, AFTER, 3))
    ]
    return [
        *spans,
        others.mark_point(filled=True, color=BEFORE, size=38, opacity=1).encode(x=_x("rate")),
        worst.mark_point(filled=True, color=AFTER, size=110, opacity=1, shape="diamond").encode(x=_x("rate")),
        *_written(worst.encode(x=_x("end"), text="text:N"), AFTER, dx=9, fontWeight="bold"),
    ]


def _rung(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return the attackers of a rung one below the other, the worst first."""
    step = 1.2 / max(len(findings), 4)
    end = max((one.rate.high for one in findings), default=0.0)
    return [
        {
            "rung": one.knowledge, "rate": one.rate.value, "low": one.rate.low, "high": one.rate.high,
            "end": end, "worst": place == 0, "offset": (place - (len(findings) - 1) / 2) * step,
            "text": words.percent(one.rate.value),
        }
        for place, one in enumerate(findings)
    ]  # fmt: skip


def _lines(audit: Audit, y: Any) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return the limit with the field beyond it, and the level of chance, both named."""
    limit = audit.limits.max_risk
    chance = max((finding.chance for finding in audit.attacks), default=0.0)
    told = [
        {"at": limit, "end": _END, "rung": _HEAD, "text": f"limit {words.asked(limit)}"},
        {"at": chance, "end": chance, "rung": _FOOT, "text": f"chance {words.percent(chance)}"},
    ]
    top, bottom = alt.Chart(data(told[:1])), alt.Chart(data(told[1:]))
    return [
        top.mark_rect(color=LIMIT, opacity=0.06).encode(x=_x("at"), x2="end:Q"),
        top.mark_rule(color=LIMIT, strokeWidth=2).encode(x=_x("at")),
        bottom.mark_rule(color=FAINT, strokeWidth=2, strokeDash=[5, 4]).encode(x=_x("at")),
        *_written(top.encode(x=_x("at"), y=y, text="text:N"), LIMIT, dx=5, fontWeight="bold"),
        *_written(bottom.encode(x=_x("at"), y=y, text="text:N"), FAINT, dx=5),
    ]


def _labels(rungs: list[str], y: dict[str, Any]) -> list[Any]:
    """Return the rungs' names above their rows, where there is no room beside them."""
    rows = alt.Chart(data({"rung": rung, "at": 0.0} for rung in rungs))
    place = alt.Y(**y, axis=None, bandPosition=0.2)
    return _written(rows.encode(x=_x("at"), y=place, text="rung:N"), INK, dx=6)


def _written(base: Any, colour: str, **look: Any) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return text on a rim of paper, so that lines may pass below it."""
    rim = {"fill": PAPER, "stroke": PAPER, "strokeWidth": 4}
    return [base.mark_text(align="left", **look, **paint) for paint in (rim, {"fill": colour})]


def _x(name: str) -> Any:  # noqa: ANN401 - altair ships no types
    axis = alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], domain=False, ticks=False)
    scale = alt.Scale(domain=[0, _END], nice=False)
    return alt.X(f"{name}:Q", title="share of released people named rightly", axis=axis, scale=scale)
