"""Groups in parts of look-alikes beside the whole solved at once: records edited, and processor seconds.

Two ways are tried at a time, so two idle cores take about two minutes.
"""

import time

import numpy as np
from scipy import sparse

from bench.nearest import shop
from kakurenbo.data.baskets import Baskets
from kakurenbo.data.purchases import Purchases
from kakurenbo.deidentify.purchases.parts import EFFORT, shared
from kakurenbo.demo import shop_frame
from kakurenbo.kernels import parts as kernel
from kakurenbo.kernels.compact import compact, consensus
from kakurenbo.threads import in_order

MIN_SIZE = 8
SAMPLE = 4_000


def edits(records, labels, *, deleting):
    """Count the records added and deleted, good by good and cluster by cluster."""
    people, clusters = len(labels), labels.max() + 1
    bought = sparse.csr_array(records, dtype=np.int64, copy=True)
    bought.data[:] = 1
    members = sparse.csr_array((np.ones(people, np.int64), (labels, np.arange(people))), (clusters, people))
    have, cost = members @ bought, members @ records
    have.sort_indices()
    cost.sort_indices()
    lacking = np.repeat(np.bincount(labels), np.diff(have.indptr)) - have.data
    return int(np.minimum(lacking, cost.data).sum() if deleting else lacking.sum())


def parts_of(bought, sizes):
    """Cut the people as the methods do, the first of them as the sample."""
    weights = kernel.telling(np.bincount(bought.indices, minlength=bought.shape[1]), bought.shape[0])
    seen = kernel.directions(bought[:SAMPLE], weights)
    part = kernel.cut(kernel.signatures(bought, weights, seen), sizes)
    return [np.flatnonzero(part == number) for number in range(len(sizes))]


def solved(search, table, parts, effort):
    """Return the labels of all people, each part searched by itself among the goods it has."""
    labels, used = np.empty(table.shape[0], dtype=np.int64), 0
    for number, rows in enumerate(parts):
        there, columns = np.unique(table[rows].indices, return_inverse=True)
        own = table[rows]
        own = sparse.csr_array((own.data, columns, own.indptr), shape=(len(rows), len(there)))
        labels[rows] = used + search(own, MIN_SIZE, rng=np.random.default_rng(number), effort=effort)
        used = labels[rows].max() + 1
    return labels


def tried(job):
    """Return what a way takes: edits a person, and processor seconds."""
    name, records, sizes, effort = job
    bought = sparse.csr_array((np.ones_like(records.data), records.indices, records.indptr), records.shape)
    start = time.thread_time()
    parts = [np.arange(records.shape[0])] if sizes is None else parts_of(bought, sizes)
    search, table = (compact, bought) if name == "compact" else (consensus, records)
    labels = solved(search, table, parts, effort)
    took = time.thread_time() - start
    return edits(records, labels, deleting=name == "consensus") / len(labels), took


def beside(jobs):
    """Print the ways of every table and method, two tried at a time, as ratios to the first of them."""
    results, first = in_order(tried, [job for _, _, job in jobs]), {}
    for (title, way, job), (made, took) in zip(jobs, results, strict=True):
        base = first.setdefault((title, job[0]), (made, took))
        print(
            f"{title:<16} {job[0]:<10} {way:<26} edits {made:7.2f} a person ({made / base[0]:.4f})"
            f"  {took:6.1f} processor s ({took / base[1]:.2f})",
            flush=True,
        )


def run(people=20_000):
    compact(shop(200, goods=300, mean=20), MIN_SIZE, rng=np.random.default_rng(0), effort=1)
    ours = shared(people, MIN_SIZE)[0]
    once, cut = ("at once, effort of a part", None, EFFORT), (f"in {len(ours)} parts", ours, EFFORT)
    frame = shop_frame(people, seed=1)
    table = Purchases.from_frame(frame, customer="customer", goods="goods")
    made, tail = Baskets.of(table, "records").matrix, shop(people, goods=50_000, mean=45)
    title = f"shop {people}"
    tries = [(title, "consensus", made, way) for way in (("at once", None, None), once, cut)]
    tries += [(title, "compact", made, way) for way in (once, cut)]
    tries += [(f"long tail {people}", "consensus", tail, way) for way in (once, cut)]
    beside([(title, way, (name, records, *how)) for title, name, records, (way, *how) in tries])
