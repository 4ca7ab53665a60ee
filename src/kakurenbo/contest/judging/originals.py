"""What a contest is about, read once: a worker judges hundreds of releases of the same tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

import polars as pl

from kakurenbo.contest.judging.remembered import Remembered
from kakurenbo.data.table import Data
from kakurenbo.errors import InputError
from kakurenbo.risk.excess.judge import Excess
from kakurenbo.risk.excess.limits import CONTEST_PEOPLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.risk.excess.judge import Verdict
    from kakurenbo.risk.excess.limits import Limits

_CONTESTS = 4  # more are hardly served by one process
_read: Remembered[Any] = Remembered(_CONTESTS)

Stamps = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, eq=False)
class Original(Generic[Data]):
    """The tables that teams hide people of.

    Attributes:
        data: the data itself.
    """

    data: Data
    _limits: Remembered[Limits] = field(default_factory=lambda: Remembered(2), repr=False, kw_only=True)

    @cached_property
    def people(self) -> pl.Series:
        """The ids of everybody, as text."""
        return self.data.people.cast(pl.String)

    def excess(self, r: int, released: Data, secret: Pairing | Owners) -> Verdict:
        """Return whether a release is as far from the data, by its own pairing, as a cheat would be (004).

        Args:
            r: pairings that leave at most so many people in place count as cheats; of fewer people than the
                contest of 004 had, as large a share of them.
            released: the release.
            secret: its pairing.
        """
        return _JUDGE.judge(self.data, released, secret, self.limits(r))

    def limits(self, r: int) -> Limits:
        """Return the limits of the data with the threshold s_lower(r); refuse data that has no threshold."""
        found = self._limits.once(r, lambda: self._found(r))
        _JUDGE.threshold(found)
        return found

    def _found(self, r: int) -> Limits:
        people = len(self.people)
        most = r if people >= CONTEST_PEOPLE else r * people // CONTEST_PEOPLE
        found = _JUDGE.model_copy(update={"r": (most,)}).limits(self.data)
        return replace(found, l=most, high=dict(found.s_lower)[min(most, people)])


_JUDGE = Excess(solves=0)


def once(kind: str, place: Path, how: str, read: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is read
    """Return what was read of a place, or read it; it is read anew when a file there has changed.

    Args:
        kind: which format asks.
        place: the folder of the contest's data.
        how: the options it is read with.
        read: reads it.
    """
    return _read.once((kind, str(place), how, stamps(place)), read)


def stamps(place: Path) -> Stamps:
    """Return the names, times and sizes of the files in a folder."""
    try:
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        seen = [(file.name, file.stat()) for file in files]
    except OSError:
        raise InputError("The folder of the original cannot be read.", code="path-unreadable") from None
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in seen)
