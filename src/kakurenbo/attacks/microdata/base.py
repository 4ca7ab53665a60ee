"""What every attack on microdata shares: both tables side by side, candidates by combination, ties by group.

The attacker of 001 holds the whole original table and looks for each released row in it. Candidates are the
originals with the same quasi-identifiers, found by sorting; among them the nearest is named, and those
equally near share the expected rate. An attacker who finds no candidate gives up: an abstention.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.attacks.base import Attack
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.points import points
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BOTH = ("nearest", "assignment")
ATTRIBUTES = 12  # sensitive attributes tried one by one, at most

Scaling = Annotated[
    Literal["none", "spread", "range"],
    Field(description="compare the numbers as they are, or in units of the original's spread or range"),
]
GiveUp = Annotated[
    Literal["abstain", "same-row"],
    Field(
        description="without a candidate: abstain, or answer row i for released row i as 001 does "
        "(a hit for free on a release that was not shuffled)"
    ),
]
SomeQi = Annotated[tuple[str, ...], Field(description="quasi-identifiers compared; none given means all")]
SomeSa = Annotated[tuple[str, ...], Field(description="sensitive attributes compared; none given means all")]
OneSa = Annotated[
    tuple[str, ...],
    Field(max_length=1, description="the sensitive attribute compared; none given means the first"),
]


@dataclass(frozen=True)
class Side:
    """One table as the attack sees it: whose rows, with which combination of values and which numbers."""

    ids: pl.Series
    combination: NDArray[np.int64]
    values: NDArray[np.float64]

    @property
    def groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The group of each row (equal combination and numbers), and one row of each group."""
        names = [str(k) for k in range(self.values.shape[1])]
        table = pl.DataFrame(self.values, schema=names).with_columns(combination=pl.Series(self.combination))
        (codes,) = group_codes([table], ["combination", *names])
        _, first = np.unique(codes, return_index=True)
        return codes, first


class MicrodataAttack(Attack[Microdata]):
    """An attack on microdata: what is compared in the constructor."""

    reading: Literal["nearest", "assignment"] = Field(
        "nearest", description="name the nearest for each, or the best one-to-one assignment of all"
    )


def chosen(
    names: Sequence[str], original: Microdata, released: Microdata, role: Literal["qi", "sa"]
) -> list[str]:
    """Return the columns to use, all of the role where none are named; both tables must have them."""
    wanted = columns.chosen(names, getattr(original, role))
    columns.require(wanted, getattr(released, role))
    return wanted


def first_sa(names: Sequence[str], original: Microdata, released: Microdata) -> list[str]:
    """Return the one sensitive attribute to use: the one named, else the first."""
    first = chosen(names, original, released, "sa")[:1]
    if not first:
        raise InputError(
            "This needs a sensitive attribute, which the data lacks; name its column in sa.",
            code="roles",
            parameter="sa",
        )
    return first


def numbers(
    original: Microdata, released: Microdata, names: Sequence[str], scaling: Scaling = "none"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (original, released) numbers of these columns, in units of the original's spread or range.

    A category is as many axes as it has values: two people who differ in it are 1 apart.
    """
    return points(original.records, released.records, names, scaling)
