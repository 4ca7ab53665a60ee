"""Maps that teams submit in PWS Cup 2017: Fh25 to Fh100, each of the shape of F.

A line a customer of M, in its order or under his id in a first cell, and in twelve cells the pseudonym of
every month, or `DEL`. A single file is taken for all levels of knowledge. An empty cell is no way to ask
about the others: it is filled with a pseudonym of that month, drawn by chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from kakurenbo.contest.judging.pws2017.tables import DELETED, LEVELS, MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kakurenbo.chance import Chance
    from kakurenbo.contest.judging.pws2017.tables import Month, Original, Row

FAULTS: Final = {
    "guess-files": "a guess is Fh25, Fh50, Fh75 and Fh100 as CSV, or one file for all of them",
    "guess-rows": "the map must have a row for every customer of M",
    "guess-cells": "a row must have twelve cells, or thirteen with the customer's id first",
    "guess-customer": "the customer is not in M, or stands twice",
    "guess-pseudonym": "the pseudonym does not occur in the release",
}

Place = tuple[int | None, int | None, str]


def by_level(files: Mapping[str, list[Row]]) -> Mapping[str, tuple[str, list[Row]]] | None:
    """Return the file and its rows for every level; None where files are missing or too many."""
    if len(files) == 1:
        only = next(iter(files.items()))
        return dict.fromkeys(LEVELS, only)
    named = {name.rpartition(".")[0].lower() or name.lower(): name for name in files}
    wanted = {level: f"fh{level[1:]}" for level in LEVELS}
    if len(files) != len(LEVELS) or not all(name in named for name in wanted.values()):
        return None
    return {level: (named[name], files[named[name]]) for level, name in wanted.items()}


def faults_of(rows: list[Row], original: Original, pseudonyms: frozenset[str]) -> Iterator[Place]:
    """Yield all faults of one map."""
    if len(rows) != len(original.customers):
        yield None, None, "guess-rows"
    seen: set[str] = set()
    for line, row in enumerate(rows, 1):
        if len(row) not in {MONTHS, MONTHS + 1}:
            yield line, None, "guess-cells"
            continue
        if len(row) > MONTHS and (row[0] not in original.ids or row[0] in seen):
            yield line, 1, "guess-customer"
        seen.add(row[0])
        shift = len(row) - MONTHS
        for cell, pseudonym in enumerate(row[shift:], shift + 1):
            if pseudonym not in pseudonyms and pseudonym not in {"", DELETED}:
                yield line, cell, "guess-pseudonym"


def map_of(
    rows: list[Row], original: Original, published: Mapping[Month, Sequence[str]], chance: Chance
) -> dict[tuple[str, Month], str]:
    """Return a map without faults, its empty cells filled."""
    guess = {}
    for place, row in enumerate(rows):
        customer = row[0] if len(row) > MONTHS else original.customers[place]
        for month, pseudonym in zip(original.months, row[-MONTHS:], strict=True):
            guess[customer, month] = pseudonym or _drawn(customer, month, published, chance)
    return guess


def _drawn(customer: str, month: Month, published: Mapping[Month, Sequence[str]], chance: Chance) -> str:
    """Return a pseudonym of the month, drawn for this customer."""
    there = published.get(month, ())
    if not there:
        return DELETED
    place = chance.below(f"blank {month}", pl.Series([customer]), len(there))
    return there[int(place[0])]
