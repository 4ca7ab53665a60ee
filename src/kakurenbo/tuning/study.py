"""The memory of a search: its trials so far, kept in a file if one is given.

Only finished trials are stored, one transaction each, so whatever moment a run is killed at, the file holds a
whole beginning of the search, and the next run continues it. It holds parameters and numbers; no id, no name,
no record. A study belongs to its data, limits and space: going on with others is refused, because the trials
would not speak of the same thing. How the file is kept is told in `ledger`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping  # noqa: TC003 - read at run time, when a study is
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from kakurenbo.document import plain, record
from kakurenbo.errors import ParameterError
from kakurenbo.provenance import Provenance
from kakurenbo.tuning.ledger import Ledger
from kakurenbo.tuning.results import Outcome, Trial

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.data.table import Table
    from kakurenbo.tuning.aim import Aim
    from kakurenbo.tuning.space import Space


@dataclass(frozen=True)
class Settings:
    """What makes two searches one.

    Attributes:
        provenance: the fingerprint of the data, and versions; only that of this program counts.
        max_risk: the limit on what is found, from which the first trials come.
        max_learnt: the limit on what is learnt.
        knowledge: the rung up to which attackers count; None for all.
        space: digest of the space of plans.
        weights: of the measures that count.
    """

    provenance: Provenance
    max_risk: float
    max_learnt: float
    knowledge: str | None
    space: str
    weights: Mapping[str, float]

    @classmethod
    def of(
        cls, data: Table, space: Space, limits: tuple[float, float], knowledge: str | None, aim: Aim
    ) -> Settings:
        """Return the settings of a search, with its limits on what is found and what is learnt."""
        provenance = Provenance(fingerprints={"data": data.fingerprint()})
        return cls(provenance, *limits, knowledge, space.version, aim.weights)

    @property
    def traits(self) -> dict[str, object]:
        """What must be equal for a search to go on, by what to say where it is not."""
        return {
            "other data": self.provenance.fingerprints,
            "another risk limit": (self.max_risk, self.max_learnt),
            "another knowledge": self.knowledge,
            "another space of plans": self.space,
            "another purpose": self.weights,
            "another version of this program": self.provenance.versions["kakurenbo"],
        }


@dataclass
class Study:
    """Trials in order, and the file behind them if there is one, until its `with` block is left.

    Attributes:
        seed: of all chance in the search.
        space: of its plans.
        trials: finished ones, in order.
        resumed: how many of them earlier runs had made.
        checks: outcomes of fresh draws, by trial and draw.
        checked: seconds since the search began, over all its runs, when the last fresh draw was done.
    """

    seed: int
    space: Space
    trials: list[Trial] = field(default_factory=list)
    resumed: int = 0
    checks: dict[tuple[int, int], Outcome] = field(default_factory=dict)
    checked: float = 0.0
    _file: Ledger | None = None

    @classmethod
    def opened(cls, path: Path | None, space: Space, settings: Settings, seed: int | None) -> Study:
        """Open or begin a study; without a path it lives in memory, without a seed one is drawn."""
        if path is None:
            return cls(_drawn(seed), space)
        file = Ledger.opened(path)
        try:
            return cls._of(file, space, settings, seed)
        except BaseException:
            file.close()
            raise

    @classmethod
    def _of(cls, file: Ledger, space: Space, settings: Settings, seed: int | None) -> Study:
        begun = file.begun()
        if begun is None:
            seed = _drawn(seed)
            file.begin({"seed": seed, **plain(settings)})
            return cls(seed, space, _file=file)
        try:
            earlier, stored_seed = record(Settings, begun), begun["seed"]
            trials = [Trial.from_dict(trial) for trial in file.trials()]
            kept = file.checks()
            checked = max((outcome.pop("clock", 0.0) for outcome in kept.values()), default=0.0)
            checks = {place: Outcome.from_dict(outcome) for place, outcome in kept.items()}
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise ParameterError(
                "The study's file cannot be read as one of this program's; begin a new one in another file.",
                code="file-broken",
            ) from error
        _require_same(earlier, settings, same_seed=seed in {None, stored_seed})
        return cls(stored_seed, space, trials, len(trials), checks, checked, file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    @property
    def clock(self) -> float:
        """Seconds of search and of fresh draws so far, over all runs."""
        return max(self.trials[-1].clock if self.trials else 0.0, self.checked)

    def add(self, trial: Trial) -> None:
        """Remember a finished trial, durably where there is a file."""
        if self._file is not None:
            self._file.add_trial(trial.number, trial.to_dict())
        self.trials.append(trial)

    def add_check(self, number: int, draw: int, outcome: Outcome, clock: float) -> None:
        """Remember a fresh draw of a trial's plan, and when it was done."""
        if self._file is not None:
            self._file.add_check(number, draw, {**outcome.to_dict(), "clock": clock})
        self.checked = clock
        self.checks[number, draw] = outcome


def _drawn(seed: int | None) -> int:
    return secrets.randbelow(2**32) if seed is None else seed


def _require_same(begun: Settings, settings: Settings, *, same_seed: bool) -> None:
    other = [words for words, trait in settings.traits.items() if begun.traits[words] != trait]
    if not same_seed:
        other.append("another seed")
    if other:
        raise ParameterError(
            f"The study was begun with {' and '.join(other)}; resume it as it was begun, or begin a new one "
            "in another file.",
            code="parameter",
        )
