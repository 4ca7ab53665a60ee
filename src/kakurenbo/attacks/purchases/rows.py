"""Whole records: who is released with the very records I know?

Each record is a witness. The attacker matches records on the columns he knows - a good, the day, the
quantity - and counts for every released customer how many of each known person's records are there. Real
records left as they are give their owner away, however many dummies stand beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.ladder import POINTS, records
from kakurenbo.attacks.purchases.likeness import BOTH, LikenessAttack
from kakurenbo.attacks.purchases.view import ROLE_OF, Part, Sight
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.kernels.nearest import Similarity

_COUNTING: dict[str, Similarity] = {"relative": "cosine", "contained": "containment", "plain": "votes"}


_RECORD: tuple[Part, ...] = ("goods", "day", "quantity")
_ALL_OF_IT: tuple[Part, ...] = ("goods", "time", "price", "quantity")


def _matching(rung: str, what: str, *columns: Part) -> Iterator[Stand]:
    """Yield where whole lists are matched, against the length of both and of the known one."""
    story = f"Matches {what} against the length of both lists"
    yield Stand(rung=rung, story=story, parameters={"columns": columns}, readings=BOTH)
    yield _contained(rung, f"Asks whose {what} are all there", *columns)


def _contained(rung: str, story: str, *columns: Part, betrays: str = "") -> Stand:
    parameters = {"columns": columns, "votes": "contained"}
    return Stand(rung=rung, story=story, parameters=parameters, betrays=betrays)


def _few(k: int) -> Stand:
    return Stand(
        rung=records(k), story=f"Knows {records(k)} of everybody and asks where they are",
        parameters={"columns": _RECORD, "votes": "contained", "points": k}, readings=("target",),
    )  # fmt: skip


class RowsAttack(LikenessAttack):
    """Knows whole records, by default good, day and quantity, and counts how many of a person's are there."""

    about: ClassVar = AttackAbout(
        name="rows", kind="purchases", source="ours, after PWS Cup 2017's sample attacks",
        promises=("finds-copies",),
        stands=(
            _contained(
                "receipts", "Looks for receipt numbers that he has seen", "receipt",
                betrays="Receipt numbers were kept",
            ),
            _contained("master", "Names anybody of whom the master says the same", "master"),
            *_matching("goods+month", "goods and months", "goods", "month"),
            *_matching("goods+day", "goods and days", "goods", "day"),
            _contained(
                "goods+quantity", "Asks whose goods and quantities are all there", "goods", "quantity"
            ),
            *map(_few, POINTS),
            *_matching("full records", "goods, days and quantities", *_RECORD),
            _contained(
                "full records", "Asks whose records are all there, to the minute and the penny", *_ALL_OF_IT
            ),
        ),
    )  # fmt: skip

    point: ClassVar[tuple[Role, ...]] = ()

    votes: Literal["relative", "contained", "plain"] = Field(
        "relative",
        description="how matches count: against the length of both lists (cosine), as the share of the known "
        "records that are there (right for releases that only add), or as they are",
    )

    columns: tuple[Part, ...] = Field(
        _RECORD,
        description="what is known of a record: goods, month, day, time, price, quantity, receipt, and what "
        "the master says of its customer",
    )

    @field_validator("columns")
    @classmethod
    def _some(cls, columns: tuple[Part, ...]) -> tuple[Part, ...]:
        if not columns or len(set(columns)) < len(columns):
            raise ValueError("name at least one column, and each only once")
        return columns

    @property
    def needs(self) -> tuple[str, ...]:
        """Whatever his columns are read from."""
        return tuple(dict.fromkeys(ROLE_OF[part] for part in self.columns))

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:  # noqa: ARG002 - the columns tell
        """Return the chosen columns, once a record."""
        return (Sight(self.columns, "records"),)

    def scored_by(self) -> Similarity:
        """Return the similarity behind the way votes count."""
        return _COUNTING[self.votes]
