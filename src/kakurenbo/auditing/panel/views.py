"""Two tables, looked at by many attackers: what they know, see and score is made once.

Attackers who differ only in how they read share the view of both tables and all similarities in it; sampled
knowledge is drawn once a seed, so that every attacker of a rung knows the same records.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.purchases.view import shows, view

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.likeness import LikenessAttack
    from kakurenbo.attacks.purchases.view import Sight, View
    from kakurenbo.data.purchases import Purchases


def plain(attack: LikenessAttack) -> LikenessAttack:
    """Return the attack as if it read by arg max: who differs in the reading alone is the same here."""
    return attack.model_copy(update={"reading": "nearest"})


class Shared:
    """An original and a release with everything attackers have in common, by the seed of what they know."""

    def __init__(self, original: Purchases, released: Purchases, seed: int) -> None:
        self.original, self.released, self._seed = original, released, seed
        self._observed: dict[Hashable, NDArray[np.int64] | None] = {}
        self._parts: dict[Hashable, Purchases] = {}
        self._shown: dict[Hashable, Purchases] = {}
        self._views: dict[Hashable, View] = {}

    def look(self, attack: LikenessAttack) -> View:
        """Return the attacker's view of both tables."""
        return attack.look(partial(self._see, attack), shows(self.original) & shows(self.released))

    def _see(self, attack: LikenessAttack, sight: Sight) -> View:
        whole = self._whole(attack, sight)
        rows = self._rows(attack)
        return whole if rows is None else whole.knowing(self._known(attack, rows), rows)

    def _whole(self, attack: LikenessAttack, sight: Sight) -> View:
        """Return the view of one who knows everything."""
        dropped = attack.drop if isinstance(attack, StripAttack) else None
        if dropped not in self._shown:
            self._shown[dropped] = attack.shown(self.released)
        if "master" in sight.parts:  # seen by one attacker only
            return view(self.original, self._shown[dropped], sight)
        if (dropped, sight) not in self._views:
            self._views[dropped, sight] = view(self.original, self._shown[dropped], sight)
        return self._views[dropped, sight]

    def _rows(self, attack: LikenessAttack) -> NDArray[np.int64] | None:
        """Return the records he knows: the same for all who know as many."""
        key = attack.share, attack.points, attack.point
        if key not in self._observed:
            rng = np.random.default_rng([self._seed, attack.points or 0])
            self._observed[key] = attack.observed(self.original, rng)
        return self._observed[key]

    def _known(self, attack: LikenessAttack, rows: NDArray[np.int64]) -> Purchases:
        key = attack.share, attack.points, attack.point
        if key not in self._parts:
            records = self.original.records[rows]
            self._parts[key] = self.original.with_records(records, master=self.original.master)
        return self._parts[key]
