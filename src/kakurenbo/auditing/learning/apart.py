"""People apart from a release, of either kind of data: a plan carried out without them, or a file of others.

What an attacker learns of them he would learn of anybody, so only what he learns beyond it is the release's
doing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal

import numpy as np

from kakurenbo.catalogue import build
from kakurenbo.data.table import Data
from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.plan import Plan

_LEFT_OUT = 5  # one in so many people is left out
_MOST = 1000


@dataclass(frozen=True, eq=False)
class Apart(Generic[Data]):
    """People apart from a release.

    Attributes:
        kind: how they were come by.
        known: the table that attackers may know, these people among them.
        released: a release without them.
        targets: their numbers among the known people.
    """

    kind: Literal["plan", "file"]
    known: Data
    released: Data
    targets: NDArray[np.int64]


def without_some(original: Data, plan: Plan, chance: Chance, seed: int) -> Apart[Data] | str:
    """Carry out the plan without a part of the people; return why not, where it cannot be.

    Args:
        original: the data before.
        plan: how the release was made.
        chance: draws who is left out.
        seed: of the release without them.
    """
    order = chance.order("left out", original.people)
    out = order[: max(min(len(order) // _LEFT_OUT, _MOST), 1)]
    inside = original.people.gather(np.sort(order[len(out) :]))
    if not len(inside):
        return "nobody would be left"
    try:
        release = build(plan).release(original.of(inside), seed=seed)
    except KakurenboError as error:
        return f"the plan cannot be carried out without some of the people: {error.message}"
    return Apart("plan", original, release.data, np.sort(out))


def of_others(original: Microdata, released: Microdata, others: Microdata) -> Apart[Microdata]:
    """Return the people of a file, who are not in the release; it must have the original's columns."""
    original.require_columns_of(others)
    return Apart("file", others, released, np.arange(len(others)))
