"""The words of a release: the original written as the release writes, so that both can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from kakurenbo.attacks.microdata.coarser import coarser, written_alike
from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.auditing.coverage.covered import coverage
from kakurenbo.auditing.proof.transformations import shown
from kakurenbo.auditing.proof.transformed import prove_transformed
from kakurenbo.auditing.results import TransformedProof
from kakurenbo.data.table import ByKind, Data
from kakurenbo.mappings import common_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.auditing.coverage.covered import Coverage
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress


def _nothing_shown(*, seed: int, progress: Progress) -> TransformedProof:  # noqa: ARG001
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
    common, _ = found.original.common_with(released)
    covered = coverage(common, released)
    proved = partial(prove_transformed, original, shown(found, covered), like=released)
    life = lifetime(common, released)
    inferred = found.inferred if life is None else (*found.inferred, str(life))
    return Spoken(common, found.alike, inferred, covered, proved)


def _microdata(original: Microdata, released: Microdata) -> Spoken[Microdata]:
    columns = coarser(original, released)
    common, _ = written_alike(original, columns).common_with(released)
    return Spoken(common, lambda data: written_alike(data, columns), tuple(map(str, columns)))


vocabulary: ByKind[Spoken[Any]] = ByKind(purchases=_purchases, microdata=_microdata)
