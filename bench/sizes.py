"""What a shop of your size can release: how much detail holds a seeker, as made-up shops grow.

For each shop, grain of time and number of known records the smallest crowd is sought, by halving, at which
the likelihood seeker finds at most a tenth of a sample of people among all; then it is told what detail is
left: how many words, how many records keep their own good, how many bits of the good are lost.
"""

import math
import sys
import time
from dataclasses import replace

import numpy as np
from scipy import sparse

from kakurenbo.chance import Chance
from kakurenbo.data.purchases import Purchases
from kakurenbo.demo import shop_frame
from kakurenbo.kernels.scan import Beside, Postings, look_up
from kakurenbo.methods import Coarsen, Generalize, Omit

TARGETS = 1000
LIMIT = 0.1
ALL = 100_000  # people, beyond whom only two known records are tried
LEAST = 1e-6
HALVINGS = 5


def found(data, known, rng):
    """Return the share of sampled people whom the likeliest owner of some of their records is."""
    records = data.records
    words = records["goods"].to_physical().to_numpy().astype(np.int64)
    times = records["time"].rank("dense").to_numpy().astype(np.int64) if "time" in data.roles else 0 * words
    keys = np.unique(words * (times.max() + 1) + times, return_inverse=True)[1]
    people = records["customer"].to_physical().to_numpy().astype(np.int64)
    shape = (len(data.customers), int(keys.max()) + 1)
    held = sparse.coo_array((np.ones(len(keys)), (people, keys)), shape=shape).tocsr()
    order = np.argsort(people, kind="stable")
    starts = np.searchsorted(people[order], np.arange(shape[0] + 1))
    able = np.flatnonzero(np.diff(starts) >= known)
    targets = np.sort(rng.choice(able, min(TARGETS, len(able)), replace=False))
    drawn = [order[starts[t] + rng.choice(starts[t + 1] - starts[t], known, replace=False)] for t in targets]
    bounds = np.arange(len(targets) + 1) * known
    sought = keys[np.concatenate(drawn)].reshape(-1, 1)
    turned = held.tocsc()
    share = turned.data / np.diff(starts)[turned.indices]
    postings = Postings(turned.indptr.astype(np.int64), turned.indices.astype(np.int32), share, shape[0])
    own = np.arange(len(targets) + 1), targets
    bits = np.arange(len(targets), dtype=np.uint64), np.arange(shape[0], dtype=np.uint64)
    best = look_up(
        (bounds, sought.astype(np.int32)), postings.logarithms(LEAST), least=0.0,
        sizes=np.zeros((1, shape[0])), beside=Beside(own, bits, 0, 1e-9),
    )[0]  # fmt: skip
    return float((best.own / np.maximum(best.ties, 1)).mean())


def lost(before, after):
    """Return the bits of the good that a record loses: log of how rarer it was than its word is."""
    own, word = (data.records["goods"].to_physical().to_numpy() for data in (before, after))
    rarer = np.bincount(word)[word] / np.bincount(own)[own]
    return float(np.log2(rarer).mean()), float(np.mean(rarer == 1))


def holding(data, known):
    """Return the smallest crowd that holds, what is found there, and the data in its words."""
    low, high, best = len(data.customers) ** 0.25, len(data.customers) ** 0.75, None
    for _ in range(HALVINGS):
        crowd = max(round(math.sqrt(low * high)), 2)
        words = Generalize(crowd=crowd).change(data, Chance(1)).data
        share = found(words, known, np.random.default_rng(1))
        if share <= LIMIT:
            high, best = crowd, (crowd, share, words)
        else:
            low = crowd
    return best


def run(sizes=(4_000, 40_000)):
    """Print what holds in shops of these sizes."""
    for customers in map(int, sizes):
        frame = shop_frame(customers, seed=1).select("customer", "goods", "time")
        shop = Purchases.from_frame(frame, customer="customer", goods="goods", time="time")
        del frame
        tree = Generalize(crowd=1, by="learnt").tree(shop, Chance(1))
        shop = replace(shop, hierarchies={"goods": tree})
        for grain in ("month", "quarter", "none"):
            step = Omit(columns=("time",)) if grain == "none" else Coarsen(times=grain)
            coarse = step.change(shop, Chance(1)).data
            for known in (2, 4) if customers <= ALL else (2,):
                start = time.process_time()
                best = holding(coarse, known)
                took = time.process_time() - start
                what = "nothing holds" if best is None else told(coarse, *best)
                print(f"{customers:>9,} people, {grain:>7}, {known} known: {what} ({took:.0f} s)", flush=True)


def told(before, crowd, share, words):
    """Return what is left at a crowd."""
    bits, own = lost(before, words)
    return (
        f"crowd {crowd:>6,}, found {share:.3f}, {len(words.goods):>5,} words of {len(before.goods):,} goods, "
        f"{own:.1%} of the records keep their good, {bits:.2f} bits lost"
    )


if __name__ == "__main__":
    run(sys.argv[1:] or (4_000, 40_000))
