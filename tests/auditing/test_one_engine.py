"""One engine: the same release gets the same answer in memory and in blocks, to the last digits of a sum.

What is frozen of both ways has three digits (`tests/snapshots`); here both are compared as they are computed.
"""

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.data.blocks import InMemory
from same_answers import apart, named
from snapshots.cases import RELEASES, SEED

HERE = ("consensus",)  # the rest is left to the campaign


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
