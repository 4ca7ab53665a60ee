"""Calls of the system that fail, one or from one on, in every command that writes."""

from __future__ import annotations

import errno
import re
import shutil
from typing import TYPE_CHECKING

from soak import stage
from soak.forks import forked
from soak.preload import Action, Strike
from soak.staged import Staged

if TYPE_CHECKING:
    from pathlib import Path

_DONE = {0, 1}
_WRONG, _UNWRITTEN = 2, 74
_ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EMFILE)
_RARE = 60


class Failures(Staged):
    """Each call that writes fails in turn; then the disk is full from a call on; then reading fails too.

    A write that failed ends with 74 and leaves nothing half-written: what can be seen is whole, and nothing
    new may be seen, unless the message says that it is in place or a note says that it is unfinished.
    Failing to remove, close or tidy up may be made good, so such a run may also end well, and must then have
    done all. The same command again works.
    """

    name = "failures"
    promise = "a failed write ends with 74, never 70, nothing half-written; the same command again works"
    share = 3.0
    enough = 2_000

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        self._calls: dict[tuple[str, bool], int] = {}

    def _strike(self, command: stage.Command, number: int) -> Strike:
        chance, error = self.chance(number), _ERRORS[number % len(_ERRORS)]
        calls = self._calls_of(command, reads=False)
        turn, step = divmod(number // len(self.commands), calls)
        at = chance.randint(1, calls) if turn > 1 or command in stage.SLOW else 1 + step
        match turn % 3:
            case 0:
                return Strike(Action.FAIL, at, error)
            case 1:
                return Strike(Action.FULL, at, errno.ENOSPC)
        at = chance.randint(1, self._calls_of(command, reads=True))
        return Strike(Action.FAIL, at, errno.EIO, reads=True)

    def tried(self, command: stage.Command, place: Path, number: int) -> str | None:
        """Let a call of a command fail, look, and give the command again."""
        before, strike = stage.digests(place), self._strike(command, number)
        ended = forked(command.typed(place), place, strike, log=self.place / "log")
        told = f"{command.name}, {strike.action.name} {errno.errorcode[strike.error]} at {strike.at}"
        told += " of all calls" if strike.reads else ""
        self.counts[f"ended {ended.code}"] += 1
        why = self._judged(command, place, before, strike, ended.code, ended.said)
        why = why or stage.wrong_with(place, before, command)
        if why:
            return f"{told}: {why}; {ended.code} {ended.said[-400:]}"
        if ended.code not in _DONE:
            ended = forked(command.typed(place), place, log=self.place / "log")
            self.counts["retried"] += 1
        if ended.code not in _DONE:
            return f"{told}: again, it ends with {ended.code}: {ended.said[-400:]}"
        lacking = [name for name in command.makes if not (place / name).exists()]
        left = stage.left_over(place)
        if lacking or left:
            return f"{told}: again, it lacks {lacking} and leaves {left}"
        why = stage.wrong_with(place, before, command)
        return f"{told}: again, {why}" if why else None

    def _judged(  # noqa: PLR0917 - one run and how it ended
        self,
        command: stage.Command,
        place: Path,
        before: dict[str, str],
        strike: Strike,
        code: int,
        said: str,
    ) -> str | None:
        """Return what is wrong with how a run ended."""
        now = stage.digests(place)
        if code in _DONE:
            lacking = [name for name in command.makes if not (place / name).exists()]
            return f"it ends well without {lacking}" if lacking else None
        if code != _UNWRITTEN and not (strike.reads and code == _WRONG):
            return f"it ends with {code}"
        if re.search(r"in place|All is written|The system refused", said):  # the last: the answer itself
            return None
        new = {name.split("/")[0] for name, digest in now.items() if before.get(name) != digest}
        unnoted = [
            name for name in new if not (name.startswith(".") or (place / f".{name}.pending").exists())
        ]
        return f"it failed, and there is {unnoted}" if unnoted else None

    def _calls_of(self, command: stage.Command, *, reads: bool) -> int:
        if (command.name, reads) not in self._calls:
            place = self.stages.fresh(command)
            ended = forked(command.typed(place), place, Strike(reads=reads), log=self.place / "log")
            if ended.code not in _DONE:
                raise RuntimeError(f"{command.name} does not work undisturbed: {ended.said}")
            self._calls[command.name, reads] = ended.calls
            shutil.rmtree(place)
        return self._calls[command.name, reads]
