"""Diversity in the groups of microdata: l-diversity and t-closeness.

A person hides among those with the same quasi-identifiers. How different their sensitive values are (l), and
how far these tell more than the whole table does (t), is read off the release; by sorting, a million rows in
seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import as_text, group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.errors import InputError
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.pairing import Pairing

    Ints = NDArray[np.int64]

_ROUNDING = 1e-9
Way = Annotated[
    Literal["distinct", "entropy", "recursive"],
    Field(description="how values are counted: all that differ, by entropy, or recursively with c"),
]


class DiversityMeasure(Measure[Microdata]):
    """Shared by l and t: both look at sensitive attributes within the groups."""

    s: tuple[str, ...] = Field((), description="sensitive attributes looked at; none given means all")
    others: Literal["hidden", "known"] = Field(
        "hidden", description="whether who looks for one attribute knows the others, like quasi-identifiers"
    )

    def groups_and_codes(self, released: Microdata) -> Iterator[tuple[str, Ints, Ints]]:
        """Yield each chosen attribute with the groups, and its values as places among the sorted ones."""
        columns.require(self.s, released.sa)
        for name in self.s or released.sa:
            beside = [other for other in released.sa if other != name] if self.others == "known" else []
            (group,) = group_codes([released.records], [*released.qi, *beside])
            yield name, group, group_codes([released.records], [name])[0]


class LDiversity(DiversityMeasure):
    """l-diversity: how many values of a sensitive attribute any group has, distinct or well represented.

    l = 1 means that somebody's value is known to whoever knows the quasi-identifiers. `distinct` counts
    different values; `entropy` is the whole part of exp(H), H the entropy of the values in a group, so that
    rare ones hardly count; `recursive` is the largest l for which the most frequent value of every group is
    less frequent than c times all from the l-th on: r_1 < c (r_l + ... + r_m). Over several attributes the
    least counts.
    """

    about: ClassVar = MeasureAbout(
        name="l-diversity", kind="microdata", source="Machanavajjhala et al. 2007", kept="risk",
        unit="values", better="higher", needs=("sa",),
    )  # fmt: skip

    diversity: Way = "distinct"
    c: float = Field(3.0, gt=0, description="of recursive diversity: how far the most frequent may stand out")

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the least l of any group."""
        counted = [Counts.of(group, codes) for _, group, codes in self.groups_and_codes(released)]
        if self.diversity == "entropy":
            return min(_whole(one.effective) for one in counted)
        return min(one.distinct if self.diversity == "distinct" else one.recursive(self.c) for one in counted)


def _whole(number: float) -> int:
    """Return the whole part, of what is whole up to rounding the number itself."""
    return math.floor(number + _ROUNDING)


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each value of an attribute stands in each group: group after group, the frequent ones first.

    Attributes:
        start: where each group begins.
        count: how often each of its values occurs.
    """

    start: Ints
    count: Ints

    @classmethod
    def of(cls, group: Ints, codes: Ints) -> Counts:
        """Count the values of every group."""
        m = int(codes.max()) + 1
        pairs, count = np.unique(group * m + codes, return_counts=True)
        owner = pairs // m
        order = np.lexsort((-count, owner))
        start = np.searchsorted(owner[order], np.arange(int(owner.max()) + 1))
        return cls(start.astype(np.int64), count[order].astype(np.int64))

    @property
    def sizes(self) -> Ints:
        """The rows of each group."""
        return np.add.reduceat(self.count, self.start)

    @property
    def values(self) -> Ints:
        """How many values each group has."""
        return np.diff(np.append(self.start, len(self.count)))

    @property
    def distinct(self) -> int:
        """The fewest values of any group."""
        return int(self.values.min())

    @property
    def effective(self) -> float:
        """The least exp(H) of any group: so many equally frequent values would be as hard to guess."""
        share = self.count / np.repeat(self.sizes, self.values)
        return float(np.exp(-np.add.reduceat(share * np.log(share), self.start)).min())

    def tails(self, depth: int) -> Ints:
        """Return for each group how often its values from this place on occur, the most frequent being 1."""
        place = np.arange(len(self.count)) - np.repeat(self.start, self.values)
        return np.add.reduceat(np.where(place >= depth - 1, self.count, 0), self.start)

    def recursive(self, c: float) -> int:
        """Return the largest l for which every group is recursively (c, l)-diverse."""
        depth = 0
        while depth < self.distinct and (self.count[self.start] < c * self.tails(depth + 1)).all():
            depth += 1
        return depth

    def least_c(self, depth: int) -> int | None:
        """Return the least whole c for which every group is recursively (c, depth)-diverse, if one is."""
        tails = self.tails(depth)
        return None if (tails == 0).any() else int((self.count[self.start] // tails).max()) + 1


class TCloseness(DiversityMeasure):
    """t-closeness: how far the values in any group are from those of the whole table, earth mover's distance.

    Of numbers by ordered distance between m sorted distinct values: EMD = 1/(m-1) sum_i |sum_{j<=i} (q_j -
    p_j)|; of categories by equal distance: half the sum of |q - p|; of an attribute with a hierarchy by how
    high two values have to be lifted to be one (Li et al. 2007). The largest over groups and attributes; 0
    for an attribute with one value.
    """

    about: ClassVar = MeasureAbout(
        name="t-closeness", kind="microdata", source="Li et al. 2007", kept="risk", needs=("sa",)
    )

    distance: Literal["usual", "ordered", "equal", "hierarchical"] = Field(
        "usual", description="how far two values are apart: as each attribute has it, by their ranks, all "
        "alike, or by its hierarchy"
    )  # fmt: skip

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the largest distance."""
        trees = {**released.hierarchies, **original.hierarchies}
        return max(
            closeness(group, codes, released.records[name], trees.get(name), self.distance)
            for name, group, codes in self.groups_and_codes(released)
        )


def closeness(
    group: Ints, codes: Ints, column: pl.Series, tree: Hierarchy | None, distance: str = "usual"
) -> float:
    """Return the largest distance of any group from the whole, in the way that suits the attribute."""
    if distance == "usual":
        plain = "ordered" if column.dtype.is_numeric() else "equal"
        distance = "hierarchical" if tree is not None and not column.dtype.is_numeric() else plain
    if distance == "hierarchical":
        if tree is None:
            raise InputError(
                "There is no hierarchy for the column.", code="hierarchy", column=column.name,
                parameter="hierarchy",
            )  # fmt: skip
        return _hierarchical(group, codes, column, tree)
    return _ordered(group, codes) if distance == "ordered" else _equal(group, codes)


def _hierarchical(group: Ints, codes: Ints, column: pl.Series, tree: Hierarchy) -> float:
    """Return the largest distance where mass moves up to the word that two values share, and down again.

    The cost at a word of height h of H is h/H times the lesser of what its parts have too much and too little
    of; a value that the hierarchy does not know stands under the root alone.
    """
    count, m = int(group.max()) + 1, int(codes.max()) + 1
    words = _levels(codes, column, tree, m)
    own = np.bincount(group * m + codes, minlength=count * m).reshape(count, m)
    extra = own / own.sum(axis=1, keepdims=True) - np.bincount(codes, minlength=m) / len(codes)
    moved = np.zeros(count)
    for height, parents in enumerate(words, 1):
        up = np.zeros((extra.shape[1], int(parents.max()) + 1))
        up[np.arange(extra.shape[1]), parents] = 1.0
        much, little = np.maximum(extra, 0) @ up, np.maximum(-extra, 0) @ up
        moved += height / len(words) * np.minimum(much, little).sum(axis=1)
        extra = extra @ up
    return float(moved.max())


def _levels(codes: Ints, column: pl.Series, tree: Hierarchy, m: int) -> list[Ints]:
    """Return for every level, a root above them where they have none, the parent of each word below."""
    example = np.zeros(m, dtype=np.int64)
    example[codes] = np.arange(len(codes))
    values = as_text(column).gather(example)
    rows = values.to_frame("value").join(tree.frame, on="value", how="left", maintain_order="left")
    known = [rows[name].fill_null(values) for name in tree.levels]
    below, made = np.arange(m), []
    root = [pl.repeat("", m, eager=True)] if tree.frame[tree.levels[-1]].n_unique() > 1 else []
    for level in [*known, *root]:
        (names,) = group_codes([level.to_frame("word")], ["word"])
        parents = np.zeros(int(below.max()) + 1, dtype=np.int64)
        parents[below] = names
        made.append(parents)
        below = names
    return made


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


@dataclass(frozen=True)
class Diversity:
    """What the groups of a table say of one sensitive attribute, as pyCANON and others print it.

    Attributes:
        attribute: its name.
        kind: `numbers` or `categories`.
        values: how many it has in the whole table.
        l_distinct: the fewest in any group.
        l_entropy: the whole part of `effective`.
        effective: the least exp(H) of any group.
        c: the least whole c for which all groups are recursively (c, l_distinct)-diverse; None where l is 1.
        t: the largest distance of any group from the whole.
    """

    attribute: str
    kind: Literal["numbers", "categories"]
    values: int
    l_distinct: int
    l_entropy: int
    effective: float
    c: int | None
    t: float


def diversity(data: Microdata, trees: Mapping[str, Hierarchy] | None = None) -> tuple[Diversity, ...]:
    """Return what the groups of equal quasi-identifiers say of every sensitive attribute.

    Args:
        data: a table or a release.
        trees: hierarchies of attributes, in addition to those of the data.
    """
    known = {**data.hierarchies, **(trees or {})}
    made = []
    for name, group, codes in LDiversity().groups_and_codes(data):
        counts = Counts.of(group, codes)
        made.append(Diversity(
            attribute=name, kind="numbers" if name in data.numbers else "categories",
            values=int(codes.max()) + 1, l_distinct=counts.distinct, l_entropy=_whole(counts.effective),
            effective=counts.effective,
            c=counts.least_c(counts.distinct) if counts.distinct > 1 else None,
            t=closeness(group, codes, data.records[name], known.get(name)),
        ))  # fmt: skip
    return tuple(made)


def summary(k: int, each: Sequence[Diversity]) -> dict[str, Any]:
    """Return k, l and t of a table under the JSON keys of the command line: the worst of all attributes."""
    return {
        "k": k,
        "l": min((one.l_distinct for one in each), default=None),
        "l_entropy": min((one.l_entropy for one in each), default=None),
        "t": max((one.t for one in each), default=None),
    }
