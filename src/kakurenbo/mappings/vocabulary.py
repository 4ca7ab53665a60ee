"""All mappings of a release together: the original in its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from kakurenbo.mappings.amounts import price_mapping
from kakurenbo.mappings.clock import clock_mapping
from kakurenbo.mappings.goods import goods_mapping
from kakurenbo.mappings.masters import master_mapping
from kakurenbo.mappings.numbers import number_mapping

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from kakurenbo.data.purchases import Purchases


class Mapping(Protocol):
    """How a release writes one role; printed, it says so in words."""

    @property
    def role(self) -> str:
        """What is written otherwise."""

    def apply(self, data: Purchases) -> Purchases:
        """Return purchases so written."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The original in the words of a release.

    Attributes:
        original: the original mapped up; the very same object where nothing was inferred.
        mappings: how the release writes the roles that it writes otherwise.
    """

    original: Purchases
    mappings: tuple[Mapping, ...] = ()

    def alike(self, data: Purchases) -> Purchases:
        """Return other purchases written as the release writes."""
        return written(data, self.mappings)

    def of(self, role: str) -> Mapping | None:
        """Return how the release writes a role, None where it writes it as it is."""
        return next((mapping for mapping in self.mappings if mapping.role == role), None)

    @property
    def inferred(self) -> tuple[str, ...]:
        """What was inferred, in words."""
        return tuple(map(str, self.mappings))


def written(data: Purchases, mappings: tuple[Mapping, ...]) -> Purchases:
    """Return purchases with the roles that they show written so."""
    for mapping in mappings:
        if mapping.role in data.shown:
            data = mapping.apply(data)
    return data


# In this order, each reading the original in the words that were found before.
_INFERRING: dict[str, Callable[[Purchases, Purchases], Mapping | None]] = {
    "goods": goods_mapping,
    "time": clock_mapping,
    "price": price_mapping,
    "quantity": partial(number_mapping, role="quantity"),
    "master": master_mapping,
}


def common_vocabulary(
    original: Purchases,
    released: Purchases,
    *,
    leave: Collection[str] = (),
    asked: Collection[str] = tuple(_INFERRING),
) -> Vocabulary:
    """Infer from both tables how the release writes each role, and write the original's alike.

    Args:
        original: what is known.
        released: the release.
        leave: roles that are left as they are, whatever the release writes.
        asked: roles that matter: what is inferred after the last of them is left out.
    """
    made, order = Vocabulary(original), list(_INFERRING)
    last = max((order.index(role) for role in asked if role in _INFERRING), default=-1)
    for role in order[: last + 1]:
        mapping = _INFERRING[role](made.original, released)
        if mapping is not None and mapping.role not in leave:
            made = Vocabulary(mapping.apply(made.original), (*made.mappings, mapping))
    return made
