"""Per-person risk: who is found, by whom, and why; checked against plain sets."""

import pytest

import kakurenbo as kb
from kakurenbo.auditing.audit import audit
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(80, seed=4)


def goods_of(purchases):
    sets = {}
    for who, what in purchases.under(None).select("customer", "goods").iter_rows():
        sets.setdefault(who, set()).add(what)
    return sets


@pytest.mark.campaign
def test_the_goods_that_give_somebody_away_are_his_alone(shop):
    parts = ("customer", "goods", "price", "quantity")  # visits, with their times, would tell sooner
    shop = kb.Purchases.from_frame(shop.under(None).select(parts), **{part: part for part in parts})
    release = kb.methods.Delete(share=0.3).release(shop, seed=1)
    people = audit(shop, release, seed=1).people
    before, after = goods_of(shop), goods_of(release.data)
    checked = 0
    for row in people.table.iter_rows(named=True):
        if row["least_knowledge"] != "goods" or "nobody else" not in row["why"]:
            continue
        clues = set(row["why"].split(":")[0].split(", "))
        assert len(clues) <= 3
        assert clues <= after[row["released"]]
        assert [who for who, goods in before.items() if clues <= goods] == [row["original"]]
        assert [who for who, goods in after.items() if clues <= goods] == [row["released"]]
        checked += 1
    assert checked > 40
