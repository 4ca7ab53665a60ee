"""The same plan and audit on a real cluster of this machine: one worker, two, and two of which one is killed.

`python -m bench spark [rows] [targets]`. Every run is a driver in a process of its own. Printed are the wall
time of each step, rows a second, the peak memory of the driver's Python and of its Java, and whether release
and audit are the same, to the last digit. Workers share the processors with everybody else on the machine.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.cluster import Cluster, why_not

ROWS = 10_000_000
TARGETS = 10_000
_A_CUSTOMER = 65  # rows, about
_BLOCKS = 8  # at least, so that there is something to share
_AUDITING = "auditing"


def run(rows=ROWS, targets=TARGETS):
    """Run the three, and print them beside each other."""
    why = why_not()
    if why:
        print(f"not run: {why}")
        return
    from kakurenbo.demo import write_shop  # noqa: PLC0415 - heavy

    with tempfile.TemporaryDirectory() as made:
        folder, customers = Path(made), max(int(rows) // _A_CUSTOMER, 10)
        write_shop(folder / "shop.parquet", customers, goods=max(customers // 20, 500), seed=1)
        runs = {
            name: _on(folder / name.replace(" ", "-"), folder / "shop.parquet", workers, targets, kill=kill)
            for name, workers, kill in (
                ("1 worker", 1, False),
                ("2 workers", 2, False),
                ("1 of 2 killed", 2, True),
            )
        }
    first = runs["1 worker"]
    for name, told in runs.items():
        print(_line(name, told, first), flush=True)


def _line(name, told, first):
    steps = ", ".join(f"{step} {took:.0f} s" for step, took in told["seconds"].items())
    took, before = (sum(one["seconds"].values()) for one in (told, first))
    same = "the same answers" if told["answers"] == first["answers"] else "OTHER ANSWERS"
    return (
        f"{name:<14} {told['rows']:>11,} rows: {steps}; {before / took:.2f} times as fast; driver "
        f"{told['python']:,} MiB of Python and {told['java']:,} of Java; {same}"
    )


def _on(folder, data, workers, targets, *, kill):
    """Run the driver on a cluster of so many workers, and return what it told."""
    with Cluster(folder / "cluster", workers, memory="2g") as cluster:
        command = [sys.executable, "-m", "bench.spark", cluster.url, data, folder / "release", str(targets)]
        with (folder / "driver.log").open("wb") as log:
            driver = subprocess.Popen(
                command, env=cluster.environment, stdout=subprocess.PIPE, stderr=log, text=True
            )
            line = ""
            for line in driver.stdout:
                if kill and line.strip() == _AUDITING:
                    threading.Timer(10, cluster.kill, [0]).start()
        if driver.wait():
            raise RuntimeError((folder / "driver.log").read_text()[-2000:])
    return json.loads(line)


def drive(url, data, out, targets):
    """Carry out the plan and its audit on a cluster, and tell what they took and answered."""
    import polars as pl  # noqa: PLC0415 - of the driver's process

    import kakurenbo as kb  # noqa: PLC0415 - the same
    from bench.scale import COLUMNS, generalising  # noqa: PLC0415 - the same
    from kakurenbo.catalogue import build  # noqa: PLC0415 - the same
    from kakurenbo.data.blocks import RECORDS  # noqa: PLC0415 - the same

    seconds, named = {}, {role: role for role in COLUMNS}
    each = min(pl.scan_parquet(data).select(pl.len()).collect().item() // _BLOCKS, RECORDS)
    shop = _timed(seconds, "read", lambda: kb.spark.read(data, master=url, records=each, **named))
    profile = _timed(seconds, "profile", lambda: kb.profile(shop, seed=1))
    counts = shop.whole.counts
    method = build(generalising(counts["customers"]))
    release = _timed(seconds, "deidentify", lambda: kb.spark.deidentify(method, shop, seed=1))
    secret = Path(out).with_name("secret.csv")
    _timed(seconds, "write", lambda: release.write(out, secret=secret))
    print(_AUDITING, flush=True)
    asked = {"targets": int(targets), "seed": 1}
    audit = _timed(seconds, "audit", lambda: kb.audit(shop, release.data, kb.read_pairing(secret), **asked))
    answers = {"profile": _digest(repr(profile)), "release": _written(out), "audit": _told(audit)}
    print(json.dumps({"rows": counts["records"], "seconds": seconds, "answers": answers, **_peaks()}))


def _timed(seconds, step, work):
    start = time.perf_counter()
    made = work()
    seconds[step] = time.perf_counter() - start
    return made


def _written(out):
    """Return what stands in a release, whatever files it lies in."""
    import polars as pl  # noqa: PLC0415 - of the driver's process

    rows = pl.scan_parquet(f"{out}/transactions.parquet/*.parquet")
    names = rows.collect_schema().names()
    return rows.select(pl.struct(names).hash().sum(), n=pl.len()).collect(engine="streaming").rows()


def _told(audit):
    rates = [(found.attack, found.knowledge, found.rate) for found in audit.attacks]
    return _digest(repr((rates, audit.learnt, audit.utility, audit.verdict, audit.reasons)))


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _peaks():
    """Return the peak memory of this process and of the Java it started, in MiB."""
    import psutil  # noqa: PLC0415 - of the driver's process

    me = psutil.Process()
    java = [child.pid for child in me.children(recursive=True) if "java" in child.name()]
    return {"python": _peak(me.pid), "java": max(map(_peak, java), default=0)}


def _peak(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


if __name__ == "__main__":
    drive(*sys.argv[1:])
