"""A search as a page: which plan to take and why, the frontier, and the plan measure by measure.

Its tables and sentences are also those of the terminal, so what draws is imported only where a page is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report import filing
from kakurenbo.report.blocks import Card, Column, Figure, Gallery, Page, Section, Table
from kakurenbo.report.words import number

if TYPE_CHECKING:
    from kakurenbo.report.blocks import Tone
    from kakurenbo.tuning.results import Trial, Tuned


def page(result: Tuned) -> Page:
    """Return the whole report."""
    kept = result.verdict == "yes"
    record = filing.section(result.filing, result.provenance)
    plan = () if result.chosen is None else (Section("plan", "The plan", (measures(result),)),)
    return Page(
        title=f"Search of a plan for {result.kind}",
        about=f"The data holds {result.people:,} people.",
        question="Does any plan that was tried keep the limit?",
        answer="Yes, against the attackers that were run" if kept else "No",
        tone="good" if kept else "bad",
        reasons=tuple(filter(None, (result.headline, result.why, *conditions(result)))),
        warnings=(),
        cards=_cards(result),
        sections=(Section("frontier", "The frontier", (_gallery(result), frontier(result))), *plan, record),
        filed=filing.line(result.filing),
    )


def frontier(result: Tuned) -> Table:
    """Return the frontier with the plan advised and the papers', which may lie off it, by risk."""
    named = {trial.number: trial for _, trial in _named(result)}
    shown = {trial.number: trial for trial in result.frontier} | named
    ordered = sorted(shown.values(), key=lambda trial: (trial.worse, trial.loss))
    return Table(
        "The frontier: no plan tried has both less risk and less loss (one draw each; fresh draws of those "
        "named)",
        (
            Column("plan"), Column("found", "number"), Column("by"), Column("laid open", "number"),
            Column("by"), Column("loss", "number"), Column(""),
        ),
        tuple(_row(trial, result) for trial in ordered),
        frozenset(place for place, trial in enumerate(ordered) if trial.number in named),
    )  # fmt: skip


def measures(result: Tuned) -> Table:
    """Return each measure's number and loss, the papers' plan beside the one advised."""
    shown = _named(result)
    rows = [("found", *(cell for _, trial in shown for cell in (f"{trial.risk:.2%}", "")))]
    rows += [("laid open", *(cell for _, trial in shown for cell in (f"{trial.outcome.learnt:.2%}", "")))]
    rows += [("mean loss", *(cell for _, trial in shown for cell in ("", f"{trial.loss:.3f}")))]
    for name in result.weights or shown[0][1].outcome.measures:
        rows.append((name, *(cell for _, trial in shown for cell in _pair(trial, name))))
    heads = (Column(head, "number") for name, _ in shown for head in (name, "loss"))
    caption = "The plan, measure by measure (fresh draws: largest shares, means of the rest)"
    return Table(caption, (Column("measure"), *heads), tuple(rows))


def conditions(result: Tuned) -> tuple[str, ...]:
    """Return how it was searched: trials, where theory stands, and who was not run."""
    resumed = f", {result.resumed} of them in earlier runs" if result.resumed else ""
    fresh = f" The finalists were checked on {result.fresh} fresh draws." if result.fresh else ""
    searched = f"{len(result.trials)} trials{resumed} in {result.seconds:.0f} s; seed {result.seed}.{fresh}"
    unrun = f"Attackers who know more than {result.knowledge} were not run." if result.knowledge else ""
    return tuple(filter(None, (searched, _theory(result), unrun)))


def _theory(result: Tuned) -> str:
    """Return the best number of clusters by theory and as measured."""
    theory, best = result.theory, result.best_padding
    if theory is None or result.purpose not in {"", "papers"}:
        return ""
    other = f", {theory.sharing} by 003" if theory.sharing else ""
    start = f"Theory's best number of clusters is {theory.occupancy} by 000{other}: the search started there."
    if best is None:
        return start
    return f"{start} Measured, alpha Delta_m + risk is smallest at {best.outcome.facts['clusters']}."


def _cards(result: Tuned) -> tuple[Card, ...]:
    tried = Card("Plans tried", f"{len(result.done):,}", f"{len(result.frontier)} of them on the frontier.")
    chosen = result.chosen
    if chosen is None:
        return (tried,)
    outcome = chosen.outcome
    tone: Tone = "good" if result.verdict == "yes" else "bad"
    found = f"The limit is {result.max_risk:.3g}. Worst attacker: {outcome.attacker}."
    learnt = f"More than outside the release; the limit is {result.max_learnt:.3g}. {outcome.learner}".strip()
    return (
        Card("Found with the plan", f"{outcome.risk:.2%}", found, tone),
        Card("Laid open with the plan", f"{outcome.learnt:.2%}", learnt, tone),
        Card("Utility lost", f"{chosen.loss:.3f}", f"Mean over {len(chosen.outcome.measures)} measures."),
        tried,
    )


def _gallery(result: Tuned) -> Gallery:
    from kakurenbo.report.charts import frontier as charts  # noqa: PLC0415 - pictures are slow to load
    from kakurenbo.report.charts.look import NARROW, WIDE, themed  # noqa: PLC0415 - the same

    chart = charts.frontier(result)
    line = "; ".join(f"risk {trial.worse:.2%}, loss {trial.loss:.3f}" for trial in result.frontier)
    figure = Figure(
        "frontier", f"The frontier of {len(result.done)} plans", f"Along it: {line}.",
        ". ".join(charts.notes(result)) + ".", themed(chart, WIDE, 420), themed(chart, NARROW, 420),
    )  # fmt: skip
    if result.theory is None or not result.padding:
        return Gallery((figure,))
    chart, note = charts.theory(result, result.theory), charts.theory_note(result.theory)
    beside = Figure(
        "theory", "000 figure 14 beside the measurement", _theory(result), f"{note}.",
        themed(chart, WIDE, 420), themed(chart, NARROW, 420),
    )  # fmt: skip
    return Gallery((figure, beside))


def _row(trial: Trial, result: Tuned) -> tuple[str, ...]:
    marks = ", ".join(name for name, other in _named(result) if other.number == trial.number)
    made = trial.outcome
    found, learnt = (f"{made.risk:.2%}", made.attacker), (f"{made.learnt:.2%}", made.learner)
    return str(trial.plan), *found, *learnt, f"{trial.loss:.3f}", marks


def _named(result: Tuned) -> list[tuple[str, Trial]]:
    """Return the plans to know, as far as there are any."""
    plans = ((result.called, result.chosen), ("the papers'", result.paper), ("deal", result.dealt))
    return [(name, trial) for name, trial in plans if trial is not None]


def _pair(trial: Trial, measure: str) -> tuple[str, str]:
    value, loss = trial.outcome.measures.get(measure, (None, None))
    return number(value), "-" if loss is None else f"{loss:.3f}"
