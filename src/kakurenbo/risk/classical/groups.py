"""Groups of equals: k-anonymity, and the chances of who knows no more than what is equal in a group.

Who shares his goods set, or his quasi-identifiers, with s - 1 others cannot be told from them by these alone:
the promise of Methods 1 and 2, of `compact`, and of k-anonymity (S1 and S2 of 001).

The prosecutor knows that his target is in the release; the journalist only that the target is in the
population, here the original table; the marketer wants as many as he can, not one. All are chances of a
person, so averages go over people: a mean over groups (pyCANON's average risk) lets small groups count as
much as large ones and is not the share of people found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from kakurenbo.about import MeasureAbout
from kakurenbo.data.groups import group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.table import Data
from kakurenbo.measure import Measure
from kakurenbo.risk.exposure.nearness import equals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.pairing import Pairing


class GroupMeasure(Measure[Data]):
    """Shared by the measures that look at the release's groups of equals alone.

    Attributes:
        of_groups: what is told of the groups, see `Groups`.
    """

    of_groups: ClassVar[Literal["smallest", "mean", "alone"]]

    def value(self, original: Data, released: Data, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return what the groups of the release say."""
        return float(getattr(equals(released), self.of_groups))

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:  # noqa: ARG002
        """Return the same of all blocks."""
        return float(getattr(equals(released), self.of_groups))


class SmallestGroup(GroupMeasure[Purchases]):
    """The fewest people who share one goods set in the release: the k of k-anonymity on goods sets."""

    about: ClassVar = MeasureAbout(
        name="smallest-group", kind="purchases", source="k-anonymity on goods sets", kept="risk",
        unit="people", better="higher",
    )  # fmt: skip

    of_groups: ClassVar = "smallest"


class MeanGroup(GroupMeasure[Purchases]):
    """The mean size of the groups of people who share one goods set in the release."""

    about: ClassVar = MeasureAbout(
        name="mean-group", kind="purchases", source="k-anonymity on goods sets", kept="risk", unit="people",
        better="higher",
    )  # fmt: skip

    of_groups: ClassVar = "mean"


class KAnonymity(GroupMeasure[Microdata]):
    """The k of k-anonymity: the fewest people who share their quasi-identifiers (S1 of 001)."""

    about: ClassVar = MeasureAbout(
        name="k-anonymity", kind="microdata", source="001 S1; Sweeney 2002", kept="risk", unit="people",
        better="higher",
    )  # fmt: skip

    of_groups: ClassVar = "smallest"


class MeanGroupMicrodata(GroupMeasure[Microdata]):
    """The mean size of the groups of people who share their quasi-identifiers in the release (S2 of 001)."""

    about: ClassVar = MeasureAbout(
        name="mean-group", kind="microdata", source="001 S2", kept="risk", unit="people", better="higher"
    )

    of_groups: ClassVar = "mean"


class UniqueRows(GroupMeasure[Microdata]):
    """The share of released people who are alone with their quasi-identifiers."""

    about: ClassVar = MeasureAbout(
        name="unique-rows", kind="microdata", source="common practice", kept="risk"
    )

    of_groups: ClassVar = "alone"


class ProsecutorRisk(Measure[Microdata]):
    """The best chance to find somebody known to be in the release: 1 / size of its smallest group."""

    about: ClassVar = MeasureAbout(
        name="prosecutor-risk", kind="microdata", source="El Emam and Dankar 2008", kept="risk"
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return 1 / k."""
        return 1 / equals(released).smallest


def _in_both(original: Microdata, released: Microdata) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sizes of the release's groups, and of the same groups in the population.

    Where quasi-identifiers were generalised the population has no equal ones; the release's own size is then
    the fewest people it can be.
    """
    before, after = group_codes([original.records, released.records], original.qi)
    count = int(max(before.max(), after.max())) + 1
    here, there = np.bincount(after, minlength=count), np.bincount(before, minlength=count)
    return here[here > 0], np.maximum(here, there)[here > 0]


class JournalistRisk(Measure[Microdata]):
    """The best chance to find somebody known to be in the population: 1 / size of the smallest group there.

    The population is the original; only groups that the release shows count. Equal to the prosecutor's where
    everybody is released.
    """

    about: ClassVar = MeasureAbout(
        name="journalist-risk", kind="microdata", source="El Emam and Dankar 2008", kept="risk"
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the largest 1 / F over the release's groups."""
        return 1 / int(_in_both(original, released)[1].min())


class MarketerRisk(Measure[Microdata]):
    """The share of released people found by naming anybody of the same group of the population for each.

    (1/n') sum over the release's groups of f / F, with f people in the release and F in the original.
    """

    about: ClassVar = MeasureAbout(
        name="marketer-risk", kind="microdata", source="Dankar and El Emam 2010", kept="risk"
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the expected share."""
        here, there = _in_both(original, released)
        return float((here / there).sum() / len(released))
