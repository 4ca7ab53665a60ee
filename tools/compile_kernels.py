"""Compile the kernels that most tests call, once: two workers that start together would both do so."""

import os

import kakurenbo as kb
from kakurenbo.data.blocks import InMemory


def main() -> None:
    """Hide a few people in several ways, and audit them in memory and in blocks."""
    if hasattr(
        os, "sched_setaffinity"
    ):  # threads that hand Python's lock from one processor to the other are slow
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    shop = kb.demo.shop(12, seed=1)
    release = kb.methods.Compact(min_size=3).release(shop, seed=1)
    kb.methods.Generalize(crowd=2).release(shop, seed=1)
    kb.audit(shop, release, seed=1)
    kb.audit(InMemory(shop, 2), InMemory(release.data, 2), release.pairing, targets="all", seed=1)
    people = kb.demo.households(30, seed=1)
    kb.audit(people, kb.methods.KAnonymize(k=3).release(people, seed=1), seed=1)


if __name__ == "__main__":
    main()
