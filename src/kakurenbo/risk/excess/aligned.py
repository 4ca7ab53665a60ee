"""Follow people through a release: their rows before and after, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.table import ByKind, require_shown
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table
    from kakurenbo.kernels.distances import Distance, People


_FITTING: dict[Kind, tuple[Distance, ...]] = {"purchases": ("multiset", "set"), "microdata": ("euclid",)}


def fitting(data: Table, distance: Distance | None) -> Distance:
    """Return the distance asked for, or the usual one of this kind of data; refuse one that does not fit."""
    usual = _FITTING[data.kind]
    if distance is None:
        return usual[0]
    if distance not in usual:
        raise ParameterError(
            "The distance euclid is for microdata, multiset and set are for purchases.", code="parameter"
        )
    return distance


def _baskets(data: Purchases, distance: Distance) -> People:
    return data.baskets(quantity=distance == "multiset").matrix


def _attributes(data: Microdata, distance: Distance) -> People:  # noqa: ARG001 - there is but one
    require_shown("The distance euclid", ["numbers"], data)
    return data.records.select(data.numbers).to_numpy().astype(np.float64)


# One row a person: the goods bought, or the sensitive attributes.
rows: ByKind[People] = ByKind(purchases=_baskets, microdata=_attributes)


def _aligned_baskets(
    original: Purchases, released: Purchases, secret: Pairing, distance: Distance
) -> tuple[People, People]:
    before, after = (data.baskets(quantity=distance == "multiset") for data in (original, released))
    return _over_one_shelf(before, after, placed(before.customers, after.customers, secret))


def _aligned_attributes(
    original: Microdata, released: Microdata, secret: Pairing, distance: Distance
) -> tuple[People, People]:
    if original.sa != released.sa:
        raise InputError("The release must have the sensitive attributes of the original.", code="roles")
    places = placed(original.ids, released.ids, secret)
    if (places < 0).any():
        raise InputError(
            f"{int((places < 0).sum())} persons are not in the release; euclid needs everybody.",
            code="unknown-id",
        )
    return rows(original, distance), np.asarray(rows(released, distance))[places]


# The original rows, and for each the released row that the secret pairs with it. A customer who is not in the
# release has become an empty basket; a person of microdata has no empty row, so there all must be in it.
aligned: ByKind[tuple[People, People]] = ByKind(purchases=_aligned_baskets, microdata=_aligned_attributes)


def _over_one_shelf(before: Baskets, after: Baskets, places: NDArray[np.int64]) -> tuple[People, People]:
    """Return both tables over the goods of either; place -1 is an empty basket."""
    goods = pl.concat([before.goods, after.goods]).unique().sort()
    a, b = before.over(goods).matrix, after.over(goods).matrix
    return a, at_places(b, places)


def at_places(rows: sparse.csr_array[Any], places: NDArray[np.int64]) -> sparse.csr_array[Any]:
    """Return the rows at these places; place -1 is an empty one."""
    empty = sparse.csr_array((1, rows.shape[1]), dtype=rows.dtype)
    return sparse.csr_array(sparse.vstack([rows, empty]).tocsr()[places])


def placed(people: pl.Series, released: pl.Series, secret: Pairing) -> NDArray[np.int64]:
    """Return for every original person the row of the release that is his, -1 where there is none."""
    row = pl.DataFrame({"released": released.cast(pl.String), "row": np.arange(len(released))})
    table = pl.DataFrame({"original": people.cast(pl.String)}).join(
        secret.frame.join(row, on="released"), on="original", how="left", maintain_order="left"
    )
    return table["row"].fill_null(-1).to_numpy().astype(np.int64)
