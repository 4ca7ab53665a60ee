"""Prosecutor, journalist, marketer: three attackers who know quasi-identifiers, and their chances.

The prosecutor knows that his target is in the release; the journalist only that the target is in the
population, here the original table; the marketer wants as many as he can, not one. All are chances of a
person, so averages go over people: a mean over groups (pyCANON's average risk) lets small groups count as
much as large ones and is not the share of people found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kakurenbo.about import MeasureAbout
from kakurenbo.data.groups import group_codes, group_sizes, groups
from kakurenbo.data.microdata import Microdata
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing


class ProsecutorRisk(Measure[Microdata]):
    """The best chance to find somebody known to be in the release: 1 / size of its smallest group."""

    about: ClassVar = MeasureAbout(
        name="prosecutor-risk", kind="microdata", source="El Emam and Dankar 2008", kept="risk"
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return 1 / k."""
        return 1 / int(group_sizes(groups(released, released.qi)).min())


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
