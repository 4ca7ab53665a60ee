"""A million customers on a laptop: profile, a generalising plan and its audit as a user runs them, in blocks.

Every command runs in a process of its own on a made-up shop of 50,000 goods. Printed are wall time, processor
seconds and peak resident memory of each, and how time and memory grow between sizes (n to the power of ...).
Several share the cores of a machine, so growth is that of processor seconds, and the load of the last minute
stands beside: where it is above the number of cores, wall time says little.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from kakurenbo.demo import write_shop
from kakurenbo.plan import Plan, Step

SIZES = (10_000, 100_000, 1_000_000)
GOODS = 50_000
KINDS = ("plan", "compact", "consensus")
COLUMNS = ("customer", "goods", "receipt", "time", "price", "quantity")
ROLES = [part for role in COLUMNS for part in (f"--{role}", role)]
ENGINE = ["--engine", "blocks"]
METHODS = {"compact": ["--min-size", 8], "consensus": ["--min-size", 8]}
TICK = 0.5  # seconds between two looks at the memory of all processes; the peak of each alone is known anyhow


@dataclass(frozen=True)
class Cost:
    """What one command took."""

    wall: float
    processor: float
    peak: float  # MiB

    def __add__(self, other):
        return Cost(self.wall + other.wall, self.processor + other.processor, max(self.peak, other.peak))


def generalising(customers):
    """Return the plan: months, bands of price and quantity, goods in groups of a crowd that grows slowly."""
    return Plan(
        "purchases",
        (
            Step("omit", {"columns": ["receipt"]}),
            Step("coarsen", {"times": "month", "price_bands": 4, "quantity_bands": 4}),
            Step("generalize", {"crowd": max(round(customers**0.5), 10)}),
        ),
    )


def tree_memory(pid):
    """Return the resident memory of a process and those it started, in MiB; 0 for what has ended."""
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii")
            total += int(status.split("VmRSS:")[1].split()[0]) / 1024
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
        except (OSError, IndexError):
            continue
    return total


def run_command(*arguments, ends=(0, 1)):
    """Run one command to its end; return its cost and its JSON. Peak memory counts all its processes."""
    command = [sys.executable, "-m", "kakurenbo", *map(str, arguments), "--json", "--seed", "1"]
    start, peak = time.perf_counter(), 0.0
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        ended = threading.Event()

        def watch():
            nonlocal peak
            while not ended.wait(TICK):
                peak = max(peak, tree_memory(process.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        ended.set()
        watcher.join()
        out.seek(0)
        err.seek(0)
        if process.returncode not in ends:
            raise SystemExit(f"{' '.join(command)}\n{err.read().decode()[-2000:]}")
        told = json.loads(out.read())
    return Cost(wall, usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss / 1024)), told


def told_of(document):
    """Return the little that is worth a line: who is found, what is learnt, what is kept."""
    keys = ("customers", "records", "verdict", "deleted", "dummies", "clusters")
    facts = {
        key: document[key] for key in keys if not isinstance(document.get(key), dict | list | type(None))
    }
    worst = document.get("worst")
    if isinstance(worst, dict):
        facts["worst"] = f"{worst['attack']} {worst['rate']:.4f} [{worst['low']:.4f}, {worst['high']:.4f}]"
    return ", ".join(f"{key} {value}" for key, value in facts.items())


def steps(folder, customers, kind):
    """Yield the name, cost and answer of every command on one shop."""
    shop, plan = folder / f"shop{customers}.parquet", folder / "plan.toml"
    release, secret = folder / f"{kind}{customers}", folder / f"{kind}{customers}.csv"
    if kind == "plan":
        plan.write_text(generalising(customers).to_toml(), encoding="utf-8")
        asked = ["plan", shop, "--plan", plan]
        yield "profile", *run_command("profile", shop, *ROLES, *ENGINE)
    else:
        asked = [kind, shop, *METHODS[kind]]
    out = ["--out", release, "--secret", secret]
    yield f"deidentify ({kind})", *run_command("deidentify", *asked, *ROLES, *out, *ENGINE)
    if kind == "plan":
        yield "audit", *run_command("audit", shop, release, "--secret", secret, *ROLES, *ENGINE)


def line(name, customers, cost, before):
    grown = ""
    if before is not None:
        size, earlier = before
        power = [
            math.log(now / then) / math.log(customers / size)
            for now, then in ((cost.processor, earlier.processor), (cost.peak, earlier.peak))
        ]
        grown = f"  growth: time n^{power[0]:.2f}, memory n^{power[1]:.2f}"
    print(
        f"{customers:>9,} customers  {name:<24} {cost.wall:8.1f} s {cost.processor:8.1f} processor s "
        f"{cost.peak:7,.0f} MiB  (load {os.getloadavg()[0]:.0f}){grown}",
        flush=True,
    )


def run(*asked):
    """Print time, memory and growth; asked are sizes, and `compact` or `consensus` for these instead."""
    sizes = [int(word) for word in asked if word not in KINDS] or SIZES
    kinds = [word for word in asked if word in KINDS] or ["plan"]
    before = {}
    for customers in sizes:
        place = Path(tempfile.mkdtemp(prefix="scale"))
        try:
            write_shop(place / f"shop{customers}.parquet", customers, GOODS, seed=1)
            for kind in kinds:
                whole = Cost(0, 0, 0)
                for name, cost, told in steps(place, customers, kind):
                    line(name, customers, cost, before.get(name))
                    print(f"{'':21}{told_of(told)}", flush=True)
                    before[name] = (customers, cost)
                    whole += cost
                line(f"all together ({kind})", customers, whole, before.get(kind))
                before[kind] = (customers, whole)
        finally:
            shutil.rmtree(place)


if __name__ == "__main__":
    run(*sys.argv[1:])
