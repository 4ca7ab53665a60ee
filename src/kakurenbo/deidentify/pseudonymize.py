"""Pseudonymize: change the names and nothing else.

The least that is done in practice, and the control of every experiment: all that identifies a person besides
the name is still there, so an attacker who knows the goods of a customer finds nearly everyone. Not a
protection; the audit shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from kakurenbo.about import MethodAbout
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed
from kakurenbo.data.table import Data
from kakurenbo.deidentify.base import Method

if TYPE_CHECKING:
    from kakurenbo.chance import Chance

_UNTUNED = "every plan ends in new names, and a plan without steps is nothing else"


class _NewNames(Method[Data]):
    def change(self, data: Data, chance: Chance) -> Changed[Data]:  # noqa: ARG002 - names come later
        """Return the table as it is."""
        return Changed(data)


class Pseudonymize(_NewNames[Purchases]):
    """New names and receipts, the records untouched: what is not enough."""

    about: ClassVar = MethodAbout(
        name="pseudonymize", kind="purchases", reach="person",
        source="common practice", promises=("keeps-records",),
        untuned=_UNTUNED,
    )  # fmt: skip


class PseudonymizeMicrodata(_NewNames[Microdata]):
    """New ids and row order, the values untouched: what is not enough."""

    about: ClassVar = MethodAbout(
        name="pseudonymize", kind="microdata", source="common practice",
        promises=("keeps-records", "keeps-qi"), untuned=_UNTUNED,
    )  # fmt: skip
