"""A bad day: the date is ahead for all that is started, waits are not, and a red run is told."""

import os
import subprocess
import sys
import time

import pytest
from soak.preload import why_not

from soak import strain

NOW = "import time, subprocess, sys; print(time.time(), time.monotonic(), time.time_ns() // 10**9)"
CLOCKS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {NOW!r}])"


@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
def test_the_date_is_ahead_for_all_that_a_process_starts_and_waits_are_not():
    done = subprocess.run(
        [sys.executable, "-c", CLOCKS], env=os.environ | strain.ahead(365), capture_output=True, check=True
    )
    date, passed, whole = map(float, done.stdout.split())
    today = time.time() - int(os.environ.get("AHEAD", "0"))  # this very test runs with the date ahead, too
    assert date - today == pytest.approx(365 * 86_400, abs=3_600)
    assert whole - today == pytest.approx(365 * 86_400, abs=3_600)
    assert passed - time.monotonic() == pytest.approx(0, abs=3_600)
    assert strain.ahead(0) == {}


@pytest.mark.campaign
def test_a_run_that_is_not_green_is_told(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["strain", "--busy", "2", "tests/no_such_file.py"])
    assert strain.main() == 1
    assert "order 1: exit code" in capsys.readouterr().out
