"""Seeking in PWS Cup 2017: the truth F, the six sample attacks, and maps that teams submit.

F says of every customer under which pseudonym his rows of each month stand, `DEL` where none was kept. A
customer is found when all twelve cells of his line are right. A sample attack notes under which pseudonym
each key stands in the published rows, the last row counting, and then gives every known row's customer, for
its month, the pseudonym of its key, the last row counting again. Values are compared as text, goods by their
first two characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.contest.judging.pws2017.tables import (
    DAY,
    DELETED,
    GOOD,
    ID,
    LEVELS,
    PRICE,
    QUANTITY,
    month_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kakurenbo.contest.judging.pws2017.tables import Month, Original, Row

    Map = Mapping[tuple[str, Month], str]  # (customer, month) to pseudonym; what is not there is DEL

KEYS: Final = {
    "S1": (DAY, QUANTITY), "S2": (GOOD, PRICE), "S3": (GOOD, QUANTITY), "S4": (DAY, GOOD),
    "S5": (GOOD, PRICE, QUANTITY), "S6": (GOOD, DAY, QUANTITY),
}  # fmt: skip
_SHOWN: Final = 2  # characters of a good that an attacker knows


def truth_of(rows: list[Row], original: Original) -> dict[tuple[str, Month], str]:
    """Return F: of every customer and month the pseudonym."""
    beside = zip(rows, original.rows, original.row_months, strict=True)
    return {(old[ID], month): row[ID] for row, old, month in beside if row[ID] != DELETED}


def sample_attacks(published: list[Row], truth: Map, original: Original) -> dict[str, tuple[float, ...]]:
    """Return the rate of every sample attack at T25, T50, T75 and T100."""
    return {
        name: tuple(
            rate(truth, guessed(published, original.known[level], cells), original) for level in LEVELS
        )
        for name, cells in KEYS.items()
    }


def guessed(published: Iterable[Row], known: Iterable[Row], cells: tuple[int, ...]) -> Map:
    """Return the map that a sample attack answers."""
    pseudonyms = {_key(row, cells): row[ID] for row in published}
    guess: dict[tuple[str, Month], str] = {}
    for row in known:
        if row[ID] != DELETED and (pseudonym := pseudonyms.get(_key(row, cells))) is not None:
            guess[row[ID], month_of(row[DAY])] = pseudonym
    return guess


def _key(row: Row, cells: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(row[cell][:_SHOWN] if cell == GOOD else row[cell] for cell in cells)


def found(truth: Map, guess: Map, original: Original) -> list[bool]:
    """Return of every customer of M whether all his twelve cells are right."""
    wrong = {
        customer
        for customer, month in {*truth, *guess}
        if month in original.months
        and truth.get((customer, month), DELETED) != guess.get((customer, month), DELETED)
    }
    return [customer not in wrong for customer in original.customers]


def rate(truth: Map, guess: Map, original: Original) -> float:
    """Return the share of customers who are found."""
    right = found(truth, guess, original)
    return sum(right) / len(right) if right else 0.0
