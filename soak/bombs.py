"""Named bad files and bombs: each is refused (or read) by the real command line, quickly and in little room.

A bomb is small and unpacks, nests or reaches so far that a reader takes all memory or never ends. The files
are made by `soak.bomb_files`; here each is given to a process of its own, whose memory is measured by the
system.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from soak.bomb_files import BOMBS
from soak.part import Part

if TYPE_CHECKING:
    from pathlib import Path

_MOST_MEGABYTES = 512
_MOST_SECONDS = 30.0
_PATIENCE = 150.0  # the machine may be busy with other parts
_METER = """
import resource, sys
from kakurenbo.cli.main import run
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
code = run(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # this program's alone
print("PEAK", int(peak.split()[1]) // 1024, file=sys.stderr)
sys.exit(code)
"""


class Bombs(Part):
    """Every named file, once."""

    name = "bombs"
    promise = "every named bad file ends in 2 (0 where it is good) within 30 s of computing and 512 MiB"
    share = 0.5
    enough = total = len(BOMBS)
    patience = 240.0

    def case(self, number: int) -> str | None:
        """Make one file, give it to the command line, and judge how that ended."""
        title, bomb = list(BOMBS.items())[number % len(BOMBS)]
        place = self.place / str(number)
        place.mkdir()
        try:
            why = self.judged(place, bomb.make(place), bomb.codes)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return why and f"{title}: {why}"

    def judged(self, place: Path, words: list[str], codes: tuple[str, ...]) -> str | None:
        """Run the command line with these words; return what is wrong with its end."""
        began = _seconds_of_children()
        try:
            done = subprocess.run(
                [sys.executable, "-c", _METER, *words],
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                env={**os.environ, "RUST_BACKTRACE": "0"},
                cwd=place,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"still at it after {_PATIENCE:.0f} s"
        seconds = _seconds_of_children() - began
        said, _, peak = done.stderr.rpartition("PEAK ")
        self.counts["refused" if done.returncode == 2 else "read"] += 1
        return _wrong(done.returncode, said, peak, codes) or (
            f"it took {seconds:.0f} s of computing" if seconds > _MOST_SECONDS else None
        )


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _wrong(code: int, said: str, peak: str, codes: tuple[str, ...]) -> str | None:
    if code < 0:
        return f"it died of signal {-code}"
    if code == 0:
        return None if "ok" in codes else "it was read, and must be refused"
    if code != 2 or "Traceback" in said or said.count("\n") != 1:
        return f"exit code {code}: {said[-300:]!r}"
    if not any(f"[{name}]" in said for name in codes):
        return f"refused for another reason than {', '.join(codes)}: {said[-300:]!r}"
    return f"it took {peak.strip()} MiB" if int(peak) > _MOST_MEGABYTES else None
