"""All parts of the campaign, in the order they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.blinding import Blinding
from soak.canaries import Canaries
from soak.planted import Planted

if TYPE_CHECKING:
    from soak.part import Part

_ALL: tuple[type[Part], ...] = (Canaries, Planted, Blinding)

PARTS: dict[str, type[Part]] = {part.name: part for part in _ALL}
