"""Measure two ways in turns, so that a busy machine slows both; report the ratio, never a bare time."""

import os
import subprocess
import sys
import time
from pathlib import Path

DATA = Path(os.environ.get("KAKURENBO_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def seconds(work):
    """The time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rounds(contestants, repeats):
    """Return the least time of each contestant; they take turns."""
    least = dict.fromkeys(contestants, float("inf"))
    for _ in range(repeats):
        for name, work in contestants.items():
            least[name] = min(least[name], seconds(work))
    return least


def compare(title, ours, plain, *, repeat=3):
    """Run both in turns and print ours / plain of the best runs."""
    ours()  # compile and warm caches, outside the measurement
    least = rounds({"ours": ours, "plain": plain}, repeat)
    ratio = least["ours"] / least["plain"]
    print(f"{title:<72} {ratio:6.2f} of plain   ({least['ours']:.3f} s / {least['plain']:.3f} s)", flush=True)


def growth(title, work, sizes, *, unit="customers"):
    """Print the time at each size beside the first one's, and the exponent between neighbours."""
    from math import log  # noqa: PLC0415

    before = None
    for size in sizes:
        job = work(size)
        job()
        took = seconds(job)
        grown = "" if before is None else f"  growth n^{log(took / before[1]) / log(size / before[0]):.2f}"
        print(f"{title:<50} {size:>9,} {unit} {took:8.2f} s{grown}", flush=True)
        before = (size, took)


PEAK = """
from pathlib import Path
print(int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024)
"""


def in_process(code):
    """Run code in a fresh process; return (seconds, peak MiB)."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{PEAK}"], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - start, int(done.stdout.split()[-1])
