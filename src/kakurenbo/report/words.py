"""Numbers and rows as people read them, the same in a terminal and in a file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kakurenbo.reproduction.results import NEEDS_UCI, Spread

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Reproduction, Row, Table

COLUMNS = ("", "printed", "ours", "over seeds", "difference", "%", "tolerance", "verdict", "note")
NOT_CONTEST = (
    "The data is not TC400, the table the papers measured: their numbers are shown, but no agreement is "
    "to be expected."
)
NO_NATIONS = "The data has no master, so U1 and U2 have no value; the UCI Online Retail file brings one."


def number(value: float | str | None) -> str:
    """Return a number with the digits worth reading; text as it is, and a dash for nothing or no number."""
    if isinstance(value, str):
        return value
    if value is None or not math.isfinite(value):
        return "-"
    size = abs(value)
    if size >= 100 or value == round(value):
        return f"{value + 0.0:,.0f}"
    return f"{value:.4f}" if size < 10 else f"{value:.2f}"


def signed(value: float | None, digits: int | None = None) -> str:
    """Return a difference with its sign; one that rounds to nothing is 0."""
    if value is None:
        return "-"
    text = number(value) if digits is None else f"{value:.{digits}f}"
    if not text.strip("-0.,"):
        return "0"
    return text if text.startswith("-") else f"+{text}"


def cells(row: Row, notes: dict[str, int]) -> tuple[str, ...]:
    """Return a row as text under `COLUMNS`; `notes` gives every reason its number."""
    return (
        row.label, number(row.printed), _ours(row), _span(row.ours), signed(row.difference),
        signed(row.percent, 1), row.tolerance, row.verdict, f"[{notes[row.reason]}]" if row.reason else "",
    )  # fmt: skip


def notes_of(table: Table) -> dict[str, int]:
    """Number the reasons of a table in the order they come up."""
    found = dict.fromkeys(row.reason for row in table.rows if row.reason)
    return {reason: place for place, reason in enumerate(found, 1)}


def summary(result: Reproduction) -> str:
    """Return the verdicts in one sentence."""
    counts = {verdict: result.count(verdict) for verdict in ("agrees", "differs", "undefined")}
    return (
        f"{sum(counts.values())} printed numbers: {counts['agrees']} agree within their tolerance, "
        f"{counts['differs']} differ, {counts['undefined']} cannot be compared. What several papers "
        "print counts once for each."
    )


def conditions(result: Reproduction) -> str:
    """Return how the numbers came about, in a sentence or two."""
    if not result.customers:
        return f"Made-up households, seed {result.seeds[0]}."
    sweep = ", ".join(map(str, result.clusters))
    return (
        f"{result.customers:,} customers, {result.records:,} records; seeds {_listed(result.seeds)}; "
        f"sweep of c: {sweep}. Ours is the mean over the seeds, with the smallest and largest beside it."
    )


def warnings(result: Reproduction) -> list[str]:
    """Return what a reader must know before comparing."""
    told = [] if result.contest else [NOT_CONTEST]
    return told if result.nations else [*told, NO_NATIONS]


def _ours(row: Row) -> str:
    if row.ours is None and NEEDS_UCI in row.reason:
        return NEEDS_UCI
    return number(row.ours.mean if isinstance(row.ours, Spread) else row.ours)


def _span(spread: Spread | str | None) -> str:
    if not isinstance(spread, Spread) or spread.low == spread.high:
        return "-"
    return f"{number(spread.low)} to {number(spread.high)}"


def _listed(seeds: tuple[int, ...]) -> str:
    whole = len(seeds) > 1 and seeds == tuple(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]} to {seeds[-1]}" if whole else ", ".join(map(str, seeds))
