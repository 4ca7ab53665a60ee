"""Whom an attacker can find in a copy at most, counted in plain Python from the tables themselves.

The proof compares what an attacker finds in a copy with what could be found there. If that came from the
attacker's own view of the tables, a fault in the view would excuse itself: an attack that sees no goods would be
told that nobody can be told apart by goods. So nothing is shared with the attacks but what they say that they
compare.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, cast

from kakurenbo.attacks.base import Places, Traces, Values
from kakurenbo.attacks.order import natural
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from kakurenbo.attacks.base import Attack, Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

    Counts = Counter[Hashable]


def attainable(attack: Attack[Any], tables: Tables[Any]) -> float:
    """Return the share of people whom this attacker can find where the release is the original itself.

    For one who knows everything: groups of equals / people, as naming anybody of s equals finds one in s. For one
    who knows a few records: those whose records nobody else has all of. For one who drops dummies: those whom plain
    arithmetic finds by what he leaves, since in a copy all that he drops is real.
    """
    compared, original = attack.compares(tables.original), tables.original
    if isinstance(compared, Places):
        return _in_place(compared, original)
    if isinstance(compared, Values):
        table = original.summarised(compared.of)
        return _distinct(group_codes([table], table.columns)[0].tolist())
    whole, known = _traces(original, compared), cast("PurchasesAttack", attack).known(tables)
    if known is not original:
        return _held_by_one(_traces(known, compared), whole)
    left = attack.takes(tables.released)
    if left is not tables.released:
        return _left_over(whole, _traces(left, compared))
    return _distinct([_seen(traces, compared) for traces in whole.values()])


def _distinct(people: list[Any]) -> float:
    return len(set(people)) / len(people)


def _in_place(compared: Places, original: Table) -> float:
    """Return the share of people at the same place in both orders: ids sorted as text need not be."""
    ids = original.people.to_list()
    if compared.by != "text":
        return 1.0
    moved = sum(first != second for first, second in zip(sorted(ids), sorted(ids, key=natural), strict=True))
    return 1.0 - float(moved) / len(ids)


def _held_by_one(known: Mapping[str, Counts], whole: Mapping[str, Counts]) -> float:
    """Return the share of known people whose traces only one person has all of."""
    holders: dict[Hashable, set[str]] = defaultdict(set)
    for who, traces in whole.items():
        for trace in traces:
            holders[trace].add(who)
    alone = [len(set.intersection(*(holders[trace] for trace in traces))) == 1 for traces in known.values()]
    return sum(alone) / len(alone)


def _left_over(whole: Mapping[str, Counts], left: Mapping[str, Counts]) -> float:
    """Return the share whose own traces are nearest by Jaccard to what is left of them in the release."""
    sets = {who: set(traces) for who, traces in whole.items()}
    found = 0.0
    for who, traces in left.items():
        there = set(traces)
        likeness = {other: len(there & mine) / len(there | mine) for other, mine in sets.items()}
        best = max(likeness.values())
        equals = [other for other, value in likeness.items() if math.isclose(value, best)]
        found += (who in equals) / len(equals)
    return found / len(left)


def _month(time: dt.datetime) -> str:
    return f"{time:%Y-%m}"


def _day(time: dt.datetime) -> str:
    return f"{time:%Y-%m-%d}"


_READ: dict[str, tuple[str, Callable[[Any], Hashable]]] = {
    "month": ("time", _month),
    "day": ("time", _day),
}


def _traces(data: Purchases, compared: Traces) -> dict[str, Counts]:
    """Return everybody's traces and what they count."""
    people: dict[str, Counts] = defaultdict(Counter)
    for place, grain in enumerate(compared.grains):
        for who, key, pieces in _records(data, grain):
            counted = pieces if compared.counting == "pieces" else 1
            trace = (place, key)
            people[who][trace] = 1 if compared.counting == "set" else people[who][trace] + counted
    return people


def _records(data: Purchases, grain: tuple[str, ...]) -> Iterator[tuple[str, Hashable, int]]:
    """Yield (customer, what is seen of the record, its pieces) of every record."""
    said = {} if data.master is None else {row[0]: row[1:] for row in data.master.iter_rows()}
    for row in data.under(None).iter_rows(named=True):
        yield row["customer"], tuple(_part(row, part, said) for part in grain), row.get("quantity", 1)


def _part(row: Mapping[str, Any], part: str, said: Mapping[str, Hashable]) -> Hashable:
    if part == "master":
        return said[row["customer"]]
    role, read = _READ.get(part, (part, None))
    return row[role] if read is None else read(row[role])


def _seen(traces: Counts, compared: Traces) -> Hashable:
    """Return what is compared: whether a trace is there, how often, or in which proportion."""
    if compared.similarity == "presence":
        return frozenset(traces)
    unit = math.gcd(*traces.values()) if compared.similarity == "proportions" else 1
    return frozenset((trace, count // unit) for trace, count in traces.items())
