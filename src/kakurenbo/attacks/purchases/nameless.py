"""What is left of goods and people when nobody and nothing keeps its name.

A good in another code is still bought by as many people, with baskets of such a size, as often again, at such
a price and in such quantities: that is its description. A person is described by what kinds of goods he buys:
the mean, over his goods, of waves over their descriptions (random Fourier features), so that two people are
as far apart as the distributions of their goods are. Of a person with many goods this mean is told well, with
few badly, and the distance counts accordingly. Descriptions are centred and scaled on each side, so that
records deleted and prices multiplied leave them as they are.

A person and his release are nearly always each other's nearest; these pairs are where `kernels.propagation`
can start from. People stand in an order that hangs on what they bought alone, so that between two who look
the same neither names nor rows decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.kernels.propagation import Pairs, mutual

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_WAVES = 256
_LENGTH = 1.5  # waves over one standard deviation of a description, about
_REPEATS = 0.5  # what it counts how often people buy a good again, beside how many buy it
_COUNTS: Mapping[Role, float] = {"price": 2.0, "quantity": 1.0}  # and what the mean logarithm of these does
NUMBERS: tuple[Role, ...] = tuple(_COUNTS)
_MOST = 4000  # people on a side who are compared: those with most goods, who are told best
_BLOCK = 512
_SHARP = 9  # decimals of a description that do not hang on the order of a sum


class Side(NamedTuple):
    """The people of one table as they buy, in the order of `by_content`.

    Attributes:
        rows: which rows of the table they are.
        sets: people x goods.
        described: goods x descriptions.
    """

    rows: Ints
    sets: Matrix
    described: Floats

    @classmethod
    def of(cls, data: Purchases, numbers: Iterable[Role] | None = None) -> Side:
        """Describe goods by who buys them; and, given which numbers count, by repeats and these numbers."""
        rows = by_content(data)
        sets = data.baskets().matrix[rows]
        buyers = _counts(sets.indices, sets.shape[1])
        size = np.log(np.diff(sets.indptr))
        among = np.bincount(sets.indices, np.repeat(size, np.diff(sets.indptr)), sets.shape[1]) / buyers
        made = [_scaled(np.log(buyers), buyers), _scaled(among, buyers)]
        if numbers is not None:
            goods = data.records["goods"].to_physical().to_numpy()
            records = _counts(goods, sets.shape[1])
            made.append(_REPEATS * _scaled(np.log(records / buyers), buyers))
            for role in numbers:
                logs = np.log(data.records[role].to_numpy().astype(np.float64))
                mean = np.bincount(goods, logs, sets.shape[1]) / records
                made.append(_COUNTS[role] * _scaled(mean, buyers))
        described: Floats = np.stack(made, axis=1)
        return cls(rows, sets, described.round(_SHARP))


def by_content(data: Purchases) -> Ints:
    """Return the rows of people, ordered by what they bought, whatever their names and their place."""
    records = data.records.drop("customer", "receipt", strict=False).with_columns(
        pl.col(pl.Enum).cast(pl.String)
    )
    content = np.zeros(len(data.customers), dtype=np.uint64)
    np.add.at(content, data.records["customer"].to_physical().to_numpy(), records.hash_rows().to_numpy())
    return np.argsort(content, kind="stable")


def _counts(places: NDArray[np.integer], length: int) -> Floats:
    return np.bincount(places, minlength=length).astype(np.float64)


def _scaled(values: Floats, weights: Floats) -> Floats:
    """Return the values with mean 0 and deviation 1, as the buyers see them."""
    centred = values - np.average(values, weights=weights)
    deviation = np.sqrt(np.average(centred**2, weights=weights))
    scaled: Floats = centred / deviation if deviation > np.spacing(np.abs(values).max() + 1) else 0 * centred
    return scaled


class _People(NamedTuple):
    """People as points: the mean waves of their goods, and how many goods they have.

    Attributes:
        rows: which rows of the table they are.
        waves: of their goods, beside those of all people.
        goods: how many they have.
        size: the logarithm of that, scaled.
    """

    rows: Ints
    waves: Floats
    goods: Floats
    size: Floats

    @classmethod
    def of(cls, side: Side, frequencies: Floats, phases: Floats) -> _People:
        places = (side.described @ frequencies + phases).astype(np.float32)  # as sharp as needed, and quick
        waves = np.cos(places).astype(np.float64) * np.sqrt(2 / len(phases))
        goods = np.diff(side.sets.indptr).astype(np.float64)
        mean = np.asarray(side.sets.astype(np.float64) @ waves) / goods[:, None]
        mean -= mean.mean(axis=0)
        rows = np.sort(np.argsort(-goods, kind="stable")[:_MOST])
        size = _scaled(np.log(goods), np.ones(len(goods)))
        return cls(rows, mean[rows], goods[rows], size[rows])

    def apart(self, other: _People, rows: slice) -> Floats:
        """Return how far these of us are from the others, beside how well both are told."""
        mine = self.waves[rows]
        squared = (mine**2).sum(axis=1)[:, None] + (other.waves**2).sum(axis=1) - 2 * mine @ other.waves.T
        told = 1 / (1 / self.goods[rows, None] + 1 / other.goods)
        apart: Floats = squared * told + (self.size[rows, None] - other.size) ** 2
        return apart


def alike(known: Side, released: Side, rng: np.random.Generator) -> Pairs:
    """Pair the released and the known people who are each other's nearest by what kinds of goods they buy."""
    frequencies = _LENGTH * rng.standard_normal((known.described.shape[1], _WAVES))
    phases = rng.uniform(0, 2 * np.pi, _WAVES)
    mine, theirs = (_People.of(side, frequencies, phases) for side in (known, released))
    nearest = np.full(len(theirs.rows), -1, dtype=np.int64)
    back, least = np.full(len(mine.rows), -1, dtype=np.int64), np.full(len(mine.rows), np.inf)
    for start in range(0, len(nearest), _BLOCK):
        apart = theirs.apart(mine, slice(start, start + _BLOCK))
        nearest[start : start + _BLOCK] = apart.argmin(axis=1)
        best = apart.argmin(axis=0)
        nearer = apart[best, np.arange(len(back))] < least
        back[nearer], least[nearer] = best[nearer] + start, apart.min(axis=0)[nearer]
    pairs = mutual(nearest, back)
    return Pairs(theirs.rows[pairs.theirs], mine.rows[pairs.mine])


def told_apart(sets: Matrix, rng: np.random.Generator) -> float:
    """Return how many people can be told apart by who buys what where no good has a name, as a share.

    People are coloured by how many goods they have, goods by the colours of their buyers, people by the
    colours of their goods, until there are no more colours (colour refinement).
    """
    people, colours = sparse.csr_array(sets.astype(bool).astype(np.uint64)), 0
    turned = sparse.csr_array(people.T)
    colour = np.ones(sets.shape[0], dtype=np.int64)
    while len(np.unique(colour)) > colours:
        colours = len(np.unique(colour))
        of_goods = _coloured(turned, colour, rng)
        colour = _coloured(people, of_goods, rng)
    return colours / sets.shape[0]


def _coloured(sides: Matrix, colour: Ints, rng: np.random.Generator) -> Ints:
    """Return a colour for every row, the same for rows that have as many of each colour."""
    worth = rng.integers(2**63, size=int(colour.max()) + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        return np.unique(sides @ worth[colour], return_inverse=True)[1].astype(np.int64)
