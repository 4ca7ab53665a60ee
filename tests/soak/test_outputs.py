"""Short forms of the parts about outputs, and faults planted to see that each part can fail.

The cases run in a worker of their own, as in the campaign: they fork, and this process has threads.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest
from soak.part import Part

import kakurenbo as kb
import soak
from soak import preload, runner

pytestmark = pytest.mark.campaign

PATHS = (Path(kb.__file__).parents[1], Path(soak.__file__).parents[1], Path(__file__).parent)
FEW = (
    *(("kills", number) for number in (196, 224, 252, 241, 255)),
    *(("failures", number) for number in (0, 14, 140, 189)),
    *(("destruction", place) for place in (("out over", "data"), ("guess", "old.csv"), ("report", "out/new"),
      ("secret", "git/new"), ("out over", "out"), ("people", "shop.csv"), ("guess", "hard old.csv"))),
    *(("races", number) for number in (0, 3)),
)  # fmt: skip
PLANTED = (
    ("kills", 224, {"kakurenbo.files.pending.Journal.claim": lambda _: None}),
    ("failures", 14, {"kakurenbo.files.release_folder._to_file": lambda *_: 1 / 0}),
    (
        "destruction",
        ("guess", "old.csv"),
        dict.fromkeys(["kakurenbo.cli.attack.is_guess", "kakurenbo.files.pairings.is_guess"], lambda _: True),
    ),
    (
        "races",
        0,
        {
            "kakurenbo.files.disk.lock": lambda *_, **__: True,
            "kakurenbo.files.disk.rename_new": lambda source, target: source.rename(target),
            "kakurenbo.files.release_folder._Earlier.check": lambda *_, **__: None,
        },
    ),
)


class Few(Part):
    name = "few"
    promise = "a few cases of every part about outputs"
    share = 1.0
    enough = total = len(FEW)
    preloaded = True

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        self._made: dict[str, Part] = {}

    def case(self, number: int) -> str | None:
        return self._of(*FEW[number])

    def _of(self, name: str, case) -> str | None:
        from soak.parts import PARTS  # noqa: PLC0415 - in the worker only

        if name not in self._made:
            own = self.place / name
            own.mkdir()
            self._made[name] = PARTS[name](own, self.seed)
        part = self._made[name]
        return part.case(part.cases.index(case) if isinstance(case, tuple) else case)


class Planted(Few):
    name = "planted"
    promise = "every planted fault is seen"
    enough = total = len(PLANTED)

    def case(self, number: int) -> str | None:
        name, case, faults = PLANTED[number]
        sound = self._of(name, case)
        with ExitStack() as planted:
            for where, what in faults.items():
                planted.enter_context(mock.patch(where, what))
            seen = self._of(name, case)
        return sound or (None if seen else "nobody saw the fault")


@pytest.mark.skipif(preload.why_not() is not None, reason=f"{preload.why_not()}")
@pytest.mark.parametrize("part", [Few, Planted])
def test_a_few_cases_hold_and_planted_faults_are_seen(part, monkeypatch):
    monkeypatch.setattr(part, "__module__", "test_outputs")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, PATHS)))
    tally = runner.run(part, seconds=300, seed=1, jobs=1)
    assert tally.failures == []
    assert tally.tried == part.total
