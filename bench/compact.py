"""Our clusters beside the papers': dummies and time as ratios, measured in one run, one thread each."""

import time

import numpy as np

from bench.harness import DATA
from kakurenbo.data.purchases import Purchases
from kakurenbo.demo import shop_frame
from kakurenbo.files.datasets import online_retail
from kakurenbo.files.read import read_purchases
from kakurenbo.kernels.clusters import balance, dummies, tfidf_kmeans
from kakurenbo.kernels.compact import compact


def timed(function, *arguments, **named):
    start = time.perf_counter()
    result = function(*arguments, **named)
    return result, time.perf_counter() - start


def beside(name, table, clusters, min_size, seeds):
    """Print the ratio of dummies to Method 2 (mean and worst seed) and of time to Method 1."""
    rows = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        start, slow = timed(tfidf_kmeans, table, clusters, rng)
        balanced, repair = timed(balance, table, start, min_size)
        fixed, ours = timed(compact, table, min_size, clusters, rng=rng)
        free, _ = timed(compact, table, min_size, rng=rng)
        base = dummies(table, balanced)
        rows.append(
            (base, dummies(table, fixed) / base, dummies(table, free) / base, ours / slow, slow, repair, ours)
        )
    base, fixed, free, ratio, slow, repair, ours = np.mean(rows, axis=0)
    worst = max(row[1] for row in rows)
    print(
        f"{name:>16} c={clusters:<5} s={min_size} balance {base:>10,.0f}"
        f"  compact/balance {fixed:.4f} (worst {worst:.4f})"
        f"  free {free:.4f}  time/k-means {ratio:.2f} ({ours:.2f} s / {slow:.2f} s, balance {repair:.2f} s)",
        flush=True,
    )


def grow(sizes):
    """Print how ours grows with made-up customers, beside k-means while that is bearable."""
    for customers in sizes:
        frame = shop_frame(customers, seed=1)
        table = Purchases.from_frame(frame, customer="customer", goods="goods").baskets().matrix
        if customers <= 4000:
            beside(f"shop {customers}", table, customers // 8, 8, [0])
            continue
        labels, ours = timed(compact, table, 8, rng=np.random.default_rng(0))
        start, _ = timed(compact, table, 8, rng=np.random.default_rng(0), effort=0)
        saved = dummies(table, labels) / dummies(table, start)
        print(
            f"{f'shop {customers}':>16} {ours:.1f} s, {ours / customers * 1e3:.2f} ms a customer,"
            f" dummies of its start {saved:.4f}",
            flush=True,
        )


def run():
    small = read_purchases(DATA / "tc400.csv").baskets().matrix
    compact(small, 8, rng=np.random.default_rng(0), effort=1)
    balance(small, np.arange(400) % 50, 8)
    for clusters, min_size in ((50, 8), (75, 5), (100, 4), (125, 3)):
        beside("TC400", small, clusters, min_size, range(5))
    large = online_retail(DATA / "online_retail.parquet").baskets().matrix
    beside("Online Retail", large, large.shape[0] // 8, 8, range(2))
    grow([1000, 2000, 4000, 10000, 20000])
