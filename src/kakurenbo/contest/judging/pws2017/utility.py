"""What a submission of PWS Cup 2017 keeps: seven numbers, 0 best.

With q the quantity that a user bought of a good in all his rows, and a user of the submission a pseudonym:

- E1, ItemCF-s: a user's score of a good is the number of thresholds 12, 24, 36, 48, 60, 72 that q reaches;
  W_ij = cosine of the scores of two goods over the users, i != j;
  E1 = min(1, sum |W_ij - W'_ij| / sum W_ij) over the ordered pairs with W_ij > 0.
- E2, ItemCF-r: the same with the score q where q <= 11, and none above.
- E3: of the 100 goods with most buyers (of equals the larger id as text) the share that is lost; and the
  distance of E1 where the score is 1, among the 100 goods of T.
- E4 = sum of days by which kept rows moved / (31 rows of T); E5 = sum over kept rows of 1 - min / max of both
  prices / rows of T; E6 = share of rows deleted.

Source: PWS Cup 2017, as FACTS of its public judge tell it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import sparse

from kakurenbo.contest.judging.pws2017.tables import DAY, DELETED, GOOD, ID, PRICE, QUANTITY, day_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.contest.judging.pws2017.tables import Original, Row

    Matrix = sparse.csr_array[Any]
    Scores = Callable[[NDArray[np.int64]], NDArray[np.int64]]

_THRESHOLDS: Final = np.array([12, 24, 36, 48, 60, 72])
_FEW: Final = 11
_TOP: Final = 100
_DAYS: Final = 31


def utility_of(rows: list[Row], original: Original) -> dict[str, float]:
    """Return the seven numbers of a valid submission by their names."""
    goods = {good: place for place, good in enumerate(sorted(original.goods))}
    before, after = _bought(original.rows, goods), _bought(rows, goods)
    top, kept = _top(before), _top(after)
    return {
        "E1": _distance(_scored(before, _dozens), _scored(after, _dozens)),
        "E2": _distance(_scored(before, _pieces), _scored(after, _pieces)),
        "E3_topk": len(top - kept) / max(len(top), 1),
        "E3_sim": _distance(_among(before, top), _among(after, top)),
        **_moved(rows, original),
    }


def _bought(rows: Iterable[Row], goods: Mapping[str, int]) -> Matrix:
    """Return users x goods: how much every user bought of every good; a pair that stands there was bought."""
    kept = [row for row in rows if row[ID] != DELETED]
    users: dict[str, int] = {}
    user = np.array([users.setdefault(row[ID], len(users)) for row in kept], np.int64)
    good = np.array([goods[row[GOOD]] for row in kept], np.int64)
    quantity = np.array([int(row[QUANTITY]) for row in kept], np.int64)
    pairs, place = np.unique(user * len(goods) + good, return_inverse=True)
    total = np.zeros(len(pairs), np.int64)
    np.add.at(total, place, quantity)
    cells = (pairs // max(len(goods), 1), pairs % max(len(goods), 1))
    return sparse.csr_array((total, cells), shape=(len(users), len(goods)))


def _dozens(quantity: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.searchsorted(_THRESHOLDS, quantity, "right")


def _pieces(quantity: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(quantity <= _FEW, quantity, 0)


def _scored(bought: Matrix, score: Scores) -> Matrix:
    """Return the scores of what was bought; a score of 0 is none."""
    made = bought.copy()
    made.data = score(bought.data)
    made.eliminate_zeros()
    return made


def _top(bought: Matrix) -> frozenset[int]:
    """Return the goods with most buyers; goods are numbered in the order of their ids as text."""
    buyers = np.bincount(bought.indices, minlength=bought.shape[1])
    order = sorted(np.flatnonzero(buyers).tolist(), key=lambda good: (-buyers[good], -good))
    return frozenset(order[:_TOP])


def _among(bought: Matrix, goods: frozenset[int]) -> Matrix:
    """Return who bought which of these goods at all."""
    some: Matrix = bought[:, sorted(goods)]
    some.data[:] = 1
    return some


def _cosines(scores: Matrix) -> Matrix:
    """Return goods x goods: the cosine of every two goods that a user has both of."""
    products = sparse.coo_array(scores.T @ scores)
    length = np.sqrt(products.tocsr().diagonal())
    rows, columns = products.coords
    apart = rows != columns
    rows, columns = rows[apart], columns[apart]
    cosine = products.data[apart] / (length[rows] * length[columns])
    return sparse.csr_array((cosine, (rows, columns)), shape=products.shape)


def _distance(before: Matrix, after: Matrix) -> float:
    """Return min(1, sum |W - W'| / sum W) over the pairs of W; 0 where there are none."""
    old, new = _cosines(before), _cosines(after)
    there = old.copy()
    there.data[:] = 1
    both = new.multiply(there)
    whole = math.fsum(old.data)
    return min(1.0, math.fsum(np.abs((old - both).data)) / whole) if whole else 0.0


def _moved(rows: list[Row], original: Original) -> dict[str, float]:
    """Return by how much days and prices moved, and what was deleted."""
    count = len(original.rows)
    kept = [(row, old) for row, old in zip(rows, original.rows, strict=True) if row[ID] != DELETED]
    days = sum(_days(row[DAY], old[DAY]) for row, old in kept)
    prices = math.fsum(_apart(float(row[PRICE]), float(old[PRICE])) for row, old in kept)
    return {"E4": days / (_DAYS * count), "E5": prices / count, "E6": (count - len(kept)) / count}


def _days(one: str, other: str) -> int:
    first, second = day_of(one), day_of(other)
    assert first is not None  # noqa: S101 - checked before
    assert second is not None  # noqa: S101 - the same
    return abs((first - second).days)


def _apart(one: float, other: float) -> float:
    """Return 1 - min / max of two prices; equal ones, 0 among them, are not apart."""
    return 0.0 if one == other else 1 - min(one, other) / max(one, other)
