"""What kills, failures and races share: a command that writes, on a stage of its own for every case."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from soak import stage
from soak.part import Part

if TYPE_CHECKING:
    from pathlib import Path

_RARE = 40  # one case in so many is of a slow command


class Staged(Part):
    """A part whose cases try the commands that write, one after the other."""

    preloaded = True
    commands: ClassVar = stage.COMMANDS
    slow: ClassVar = True  # whether a slow command is tried now and then

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        self.stages = stage.Stages(place)

    def case(self, number: int) -> str | None:
        """Set a stage, try the command on it, and clear it away."""
        slow = self.slow and number % _RARE == _RARE - 1
        command = stage.SLOW[0] if slow else self.commands[number % len(self.commands)]
        place = self.stages.fresh(command)
        try:
            return self.tried(command, place, number)
        finally:
            shutil.rmtree(place)

    @abstractmethod
    def tried(self, command: stage.Command, place: Path, number: int) -> str | None:
        """Try a command on its stage; return what went wrong."""
