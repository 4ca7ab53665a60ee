"""Per-person risk: who is found, by whom, and why; checked against plain sets."""

import polars as pl
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


def test_counts_agree_with_the_table(shop):
    release = kb.Balanced(clusters=10, min_size=8).release(shop, seed=1)
    result = audit(shop, release, seed=1)
    people, table = result.people, result.people.table
    assert table.height == people.people == 80
    assert people.found == table.filter(pl.col("attackers") > 0).height
    assert sum(count for _, count in people.by_attackers) == 80
    assert sum(count for _, _, count in people.by_chance) == 80
    assert sum(count for _, count in people.least) == people.found
    assert dict(people.least)["order"] == 0, "luck is not a finding"
    assert table.columns == [
        "released", "original", "highest_chance", "attackers", "found_by", "least_knowledge", "why",
    ]  # fmt: skip
    assert table["highest_chance"].is_between(0, 1).all()


def test_whoever_is_not_found_has_no_reason(shop):
    release = kb.methods.Deal(min_size=16, of="records").release(shop, seed=1)
    table = audit(shop, release, seed=1).people.table
    hidden = table.filter(pl.col("attackers") == 0)
    assert hidden.height > 10  # 22 to 62 of 80 over seeds: which attackers pass for more than lucky is chance
    assert hidden["why"].null_count() == hidden.height
