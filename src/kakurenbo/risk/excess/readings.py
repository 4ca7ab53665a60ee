"""The distance of 004 read with times and prices: a name may be near in goods and pieces, and yet another's.

Who adds enough of a person's goods to another's records, in large quantities and on any day, brings the name
near that person by the goods alone. The same distance over goods with their days, or with their prices, is
then as far as a shuffle's. A release may also have altered days or prices honestly, and then these readings
must not speak. Each looks only at what both tables show somewhere, since a good on a day that nobody in the
release has says nothing of the pairing, and it can tell only if that is at least one half of all pieces and
people are near somebody in the release, so that some pairing would pass. Where days cannot tell, months may.

Limits are made as for the goods, from the same people over the same keys.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.groups import group_codes
from kakurenbo.data.table import ByKind
from kakurenbo.errors import InputError
from kakurenbo.kernels import distances
from kakurenbo.risk.excess.aligned import at_places, placed
from kakurenbo.risk.excess.limits import limits
from kakurenbo.theory import is_excessive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.distances import Distance

_ENOUGH = 0.5  # of all pieces must stand somewhere in the release, as they are read
_FEWEST = 2  # people, as limits need
_READINGS = {  # in turn, as long as they do not apply
    "time": {
        "goods and days": pl.col("time").dt.date(),
        "goods and months": pl.col("time").dt.month_start().dt.date(),
    },
    "price": {"goods and prices": pl.col("price")},
}


@dataclass(frozen=True)
class Reading:
    """What the distance says when it is read with more than goods.

    Attributes:
        of: what was compared.
        compared: the share of the original's pieces that stand somewhere in the release, read so.
        mean_distance: of a person from the records declared his, None where this reading cannot tell.
        mean_threshold: the limit, None likewise.
    """

    of: str
    compared: float
    mean_distance: float | None = None
    mean_threshold: float | None = None

    @property
    def applies(self) -> bool:
        """Whether it can tell a shuffled pairing from a true one."""
        return self.mean_distance is not None

    @property
    def excessive(self) -> bool:
        """Whether the pairing is as far from the data as a shuffled one; not where that cannot be told."""
        distance, threshold = self.mean_distance, self.mean_threshold
        return distance is not None and threshold is not None and is_excessive(distance, threshold)

    def __str__(self) -> str:
        if self.mean_distance is None or self.mean_threshold is None:
            return f"By {self.of} nothing can be told ({self.compared:.0%} of the pieces can be compared)."
        sign = ">" if self.excessive else "<="
        return f"By {self.of} the mean is {self.mean_distance:.4f} {sign} {self.mean_threshold:.4f}."


def _of_purchases(
    original: Purchases,
    released: Purchases,
    secret: Pairing,
    *,
    measure: Distance,
    groups: NDArray[np.int64],
    certainty: int | None,
) -> Iterator[Reading]:
    """Yield one reading with times and one with prices, where both tables have them."""
    places = placed(original.customers, released.customers, secret)
    for role, ways in _READINGS.items():
        if role not in original.shown & released.shown:
            continue
        tried = (
            _read(of, _Common.of(original, released, part, measure), places, groups, certainty)
            for of, part in ways.items()
        )
        first = next(tried)
        yield first if first.applies else next((other for other in tried if other.applies), first)


def _of_microdata(*_: object, **__: object) -> Iterator[Reading]:
    """Yield nothing: there are neither times nor prices."""
    yield from ()


# What the distance says with times and with prices, of data that have any.
readings: ByKind[Iterator[Reading]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)


class _Common(NamedTuple):
    """Both tables as people x (good, part), over what stands in both; `share` of the original's pieces do."""

    mine: sparse.csr_array[np.int64]
    theirs: sparse.csr_array[np.int64]
    share: float
    measure: Distance

    @classmethod
    def of(cls, original: Purchases, released: Purchases, part: pl.Expr, measure: Distance) -> _Common:
        tables = [data.records.select("goods", part=part) for data in (original, released)]
        codes = group_codes(tables, ["goods", "part"])
        both = np.intersect1d(codes[0], codes[1])
        mine, theirs = (
            _pieces(data, keys, max(int(side.max()) for side in codes) + 1, measure)
            for data, keys in zip((original, released), codes, strict=True)
        )
        common = sparse.csr_array(mine[:, both])
        return cls(common, sparse.csr_array(theirs[:, both]), float(common.sum() / mine.sum()), measure)


def _pieces(
    data: Purchases, keys: NDArray[np.int64], width: int, measure: Distance
) -> sparse.csr_array[np.int64]:
    counted = measure == "multiset" and "quantity" in data.roles
    pieces = data.records["quantity"].to_numpy() if counted else np.ones(len(keys), dtype=np.int64)
    people = data.records["customer"].to_physical().to_numpy()
    matrix = sparse.coo_array((pieces, (people, keys)), shape=(len(data.customers), width)).tocsr()
    if measure == "set":
        matrix.data[:] = 1
    matrix.sort_indices()
    return matrix


def _read(
    of: str, common: _Common, places: NDArray[np.int64], groups: NDArray[np.int64], certainty: int | None
) -> Reading:
    """Measure the people of whom something stands in the release, if that is enough."""
    some = np.flatnonzero(np.diff(common.mine.indptr))
    if common.share < _ENOUGH or len(some) < _FEWEST:
        return Reading(of, common.share)
    mine = sparse.csr_array(common.mine[some])
    known = limits(mine, common.measure, r=(), groups=groups[some], certainty=certainty, solves=0)
    try:
        threshold = known.recommended / len(some)
    except InputError:
        return Reading(of, common.share)
    if is_excessive(_mean(distances.nearest(mine, common.theirs, common.measure)), threshold):
        return Reading(of, common.share)
    apart = distances.along(mine, at_places(common.theirs, places[some]), common.measure)
    return Reading(of, common.share, _mean(apart), threshold)


def _mean(values: NDArray[np.float64]) -> float:
    return math.fsum(values.tolist()) / len(values)
