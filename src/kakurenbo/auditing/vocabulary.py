"""The words of a release: the original written as the release writes, so that both can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.attacks.purchases.mappings import common_vocabulary
from kakurenbo.auditing.coverage.covered import coverage
from kakurenbo.auditing.proof.transformations import shown
from kakurenbo.auditing.proof.transformed import prove_transformed
from kakurenbo.auditing.results import TransformedProof
from kakurenbo.data.table import ByKind, Data

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kakurenbo.auditing.coverage.covered import Coverage
    from kakurenbo.auditing.proof.transformations import Transformation
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table
    from kakurenbo.progress import Progress


def _nothing_shown(original: Table, *, seed: int, progress: Progress) -> TransformedProof:  # noqa: ARG001
    return TransformedProof()


@dataclass(frozen=True, eq=False)
class Spoken(Generic[Data]):
    """The original in the words of a release.

    Attributes:
        original: written as the release writes.
        alike: writes other people's data so.
        inferred: what the release writes otherwise, in words.
        coverage: what of every role can then be compared.
        proved: tries attackers on a copy of the original in the release's disguise.
    """

    original: Data
    alike: Callable[[Data], Data]
    inferred: tuple[str, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    proved: Callable[..., TransformedProof] = _nothing_shown


def _purchases(original: Purchases, released: Purchases) -> Spoken[Purchases]:
    found = common_vocabulary(original, released)
    covered = coverage(found.original, released)
    proved = partial(_proved, shown(found, covered), released.roles)
    life = lifetime(found.original, released)
    inferred = found.inferred if life is None else (*found.inferred, str(life))
    return Spoken(found.original, found.alike, inferred, covered, proved)


def _proved(
    shows: Sequence[Transformation],
    roles: Sequence[str],
    original: Purchases,
    *,
    seed: int,
    progress: Progress,
) -> TransformedProof:
    return prove_transformed(original, shows, roles=roles, seed=seed, progress=progress)


def _microdata(original: Microdata, released: Microdata) -> Spoken[Microdata]:  # noqa: ARG001 - read as it is
    return Spoken(original, lambda data: data)


vocabulary: ByKind[Spoken[Any]] = ByKind(purchases=_purchases, microdata=_microdata)
