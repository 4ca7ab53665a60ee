"""All parts of the campaign, in the order they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.blinding import Blinding
from soak.bombs import Bombs
from soak.canaries import Canaries
from soak.contest import ContestKills
from soak.destruction import Destruction
from soak.extremes import Extremes
from soak.failures import Failures
from soak.kills import Kills
from soak.mutations import Mutations
from soak.places import Places
from soak.planted import Planted
from soak.races import Races

if TYPE_CHECKING:
    from soak.part import Part

_ALL: tuple[type[Part], ...] = (
    Kills, Failures, Destruction, Races, Mutations, Bombs, Extremes, Canaries, Planted, Blinding, Places,
    ContestKills,
)  # fmt: skip

PARTS: dict[str, type[Part]] = {part.name: part for part in _ALL}
