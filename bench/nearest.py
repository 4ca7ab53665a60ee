"""Nearest search beside the plain blockwise sparse product of scipy: time and peak memory, in one run.

Times are the least of several rounds in which the contestants take turns, so that a busy machine hits all.
Memory is the rise of the process's peak, each contestant in a process of its own after a small first call.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from bench.harness import DATA, rounds, seconds
from kakurenbo.files.datasets import online_retail
from kakurenbo.kernels.nearest import nearest, top

SIZES = (5_000, 10_000, 20_000, 50_000)
MANY = 200_000
SIDE = 20_000  # where all of it is also done by scipy, in the same run
SAMPLE = 2_000  # released rows scipy is timed on where all would take minutes; its time is proportional


def plain(released, originals, rows=64):
    """Return indptr, indices and score of the nearest by scipy: product, dense scores, arg max with ties."""
    released, turned = released.astype(np.int32), originals.astype(np.int32).T.tocsr()
    size_a, size_b = np.diff(released.indptr), np.diff(originals.indptr)
    counts, indices, score = [np.zeros(1, np.int64)], [], []
    for first in range(0, released.shape[0], rows):
        common = (released[first : first + rows] @ turned).toarray()
        scores = common / np.maximum(size_a[first : first + rows, None] + size_b - common, 1)
        best = scores.max(axis=1)
        row, column = np.nonzero((scores == best[:, None]) & (best > 0)[:, None])
        counts.append(np.bincount(row, minlength=len(best)))
        indices.append(column)
        score.append(best)
    return np.cumsum(np.concatenate(counts)), np.concatenate(indices), np.concatenate(score)


def shop(customers, goods=20_000, mean=65, seed=1):
    """Make up long-tailed baskets: sizes log-normal, goods by a Zipf-like law."""
    rng = np.random.default_rng(seed)
    sizes = np.clip(rng.lognormal(np.log(mean) - 0.5, 1.0, customers), 1, 2000).astype(int)
    share = np.cumsum(1 / (np.arange(goods) + 30.0))
    bought = rng.permutation(goods)[np.searchsorted(share / share[-1], rng.random(sizes.sum()))]
    rows = np.repeat(np.arange(customers), sizes)
    table = sparse.csr_array((np.ones(len(rows), np.int64), (rows, bought)), shape=(customers, goods))
    table.data[:] = 1
    return table


def thinned(table, keep=0.7, seed=2):
    """Delete a random part of the records."""
    kept = table.data * (np.random.default_rng(seed).random(table.nnz) < keep)
    thin = sparse.csr_array((kept, table.indices, table.indptr), shape=table.shape, copy=True)
    thin.eliminate_zeros()
    return thin


def originals_of(name):
    return shop(int(name)) if name.isdigit() else online_retail(name).baskets().matrix


def best_rows(released, originals):
    """Tune the block of the plain product, so that it is an honest rival."""
    trials = {n: lambda n=n: plain(released, originals, n) for n in (32, 64, 128, 256, 512)}
    times = rounds(trials, 3)
    return min(times, key=times.get)


def peak_status(field):
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(field + ":")[1].split()[0]) / 1024


def memory_here(name, who):
    """Print by how many megabytes the peak rises over one search (runs in a process of its own)."""
    originals = originals_of(name)
    released = thinned(originals)
    run = {
        "scipy": plain,
        "one": lambda a, b: nearest(a, b, threads=1),
        "two": lambda a, b: nearest(a, b, threads=2),
    }[who]
    run(released[:5], originals[:5])
    before = peak_status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    run(released[:SAMPLE] if who == "scipy" and name.isdigit() else released, originals)
    print(peak_status("VmHWM") - before)


def memory(name, who):
    run = subprocess.run([sys.executable, "-m", "bench.nearest", name, who], check=True, capture_output=True)
    return float(run.stdout)


def check_equal(found, expected):
    if not (np.array_equal(found.indptr, expected[0]) and np.array_equal(found.indices, expected[1])):
        raise SystemExit("the nearest search and scipy do not agree")


def online_retail_table(path):
    originals = originals_of(path)
    released = thinned(originals)
    rows = best_rows(released, originals)
    check_equal(nearest(released, originals), plain(released, originals, rows))
    idf = np.log(originals.shape[0] / np.maximum(originals.sum(axis=0), 1)) + 1
    weighted_a, weighted_b = (sparse.csr_array(m.astype(float).multiply(idf)) for m in (released, originals))
    contestants = {
        f"scipy, {rows} rows a block": lambda: plain(released, originals, rows),
        "nearest jaccard, 1 thread": lambda: nearest(released, originals, threads=1),
        "nearest jaccard, 2 threads": lambda: nearest(released, originals, threads=2),
        "top 10 jaccard, 1 thread": lambda: top(released, originals, 10, threads=1),
        "nearest containment, 1 thread": lambda: nearest(released, originals, "containment", threads=1),
        "nearest multiset, 1 thread": lambda: nearest(released, originals, "multiset", threads=1),
        "nearest weighted jaccard, 1 thread": lambda: nearest(released, originals, weights=idf, threads=1),
        "nearest cosine, 1 thread": lambda: nearest(weighted_a, weighted_b, "cosine", threads=1),
    }
    times = rounds(contestants, 9)
    base = next(iter(times.values()))
    print(f"UCI Online Retail, 30 % of the records deleted, {originals.shape[0]} x {originals.shape[0]}")
    for name, least in times.items():
        print(f"  {name:36s} {least / base:6.3f} of scipy   ({least:.3f} s)")
    peaks = {who: memory(path, who) for who in ("scipy", "one", "two")}
    for who, peak in peaks.items():
        print(f"  peak memory {who:24s} {peak / peaks['scipy']:6.3f} of scipy   ({peak:.1f} MB)")


def growth_table():
    print("Made-up shop, 20,000 goods; scipy timed on 2,000 released rows and scaled")
    for customers in SIZES:
        originals = shop(customers)
        for kind, released in (("30 % deleted", thinned(originals)), ("strangers", shop(customers, seed=9))):
            contestants = {
                "scipy": lambda: plain(released[:SAMPLE], originals),  # noqa: B023  called before the next turn
                "one": lambda: nearest(released, originals, threads=1),  # noqa: B023
                "two": lambda: nearest(released, originals, threads=2),  # noqa: B023
            }
            times = rounds(contestants, 2)
            base = times["scipy"] * customers / SAMPLE
            one, two = times["one"], times["two"]
            ratios = f"1 thread {one / base:.3f}, 2 threads {two / base:.3f} of scipy"
            print(f"  {customers:6d} {kind:13s} {ratios}   ({one:.2f} s, {two:.2f} s, {base:.1f} s)")
        peaks = {who: memory(str(customers), who) for who in ("scipy", "one", "two")}
        print(
            "         peak memory " + ", ".join(f"{who} {peak:.0f} MB" for who, peak in peaks.items()),
            flush=True,
        )


def many_table():
    """All pairs of 200,000 x 200,000, and all of 20,000 beside scipy: time, processor seconds, memory."""
    originals = shop(SIDE)
    for kind, released in (("30 % deleted", thinned(originals)), ("strangers", shop(SIDE, seed=9))):
        check_equal(nearest(released[:SAMPLE], originals), plain(released[:SAMPLE], originals))
        contestants = {
            "scipy": lambda: plain(released, originals),  # noqa: B023  called before the next turn
            "one": lambda: nearest(released, originals, threads=1),  # noqa: B023
            "two": lambda: nearest(released, originals, threads=2),  # noqa: B023
        }
        took = {name: [] for name in contestants}
        for _ in range(3):
            for name, work in contestants.items():
                used = time.process_time()
                wall = seconds(work)
                took[name].append((wall, time.process_time() - used))
        base, one, two = (np.min(took[name], axis=0) for name in contestants)
        told = f"1 thread {one[0] / base[0]:.3f}, 2 threads {two[0] / base[0]:.3f} of scipy, all rows"
        spent = f"{one[1] / base[1]:.3f} and {two[1] / base[1]:.3f} of its processor seconds"
        times = f"({one[0]:.2f} s, {two[0]:.2f} s, {base[0]:.1f} s)"
        print(f"  {SIDE:6d} {kind:13s} {told}; {spent}   {times}", flush=True)
    for kind in ("deleted", "strangers"):
        command = [sys.executable, "-m", "bench.nearest", str(MANY), kind]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        print(
            f"  {MANY} {kind:13s} {float(told[0]):.1f} s, {float(told[1]):.1f} processor seconds, the peak "
            f"rises by {float(told[2]):.0f} MB over data of {float(told[3]):.0f} MB",
            flush=True,
        )


def many_here(customers, kind):
    """Print seconds, processor seconds, rise of the peak and size of the data (in a process of its own)."""
    originals = shop(customers)
    released = shop(customers, seed=9) if kind == "strangers" else thinned(originals)
    nearest(released[:5], originals[:5])
    before = peak_status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    used = time.process_time()
    took = seconds(lambda: nearest(released, originals))
    used = time.process_time() - used
    held = sum(array.nbytes for m in (released, originals) for array in (m.data, m.indices, m.indptr)) / 2**20
    print(took, used, peak_status("VmHWM") - before, held)


def run(*asked):
    """Print all tables, or only the last, of 20,000 and 200,000 people, where `many` is asked for."""
    if "many" not in asked:
        online_retail_table(str(DATA / "online_retail.parquet"))
        growth_table()
    many_table()


if __name__ == "__main__":
    if sys.argv[2] in {"deleted", "strangers"}:
        many_here(int(sys.argv[1]), sys.argv[2])
    else:
        memory_here(*sys.argv[1:])
