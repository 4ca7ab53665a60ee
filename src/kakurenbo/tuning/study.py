"""The memory of a search: its trials so far, kept in a SQLite file if one is given.

Only finished trials are stored, one transaction each, so whatever moment a run is killed at, the file holds a
whole beginning of the search, and the next run continues it. It holds parameters and numbers; no id, no name,
no record. A study belongs to its data, limits and space: going on with others is refused, because the trials
would not speak of the same thing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from kakurenbo.document import plain, record
from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.provenance import Provenance
from kakurenbo.tuning.results import Outcome, Trial
from kakurenbo.tuning.sampling import DIRECTIONS, frozen, quiet

if TYPE_CHECKING:
    from pathlib import Path

    import optuna

    from kakurenbo.data.table import Table
    from kakurenbo.tuning.space import Space

_NAME: Final = "kakurenbo"
_MAGIC: Final = b"SQLite format 3\0"
_BEGUN, _CHECK = "begun", "check"


@dataclass(frozen=True)
class Settings:
    """What makes two searches one.

    Attributes:
        provenance: the fingerprint of the data, and versions; only that of this program counts.
        max_risk: the limit, from which the first trials come.
        knowledge: the rung up to which attackers count; None for all.
        space: digest of the space of plans.
    """

    provenance: Provenance
    max_risk: float
    knowledge: str | None
    space: str

    @classmethod
    def of(cls, data: Table, space: Space, max_risk: float, knowledge: str | None) -> Settings:
        """Return the settings of a search."""
        provenance = Provenance(fingerprints={"data": data.fingerprint()})
        return cls(provenance, max_risk, knowledge, space.version)

    @property
    def traits(self) -> dict[str, object]:
        """What must be equal for a search to go on, by what to say where it is not."""
        return {
            "other data": self.provenance.fingerprints,
            "another risk limit": self.max_risk,
            "another knowledge": self.knowledge,
            "another space of plans": self.space,
            "another version of this program": self.provenance.versions["kakurenbo"],
        }


@dataclass
class Study:
    """Trials in order, and the file behind them if there is one.

    Attributes:
        seed: of all chance in the search.
        space: of its plans.
        trials: finished ones, in order.
        resumed: how many of them earlier runs had made.
        checks: outcomes of fresh draws, by trial and draw.
    """

    seed: int
    space: Space
    trials: list[Trial] = field(default_factory=list)
    resumed: int = 0
    checks: dict[tuple[int, int], Outcome] = field(default_factory=dict)
    _kept: optuna.Study | None = None

    @classmethod
    def opened(cls, path: Path | None, space: Space, settings: Settings, seed: int | None) -> Study:
        """Open or begin a study; without a path it lives in memory, without a seed one is drawn."""
        if path is None:
            return cls(_drawn(seed), space)
        kept, begun = _load(path)
        if begun is None:
            seed = _drawn(seed)
            kept.set_user_attr(_BEGUN, {"seed": seed, **plain(settings)})
            return cls(seed, space, _kept=kept)
        stored_seed = kept.user_attrs[_BEGUN]["seed"]
        _require_same(begun, settings, same_seed=seed in {None, stored_seed})
        trials = [Trial.from_dict(trial.user_attrs) for trial in kept.get_trials(deepcopy=False)]
        return cls(stored_seed, space, trials, len(trials), _checks(kept), kept)

    @property
    def clock(self) -> float:
        """Seconds of search so far, over all runs."""
        return self.trials[-1].clock if self.trials else 0.0

    def add(self, trial: Trial) -> None:
        """Remember a finished trial, durably where there is a file."""
        if self._kept is not None:
            if len(self._kept.get_trials(deepcopy=False)) != trial.number:
                raise ParameterError("Another run is writing to this study; end one of them.", code="exists")
            _write(self._kept, frozen(trial, self.space, trial.to_dict()))
        self.trials.append(trial)

    def add_check(self, number: int, draw: int, outcome: Outcome) -> None:
        """Remember a fresh draw of a trial's plan."""
        if self._kept is not None:
            self._kept.set_user_attr(f"{_CHECK} {number} {draw}", outcome.to_dict())
        self.checks[number, draw] = outcome


def _drawn(seed: int | None) -> int:
    return secrets.randbelow(2**32) if seed is None else seed


def _load(path: Path) -> tuple[optuna.Study, Settings | None]:
    """Return the study of a file and what it was begun with, a new one where there is none."""
    tool = quiet()
    if path.exists() and path.read_bytes()[: len(_MAGIC)] not in {_MAGIC, b""}:
        raise ParameterError("The study's file is no SQLite file; choose another name.", code="parameter")
    if not path.parent.is_dir():
        raise WriteError("The folder for the study's file does not exist.", code="write")
    try:
        storage = tool.storages.RDBStorage(f"sqlite:///{path.resolve()}")
        study: optuna.Study = tool.create_study(
            storage=storage, study_name=_NAME, directions=DIRECTIONS, load_if_exists=True
        )
        begun = study.user_attrs.get(_BEGUN)
        return study, None if begun is None else record(Settings, begun)
    except Exception as error:  # whatever the storage's layers raise: the file is not a study
        raise ParameterError(
            "The study's file cannot be read as one; choose another name.", code="parameter"
        ) from error


def _write(study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
    try:
        study.add_trial(trial)
    except quiet().exceptions.StorageInternalError:
        raise WriteError(
            "The study's file could not be written; what is in it can be resumed.", code="write"
        ) from None


def _checks(study: optuna.Study) -> dict[tuple[int, int], Outcome]:
    checks: dict[tuple[int, int], Outcome] = {}
    for name, stored in study.user_attrs.items():
        word, *place = name.split()
        if word == _CHECK:
            checks[int(place[0]), int(place[1])] = Outcome.from_dict(stored)
    return checks


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
