"""A belief: what an attacker takes to be a person's, after he has looked at a release.

He may think that a target is one of several released people and believe what he sees there, or that certain
released receipts are the target's. Either way he has for every target one or several bundles of keys (goods,
goods with months) that are equally believable; what of it is true, `risk.learnt` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

Matrix: TypeAlias = "sparse.csr_array[Any] | sparse.csr_matrix[Any]"


@dataclass(frozen=True, eq=False)
class Belief:
    """What an attacker believes of every target: any of these bundles of keys may be what he has.

    Attributes:
        bundles: bundles x keys, such as the released people and what they have.
        indptr: target t may have the bundles indices[indptr[t]:indptr[t+1]]; none of them means no belief.
        indices: the bundles.
        strength: how well each target is matched, where that is known.
    """

    bundles: Matrix
    indptr: Ints
    indices: Ints
    strength: NDArray[np.float64] | None = None

    @classmethod
    def of_each(cls, bundles: Matrix) -> Belief:
        """Return the belief that target t has bundle t."""
        each = np.arange(bundles.shape[0] + 1, dtype=np.int64)
        return cls(bundles, each, each[:-1])

    def about(self, targets: Ints) -> Belief:
        """Return what is believed of these targets."""
        start, count = self.indptr[targets], np.diff(self.indptr)[targets]
        shift = np.repeat(start - (np.cumsum(count) - count), count)
        bounds = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        strength = None if self.strength is None else self.strength[targets]
        return Belief(self.bundles, bounds, self.indices[np.arange(len(shift)) + shift], strength)

    def cautious(self) -> Belief:
        """Return the belief in what all bundles of a target agree on, and in nothing else."""
        count = np.diff(self.indptr)
        shape = len(count), self.bundles.shape[0]
        named = sparse.csr_array(
            (np.ones(len(self.indices), np.int64), self.indices, self.indptr), shape=shape
        )
        held = sparse.csr_array(named @ present(self.bundles))
        held.data = (held.data == np.repeat(count, np.diff(held.indptr))).astype(np.int64)
        held.eliminate_zeros()
        some = count > 0
        return Belief(held, np.concatenate([[0], np.cumsum(some)]), np.flatnonzero(some))


def present(matrix: Matrix) -> sparse.csr_array[Any]:
    """Return who has which key, each once."""
    made = sparse.csr_array(matrix, copy=True).astype(np.int64)
    made.data[:] = 1
    return made
