"""Whole records: who is released with the very records I know?

Each record is a witness. The attacker matches records on the columns he knows - a good, the day, the
quantity - and counts for every released customer how many of each known person's records are there. Real
records left as they are give their owner away, however many dummies stand beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator

from kakurenbo.attacks.purchases.likeness import LikenessAttack
from kakurenbo.attacks.purchases.view import Part, Sight
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic

if TYPE_CHECKING:
    from collections.abc import Collection

    from kakurenbo.attacks.purchases.view import See, Shown, View
    from kakurenbo.kernels.nearest import Similarity

_COUNTING: dict[str, Similarity] = {"relative": "cosine", "contained": "containment", "plain": "votes"}


class RowsAttack(LikenessAttack):
    """Knows whole records, by default good, day and quantity, and counts how many of a person's are there."""

    point: ClassVar[tuple[Role, ...]] = ()

    votes: Literal["relative", "contained", "plain"] = Field(
        "relative",
        description="how matches count: against the length of both lists (cosine), as the share of the known "
        "records that are there (right for releases that only add), or as they are",
    )

    columns: tuple[Part, ...] = Field(
        ("goods", "day", "quantity"),
        description="what is known of a record: goods, month, day, time, price, quantity, receipt, and what "
        "the master says of its customer",
    )

    @field_validator("columns")
    @classmethod
    def _some(cls, columns: tuple[Part, ...]) -> tuple[Part, ...]:
        if not columns or len(set(columns)) < len(columns):
            raise ValueError("name at least one column, and each only once")
        return columns

    def look(self, see: See, shown: Collection[Shown]) -> View:  # noqa: ARG002 - the columns tell
        """Look at the chosen columns, once a record."""
        return see(Sight(self.columns, "records"))

    def scored_by(self) -> Similarity:
        """Return the similarity behind the way votes count."""
        return _COUNTING[self.votes]
