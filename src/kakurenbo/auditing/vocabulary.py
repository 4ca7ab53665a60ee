"""The words of a release: the original written as the release writes, so that both can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from kakurenbo.attacks.purchases.mappings import common_vocabulary
from kakurenbo.data.table import ByKind, Data

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases


@dataclass(frozen=True, eq=False)
class Spoken(Generic[Data]):
    """The original in the words of a release.

    Attributes:
        original: written as the release writes.
        alike: writes other people's data so.
        inferred: what the release writes otherwise, in words.
    """

    original: Data
    alike: Callable[[Data], Data]
    inferred: tuple[str, ...] = ()


def _purchases(original: Purchases, released: Purchases) -> Spoken[Purchases]:
    found = common_vocabulary(original, released)
    return Spoken(found.original, found.alike, found.inferred)


def _microdata(original: Microdata, released: Microdata) -> Spoken[Microdata]:  # noqa: ARG001 - read as it is
    return Spoken(original, lambda data: data)


vocabulary: ByKind[Spoken[Any]] = ByKind(purchases=_purchases, microdata=_microdata)
