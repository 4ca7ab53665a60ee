"""The campaign itself must see what dies, hangs and fails, or its zeroes mean nothing."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from soak.part import Part

from soak import runner


class Stumbling(Part):
    name = "stumbling"
    promise = "even cases hold, of the odd ones each fails in its own way"
    share = 1.0
    enough = 8
    total = 8
    patience = 2.0

    def case(self, number: int) -> str | None:
        self.counts["seen"] += 1
        match number:
            case 1:
                return "said so"
            case 3:
                os.kill(os.getpid(), signal.SIGKILL)
            case 5:
                time.sleep(60)
            case 7:
                raise ValueError
        return None


def test_the_campaign_sees_what_fails_dies_hangs_and_breaks(monkeypatch, capsys):
    monkeypatch.setattr(Stumbling, "__module__", "test_runner")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path.cwd()), str(Path(__file__).parent)]))
    tally = runner.run(Stumbling, seconds=120, seed=1, jobs=2)
    why = dict(tally.failures)
    assert tally.tried == 8
    assert sorted(why) == [1, 3, 5, 7]
    assert why[1] == "said so"
    assert "SIGKILL" in why[3]
    assert "still at it" in why[5]
    assert "broke" in why[7]
    assert "ValueError" in why[7]
    assert tally.counts == {"seen": 6}
    assert "stumbling 1: said so" in capsys.readouterr().out
