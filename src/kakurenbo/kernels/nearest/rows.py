"""What the nearest search works on: the six similarities as one table, and customers as flat checked arrays.

Every similarity here is a ratio gathered good by good, so three choices describe it: what a common good adds,
what the sum is divided by, and whether both are whole numbers, which are then compared without rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy import sparse

from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    Pairs = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats]  # released, originals, their sums

Similarity = Literal["jaccard", "containment", "multiset", "votes", "cosine"]
Matrix: TypeAlias = "sparse.csr_array[Any] | sparse.csr_matrix[Any]"

# What a good that both have adds to the sum.
ONE, SMALLER, PRODUCT = 0, 1, 2
# What the sum is divided by: size of both less the sum; size of the original; nothing.
UNION, ORIGINAL, NOTHING = 0, 1, 2

TIE: Final = 1e-12  # rounded scores this close, relatively, are equal
LARGEST_TOTAL: Final = 2**31 - 1  # a product of two totals, one of them of a union, still fits 64 bits


class Measure(NamedTuple):
    """How one similarity is gathered, divided and compared; the loops read these numbers."""

    adds: int
    divisor: int
    exact: bool


_MEASURES: Final[dict[Similarity, Measure]] = {
    "jaccard": Measure(ONE, UNION, exact=True),
    "containment": Measure(ONE, ORIGINAL, exact=True),
    "multiset": Measure(SMALLER, UNION, exact=True),
    "votes": Measure(SMALLER, NOTHING, exact=True),
    "cosine": Measure(PRODUCT, NOTHING, exact=False),
}
_WEIGHTED_JACCARD: Final = Measure(SMALLER, UNION, exact=False)


class Rows(NamedTuple):
    """Customers as flat arrays: row j holds goods[starts[j]:starts[j+1]], ascending; sizes are |row|.

    `values` is empty where only the presence of a good counts.
    """

    starts: Integers
    goods: npt.NDArray[np.int32]
    values: Floats
    sizes: Floats


class Lists(NamedTuple):
    """Who has a good, for all goods: good g is bought by rows[starts[g]:starts[g+1]]."""

    starts: Integers
    rows: npt.NDArray[np.int32]


class Block(NamedTuple):
    """Some originals turned around: by good, who has it, as a list (rare goods) or a column (frequent ones).

    Good g is bought by rows[starts[g]:starts[g+1]], or, where slots[g] > 0, by the bits set in
    columns[slots[g]], 64 a word. Column 0 is empty. Rows are numbered within the block, in the order of
    their sizes.
    """

    ids: Integers
    sizes: Floats
    starts: Integers
    rows: npt.NDArray[np.uint16]
    values: Floats
    slots: npt.NDArray[np.uint32]
    columns: npt.NDArray[np.uint64]


class Search(NamedTuple):
    """All released customers, one block of originals, and how to compare them.

    `rarest` holds the places of every released row's goods, what fewest originals have first; it is empty
    where all pairs are to be scored.
    """

    released: Rows
    block: Block
    measure: Measure
    originals: Rows
    rarest: Integers


@dataclass(frozen=True)
class Task:
    """Checked input: released and original customers over the same goods, and how to compare them."""

    released: Rows
    originals: Rows
    goods: int
    measure: Measure

    @classmethod
    def of(cls, a: Matrix, b: Matrix, similarity: Similarity, weights: npt.ArrayLike | None) -> Task:
        """Check both matrices and the weights, and lay them out for the loops.

        Raises:
            ParameterError: an unknown similarity, different numbers of goods, or weights that cannot work.
            InputError: a value that is not a finite number >= 0, or, for `multiset`, not whole or too large.
        """
        measure = _measure(similarity, weights)
        if a.shape[1] != b.shape[1]:
            raise ParameterError(
                f"Both matrices must have the same goods as columns; got {a.shape[1]} and {b.shape[1]}.",
                code="parameter",
            )
        per_good = None if weights is None else _weights(weights, a.shape[1])
        a, b = _tidy(a), _tidy(b)
        if measure.exact:
            number = _by_frequency(b)
            a, b = _renumbered(a, number), _renumbered(b, number)
        return cls(_rows(a, measure, per_good), _rows(b, measure, per_good), a.shape[1], measure)

    def rarest(self) -> Integers:
        """Return the places of every released row's goods, what fewest originals have first."""
        starts, goods, _, sizes = self.released
        buyers = np.bincount(self.originals.goods, minlength=self.goods)
        return np.lexsort((buyers[goods], np.repeat(np.arange(len(sizes)), np.diff(starts))))

    def buyers(self) -> Lists:
        """Return who has a good among the originals."""
        shape = len(self.originals.sizes), self.goods
        ones = np.ones(len(self.originals.goods), np.bool_)
        turned = sparse.csr_array((ones, self.originals.goods, self.originals.starts), shape=shape).tocsc()
        return Lists(turned.indptr.astype(np.int64), turned.indices.astype(np.int32))


def _measure(similarity: Similarity, weights: npt.ArrayLike | None) -> Measure:
    if similarity not in _MEASURES:
        names = ", ".join(get_args(Similarity))
        raise ParameterError(
            f"The similarity must be one of {names}; got {similarity!r}.", code="unknown-name"
        )
    if weights is None:
        return _MEASURES[similarity]
    if similarity != "jaccard":
        raise ParameterError(
            f"Weights go with the similarity jaccard only, not {similarity}.", code="parameter"
        )
    return _WEIGHTED_JACCARD


def _weights(weights: npt.ArrayLike, goods: int) -> Floats:
    per_good = np.array(weights, dtype=np.float64)
    if per_good.shape != (goods,) or not (np.isfinite(per_good) & (per_good > 0)).all():
        raise ParameterError(
            f"Weights must be {goods} finite numbers above 0, one for every good.", code="parameter"
        )
    per_good /= per_good.max(initial=0)  # only their proportions matter, and sums of these stay finite
    return per_good


def _by_frequency(originals: sparse.csr_array[Any]) -> npt.NDArray[np.int32]:
    """Number the goods anew, the most bought first: what is looked up most often then lies together."""
    number = np.empty(originals.shape[1], np.int32)
    buyers = np.bincount(originals.indices, minlength=len(number))
    number[np.argsort(-buyers, kind="stable")] = np.arange(len(number))
    return number


def _renumbered(table: sparse.csr_array[Any], number: npt.NDArray[np.int32]) -> sparse.csr_array[Any]:
    """Return the table under the new numbers of its goods, ascending again; whole sums stay as they are."""
    made = sparse.csr_array((table.data, number[table.indices], table.indptr), shape=table.shape)
    return sparse.csr_array(made.tocsc().tocsr())  # turned twice, its goods ascend: quicker than sorting


def _rows(table: sparse.csr_array[Any], measure: Measure, per_good: Floats | None) -> Rows:
    """Lay one tidy matrix out; all arrays are fresh, since the caller's may be frozen or of another width."""
    starts, goods = table.indptr.astype(np.int64), table.indices.astype(np.int32)
    if measure.adds == ONE:
        return Rows(starts, goods, np.empty(0), np.diff(starts).astype(np.float64))
    values = table.data.astype(np.float64) if per_good is None else per_good[goods]
    if measure.adds == PRODUCT:
        from kakurenbo.kernels.nearest.lengths import unit_length  # noqa: PLC0415 - loads the compiler

        return Rows(starts, goods, unit_length(values, starts), np.ones(len(starts) - 1))
    row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    sizes = np.bincount(row, values, len(starts) - 1).astype(np.float64)
    if measure.exact:
        _require_whole(values, sizes)
    return Rows(starts, goods, values, sizes)


def _tidy(matrix: Matrix) -> sparse.csr_array[Any]:
    """Return the matrix with ascending goods, none twice and no stored zeros; the caller's is not touched."""
    table = sparse.csr_array(matrix)
    if not (np.isfinite(table.data) & (table.data >= 0)).all():
        raise InputError(
            "Every value of a basket must be a finite number of at least 0.", code="not-positive"
        )
    if not table.has_canonical_format or not table.data.all():
        table = table.copy()
        table.sum_duplicates()
        table.eliminate_zeros()
    return table


def _require_whole(values: Floats, sizes: Floats) -> None:
    if (values != np.rint(values)).any():
        raise InputError("The similarity multiset compares whole quantities only.", code="not-whole")
    if sizes.max(initial=0) > LARGEST_TOTAL:
        raise InputError(
            f"The similarity multiset compares at most {LARGEST_TOTAL} pieces a customer.", code="limit"
        )
