"""The tests of `make test` as on a bad day: beside busy processes, in a random order, with the date ahead.

    python -m soak.strain [--runs 3] [--at-once] [--busy 15] [--days 365] [--seed 1] [TESTS ...]

Each run has the files of tests in an order of its own; exit code 1 if one of them was not green.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from soak.preload import library

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATE = Path(__file__).with_name("ahead.c")
_DAY = 86_400


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep so many processes busy meanwhile."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def ahead(days: int) -> dict[str, str]:
    """Return what must be in the environment of a process for which the date is so many days ahead."""
    return {"LD_PRELOAD": str(library(_DATE)), "AHEAD": str(days * _DAY)} if days else {}


def start(seed: int, days: int, tests: list[str]) -> subprocess.Popen[bytes]:
    """Start a run of the tests, with the files in the order of this seed and the date so many days ahead."""
    environment = os.environ | ahead(days) | {"HYPOTHESIS_PROFILE": "ci"}
    words = ["-m", "not campaign", "--numprocesses", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    order = ["--file-order", str(seed), "--ignore", "tests/spark"]
    return subprocess.Popen([sys.executable, "-m", "pytest", *words, *order, *tests], env=environment)


def main() -> int:
    """Run the tests, and tell how each run ended."""
    options = _options()
    codes = []
    with busy(options.busy):
        seeds = list(range(options.seed, options.seed + options.runs))
        for together in [seeds] if options.at_once else [[seed] for seed in seeds]:
            began = time.monotonic()
            runs = [start(seed, options.days, options.tests) for seed in together]
            for seed, run in zip(together, runs, strict=True):
                codes.append(run.wait())
                took = (time.monotonic() - began) / 60
                print(f"order {seed}: exit code {codes[-1]} after {took:.1f} minutes", flush=True)
    return int(any(codes))


def _options() -> argparse.Namespace:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m soak.strain", description=__doc__, formatter_class=shape)
    parser.add_argument("tests", nargs="*", help="files or folders of tests; all where none are given")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--at-once", action="store_true", help="all runs beside one another")
    parser.add_argument("--busy", type=int, default=0, help="processes that only use up time")
    parser.add_argument("--days", type=int, default=0, help="by how many days the date is ahead")
    parser.add_argument("--seed", type=int, default=1, help="of the order of files; a run more, a seed more")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
