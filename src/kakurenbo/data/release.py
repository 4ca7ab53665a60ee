"""Release: the de-identified data and its secret pairing, held together in memory and apart on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import polars as pl

from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing


Data = TypeVar("Data", bound="Purchases | Microdata")


@dataclass(frozen=True, eq=False)
class Release(Generic[Data]):
    """What is handed out (`data`) and what never is (`pairing`).

    Attributes:
        data: the de-identified table, under pseudonyms.
        pairing: released id -> original id, a bijection onto the people released.
        facts: what the method has to tell of its work (clusters, dummies, deletions), for the record.
    """

    data: Data
    pairing: Pairing
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.pairing.is_bijection:
            raise InputError(
                "A release's pairing must give everyone an original of his own.", code="duplicate-id"
            )
        people = self.data.customers if isinstance(self.data, Purchases) else self.data.ids
        if not people.cast(pl.String).sort().equals(self.pairing.released):
            raise InputError(
                "The pairing must speak of exactly the people in the release.", code="unknown-id"
            )

    def __repr__(self) -> str:
        return f"Release({self.data!r}, {len(self.pairing)} paired in secret)"
