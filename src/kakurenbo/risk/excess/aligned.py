"""Follow people through a release: their rows before and after, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.kernels.distances import Distance, People

    Data = Purchases | Microdata


def fitting(data: Data, distance: Distance | None) -> Distance:
    """Return the distance asked for, or the usual one of this kind of data; refuse one that does not fit."""
    if distance is None:
        return "euclid" if isinstance(data, Microdata) else "multiset"
    if (distance == "euclid") != isinstance(data, Microdata):
        raise ParameterError(
            "The distance euclid is for microdata, multiset and set are for purchases.", code="parameter"
        )
    return distance


def rows(data: Data, distance: Distance) -> People:
    """Return one row a person: the goods bought, or the sensitive attributes."""
    if isinstance(data, Purchases):
        return data.baskets(quantity=distance == "multiset").matrix
    if not data.sa:
        raise InputError(
            "The distance euclid needs sensitive attributes; name their columns in sa.",
            code="roles",
            parameter="sa",
        )
    return data.records.select(data.sa).to_numpy().astype(np.float64)


def aligned(original: Data, released: Data, secret: Pairing, distance: Distance) -> tuple[People, People]:
    """Return the original rows, and for each the released row that the secret pairs with it.

    A customer who is not in the release has become an empty basket. A person of microdata has no empty row,
    so there everybody must be released.
    """
    if isinstance(original, Purchases) and isinstance(released, Purchases):
        before = original.baskets(quantity=distance == "multiset")
        after = released.baskets(quantity=distance == "multiset")
        places = _places(before.customers, after.customers, secret)
        return _over_one_shelf(before, after, places)
    if not (isinstance(original, Microdata) and isinstance(released, Microdata)):
        raise ParameterError("The original and the release must be of one kind.", code="parameter")
    if original.sa != released.sa:
        raise InputError("The release must have the sensitive attributes of the original.", code="roles")
    places = _places(original.ids, released.ids, secret)
    if (places < 0).any():
        raise InputError(
            f"{int((places < 0).sum())} persons are not in the release; euclid needs everybody.",
            code="unknown-id",
        )
    return rows(original, distance), np.asarray(rows(released, distance))[places]


def _over_one_shelf(before: Baskets, after: Baskets, places: NDArray[np.int64]) -> tuple[People, People]:
    """Return both tables over the goods of either; place -1 is an empty basket."""
    goods = pl.concat([before.goods, after.goods]).unique().sort()
    a, b = before.over(goods).matrix, after.over(goods).matrix
    empty = sparse.csr_array((1, b.shape[1]), dtype=b.dtype)
    return a, sparse.csr_array(sparse.vstack([b, empty]).tocsr()[places])


def _places(people: pl.Series, released: pl.Series, secret: Pairing) -> NDArray[np.int64]:
    """Return for every original person the row of the release that is his, -1 where there is none."""
    if not secret.is_bijection:
        raise InputError("The secret must give everyone an original of his own.", code="duplicate-id")
    if not released.cast(pl.String).sort().equals(secret.released):
        raise InputError("The secret must speak of exactly the people in the release.", code="unknown-id")
    foreign = secret.original.is_in(people.implode()).not_().sum()
    if foreign:
        raise InputError(f"{foreign} people of the secret are not in the original.", code="unknown-id")
    row = pl.DataFrame({"released": released.cast(pl.String), "row": np.arange(len(released))})
    table = pl.DataFrame({"original": people.cast(pl.String)}).join(
        secret.frame.join(row, on="released"), on="original", how="left", maintain_order="left"
    )
    return table["row"].fill_null(-1).to_numpy().astype(np.int64)
