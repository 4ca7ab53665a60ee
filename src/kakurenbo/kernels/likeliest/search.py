"""Who is likeliest: the search over flat arrays, shared out to threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.nearest import Nearest
from kakurenbo.kernels.scan.records import WIDTH, quicker, shared
from kakurenbo.kernels.scan.spread import joined
from kakurenbo.threads import in_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from kakurenbo.kernels.nearest import Matrix


_FEW = 20_000  # known records that are looked up before threads have started


class Postings(NamedTuple):
    """The released people by key, all grains one after the other.

    Attributes:
        starts: key c is held by who[starts[c]:starts[c+1]].
        who: the released people.
        share: the share of each one's records that have the key, or how many times the mean share it is.
        people: how many they are.
    """

    starts: npt.NDArray[np.int64]
    who: npt.NDArray[np.int32]
    share: npt.NDArray[np.float64]
    people: int

    @classmethod
    def of(cls, grains: Sequence[Matrix], *, relative: bool = False) -> Postings:
        """Turn the matrices of people x keys around, one a grain, which count records.

        With `relative` a share is divided by that of all records: what is rare among all counts for more,
        so that sharp and coarse grains may be added up.
        """
        starts, who, share = [np.zeros(1, np.int64)], [], []
        for matrix in grains:
            length = np.maximum(np.asarray(matrix.sum(axis=1)).ravel(), 1)
            turned = matrix.tocsc()
            held = turned.data / length[turned.indices]
            if relative:
                records = np.maximum(np.asarray(turned.sum(axis=0)).ravel(), 1)
                held *= np.repeat(length.sum() / records, np.diff(turned.indptr))
            starts.append(turned.indptr[1:].astype(np.int64) + starts[-1][-1])
            who.append(turned.indices.astype(np.int32))
            share.append(held)
        return cls(np.concatenate(starts), np.concatenate(who), np.concatenate(share), grains[0].shape[0])

    @classmethod
    def by_rarity(cls, grains: Sequence[Matrix]) -> Postings:
        """Turn the matrices around: who holds a key holds its rarity, ln(people / holders) + 1."""
        made = cls.of(grains)
        holders = np.diff(made.starts)
        rarity = np.log(made.people / np.maximum(holders, 1)) + 1
        return made._replace(share=np.repeat(rarity, holders))


def heaviest(bounds: npt.NDArray[np.int64], keys: npt.NDArray[np.int64], released: Postings) -> Nearest:
    """Find for every target all released people who hold most of what is known of him, each key once.

    Args:
        bounds: target t knows the keys bounds[t]:bounds[t+1].
        keys: known keys in one column, numbered as in `released`.
        released: the released people by key.

    Returns:
        As `likeliest`; the score is the sum of what is held.
    """
    return likeliest(bounds, keys, released, least=0.0)


def likeliest(
    bounds: npt.NDArray[np.int64], keys: npt.NDArray[np.int64], released: Postings, *, least: float
) -> Nearest:
    """Find for every target all released people from whom what is known of him was most likely drawn.

    Args:
        bounds: target t knows the records bounds[t]:bounds[t+1].
        keys: known records x grains, numbered as in `released`; -1 where a record has no key.
        released: the released people by key.
        least: what is added to p(record | y); where it is 0, what is held is added up as it is.

    Returns:
        The tied likeliest of each target, ascending; the score is the logarithm of the likelihood above that
        of matching nothing. An empty slice means that nothing matches: all tie.
    """
    from kakurenbo.kernels.likeliest import loops  # noqa: PLC0415 - loads the compiler

    if least and keys.shape[1] > 1:
        records, numbers = _different(keys)
        lengths = np.append(np.diff(released.starts), 0)[records].sum(axis=1)  # of none, the last
        if quicker(lengths, numbers, released.people):
            return _by_records((bounds, numbers), records, released, least)
    held = released.share
    if least and keys.shape[1] == 1:  # each logarithm is of one share: taken once, it is only added up
        held, least = np.log(held + least) - np.log(least), 0.0
    flat = (released.starts, released.who, held)
    targets = len(bounds) - 1
    parts = in_parts(
        lambda first, last: loops.search(bounds[first : last + 1], keys, flat, released.people, least),
        targets, few=targets + 1 if len(keys) < _FEW else 1,
    )  # fmt: skip
    counts, who, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _sorted(np.repeat(np.arange(targets), counts), who, scores)


def _different(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return every different record once, and of each record which it is."""
    hashed = joined([np.ascontiguousarray(column).view(np.uint64) for column in keys.T], len(keys))
    _, first, numbers = np.unique(hashed, return_index=True, return_inverse=True)
    return keys[first].astype(np.int32), numbers.astype(np.int64)


def _by_records(
    known: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    records: npt.NDArray[np.int32],
    released: Postings,
    least: float,
) -> Nearest:
    """Find them by records that many targets know alike, as where words are coarse; parts are of people."""
    from kakurenbo.kernels.likeliest import loops  # noqa: PLC0415 - loads the compiler

    lists, laid = (released.starts, released.who, released.share), shared(records)
    parts = in_parts(
        lambda first, last: loops.search_by_records(known, laid, lists, least, WIDTH, first, last),
        released.people, few=released.people + 1 if len(known[1]) < _FEW else 1,
    )  # fmt: skip
    best = np.max([part[0] for part in parts], axis=0)
    which, who, scores = (np.concatenate(column) for column in list(zip(*parts, strict=True))[1:])
    tied = scores >= best[which] * (1 - loops.CLOSE)
    return _sorted(which[tied], who[tied], best)


def _sorted(
    target: npt.NDArray[np.int64], who: npt.NDArray[np.int32], scores: npt.NDArray[np.float64]
) -> Nearest:
    order = np.lexsort((who, target))
    indptr = np.searchsorted(target[order], np.arange(len(scores) + 1)).astype(np.int64)
    return Nearest(indptr, who[order].astype(np.int64), scores)
