"""Whom knowledge tells apart, counted in plain Python from the records themselves.

The meter compares what an attacker finds in a copy with what could be found there. If that came from the
attacker's own view of the tables, a fault in the view would excuse itself: an attack that sees no goods would
be told that nobody can be told apart by goods. So nothing is shared with the attacks but the names of what
they look at.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from kakurenbo.attacks.purchases.view import Sight
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Similarity

    Traces = Counter[Hashable]


def _month(time: dt.datetime) -> str:
    return f"{time:%Y-%m}"


def _day(time: dt.datetime) -> str:
    return f"{time:%Y-%m-%d}"


_READ: dict[str, tuple[str, Callable[[Any], Hashable]]] = {
    "month": ("time", _month),
    "day": ("time", _day),
}


def told_apart(original: Purchases, sights: Sequence[Sight], similarity: Similarity) -> float:
    """Return different people / people, where people are what an attack with these sights compares."""
    known: dict[str, Traces] = defaultdict(Counter)
    for place, sight in enumerate(sights):
        for who, key, pieces in _seen(original, sight):
            trace = (place, key)
            known[who][trace] = 1 if sight.counting == "set" else known[who][trace] + pieces
    return len({_compared(traces, similarity) for traces in known.values()}) / len(known)


def _seen(original: Purchases, sight: Sight) -> Iterator[tuple[str, Hashable, int]]:
    """Yield (customer, what is seen of the record, what it counts) of every record."""
    said = {} if original.master is None else {row[0]: row[1:] for row in original.master.iter_rows()}
    for row in original.under(None).iter_rows(named=True):
        key = tuple(_part(row, part, said) for part in sight.parts)
        yield row["customer"], key, row["quantity"] if sight.counting == "pieces" else 1


def _part(row: Mapping[str, Any], part: str, said: Mapping[str, Hashable]) -> Hashable:
    if part == "master":
        return said[row["customer"]]
    role, read = _READ.get(part, (part, None))
    return row[role] if read is None else read(row[role])


def _compared(traces: Traces, similarity: Similarity) -> Hashable:
    """Return what a similarity sees: whether a trace is there, how often, or in which proportion."""
    if similarity in {"jaccard", "containment"}:
        return frozenset(traces)
    unit = math.gcd(*traces.values()) if similarity == "cosine" else 1
    return frozenset((trace, count // unit) for trace, count in traces.items())
