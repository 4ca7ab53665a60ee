"""What every part of the soak is: an endless (or finite) list of numbered cases, each tried on its own.

A case is made from (seed, number) alone, so a failure is repeated by `python -m soak PART --only NUMBER`.
It answers None, or in a sentence what went wrong. Whatever else a case has to tell (releases retried, leaks
caught) it counts in `counts`. A worker that dies or hangs is a failure of the case it was at.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pathlib import Path


class Part(ABC):
    """One part of the campaign."""

    name: ClassVar[str]
    promise: ClassVar[str]  # what must never fail, in a sentence
    share: ClassVar[float]  # of the time given to all parts
    enough: ClassVar[int]  # cases that a full campaign must have tried
    total: ClassVar[int | None] = None  # all the cases there are, None where they never end
    patience: ClassVar[float] = 30.0  # seconds after which a case counts as hanging
    preloaded: ClassVar[bool] = False  # whether the workers run under the shim that fails and kills

    def __init__(self, place: Path, seed: int) -> None:
        self.place = place  # a folder of this worker's own
        self.seed = seed
        self.counts: Counter[str] = Counter()

    def chance(self, number: int) -> Random:
        """Return the chance of one case."""
        digest = hashlib.blake2b(f"{self.seed}/{self.name}/{number}".encode(), digest_size=8).digest()
        return Random(int.from_bytes(digest, "little"))

    @abstractmethod
    def case(self, number: int) -> str | None:
        """Try one case; return what went wrong."""
