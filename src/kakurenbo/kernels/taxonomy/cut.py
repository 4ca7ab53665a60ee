"""The cut that loses the least detail for a risk: exact on the tree for every price of risk.

A word of the cut is a node of the tree, with or without the goods of it that many buy: those may stay
themselves while the rest of the node is lumped. Risk and loss both add up over the words, so for a price of
risk the best cut is found from the leaves up: a node is left whole, left whole without its goods of a crowd
of m at least (a few m are tried), or divided as its children are best divided. The price is raised until the
risk is low enough.

What a record loses, in bits: log2(records of its word / records of its good), what one would have to be told
to know the good; and something for not being itself, and for the share of all goods that its word may stand
for (the certainty penalty), as the purpose weighs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.taxonomy.risk import Counted

    Numbers = NDArray[np.float64]
    Codes = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_CROWDS = 12  # tried for goods that stay themselves
_RANGE = 60.0  # from the greatest crowd of a good down to this part of it
_HALVINGS = 16
_ROUNDING = 1e-9
_DIVIDED = -1


@dataclass(frozen=True, eq=False)
class Forest:
    """A tree with goods as its leaves.

    Attributes:
        parents: of every node, the goods first; the root's is -1.
        goods: how many.
        fixed: goods that cannot be told from a node of the same name, and so never stay themselves.
    """

    parents: Codes
    goods: int
    fixed: Flags

    @property
    def depths(self) -> Codes:
        """How far every node is from the root."""
        depths, up = np.zeros(len(self.parents), dtype=np.int64), self.parents
        while (there := up >= 0).any():
            depths += there
            up = np.where(there, self.parents[up], -1)
        return depths


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut: of every good its node, and whether it stays itself all the same.

    Attributes:
        nodes: the node of each good that the cut goes through, the good itself where it does there.
        own: whether the good is released as itself.
        risk: V of the cut; see `risk`.
    """

    nodes: Codes
    own: Flags
    risk: float


@dataclass(frozen=True, eq=False)
class _Choices:
    """What every node costs, by the crowd from which its goods stay themselves; see the head of the file."""

    crowds: Numbers
    stays: NDArray[np.bool_]
    risks: Numbers
    losses: Numbers


def cut_for(bought: Counted, forest: Forest, most: float, *, own: float, span: float) -> Cut:
    """Return the cut of the least loss whose risk V is at most so much; the root where none is.

    Args:
        bought: who bought what, when.
        forest: the tree.
        most: the greatest V.
        own: what a record loses by not being itself, in bits.
        span: what a record would lose whose word stood for all goods, in bits.
    """
    depths = forest.depths
    order = [np.flatnonzero(depths == depth) for depth in range(int(depths.max()) + 1)]
    choices = _choices(bought, forest, order, own, span)
    root, most = int(order[0][0]), most * (1 + _ROUNDING)
    if choices.risks[0, root] > most:
        return Cut(np.full(forest.goods, root), np.zeros(forest.goods, bool), float(choices.risks[0, root]))
    low = high = 1.0
    best = _best(choices, forest, order, 0.0)
    while best.risk > most:
        low, high = high, high * 8
        best = _best(choices, forest, order, high)
    for _ in range(_HALVINGS if high > low else 0):
        price = (low * high) ** 0.5
        tried = _best(choices, forest, order, price)
        if tried.risk <= most:
            best, high = tried, price
        else:
            low = price
    return best


def _choices(bought: Counted, forest: Forest, order: list[Codes], own: float, span: float) -> _Choices:
    goods, total = forest.goods, bought.records.sum()
    alone = bought.alone
    crowd = np.where(forest.fixed, 0.0, bought.mass / np.maximum(alone, 1e-300))
    greatest = max(float(crowd.max()), 2.0)
    crowds = np.concatenate([[np.inf], np.geomspace(greatest, max(greatest / _RANGE, 1.0), _CROWDS)])
    stays = crowd >= crowds[:, None]
    risks, losses = [], []
    for staying, rest in zip(stays, bought.risks(forest.parents, stays), strict=True):
        risks.append(rest + _summed(np.where(staying, alone, 0.0), forest, order))
        held = np.where(staying, 0.0, bought.records)
        records = _summed(held, forest, order)
        kinds = _summed((~staying).astype(np.float64), forest, order)
        bits = _entropy(records) - _summed(_entropy(held), forest, order)
        penalty = span * np.maximum(kinds - 1, 0) / max(goods - 1, 1)
        losses.append((bits + records * ((kinds > 1) * own + penalty)) / total)
    return _Choices(crowds, stays, np.array(risks), np.array(losses))


def _best(choices: _Choices, forest: Forest, order: list[Codes], price: float) -> Cut:
    """Return the best cut at a price of risk: bits lost + price * V."""
    costs = choices.losses + price * choices.risks
    costs[:, : forest.goods][:, forest.fixed] = np.inf
    choice = costs.argmin(axis=0)
    nodes = np.arange(len(choice))
    cost, risk = costs[choice, nodes], choices.risks[choice, nodes]
    divided_cost, divided_risk = np.zeros(len(nodes)), np.zeros(len(nodes))
    for level in reversed(order):
        inner = level[level >= forest.goods]
        split = inner[divided_cost[inner] < cost[inner]]
        cost[split], risk[split], choice[split] = divided_cost[split], divided_risk[split], _DIVIDED
        below = level[forest.parents[level] >= 0]
        np.add.at(divided_cost, forest.parents[below], cost[below])
        np.add.at(divided_risk, forest.parents[below], risk[below])
    return _read(choices, forest, order, choice, float(risk[order[0]].sum()))


def _read(choices: _Choices, forest: Forest, order: list[Codes], choice: Codes, risk: float) -> Cut:
    """Return the cut that the choices of the nodes make, from the root down."""
    through = np.full(len(choice), _DIVIDED, dtype=np.int64)
    for level in order:
        parents = forest.parents[level]
        above = np.where(parents >= 0, through[parents], _DIVIDED)
        here = (above == _DIVIDED) & (choice[level] != _DIVIDED)
        through[level] = np.where(here, level, above)
    nodes = through[: forest.goods]
    own = choices.stays[choice[nodes], np.arange(forest.goods)] | (nodes < forest.goods)
    return Cut(nodes, own, risk)


def _summed(of_goods: Numbers, forest: Forest, order: list[Codes]) -> Numbers:
    """Return the sum over its goods of every node."""
    sums = np.zeros(len(forest.parents))
    sums[: forest.goods] = of_goods
    for level in reversed(order[1:]):
        np.add.at(sums, forest.parents[level], sums[level])
    return sums


def _entropy(records: Numbers) -> Numbers:
    """Return n log2 n."""
    return records * np.log2(np.maximum(records, 1.0))
