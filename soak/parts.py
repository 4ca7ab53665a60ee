"""All parts of the campaign, in the order they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.bombs import Bombs
from soak.extremes import Extremes
from soak.mutations import Mutations

if TYPE_CHECKING:
    from soak.part import Part

_ALL: tuple[type[Part], ...] = (Bombs, Extremes, Mutations)

PARTS: dict[str, type[Part]] = {part.name: part for part in _ALL}
