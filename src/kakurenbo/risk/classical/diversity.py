"""Diversity in the groups of microdata: l-diversity and t-closeness.

A person hides among those with the same quasi-identifiers. How different their sensitive values are (l), and
how far these tell more than the whole table does (t), is read off the release; by sorting, a million rows in
seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import group_codes, groups
from kakurenbo.data.microdata import Microdata
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing

    Ints = NDArray[np.int64]


class DiversityMeasure(Measure[Microdata]):
    """Shared by l and t: both look at sensitive attributes within the groups."""

    s: tuple[str, ...] = Field((), description="sensitive attributes looked at; none given means all")

    def codes(self, released: Microdata) -> list[Ints]:
        """Return each chosen attribute's values as their places among its sorted distinct values."""
        columns.require(self.s, released.sa)
        return [group_codes([released.records], [name])[0] for name in self.s or released.sa]


class LDiversity(DiversityMeasure):
    """Distinct l-diversity: the fewest different values of a sensitive attribute in any group.

    l = 1 means that somebody's value is known to whoever knows the quasi-identifiers. Over several attributes
    the least counts.
    """

    about: ClassVar = MeasureAbout(
        name="l-diversity", kind="microdata", source="Machanavajjhala et al. 2007, distinct", kept="risk",
        unit="values", better="higher", needs=("sa",),
    )  # fmt: skip

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the least number of distinct values."""
        group = groups(released, released.qi)
        return min(_distinct(group, codes) for codes in self.codes(released))


def _distinct(group: Ints, codes: Ints) -> int:
    (pairs,) = group_codes([pl.DataFrame({"group": group, "value": codes})], ["group", "value"])
    owner = np.zeros(int(pairs.max()) + 1, dtype=np.int64)
    owner[pairs] = group
    return int(np.bincount(owner).min())


class TCloseness(DiversityMeasure):
    """t-closeness: how far the values in any group are from those of the whole table, earth mover's distance.

    With ordered distance between m sorted distinct values, EMD = 1/(m-1) sum_i |sum_{j<=i} (q_j - p_j)|; with
    equal distance, half the sum of |q - p| (Li et al. 2007). The largest over groups and attributes; 0 for an
    attribute with one value.
    """

    about: ClassVar = MeasureAbout(
        name="t-closeness", kind="microdata", source="Li et al. 2007", kept="risk", needs=("sa",)
    )

    distance: Literal["ordered", "equal"] = Field(
        "ordered", description="how far two values are apart: by their ranks, or all alike"
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the largest distance."""
        group = groups(released, released.qi)
        far = _ordered if self.distance == "ordered" else _equal
        return max(far(group, codes) for codes in self.codes(released))


def _ordered(group: Ints, codes: Ints) -> float:
    """Return the largest ordered EMD, from the steps of each group's distribution alone.

    A group of s rows has s + 1 flat stretches; on each the distance to the whole's distribution P is a
    difference of running sums of P, parted where P crosses the stretch. n log n in all, not groups x values.
    """
    n, m = len(codes), int(codes.max()) + 1
    if m == 1:
        return 0.0
    whole = np.cumsum(np.bincount(codes)) / n
    running = np.concatenate([[0.0], np.cumsum(whole)])
    if (int(group.max()) + 1) * m <= 4 * n:
        return _ordered_by_counts(group, codes, whole)
    group, codes = np.divmod(np.sort(group * m + codes), m)
    sizes = np.bincount(group)
    ends = np.cumsum(sizes)
    turn = np.arange(n) - np.repeat(ends - sizes, sizes)
    height = (turn + 1) / sizes[group]
    last = np.zeros(n, dtype=bool)
    last[ends - 1] = True
    until = np.where(last, m, np.append(codes[1:], m))
    cross = np.clip(np.searchsorted(whole, height), codes, until)
    part = height * (2 * cross - codes - until) - 2 * running[cross] + running[codes] + running[until]
    before = running[codes[ends - sizes]]  # the stretch before the group's first value, where it has nothing
    return float((before + np.bincount(group, weights=part)).max() / (m - 1))


def _ordered_by_counts(group: Ints, codes: Ints, whole: NDArray[np.float64]) -> float:
    """The same by its definition, for tables with few groups and values."""
    m = len(whole)
    counts = np.bincount(group * m + codes, minlength=(int(group.max()) + 1) * m).reshape(-1, m)
    own = np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)
    return float(np.abs(own - whole).sum(axis=1).max() / (m - 1))


def _equal(group: Ints, codes: Ints) -> float:
    n, m = len(codes), int(codes.max()) + 1
    whole = np.bincount(codes) / n
    pairs, count = np.unique(group * m + codes, return_counts=True)
    owner, value = pairs // m, pairs % m
    share = count / np.bincount(group)[owner]
    moved = np.abs(share - whole[value]) - whole[value]
    return float((1 + np.bincount(owner, weights=moved)).max() / 2)
