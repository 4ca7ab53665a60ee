"""Figures of a search: the frontier of risk and loss, and 000's figure 14 beside what was measured.

Every plan tried is a faint dot, so one sees where was searched; the frontier is a line through the plans that
no other beats. The second figure draws theory's curves for these very data and the padding plans on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from kakurenbo.report.charts.basic import data
from kakurenbo.report.charts.look import AFTER, BEFORE, FAINT, FOURTH, INK, LIMIT, PAPER, THIRD, plain

if TYPE_CHECKING:
    from kakurenbo.tuning.results import Theory, Trial, Tuned

_WIDTH, _HEIGHT = 560, 340
_COLOURS: Final = (AFTER, LIMIT, THIRD, FOURTH, BEFORE)
_TICKS: Final = (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1)
_PARTS: Final = ("alpha Delta_m", "re-identified", "sum of both")


def picture(result: Tuned) -> dict[str, Any]:
    """Return the specification of one picture: the frontier, and theory below it where it applies."""
    charts = [_sized(frontier(result), f"The frontier of {len(result.done)} plans", notes(result))]
    if result.theory is not None and result.padding:
        subtitle = [theory_note(result.theory)]
        charts.append(_sized(theory(result, result.theory), "000 figure 14 beside the measurement", subtitle))
    drawn = alt.vconcat(*charts, spacing=36)
    return plain(drawn.resolve_scale(color="independent", shape="independent"))


def notes(result: Tuned) -> list[str]:
    """Return how to read the frontier: what the line is, and which plans are marked."""
    known = f"attackers up to {result.knowledge}" if result.knowledge else "all attackers"
    marked = [f"{sign}: {trial.plan}" for sign, _, trial in reversed(_marked(result))]
    return [f"{known}; the dashed line is the limit, {result.max_risk:.3g}", *marked]


def theory_note(known: Theory) -> str:
    """Return how to read theory beside the measurement."""
    return f"theory dashed, measured plans as points; 1/alpha = {1 / known.alpha:,.0f} dummies"


def frontier(result: Tuned) -> Any:  # noqa: ANN401 - altair ships no types
    """Return risk across and loss upwards: all trials, the frontier, the plans to know, the limit."""
    names = sorted({_grouping(trial) for trial in result.done})
    colours = alt.Scale(domain=names, range=[_COLOURS[i % len(_COLOURS)] for i in range(len(names))])
    x = alt.X(
        "risk:Q", title="worst measured risk (people found, or laid open beyond outside; root scale)",
        scale=alt.Scale(type="sqrt", domainMin=0), axis=alt.Axis(format="~%", values=list(_TICKS)),
    )  # fmt: skip
    y = alt.Y("loss:Q", title="utility loss (mean over the measures)")
    tried = alt.Chart(data(map(_dot, result.done))).mark_point(filled=True, size=40, opacity=0.4)
    best = alt.Chart(data(map(_dot, result.frontier)))
    limit = alt.Chart(data([{"risk": result.max_risk}]))
    layers = [
        tried.encode(x=x, y=y, color=alt.Color("groups:N", scale=colours)),
        best.mark_line(color=INK, strokeWidth=1.5, interpolate="step-after").encode(
            x=x, y=y, order=alt.Order("risk:Q")
        ),
        limit.mark_rule(strokeDash=[6, 3], color=FAINT, size=1.5).encode(x=alt.X("risk:Q")),
    ]
    for _, shape, trial in _marked(result):
        chart, solid = alt.Chart(data([_dot(trial)])), shape == "circle"
        mark = chart.mark_point(shape=shape, size=110, filled=solid, color=INK, opacity=1)
        layers.append(mark.encode(x=x, y=y))
    return alt.layer(*layers)


def theory(result: Tuned, known: Theory) -> Any:  # noqa: ANN401 - altair ships no types
    """Return 000's figure 14 for these data: the curves of theory, and the padding plans as points."""
    lines = [row for c, dummies, risk in known.curve for row in _three(c, dummies, risk)]
    points = [
        {**row, "method": f"{trial.plan.name}, measured"}
        for trial in result.padding
        for row in _three(
            trial.outcome.facts["clusters"],
            known.alpha * trial.outcome.facts["dummies"],
            trial.outcome.rungs["goods"],
        )
    ]
    x = alt.X("c:Q", title="number of clusters c", scale=alt.Scale(domain=[0, result.people], nice=False))
    y = alt.Y("value:Q", title="share")
    colour = alt.Color("part:N", scale=alt.Scale(domain=list(_PARTS), range=list(_COLOURS[:3])))
    methods = sorted({row["method"] for row in points})
    shapes = alt.Scale(domain=methods, range=["circle", "triangle-up", "square"])
    legend = alt.Legend(symbolFillColor=INK, symbolStrokeColor=INK, orient="bottom")
    shape = alt.Shape("method:N", scale=shapes, legend=legend)
    best = [(paper, c) for paper, c in (("000", known.occupancy), ("003", known.sharing)) if c]
    optima = [alt.Chart(data([{"c": c, "words": f"c* of {paper}: {c}"}])).encode(x=x) for paper, c in best]
    curves, measured = (alt.Chart(data(rows)).encode(x=x) for rows in (lines, points))
    return alt.layer(
        curves.mark_line(strokeDash=[5, 4], strokeWidth=1.5).encode(y=y, color=colour),
        measured.mark_point(filled=True, size=45, opacity=0.75).encode(y=y, color=colour, shape=shape),
        *(chart.mark_rule(strokeDash=[2, 3], color=FAINT) for chart in optima),
        *(
            layer
            for place, (chart, (_, c)) in enumerate(zip(optima, best, strict=True))
            for layer in _named(chart, 10 + 18 * place, leftwards=c > result.people / 2)
        ),
    )


def _named(chart: Any, y: int, *, leftwards: bool) -> list[Any]:  # noqa: ANN401 - altair ships no types
    """Return a line's name beside it, towards the middle of the picture, on a rim of paper."""
    place = {"align": "right", "dx": -5} if leftwards else {"align": "left", "dx": 5}
    rim = {"fill": PAPER, "stroke": PAPER, "strokeWidth": 5, "strokeJoin": "round"}
    written = [chart.mark_text(y=y, fontSize=12, **place, **look) for look in (rim, {"fill": INK})]
    return [one.encode(text=alt.Text("words:N")) for one in written]


def _sized(chart: Any, title: str, subtitle: list[str]) -> Any:  # noqa: ANN401 - altair ships no types
    headline = alt.Title(title, subtitle=subtitle, anchor="start")
    return chart.properties(width=_WIDTH, height=_HEIGHT, title=headline)


def _marked(result: Tuned) -> list[tuple[str, str, Trial]]:
    """Return the plans to know, each with its sign and the mark that draws it."""
    marked = [(f"\u25cf {result.called}", "circle", result.chosen)] if result.chosen is not None else []
    if result.dealt is not None and result.dealt.number != getattr(result.chosen, "number", None):
        marked.insert(0, ("\u25b3 deal", "triangle-up", result.dealt))
    if result.paper is not None and result.paper.number != getattr(result.chosen, "number", None):
        marked.insert(0, ("\u25a1 the papers'", "square", result.paper))
    return marked


def _three(c: int, dummies: float, risk: float) -> list[dict[str, Any]]:
    values = (dummies, risk, dummies + risk)
    return [{"c": c, "part": part, "value": value} for part, value in zip(_PARTS, values, strict=True)]


def _dot(trial: Trial) -> dict[str, Any]:
    return {"risk": trial.worse, "loss": trial.loss, "groups": _grouping(trial)}


def _grouping(trial: Trial) -> str:
    """Return the methods that make groups and generalise goods, which decide most; the rest is not said."""
    chosen = [str(trial.values.get(slot, "nothing")) for slot in ("groups", "goods")]
    return " + ".join(method for method in chosen if method != "nothing") or "no groups"
