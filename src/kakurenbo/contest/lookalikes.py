"""Whom told scores are measured on: a share of the people, made of whole clusters of look-alikes.

Whoever is confused with another is confused with somebody who looks like him. Were single people drawn, a
score on the share would teach about their look-alikes outside it; whole clusters keep what is told apart from
what counts at the end. The choice comes from the contest's key and the release that is guessed at, so that it
is the same for every team and every guess, and nobody can compute it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from kakurenbo.chance import Chance
from kakurenbo.contest.judging.originals import stamps
from kakurenbo.contest.judging.remembered import Remembered

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray
    from scipy import sparse

    from kakurenbo.contest.rules import Rules
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

SIZE: Final = 8  # people in a cluster, where there are not too many of them
MOST: Final = 50  # clusters: enough to choose from, and quickly made
_BANDS: Final = 10  # of a column of numbers
_made: Remembered[Any] = Remembered(4)


def chosen(labels: Ints, share: float, seed: int) -> Flags:
    """Return on whom scores are measured: whole clusters by chance, as near to the share as they get.

    At least one cluster is chosen, and one left out unless the share is everybody.

    Args:
        labels: the cluster of everybody.
        share: of the people.
        seed: what only the contest knows.
    """
    sizes = np.bincount(labels)
    order = Chance(seed).stream("share").permutation(np.flatnonzero(sizes))
    if share >= 1.0 or len(order) == 1:
        return np.ones(len(labels), dtype=bool)
    reached = np.cumsum(sizes[order]) / len(labels)
    count = int(np.abs(reached[:-1] - share).argmin()) + 1
    return np.isin(labels, order[:count])


def labels_of(rules: Rules, original: Path, seed: int) -> Ints:
    """Return the cluster of everybody, in the order of the format's `people`; made once.

    Args:
        rules: of the contest.
        original: the folder of its data.
        seed: what only the contest knows.
    """
    key = (rules.format, rules.data.model_dump_json(), str(original), stamps(original), seed)
    return cast("Ints", _made.once(key, lambda: clusters(traces(rules, original), seed)))


def clusters(matrix: sparse.csr_array[Any], seed: int) -> Ints:
    """Return clusters of people who have the same things, by the cosine of what is rare about them.

    Args:
        matrix: people x things, 1 where somebody has one.
        seed: of the clustering.
    """
    from kakurenbo.kernels.clusters import tfidf_kmeans  # noqa: PLC0415 - loads scikit-learn

    people = matrix.shape[0]
    count = min(people, MOST, max(2, people // SIZE))
    return tfidf_kmeans(matrix, count, Chance(seed).stream("look-alikes"))


def traces(rules: Rules, original: Path) -> sparse.csr_array[Any]:
    """Return people x things: what everybody bought, or what is said of everybody."""
    if rules.format == "pws2017":
        return _long_term(original)
    if rules.format == "purchases":
        from kakurenbo.contest.judging import purchases  # noqa: PLC0415 - only what is needed is loaded

        shop: Purchases = purchases.FORMAT.original(rules, original).data
        return shop.baskets().matrix
    from kakurenbo.contest.judging import microdata  # noqa: PLC0415

    return _values(microdata.FORMAT.original(rules, original).data)


def _long_term(original: Path) -> sparse.csr_array[Any]:
    from kakurenbo.contest.judging.pws2017.tables import GOOD, ID, Original  # noqa: PLC0415

    tables = Original.read(original)
    places = {customer: place for place, customer in enumerate(tables.customers)}
    goods: dict[str, int] = {}
    cells = {(places[row[ID]], goods.setdefault(row[GOOD], len(goods))) for row in tables.rows}
    return _set_matrix(np.array(sorted(cells), dtype=np.int64).reshape(-1, 2), len(places), len(goods))


def _values(data: Microdata) -> sparse.csr_array[Any]:
    """Return a column for every value of every attribute; numbers are told apart by ten bands."""
    people, width, cells = len(data), 0, []
    for column in data.records.get_columns():
        codes = _codes(column)
        cells.append(np.column_stack((np.arange(people), codes + width)))
        width += int(codes.max(initial=0)) + 1
    return _set_matrix(np.concatenate(cells), people, width)


def _codes(column: pl.Series) -> Ints:
    ranks = column.rank("dense").to_numpy().astype(np.int64) - 1
    most = int(ranks.max(initial=0)) + 1
    if column.dtype.is_numeric() and most > _BANDS:
        ranks = (column.rank("min").to_numpy().astype(np.int64) - 1) * _BANDS // len(column)
    return ranks


def _set_matrix(cells: Ints, rows: int, columns: int) -> sparse.csr_array[Any]:
    from scipy import sparse  # noqa: PLC0415 - slow to load

    made = sparse.coo_array(
        (np.ones(len(cells), dtype=np.int64), (cells[:, 0], cells[:, 1])), shape=(rows, columns)
    )
    return made.tocsr()
