"""Owners: a receipt is its likeliest owner's, whether everybody is at hand or some people are asked about."""

import math
from collections import Counter, defaultdict

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.chance import Chance
from shops import light_shop


def test_who_owns_a_receipt_by_plain_arithmetic():
    shop = light_shop(40, seed=3)
    release = kb.methods.Deal(min_size=6, of="receipts").release(shop, seed=2)
    attack, tables = kb.attacks.OwnersAttack(share=0.5), Tables(shop, release.data, Chance(5))
    grains = [(), ("month",), ("day",), ("quantity",), ("price",), ("time", "price", "quantity")]

    def traces(row):
        values = row | {"month": (row["time"].year, row["time"].month), "day": row["time"].date()}
        return [(row["goods"], part, *(values[name] for name in part)) for part in grains]

    has, all_of_it, length = defaultdict(Counter), Counter(), Counter()
    for row in attack.known(tables).under(None).iter_rows(named=True):
        has[row["customer"]].update(traces(row))
        all_of_it.update(traces(row))
        length[row["customer"]] += 1
    total, score = sum(length.values()), defaultdict(Counter)
    for row in release.data.under(None).iter_rows(named=True):
        for who in has:
            ratio = sum(
                has[who][trace] / length[who] * total / all_of_it[trace]
                for trace in traces(row) if all_of_it[trace]
            )  # fmt: skip
            score[row["receipt"]][who] += math.log(1 + ratio / len(grains))
    owner = attack.look(tables).owner
    for row, number in zip(release.data.under(None).iter_rows(named=True), owner, strict=True):
        (first, best), (_, second) = score[row["receipt"]].most_common(2)
        alone = best > math.log(len(has)) and second < best * (1 - 1e-9)
        assert number == (shop.customers.to_list().index(first) if alone else -1)
