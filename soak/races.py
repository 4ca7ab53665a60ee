"""Two or three runs of the same command at the same time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from soak import stage
from soak.forks import forked, start
from soak.staged import Staged

if TYPE_CHECKING:
    from pathlib import Path

_DONE = {0, 1}
_REFUSED = {2, 74}


class Races(Staged):
    """Runs begin together, or a little apart; one wins and the others are refused, so one whole result stays.

    What may be replaced, as a guess, may be written by each of them in turn.
    """

    name = "races"
    promise = "of runs at the same time one wins, the others do no harm"
    share = 1.0
    enough = 300
    preloaded = False
    slow = False

    def tried(self, command: stage.Command, place: Path, number: int) -> str | None:
        """Let a command run against itself."""
        before, chance = stage.digests(place), self.chance(number)
        children = []
        for runner in range(chance.choice([2, 2, 3])):
            children.append(start(command.typed(place), place, log=self.place / f"log{runner}"))
            time.sleep(chance.choice([0, 0, 0.005, 0.02, 0.05]))
        ended = [child.wait() for child in children]
        codes = sorted(one.code for one in ended)
        told = f"{command.name}, {codes}"
        for code in codes:
            self.counts[f"ended {code}"] += 1
        won = sum(code in _DONE for code in codes)
        if not won or set(codes) - _DONE - _REFUSED:
            return f"{told}: {[one.said[-300:] for one in ended]}"
        if won > 1 and not command.replaces:
            return f"{told}: {won} runs think that they have won"
        why = stage.wrong_with(place, before, command)
        lacking = [name for name in command.makes if not (place / name).exists()]
        left = stage.left_over(place)
        if why or lacking or left:
            return f"{told}: {why}, lacks {lacking}, leaves {left}"
        ended[0] = forked(command.typed(place), place, log=self.place / "log")
        return None if (ended[0].code in _DONE) == command.replaces else f"{told}: then {ended[0].code}"
