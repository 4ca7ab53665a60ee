"""Figures of a search: the frontier of risk and loss, and 000's figure 14 beside what was measured.

Every plan tried is a faint dot, so one sees where was searched; the frontier is a line through the plans that
no other beats. The second figure draws theory's curves for these very data and the padding plans on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from kakurenbo.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kakurenbo.tuning.records import Theory, Trial
    from kakurenbo.tuning.results import Tuned

_WIDTH, _HEIGHT = 560, 340
_COLOURS: Final = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
)  # for the colour-blind too
_INK, _FAINT = "#222222", "#777777"
_TICKS: Final = (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1)
_PARTS: Final = ("alpha Delta_m", "re-identified", "sum of both")


def figure(result: Tuned, path: Path) -> None:
    """Draw the frontier, and theory beside measurement where it applies, to an .svg or .png."""
    charts = [frontier(result)]
    if result.theory is not None and result.padding:
        charts.append(theory(result, result.theory))
    drawn = alt.vconcat(*charts, spacing=36).resolve_scale(color="independent", shape="independent")
    drawn = drawn.configure_axis(labelFontSize=12, titleFontSize=12, titlePadding=8, gridColor="#e5e5e5")
    drawn = drawn.configure_view(stroke=None).configure_legend(labelFontSize=12, labelLimit=300, title=None)
    try:
        drawn.properties(background="white", padding=12).save(str(path), **_scale(path))
    except OSError as error:
        raise WriteError("The plot could not be written.", code="write") from error


def frontier(result: Tuned) -> Any:  # noqa: ANN401 - altair has no types
    """Return risk across and loss upwards: all trials, the frontier, the plans to know, the limit."""
    names = sorted({_crowds(trial) for trial in result.done})
    colours = alt.Scale(domain=names, range=[_COLOURS[i % len(_COLOURS)] for i in range(len(names))])
    x = alt.X(
        "risk:Q", title="worst measured risk (share of people found; root scale)",
        scale=alt.Scale(type="sqrt", domainMin=0), axis=alt.Axis(format="~%", values=list(_TICKS)),
    )  # fmt: skip
    y = alt.Y("loss:Q", title="utility loss (mean over the measures)")
    dots = _chart([_dot(trial) for trial in result.done]).mark_point(filled=True, size=40, opacity=0.4)
    line = _chart([_dot(trial) for trial in result.frontier]).mark_line(
        color=_INK, strokeWidth=1.5, interpolate="step-after"
    )
    layers = [
        dots.encode(x=x, y=y, color=alt.Color("crowds:N", scale=colours, legend=alt.Legend(orient="right"))),
        line.encode(x=x, y=y, order="risk:Q"),
        _chart([{"risk": result.max_risk}])
        .mark_rule(strokeDash=[6, 3], color=_FAINT, size=1.5)
        .encode(x="risk:Q"),
    ]
    for _, shape, trial in _marked(result):
        solid = shape == "circle"
        mark = _chart([_dot(trial)]).mark_point(shape=shape, size=110, filled=solid, color=_INK, opacity=1)
        layers.append(mark.encode(x=x, y=y))
    known = f"attackers up to {result.knowledge}" if result.knowledge else "all attackers"
    told = [f"{known}; the dashed line is the limit, {result.max_risk:.3g}"]
    told += [f"{sign}: {trial.plan.words()}" for sign, _, trial in reversed(_marked(result))]
    title = alt.Title(f"The frontier of {len(result.done)} plans", subtitle=told, anchor="start")
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=title)


def _marked(result: Tuned) -> list[tuple[str, str, Trial]]:
    """Return the plans to know, each with its sign and the mark that draws it."""
    marked = [("\u25cf advised", "circle", result.chosen)] if result.chosen is not None else []
    if result.paper is not None and result.paper.number != getattr(result.chosen, "number", None):
        marked.insert(0, ("\u25a1 the papers'", "square", result.paper))
    return marked


def theory(result: Tuned, known: Theory) -> Any:  # noqa: ANN401 - altair has no types
    """Return 000's figure 14 for these data: the curves of theory, and the padding plans as points."""
    lines = [row for c, dummies, found in known.curve for row in _three(c, dummies, found)]
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
    shape = alt.Shape("method:N", scale=alt.Scale(domain=methods, range=["circle", "triangle-up", "square"]))
    best = [{"c": known.occupancy, "words": f"c* of 000: {known.occupancy}"}]
    best += [{"c": known.sharing, "words": f"c* of 003: {known.sharing}"}] if known.sharing else []
    layers = [
        _chart(lines).mark_line(strokeDash=[5, 4], strokeWidth=1.5).encode(x=x, y=y, color=colour),
        _chart(points)
        .mark_point(filled=True, size=45, opacity=0.75)
        .encode(x=x, y=y, color=colour, shape=shape),
        _chart(best).mark_rule(strokeDash=[2, 3], color=_FAINT).encode(x="c:Q"),
        _chart(best)
        .mark_text(align="left", dx=4, y=8, fontSize=12, color=_INK)
        .encode(x="c:Q", text="words:N"),
    ]
    title = alt.Title(
        "000 figure 14 beside the measurement",
        subtitle=f"theory dashed, measured plans as points; 1/alpha = {1 / known.alpha:,.0f} dummies",
        anchor="start",
    )
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=title)


def _three(c: int, dummies: float, found: float) -> list[dict[str, Any]]:
    values = (dummies, found, dummies + found)
    return [{"c": c, "part": part, "value": value} for part, value in zip(_PARTS, values, strict=True)]


def _dot(trial: Trial) -> dict[str, Any]:
    return {"risk": trial.risk, "loss": trial.loss, "crowds": _crowds(trial)}


def _crowds(trial: Trial) -> str:
    """Return the method that makes the crowds, which decides most; other steps go without saying."""
    taken = str(trial.values.get("crowds", "nothing"))
    return "no crowds" if taken == "nothing" else taken


def _chart(values: Sequence[Mapping[str, Any]]) -> Any:  # noqa: ANN401 - altair has no types
    return alt.Chart(alt.Data(values=list(values)))  # type: ignore[no-untyped-call] # altair's, made by a generator


def _scale(path: Path) -> dict[str, float]:
    return {"scale_factor": 2.0} if path.suffix == ".png" else {}
