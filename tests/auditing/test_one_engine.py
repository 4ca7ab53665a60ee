"""One engine: the same release gets the same answer in memory and in blocks, to the last digits of a sum.

What is frozen of both ways has three digits (`tests/snapshots`); here both are compared as they are computed.
Who goes by the order of rows is not asked in blocks, which keep none, so what counts attackers is left out.
"""

from math import isclose

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.data.blocks import InMemory
from snapshots.cases import RELEASES, SEED

EXACTLY = 1e-9
ELSEWHERE = ("seconds", "filing", "provenance", "proof", "engine", "people", "pictures", "skipped", "reasons")
HERE = ("consensus", "sample-generalize")  # the rest is left to the campaign


def by_rows(finding):
    return finding["parameters"].get("by") == "rows" or finding["parameters"].get("drop") == "appended"


def named(document):
    """Return what an audit tells, its lists under what tells their lines apart."""
    told = {
        name: value for name, value in document.items() if name not in {*ELSEWHERE, "worst", "worst_again"}
    }
    told["attacks"] = {
        (one["knowledge"], one["attack"], str(sorted(one["parameters"].items()))): one
        for one in document["attacks"]
        if not by_rows(one)
    }
    told["learnt"] = {
        (one["knowledge"], one["attack"], one["way"], one["grain"]): one for one in document["learnt"]
    }
    return told


def apart(one, other, path=()):
    """Yield where two documents differ by more than sums in another order do."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            yield (*path, "keys"), sorted(map(str, one.keys() ^ other.keys()))
        for name in one.keys() & other.keys() - {"seconds"}:
            yield from apart(one[name], other[name], (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from apart(*pair, (*path, place))
    elif isinstance(one, float) and isinstance(other, float):
        if not isclose(one, other, rel_tol=EXACTLY, abs_tol=EXACTLY):
            yield path, (one, other)
    elif one != other:
        yield path, (one, other)


@pytest.mark.parametrize("name", [*HERE, *in_campaign(*(name for name in RELEASES if name not in HERE))])
def test_a_release_gets_the_same_answer_in_memory_and_in_blocks(name):
    shop = kb.demo.shop(60, seed=SEED)
    release = RELEASES[name].release(shop, seed=SEED)
    both = InMemory(shop, 3), InMemory(release.data, 3)
    memory, blocks = (
        kb.audit(*tables, release.pairing, targets="all", seed=SEED).to_dict()
        for tables in ((shop, release.data), both)
    )
    here, there = named(memory), named(blocks)
    assert len(here["attacks"]) > 60
    assert list(apart(here, there)) == []
