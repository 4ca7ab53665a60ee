"""Release: the de-identified data and its secret pairing, held together in memory and apart on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
import polars as pl

from kakurenbo.data.table import Data
from kakurenbo.errors import InputError
from kakurenbo.notebook import card
from kakurenbo.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing


@dataclass(frozen=True)
class Facts:
    """What a method tells of its work.

    Attributes:
        added: records that nobody bought (dummies).
        deleted: records, or rows of microdata, that are not released.
        altered: records that were changed.
        groups: groups of people that were made alike, None where none were.
        smallest_group: people in the smallest of them.
        largest_group: people in the largest.
        extras: what only this method has to tell.
    """

    added: int = 0
    deleted: int = 0
    altered: int = 0
    groups: int | None = None
    smallest_group: int | None = None
    largest_group: int | None = None
    extras: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of_groups(cls, labels: NDArray[np.int64], **more: Any) -> Facts:  # noqa: ANN401 - the fields above
        """Return the facts of a method that put people into these groups."""
        sizes = np.unique(labels, return_counts=True)[1]
        smallest, largest = int(sizes.min()), int(sizes.max())
        return cls(groups=len(sizes), smallest_group=smallest, largest_group=largest, **more)

    def then(self, later: Facts) -> Facts:
        """Return the facts of two steps: counts add up, groups are those of the last to make any."""
        grouped = self if later.groups is None else later
        return Facts(
            self.added + later.added, self.deleted + later.deleted, self.altered + later.altered,
            grouped.groups, grouped.smallest_group, grouped.largest_group, {**self.extras, **later.extras},
        )  # fmt: skip

    def beside(self, other: Facts) -> Facts:
        """Return the facts of two blocks of people: all counts add up, and so do the groups."""
        told = [facts for facts in (self, other) if facts.groups is not None]
        extras = {
            name: self.extras.get(name, 0) + other.extras.get(name, 0)
            for name in {**self.extras, **other.extras}
        }
        return Facts(
            self.added + other.added, self.deleted + other.deleted, self.altered + other.altered,
            sum(facts.groups or 0 for facts in told) if told else None,
            min((facts.smallest_group or 0 for facts in told), default=None),
            max((facts.largest_group or 0 for facts in told), default=None), extras,
        )  # fmt: skip

    def to_dict(self) -> dict[str, int | None]:
        """Return the facts under the JSON keys of `kakurenbo deidentify`."""
        return {
            "dummies": self.added, "deleted": self.deleted, "altered": self.altered, "clusters": self.groups,
            "largest_cluster": self.largest_group, "smallest_cluster": self.smallest_group, **self.extras,
        }  # fmt: skip


@dataclass(frozen=True)
class Changed(Generic[Data]):
    """What a method made of a table, still under the original ids, and what it tells of its work.

    Attributes:
        data: the changed table.
        facts: what there is to tell.
        pairing: owner of the records -> the person they are declared to be; none means the truth.
    """

    data: Data
    facts: Facts = field(default_factory=Facts)
    pairing: Pairing | None = None


@dataclass(frozen=True, eq=False)
class Release(Generic[Data]):
    """What is handed out (`data`) and what never is (`pairing`).

    Attributes:
        data: the de-identified table, under pseudonyms.
        pairing: released id -> original id, for every name its person; one to one, unless names change.
        facts: what the method has to tell of its work.
        provenance: the plan that made it, with what, and whether a seed can repeat it.
    """

    data: Data
    pairing: Pairing
    facts: Facts = field(default_factory=Facts)
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        if not self.data.people.cast(pl.String).sort().equals(self.pairing.complete().released):
            raise InputError(
                "The pairing must speak of exactly the people in the release.", code="unknown-id"
            )

    def __repr__(self) -> str:
        return f"Release({self.data!r}, {len(self.pairing):,} paired in secret)"

    def _repr_html_(self) -> str:
        """Return counts and the plan for a notebook; neither a row nor a pair of the secret."""
        counts: list[tuple[str, object]] = [*self.data.counts.items()]
        counts += [(name.replace("_", " "), count) for name, count in self.facts.to_dict().items() if count]
        plan = [("plan", self.provenance.plan)] if self.provenance.plan is not None else []
        note = "Reproducible: not for release." if self.provenance.reproducible else ""
        return card("Release", [*plan, *counts, ("paired in secret", len(self.pairing))], note)
