"""What attackers achieved on a release: rates with the people behind them, and who could not attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from kakurenbo.data.table import Data

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.linear.search import Search
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Finding, Skipped


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an attacker achieved, and with whom: the chance of every name to be given to its owner.

    The chances stand in the order of the owners' rows, fakes left out; not a number where nobody asked.
    """

    attacker: Attacker
    finding: Finding
    chance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PanelRun(Generic[Data]):
    """A run of the panel.

    Attributes:
        outcomes: worst first.
        skipped: who could not attack, and why.
        tables: the tables that were attacked, or those of the people who were looked for among all.
        whole: whether they are whole.
        search: where people were taken to be; None where the time was over before.
    """

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    tables: Tables[Data]
    whole: bool = True
    search: Search[Data] | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone."""
        return tuple(outcome.finding for outcome in self.outcomes)
