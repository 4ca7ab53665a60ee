"""Groups in parts of look-alikes beside the whole solved at once: records edited, and processor seconds."""

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


def beside(title, records, ways):
    """Print edits a person and processor seconds of every way, as ratios to the first."""
    bought = sparse.csr_array((np.ones_like(records.data), records.indices, records.indptr), records.shape)
    for name, search, table, deleting in (
        ("compact", compact, bought, False), ("consensus", consensus, records, True),
    ):  # fmt: skip
        base = None
        for way, sizes, effort in ways:
            start = time.process_time()
            parts = [np.arange(len(records.indptr) - 1)] if sizes is None else parts_of(bought, sizes)
            labels = solved(search, table, parts, effort)
            took, made = time.process_time() - start, edits(records, labels, deleting=deleting)
            base = base or (made, took)
            print(
                f"{title:<16} {name:<10} {way:<32} edits {made / len(labels):7.2f} a person"
                f" ({made / base[0]:.4f} of the whole)  {took:6.1f} processor s ({took / base[1]:.2f})",
                flush=True,
            )


def run(people=20_000):
    compact(shop(200, goods=300, mean=20), MIN_SIZE, rng=np.random.default_rng(0), effort=1)
    ours = shared(people, MIN_SIZE)[0]
    ways = [
        ("at once", None, None),
        ("at once, effort of a part", None, EFFORT),
        (f"in {len(ours)} parts", ours, EFFORT),
        ("in 4 parts", [people // 4] * 4, EFFORT),
    ]
    frame = shop_frame(people, seed=1)
    table = Purchases.from_frame(frame, customer="customer", goods="goods")
    beside(f"shop {people}", Baskets.of(table, "records").matrix, ways)
    beside(f"long tail {people}", shop(people, goods=50_000, mean=45), ways[1:])
