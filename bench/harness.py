"""Measure two ways in turns, so that a busy machine slows both; report the ratio, never a bare time."""

import subprocess
import sys
import time


def seconds(work):
    """The best of running once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(title, ours, plain, *, repeat=3):
    """Run both in turns and print ours / plain of the best runs."""
    ours()  # compile and warm caches, outside the measurement
    mine, theirs = [], []
    for _ in range(repeat):
        mine.append(seconds(ours))
        theirs.append(seconds(plain))
    ratio = min(mine) / min(theirs)
    print(f"{title:<72} {ratio:6.2f} of plain   ({min(mine):.3f} s / {min(theirs):.3f} s)", flush=True)
    return ratio


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


PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"


def in_process(code):
    """Run code in a fresh process; return (seconds, peak MiB)."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{PEAK}"], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - start, int(done.stdout.split()[-1])
