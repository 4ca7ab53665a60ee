"""Paper 001 among the others: its tables and figures as the same records, printed beside ours.

The households of PWS Cup 2015 are not public and made-up ones stand in for them, so numbers are shown side by
side and not compared; what is judged is table 12, the paper's words on what each method does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.reproduction.results import Figure, Row, Series, Spread, Table
from kakurenbo.reproduction.results import Point as Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.reproduction import microdata_001 as made
    from kakurenbo.reproduction.results import Verdict

PAPER = "001"
_STAND_IN = "Made-up households stand in for the contest's: the shape can be compared, digits cannot."


def tables(found: made.Reproduction) -> tuple[Table, ...]:
    """Return tables 12, 13 and 16."""
    claims = tuple(_claim(claim) for claim in found.table_12)
    return (
        Table(PAPER, "table 12", "What each method does to each measure", claims, _STAND_IN),
        Table(PAPER, "table 13", "Single methods on 100 households", _numbers(found.table_13), _STAND_IN),
        Table(PAPER, "table 16", "Chained methods", _numbers(found.table_16), _STAND_IN),
    )


def _claim(claim: made.Claim) -> Row:
    label = f"{claim.data}: {claim.measure}"
    verdict: Verdict = "agrees" if claim.holds else "differs"
    return Row(label, claim.claimed, claim.found, None, None, "equal", verdict, claim.why)


def _numbers(rows: Sequence[made.Row]) -> tuple[Row, ...]:
    return tuple(
        Row(
            f"{row.data}: {row.measure}",
            "not printed" if row.printed is None else row.printed,
            Spread.of([row.value]),
            None if row.printed is None else row.value - row.printed,
            None,
            "none",
            "undefined",
        )
        for row in rows
    )


def figures(found: made.Reproduction) -> tuple[Figure, ...]:
    """Return figures 1 to 4: seconds and rate of EUC1 against |q| and |s|."""
    names = {"q": "quasi-identifiers compared, |q|", "s": "sensitive attributes compared, |s|"}
    drawn = (
        ("figure 1", "q", "seconds", "Time of EUC1"), ("figure 2", "q", "rate", "Rate of EUC1"),
        ("figure 3", "s", "seconds", "Time of EUC1"), ("figure 4", "s", "rate", "Rate of EUC1"),
    )  # fmt: skip
    return tuple(
        Figure(PAPER, number, title, names[kind], what, (_series(found, kind, what),), _STAND_IN)
        for number, kind, what, title in drawn
    )


def _series(found: made.Reproduction, kind: str, what: str) -> Series:
    points = [point for point in found.figures if point.columns == kind]
    return Series(
        "ours", "ours", "line", tuple(Place(float(p.size), float(getattr(p, what))) for p in points)
    )
