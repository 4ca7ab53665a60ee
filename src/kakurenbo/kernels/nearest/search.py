"""The search itself: blocks of originals, shared out to threads, and the best kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.nearest.rows import ONE, ORIGINAL, TIE, Block, Matrix, Search, Similarity, Task
from kakurenbo.threads import processors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Floats, Integers, Pairs

_FEW = 500  # rows that are done before threads have started
_WIDTH = 4096  # originals in a block: its columns and sums stay in the processor's cache; below 2**16
_ROUNDED = 1 - 1e-9  # scores that are rounded in another order differ by less
_FREQUENT = 1 / 512  # share of a block from which adding a column is faster than walking a list


@dataclass(frozen=True, eq=False)
class Nearest:
    """The originals most like released row j: indices[indptr[j]:indptr[j+1]], ascending, all at score[j].

    An empty slice with score 0 means that j has nothing in common with anybody: **all** originals tie.
    """

    indptr: Integers
    indices: Integers
    score: Floats


@dataclass(frozen=True, eq=False)
class Top:
    """The k originals most like each released row, best first, equals by index; released rows x k.

    Where fewer than k originals have anything in common with the row, index -1 and score 0 fill up.
    """

    indices: Integers
    score: Floats


def nearest(
    released: Matrix,
    originals: Matrix,
    similarity: Similarity = "jaccard",
    *,
    weights: npt.ArrayLike | None = None,
    threads: int | None = None,
    reached: Floats | None = None,
) -> Nearest:
    """Find, for every released customer, all originals of the highest similarity.

    Memory grows with the records and the ties found, never with customers x customers.

    Args:
        released: Released customers x goods, CSR, values >= 0.
        originals: Original customers x the same goods.
        similarity: How a pair is scored, see the module's table.
        weights: One weight above 0 for every good, with `jaccard` only.
        threads: How many threads may work; None for one on every processor allowed. The answer is the same.
        reached: What somebody, here or elsewhere, scores for each row, as `row_by_row` tells it: who scores
            less is left out, were he the best of these originals.

    Returns:
        The tied best originals and the score of every released row.

    Raises:
        ParameterError: Different numbers of goods, unknown similarity, impossible weights or threads.
        InputError: Values that are negative, not finite, or for `multiset` not whole.
    """
    loops, task = _loops(), Task.of(released, originals, similarity, weights)
    best = _ratios(len(task.released.sizes)) if reached is None else reached.copy()
    rarest = np.empty(0, np.int64) if task.measure.exact else task.rarest()
    pairs: list[Pairs] = [(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))]
    room = len(best)
    with _crew(len(best), threads) as share:
        if task.measure.exact:
            share(partial(_leading().lead, task.measure, task.released, task.originals, task.buyers(), best))
        for block in _blocks(task):
            search = Search(task.released, block, task.measure, task.originals, rarest)
            pairs += share(partial(loops.nearest_in, search, best))
            if sum(len(who) for who, _, _ in pairs) > room:
                pairs = [_still_best(task, best, pairs)]
                room = len(best) + 2 * len(pairs[0][0])
    return _by_row(task, best, pairs)


def row_by_row(
    released: Matrix,
    originals: Matrix,
    similarity: Similarity = "jaccard",
    *,
    weights: npt.ArrayLike | None = None,
) -> Floats:
    """Score every released row with the original in the same place; rows x (above, below the line).

    It is what `nearest` takes as `reached`. Rounded scores give way a little, since they may be rounded
    differently beside other goods. Arguments and errors are those of `nearest`.
    """
    loops, task = _loops(), Task.of(released, originals, similarity, weights)
    scores = _ratios(len(task.released.sizes))
    loops.row_by_row(task.measure, task.released, task.originals, scores)
    if not task.measure.exact:
        scores[:, 0] *= _ROUNDED
    return scores


def top(
    released: Matrix,
    originals: Matrix,
    k: int,
    similarity: Similarity = "jaccard",
    *,
    weights: npt.ArrayLike | None = None,
    threads: int | None = None,
) -> Top:
    """Find, for every released customer, the k originals of the highest similarity, for a sparse assignment.

    Ordered by score, then by index; rounded scores are ordered as they are, without a tolerance. Made for a
    small k: a list of k is kept for each row. Arguments and errors are those of `nearest`, and k >= 1.
    """
    if k < 1:
        raise ParameterError(f"k must be at least 1; got {k}.", code="parameter")
    loops, task = _loops(), Task.of(released, originals, similarity, weights)
    rows = len(task.released.sizes)
    ratios, indices = _ratios((rows, k)), np.full((rows, k), -1, np.int64)
    with _crew(rows, threads) as share:
        for block in _blocks(task):
            share(partial(loops.top_in, _of_all(task, block), ratios, indices))
    return Top(indices, ratios[..., 0] / ratios[..., 1])


def similarity_block(
    released: Matrix,
    originals: Matrix,
    similarity: Similarity = "jaccard",
    *,
    weights: npt.ArrayLike | None = None,
    threads: int | None = None,
) -> Floats:
    """Score every given released row with every original, for an assignment; pass a slice of rows at a time.

    The answer is dense, released rows x originals: its memory is the caller's to limit. Arguments and errors
    are those of `nearest`.
    """
    loops, task = _loops(), Task.of(released, originals, similarity, weights)
    scores = np.zeros((len(task.released.sizes), len(task.originals.sizes)))
    with _crew(len(scores), threads) as share:
        for block in _blocks(task):
            share(partial(loops.scores_in, _of_all(task, block), scores))
    return scores


def best_in(scores: Floats, sizes: npt.NDArray[Any] | None = None) -> Nearest:
    """Find what `nearest` finds, in scores that `similarity_block` gave for all: nothing is computed twice.

    Scores within 1e-12 of the best tie, relatively; ratios of whole numbers below a million lie farther
    apart than that unless they are equal. With `sizes`, those of the originals, only the largest of the tied
    stay, as `containment` asks.
    """
    best = scores.max(axis=1, initial=0.0)
    tied = (scores >= best[:, None] * (1 - TIE)) & (best[:, None] > 0)
    if sizes is not None:
        size = np.where(tied, sizes, -1)
        tied &= size == size.max(axis=1, keepdims=True)
    pairs = sparse.csr_array(tied)
    return Nearest(pairs.indptr.astype(np.int64), pairs.indices.astype(np.int64), best)


def _of_all(task: Task, block: Block) -> Search:
    """Return the search in which nobody is left out."""
    return Search(task.released, block, task.measure, task.originals, np.empty(0, np.int64))


def _loops() -> ModuleType:
    """Import the compiled loops only when they are needed: numba takes a second."""
    return import_module("kakurenbo.kernels.nearest.loops")


def _leading() -> ModuleType:
    return import_module("kakurenbo.kernels.nearest.leading")


def _ratios(shape: int | tuple[int, int]) -> Floats:
    """Return scores 0/1 of this shape, above and below the line in the last axis."""
    ratios = np.zeros((*np.atleast_1d(shape), 2))
    ratios[..., 1] = 1
    return ratios


def _blocks(task: Task) -> Iterator[Block]:
    """Turn the originals around, one block at a time, in the order of their sizes.

    Where the larger original wins a tie the largest come first: they leave nothing to do for the small.
    """
    sizes = task.originals.sizes
    order = np.argsort(-sizes if task.measure.divisor == ORIGINAL else sizes, kind="stable")
    for first in range(0, len(order), _WIDTH):
        ids = order[first : first + _WIDTH]
        frequent = _FREQUENT * len(ids) if task.measure.adds == ONE else np.inf
        yield _loops().turn(task.originals, ids, task.goods, frequent)


@contextmanager
def _crew(rows: int, threads: int | None) -> Iterator[Callable[[Callable[[int, int], Pairs]], list[Pairs]]]:
    """Share the released rows out to threads: yields a function that calls work(first, last) for all."""
    workers = (processors() if rows > _FEW else 1) if threads is None else threads
    if workers < 1:
        raise ParameterError(f"At least 1 thread is needed; got {threads}.", code="parameter")
    bounds = np.linspace(0, rows, (1 if workers == 1 else 8 * workers) + 1).astype(int).tolist()
    if workers == 1:
        yield lambda work: list(map(work, bounds[:-1], bounds[1:]))
        return
    with ThreadPoolExecutor(workers) as pool:
        yield lambda work: list(pool.map(work, bounds[:-1], bounds[1:]))


def _still_best(task: Task, best: Floats, parts: list[Pairs]) -> Pairs:
    """Join the pairs found and keep those that no later block has beaten."""
    who, whom, sums = (np.concatenate(part) for part in zip(*parts, strict=True))
    sizes = task.released.sizes, task.originals.sizes
    equal = _loops().equal_best(task.measure, *sizes, best, (who, whom, sums))
    return who[equal], whom[equal], sums[equal]


def _by_row(task: Task, best: Floats, pairs: list[Pairs]) -> Nearest:
    shape = len(best), len(task.originals.sizes)
    who, whom, _ = _still_best(task, best, pairs)
    table = sparse.coo_array((np.ones(len(who), np.bool_), (who, whom)), shape=shape).tocsr()
    table.sort_indices()
    return Nearest(table.indptr.astype(np.int64), table.indices.astype(np.int64), best[:, 0] / best[:, 1])
