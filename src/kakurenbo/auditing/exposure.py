"""What can be said of a release without its pairing: how near it is to the original, and how unique it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.attacks.microdata.base import numbers
from kakurenbo.attacks.purchases.view import Sight, view
from kakurenbo.auditing.results import Crowds, Nearness, Singled
from kakurenbo.data.groups import group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.kernels.nearest import nearest
from kakurenbo.risk.exposure.unicity import unicity
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Data = Purchases | Microdata

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def nearness(original: Data, released: Data) -> Nearness:
    """Return how far every released person is from the nearest original, whoever that is.

    By the multiset distance of purchases (the set's, where quantities are unknown or beyond counting); by
    Euclid over the sensitive attributes in units of their spread; or, of microdata without any, 0 for equal
    quasi-identifiers and 1 otherwise.
    """
    name, distance = _distances(original, released)
    return Nearness(
        name, float((distance <= 1e-12).mean()), tuple(np.quantile(distance, _QUANTILES).tolist())
    )


def _distances(original: Data, released: Data) -> tuple[str, NDArray[np.float64]]:
    if isinstance(original, Purchases) and isinstance(released, Purchases):
        return _between_baskets(original, released)
    if not (isinstance(original, Microdata) and isinstance(released, Microdata)):
        raise TypeError("both must be of one kind")
    if not original.sa:
        before, after = group_codes([original.records, released.records], original.qi)
        return "quasi-identifiers", (~np.isin(after, before)).astype(np.float64)
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    a, b = numbers(original, released, original.sa, "spread")
    return "euclid", np.asarray(cKDTree(a).query(b)[0])


def _between_baskets(original: Purchases, released: Purchases) -> tuple[str, NDArray[np.float64]]:
    if "quantity" in original.roles and "quantity" in released.roles:
        seen = view(original, released, Sight(("goods",), "pieces"))
        with suppress(InputError):  # more pieces than can be counted
            return "multiset", 1 - nearest(seen.theirs, seen.mine, "multiset").score
    seen = view(original, released, Sight(("goods",), "set"))
    return "set", 1 - nearest(seen.theirs, seen.mine, "jaccard").score


def uniqueness(released: Data, rng: np.random.Generator) -> tuple[Singled, ...]:
    """Return the share of released people whom a few points single out among the released."""
    if isinstance(released, Purchases):
        return tuple(Singled(one.knowledge, one.k, one.rate) for one in unicity(released, rng))
    (codes,) = group_codes([released.records], released.qi)
    alone = float((np.bincount(codes)[codes] == 1).mean())
    return (Singled("quasi-identifiers", 1, Rate.known(alone)),)


def crowds(released: Data) -> Crowds:
    """Return the groups of released people with equal goods sets, or quasi-identifiers."""
    if isinstance(released, Purchases):
        sizes, of = np.bincount(released.baskets().groups), "goods set"
    else:
        sizes, of = np.bincount(group_codes([released.records], released.qi)[0]), "quasi-identifiers"
    sizes = sizes[sizes > 0]
    table = pl.DataFrame({"size": sizes}).group_by("size").agg(people=pl.col("size").sum()).sort("size")
    return Crowds(
        of, len(sizes), int(sizes.min()), float(sizes.mean()), float((sizes == 1).sum() / sizes.sum()),
        tuple(table.iter_rows()),
    )  # fmt: skip
