"""Sample: only a share of the people is released, each with all that he has.

The oldest of protections, and a weak one: nobody can be sure that somebody he knows is in the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import OverTable
from kakurenbo.deidentify.fitted import Fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress


class Sample(OverTable):
    """Release a random share of the people, at least one, and leave the others out altogether.

    Everybody who is released keeps all his records, so shares, means and whole histories stay true, within
    what luck makes of a smaller number; sums shrink by the share.

    What it protects: who is left out, entirely; and as long as nobody knows who was drawn, an attacker who
    finds a history that fits cannot be sure that it is not another's.

    What it does not do: **who is released is as easy to find as before.** So what is found and learnt is
    counted among the released, and that hardly falls; who knows sharp records recognises them, and then also
    knows that this person was drawn. Fewer people are also fewer to hide among: methods that make groups
    after it pay more. It is for chaining, and for handing out no more than is needed.
    """

    about: ClassVar = MethodAbout(
        name="sample", kind="purchases", reach="table",
        source="common practice", promises=("samples",), slot="records",
        knobs=(Knob("share", low=0.1, high=0.9),), example={"share": 0.5},
    )  # fmt: skip

    share: float = Field(gt=0, le=1, description="share of the people to release")

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Draw for everybody, and learn which draws are small enough."""
        drawn = np.concatenate(list(blocks.map(_Drawing(chance), progress=progress, doing="drawing people")))
        count = max(round(self.share * len(drawn)), 1)
        return Fitted(blocks, _Drawn(chance, int(np.partition(drawn, count - 1)[count - 1])))


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The pass that draws a number for everybody."""

    chance: Chance

    def __call__(self, data: Purchases) -> NDArray[np.uint64]:
        return self.chance.numbers("sample", data.customers)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Whose number is at most so much is released."""

    chance: Chance
    most: int

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        people = data.customers
        drawn = people.filter(pl.Series(self.chance.numbers("sample", people) <= np.uint64(self.most)))
        kept = data.of(drawn)
        extras = {"people_left_out": len(people) - len(drawn)}
        return Changed(kept, Facts(deleted=len(data) - len(kept), extras=extras))
