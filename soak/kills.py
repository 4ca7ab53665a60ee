"""Runs that are killed at every call that writes, and then given again."""

from __future__ import annotations

import os
import shutil
import signal
import time
from typing import TYPE_CHECKING

from soak import stage
from soak.forks import forked, start
from soak.preload import Action, Strike
from soak.staged import Staged

if TYPE_CHECKING:
    from pathlib import Path

    from soak.forks import Ended

_DONE = {0, 1}
_TERMINATED = 143
_TIMED = 10  # one in so many is struck by the clock
_LONGEST = 0.12  # seconds, about what a command takes


class Kills(Staged):
    """Each command is killed at its first call, its second, and so on; then ended by SIGTERM; then at random.

    After that it must be as if nothing had happened or all had: no release torn, none without its secret, and
    the same command again works and leaves nothing hidden behind. In the third round the repetition is killed
    too.
    """

    name = "kills"
    promise = "no release torn or without its secret, and the same command again works"
    share = 3.0
    enough = 1_500

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        self._calls: dict[str, int] = {}

    def tried(self, command: stage.Command, place: Path, number: int) -> str | None:
        """Kill a command at one of its calls, look, and give it again."""
        calls, chance = self._calls_of(command), self.chance(number)
        turn, step = divmod(number // len(self.commands), calls)
        at = chance.randint(1, calls) if turn > 1 or command in stage.SLOW else 1 + step
        action = chance.choice([Action.KILL, Action.TERMINATE]) if turn > 1 else Action(Action.KILL + turn)
        before = stage.digests(place)
        told = f"{command.name}, {action.name} at {at} of {calls}"
        strikes = [Strike(action, at)]
        if turn > 1:
            strikes.append(Strike(Action.KILL, chance.randint(1, calls)))
        for strike in strikes:
            ended = self._struck(command, place, strike, number)
            why = self._judged(strike, ended.code) or stage.wrong_with(place, before, command)
            if why:
                return f"{told}: {why}; {ended.said[-300:]}"
            if self._finished(command, place, ended.said):
                self.counts["finished"] += 1
                return None
        ended = forked(command.typed(place), place, log=self.place / "log")
        if ended.code not in _DONE:
            return f"{told}: again, it ends with {ended.code}: {ended.said[-300:]}"
        self.counts["retried"] += 1
        lacking = [name for name in command.makes if not (place / name).exists()]
        left = stage.left_over(place)
        if lacking or left:
            return f"{told}: again, it lacks {lacking} and leaves {left}"
        why = stage.wrong_with(place, before, command)
        return f"{told}: again, {why}" if why else None

    def _struck(self, command: stage.Command, place: Path, strike: Strike, number: int) -> Ended:
        """Run the command until it is struck; some are killed by the clock, between any two instructions."""
        if number % _TIMED:
            self.counts[strike.action.name.lower()] += 1
            return forked(command.typed(place), place, strike, log=self.place / "log")
        child = start(command.typed(place), place, log=self.place / "log")
        time.sleep(self.chance(-number).uniform(0, _LONGEST))
        os.kill(child.process, signal.SIGKILL if strike.action == Action.KILL else signal.SIGTERM)
        self.counts[f"timed {strike.action.name.lower()}"] += 1
        return child.wait()

    @staticmethod
    def _finished(command: stage.Command, place: Path, said: str) -> bool:
        """Tell whether the kill came after the answer was told, all was in place, and the last note gone."""
        whole = all((place / name).exists() for name in command.makes)
        return whole and bool(said) and not command.replaces and not stage.left_over(place)

    def _judged(self, strike: Strike, code: int) -> str | None:
        allowed = (
            {-signal.SIGKILL, *_DONE}
            if strike.action == Action.KILL
            else {_TERMINATED, -signal.SIGTERM, *_DONE}
        )
        return None if code in allowed else f"it ends with {code}"

    def _calls_of(self, command: stage.Command) -> int:
        """Return how many calls the command makes when nobody disturbs it."""
        if command.name not in self._calls:
            place = self.stages.fresh(command)
            ended = forked(command.typed(place), place, Strike(), log=self.place / "log")
            if ended.code not in _DONE:
                raise RuntimeError(f"{command.name} does not work undisturbed: {ended.said}")
            self._calls[command.name] = ended.calls
            shutil.rmtree(place)
        return self._calls[command.name]
