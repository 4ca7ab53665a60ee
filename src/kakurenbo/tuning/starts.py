"""Where the search starts: what theory and the papers would do, and both ends of the frontier.

The first trials are not left to chance. They are the best number of clusters by theory (c* of 000 and of
003), the papers' plan for the risk asked for, each method at that size of group and around it, and plain
pseudonyms, which lose nothing and hide nobody. Where the release is for something, plans come first that keep
everybody's own history and say less of each purchase: goods generalised, times coarse, numbers left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo import theory
from kakurenbo.data.table import ByKind
from kakurenbo.risk.exposure.similarity import mean_intersection
from kakurenbo.tuning.results import DEAL, PAPER, START, THEORY, Theory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.tuning.space import Offer, Space

_POINTS = 200
_CROWDS = (0.45, 0.53, 0.38)  # powers of the number of people
_GRAINS = {
    "customers": ("quarter", "month", ""),
    "baskets": ("", "quarter", "month"),
    "trends": ("month", "quarter", "week"),
}  # of time, "" for none


def _of_purchases(data: Purchases) -> Theory | None:
    n, m, l = len(data.customers), len(data), len(data.goods)  # noqa: E741 - the paper's l
    try:
        alpha = theory.alpha_occupancy(n, m, l)
    except ValueError:
        return None
    curve = tuple(
        (c, alpha * theory.expected_dummies_occupancy(n, m, l, c), theory.expected_reidentification(c, n))
        for c in np.unique(np.geomspace(1, n, _POINTS).round().astype(int)).tolist()
    )
    return Theory(theory.best_clusters_occupancy(n, m, l), _sharing(data), alpha, curve)


def _sharing(data: Purchases) -> int | None:
    baskets = data.baskets()
    try:
        return theory.best_clusters_sharing(
            len(data.customers), float(baskets.sizes.mean()), mean_intersection(baskets)
        )
    except ValueError:
        return None


# What theory says, or None where it has nothing to say (microdata, or no dummies needed).
theory_of: ByKind[Theory | None] = ByKind(purchases=_of_purchases, microdata=lambda _: None)


@dataclass(frozen=True)
class Start:
    """Knob values to try first, and where they come from."""

    origin: str
    values: Mapping[str, Any]


def starts(space: Space, max_risk: float, known: Theory | None, purpose: str = "") -> tuple[Start, ...]:
    """Return the first trials, each plan once; of equals the first keeps its origin.

    Args:
        space: of the plans.
        max_risk: the limit on what is found.
        known: what theory says.
        purpose: what the release is for, where that is told.
    """
    distinct: dict[str, Start] = {}
    usual = (*_papers(space, max_risk, known), *_without_clock(space, max_risk))
    groups = (*_around(space, max_risk), *_curve(space, known))
    whole = (*_whole_histories(space, purpose),)
    named = [start for start in usual if start[0] in {PAPER, DEAL}]
    first = (*whole, *named) if purpose and whole else (*usual, *groups)
    last = () if purpose and whole else (*_larger(space, max_risk), *whole)
    for origin, wished in (*first, *_once_each(space), *last):
        values = space.completed(wished)
        distinct.setdefault(repr(values), Start(origin, values))
    return tuple(distinct.values())


def _papers(space: Space, max_risk: float, known: Theory | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the papers' plan at the risk asked for, theory's c*, and plain pseudonyms."""
    if space.kind == "purchases":
        yield PAPER, _balanced(group_size(space.people, max_risk), 1.0)
        for c in (known.occupancy, known.sharing or known.occupancy) if known is not None else ():
            size = space.people // c
            if size >= 2:
                yield THEORY, _balanced(size, c / (space.people // size))
    yield START, {}


def _without_clock(space: Space, max_risk: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield records dealt anew with months for times: what a time stamp would put together again."""
    if space.kind == "purchases":
        size = group_size(space.people, max_risk)
        for origin, wanted in ((DEAL, 2 * size), (START, 6 * size)):
            least = min(wanted, max(2, space.people // 2))
            dealt = {"groups": "deal", "groups.min_size": least}
            yield origin, {**dealt, "coarse": "coarsen", "coarsen.times": "month"}


def _whole_histories(space: Space, purpose: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield plans that keep whole histories: goods generalised at three sizes of crowds, by grain of time.

    Prices and quantities are left out: a price tells which good it was. For trends nobody needs to be
    followed, so names change with every receipt there.
    """
    dial = next((knob for slot in space.slots for offer in slot.offers for knob in offer.knobs
                 if offer.method == "generalize" and knob.log), None)  # fmt: skip
    if dial is None:
        return
    numbers = {"columns": "omit", "omit.price": "omit", "omit.quantity": "omit"}
    others = {"names": "rotate", "rotate.receipts": "apart"} if purpose == "trends" else {}
    for power in _CROWDS if purpose else _CROWDS[:1]:
        crowd = round(min(max(space.people**power, dial.low), dial.high))
        goods = {"goods": "generalize", dial.name: crowd, **numbers, **others}
        for grain in _GRAINS.get(purpose, _GRAINS["customers"]):
            time = {"coarse": "coarsen", "coarsen.times": grain} if grain else {"omit.time": "omit"}
            yield START, {**goods, **time}


def _curve(space: Space, known: Theory | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a few padding plans around c*, so that theory's curve has a measured one beside it."""
    best = known.occupancy if known is not None and space.kind == "purchases" else 0
    for c in filter(None, (best, best // 2, best // 4)):
        size = space.people // c
        yield START, {"groups": "compact", "groups.min_size": min(max(2, size), max(2, space.people // 2))}


def _balanced(size: int, share: float) -> dict[str, Any]:
    return {"groups": "balanced", "groups.min_size": size, "balanced.fill": share}


def group_size(people: int, max_risk: float) -> int:
    """Return s_min = ceil(1 / risk), as far as there are people."""
    return min(max(2, math.ceil(1 / max_risk - 1e-9)), max(2, people // 2))


def _around(space: Space, max_risk: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every method that makes groups, each way, at the size that holds the risk."""
    size = group_size(space.people, max_risk)
    for slot, offer in _grouping(space):
        place = {knob.name: int(min(max(size, knob.low), knob.high)) for knob in offer.sizes}
        for wished in _ways(offer):
            yield START, {slot: offer.method, **place, **wished}
    offered = {offer.method for slot in space.slots for offer in slot.offers}
    if space.kind == "microdata":
        for method in sorted({"average", "swap"} & offered):  # both need groups of equals to work in
            yield START, {"groups": "k-anonymize", "groups.k": size, "values": method}


def _larger(space: Space, max_risk: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every method that makes groups in larger ones.

    The worst of many attackers lies above what each of them finds on average, so the size that theory asks
    for is seldom enough.
    """
    size = group_size(space.people, max_risk)
    for wanted in (math.ceil(1.5 * size), 2 * size):
        for slot, offer in _grouping(space):
            place = {knob.name: int(min(max(wanted, knob.low), knob.high)) for knob in offer.sizes}
            yield START, {slot: offer.method, **place, **next(_ways(offer))}


def _grouping(space: Space) -> Iterator[tuple[str, Offer]]:
    """Yield the methods that make groups of people, with their slots; crowds that buy a good are none."""
    for slot in space.slots:
        if slot.name != "goods":
            yield from ((slot.name, offer) for offer in slot.offers if offer.sizes)


def _ways(offer: Offer) -> Iterator[dict[str, Any]]:
    """Yield a method's ways: as it does anyway, then every choice it has, one at a time; all clusters fit."""
    fixed = {knob.name: knob.high for knob in offer.knobs if knob.name.endswith(".fill")}
    yield fixed
    for knob in offer.knobs:
        yield from ({**fixed, knob.name: choice} for choice in knob.choices[1:])


def _once_each(space: Space) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every other method alone, its knobs in the middle: whatever is offered is tried."""
    for slot in space.slots:
        for offer in slot.offers:
            if not offer.sizes:
                yield START, {slot.name: offer.method, **{knob.name: knob.middle for knob in offer.knobs}}
