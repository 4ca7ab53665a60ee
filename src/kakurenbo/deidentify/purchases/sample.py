"""Sample: only a share of the people is released, each with all that he has.

The oldest of protections, and a weak one: nobody can be sure that somebody he knows is in the release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed, Method

if TYPE_CHECKING:
    from kakurenbo.chance import Chance


class Sample(Method[Purchases]):
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
        name="sample", kind="purchases", source="common practice", promises=("samples",), slot="records",
        knobs=(Knob("share", low=0.1, high=0.9),), example={"share": 0.5},
    )  # fmt: skip

    share: float = Field(gt=0, le=1, description="share of the people to release")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases of those who were drawn."""
        people = data.customers
        count = max(round(self.share * len(people)), 1)
        drawn = people.gather(np.sort(chance.order("sample", people)[:count]))
        kept = data.of(drawn)
        facts = Facts(deleted=len(data) - len(kept), extras={"people_left_out": len(people) - count})
        return Changed(kept, facts)
