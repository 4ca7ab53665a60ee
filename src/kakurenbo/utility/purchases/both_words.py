"""Measures of what coarser words cost: they see every record in both words, its own and the release's."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from kakurenbo.data.purchases import Purchases
from kakurenbo.mappings import common_vocabulary
from kakurenbo.measure import Detailed, Measure, Measured

if TYPE_CHECKING:
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing


class InBothWords(Measure[Purchases]):
    """A measure of the original as it is against itself as the release writes it; nobody is followed."""

    def of(
        self,
        original: Purchases,
        released: Purchases,
        secret: Owners | Pairing | None = None,  # noqa: ARG002 - nobody is followed
        *,
        spoken: Purchases | None = None,
    ) -> Measured:
        """Measure a release by the original in both words; see `Measure.of`."""
        words = common_vocabulary(original, released).original if spoken is None else spoken
        lost = self.lost(original, words, released)
        return Measured(lost.value, self.about.unit, self.about.better, lost.detail)

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Return the bare number."""
        return self.of(original, released, secret).value

    @abstractmethod
    def lost(self, original: Purchases, words: Purchases, released: Purchases) -> Detailed:
        """Return what the words of the release take away.

        Args:
            original: the data before.
            words: the same, record by record, in the words of the release.
            released: the data after, which may leave columns out.
        """
