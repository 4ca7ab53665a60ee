"""Sampled audits beside audits of everybody: how many rates and lessons of all lie in the sampled intervals.

`python -m bench sampled [retail] [shop]`, both unless one is named. Releases of UCI Online Retail are audited
with all 4,338 people, and with 1,000 targets by several seeds; a made-up shop of 100,000 customers with all
of them and with 10,000. Both are in blocks, so that the same attackers seek everybody and some: in a whole
table rivals for a name are settled among all people, which makes other attackers of those who look people
up. An interval of 95 % should hold about 95 % of what it is about; rates of one audit are of the same people,
so they lie inside or outside together. Who must see everybody at once seeks among candidates in a sampled
audit, which errs on the high side on purpose: he is counted apart, and so is how often he says too little.
Lessons are asked of the first 1,000 targets; of the shop, "all" means 10,000 people there, whose own interval
is a third as wide.
"""

import json
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

import kakurenbo as kb
from bench.harness import DATA
from bench.scale import COLUMNS, generalising
from kakurenbo.attacks.search import seek
from kakurenbo.auditing.learning import learn, purchases
from kakurenbo.catalogue import build
from kakurenbo.data.blocks import InMemory

SEEDS = (1, 2, 3)
KINDS = ("retail", "shop")
CUSTOMERS = 100_000
GOODS = 50_000
LESSONS = 10_000  # people of the whole shop of whom it is asked what is learnt
MORE = 5  # farthest figures outside that are shown


@dataclass
class Tally:
    """How many figures of all lie in the sampled intervals, and which do not."""

    inside: int = 0
    below: int = 0  # all have less than the interval
    above: int = 0
    outside: list = field(default_factory=list)

    def add(self, name, truth, some):
        """Count one figure of all beside the same of a sample."""
        slack = 1e-12  # of sums in another order
        apart = max(some.low - truth.value, truth.value - some.high)
        if apart <= slack:
            self.inside += 1
            return
        self.below += truth.value < some.low
        self.above += truth.value > some.high
        self.outside.append((apart, f"{name}: all {truth.value:.4f}, [{some.low:.4f}, {some.high:.4f}]"))

    def __str__(self):
        count = self.inside + self.below + self.above
        share = f" ({self.inside / count:.1%})" if count else ""
        return f"{self.inside} of {count} inside{share}, {self.below} below, {self.above} above"


def rates(audit):
    """Return everybody's rate by who he is, and of how many people it is."""
    return {
        (one.knowledge, one.attack, one.reading, json.dumps(one.parameters, sort_keys=True)): one
        for one in audit.attacks
    }


def lessons(audit):
    """Return the share laid open by every way to learn."""
    return {(one.knowledge, one.attack, one.way, one.grain): one.laid_open for one in audit.learnt}


def compared(whole, some, tallies):
    """Count rates and lessons of an audit of everybody beside those of a sampled one."""
    truth = rates(whole)
    for key, one in rates(some).items():
        if key in truth:
            kind = "candidates" if one.people <= some.targets.candidates else "found"
            tallies[kind].add(" ".join(key[:3]), truth[key].rate, one.rate)
    laid_open = lessons(whole)
    for key, rate in lessons(some).items():
        if key in laid_open:
            tallies["learnt"].add(" ".join(key), laid_open[key], rate)


def audited(original, release, pairing, targets, seed):
    """Return an audit, and tell what it took."""
    start, used = time.perf_counter(), time.process_time()
    made = kb.audit(original, release, pairing, targets=targets, seed=seed)
    wall, used = time.perf_counter() - start, time.process_time() - used
    print(f"  targets {targets}, seed {seed}: {wall:.0f} s, {used:.0f} processor s", flush=True)
    return made


def beside(title, tables, targets, seeds):
    """Print how many figures of all lie in the sampled intervals, over all seeds."""
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{title}, {targets:,} targets beside all (load {load})", flush=True)
    with asking(LESSONS):
        whole = audited(*tables, "all", 0)
    tallies = {kind: Tally() for kind in ("found", "learnt", "candidates")}
    for seed in seeds:
        compared(whole, audited(*tables, targets, seed), tallies)
    for kind, tally in tallies.items():
        print(f"  {kind:<10} {tally}", flush=True)
        for _, told in sorted(tally.outside, reverse=True)[:MORE]:
            print(f"             {told}", flush=True)


@contextmanager
def asking(people):
    """Remember where so many targets may be, instead of the first few."""
    before = seek.REMEMBERED
    seek.REMEMBERED = purchases.REMEMBERED = learn.MOST = people
    try:
        yield
    finally:
        seek.REMEMBERED = purchases.REMEMBERED = learn.MOST = before


def retail():
    shop = kb.datasets.online_retail(DATA / "online_retail.parquet")
    methods = kb.methods
    for title, method in (
        ("months and bands", methods.Coarsen(times="month", price_bands=4, quantity_bands=4)),
        ("compact", methods.Compact(min_size=8)),
        ("30 % deleted", methods.Delete(share=0.3)),
    ):
        release = method.release(shop, seed=1)
        tables = InMemory.of(shop), InMemory.of(release.data), release.pairing
        beside(f"Online Retail, {title}", tables, 1000, SEEDS)


def shop():
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shop.parquet"
        kb.demo.write_shop(path, CUSTOMERS, GOODS, seed=1)
        made = kb.Purchases.from_frame(pl.read_parquet(path), **{role: role for role in COLUMNS})
    release = build(generalising(CUSTOMERS)).release(made, seed=1)
    tables = InMemory.of(made), InMemory.of(release.data), release.pairing
    beside(f"shop of {CUSTOMERS:,}, generalised", tables, 10_000, SEEDS[:2])


def run(*asked):
    """Run both, or those named."""
    for name in asked or KINDS:
        {"retail": retail, "shop": shop}[name]()
