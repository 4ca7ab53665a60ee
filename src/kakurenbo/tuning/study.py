"""The memory of a search: its trials so far, kept in a SQLite file if one is given.

Only finished trials are stored, one transaction each, so whatever moment a run is killed at, the file holds a
whole beginning of the search, and the next run continues it. It holds parameters and numbers; no id, no name,
no record. A study belongs to its data, limits and space: going on with others is refused, because the trials
would not speak of the same thing.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kakurenbo import __version__
from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.plan import Plan
from kakurenbo.tuning.records import Outcome, Trial
from kakurenbo.tuning.sampling import DIRECTIONS, frozen, quiet

if TYPE_CHECKING:
    from pathlib import Path

    import optuna

    from kakurenbo.data.table import Table
    from kakurenbo.tuning.space import Space

_NAME: Final = "kakurenbo"
_MAGIC: Final = b"SQLite format 3\0"
_CHECK: Final = "check"
_OTHER: Final = {
    "fingerprint": "other data",
    "max_risk": "another risk limit",
    "knowledge": "another knowledge",
    "space": "another space of plans",
    "version": "another version of this program",
}


@dataclass(frozen=True)
class Settings:
    """What makes two searches one.

    Attributes:
        fingerprint: of the data's content.
        max_risk: the limit, from which the first trials come.
        knowledge: the rung up to which attackers count; None for all.
        space: digest of the space of plans.
        version: of this program.
    """

    fingerprint: str
    max_risk: float
    knowledge: str | None
    space: str
    version: str = __version__

    @classmethod
    def of(cls, data: Table, space: Space, max_risk: float, knowledge: str | None) -> Settings:
        """Return the settings of a search."""
        return cls(data.fingerprint(), max_risk, knowledge, space.version)


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
        kept = _load(path)
        stored = kept.user_attrs.get("begun")
        if stored is None:
            seed = _drawn(seed)
            kept.set_user_attr("begun", {"seed": seed, **asdict(settings)})
            return cls(seed, space, _kept=kept)
        _require_same(stored, settings, seed)
        trials = [_thawed(trial) for trial in kept.get_trials(deepcopy=False)]
        return cls(stored["seed"], space, trials, len(trials), _checks(kept), kept)

    @property
    def clock(self) -> float:
        """Seconds of search so far, over all runs."""
        return self.trials[-1].clock if self.trials else 0.0

    def add(self, trial: Trial) -> None:
        """Remember a finished trial, durably where there is a file."""
        if self._kept is not None:
            if len(self._kept.get_trials(deepcopy=False)) != trial.number:
                raise ParameterError("Another run is writing to this study; end one of them.", code="exists")
            told = {"origin": trial.origin, "plan": trial.plan.to_dict(), "clock": trial.clock}
            _written(self._kept, frozen(trial, self.space, **told, outcome=trial.outcome.to_json()))
        self.trials.append(trial)

    def add_check(self, number: int, draw: int, outcome: Outcome) -> None:
        """Remember a fresh draw of a trial's plan."""
        if self._kept is not None:
            self._kept.set_user_attr(f"{_CHECK} {number} {draw}", outcome.to_json())
        self.checks[number, draw] = outcome


def _drawn(seed: int | None) -> int:
    return secrets.randbelow(2**32) if seed is None else seed


def _load(path: Path) -> optuna.Study:
    """Return the study of a file, a new one where there is none."""
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
    except Exception as error:  # whatever the storage's layers raise: the file is not a study
        raise ParameterError(
            "The study's file cannot be read as one; choose another name.", code="parameter"
        ) from error
    return study


def _written(study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
    try:
        study.add_trial(trial)
    except quiet().exceptions.StorageInternalError:
        raise WriteError(
            "The study's file could not be written; what is in it can be resumed.", code="write"
        ) from None


def _checks(study: optuna.Study) -> dict[tuple[int, int], Outcome]:
    found: dict[tuple[int, int], Outcome] = {}
    for name, stored in study.user_attrs.items():
        word, *place = name.split()
        if word == _CHECK:
            found[int(place[0]), int(place[1])] = Outcome.from_json(stored)
    return found


def _require_same(stored: dict[str, Any], settings: Settings, seed: int | None) -> None:
    wanted = asdict(settings)
    other = [words for name, words in _OTHER.items() if stored.get(name) != wanted[name]]
    if seed is not None and seed != stored["seed"]:
        other.append("another seed")
    if other:
        raise ParameterError(
            f"The study was begun with {' and '.join(other)}; resume it as it was begun, or begin a new one "
            "in another file.",
            code="parameter",
        )


def _thawed(trial: optuna.trial.FrozenTrial) -> Trial:
    told = trial.user_attrs
    return Trial(
        trial.number, told["origin"], trial.params, Plan.from_dict(told["plan"]),
        Outcome.from_json(told["outcome"]), told["clock"],
    )  # fmt: skip
