"""Deal: whose purchases are whose is decided by chance, and everything else stays."""

from collections import Counter, defaultdict
from math import ceil, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.deidentify.purchases.deal import deal
from strategies import purchases, purchases_of

ROLES = {"receipt": "slip", "time": "when", "price": "cost", "quantity": "pieces"}


def baskets(data):
    """What stands on each receipt, however it is called and whosever it is."""
    held = defaultdict(list)
    for row in data.under(None).iter_rows(named=True):
        held[row["customer"], row["receipt"]].append((row["goods"], row.get("quantity", 1)))
    return Counter(tuple(sorted(basket)) for basket in held.values())


@given(data=st.data(), seed=st.integers(0, 99))
def test_hands_differ_by_one_at_most_and_everyones_units_are_spread(data, seed):
    labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=12)))
    counts = data.draw(st.lists(st.integers(1, 9), min_size=len(labels), max_size=len(labels)))
    owner = np.repeat(np.arange(len(labels)), counts)
    people = pl.Series([f"c{i}" for i in range(len(labels))])
    taker = deal(labels, owner, people, Chance(seed))
    assert (labels[taker] == labels[owner]).all(), "nothing leaves its group"
    for label in set(labels.tolist()):
        members = np.flatnonzero(labels == label)
        hands = [int((taker == member).sum()) for member in members]
        assert min(hands) >= 1
        assert max(hands) - min(hands) <= 1
        for member in members:
            shares = Counter(taker[owner == member].tolist())
            assert max(shares.values()) == ceil(counts[member] / len(members))


def test_every_unit_is_as_likely_to_go_to_each_member():
    labels, owner = np.zeros(4, dtype=np.int64), np.array([0, 0, 0, 0, 0, 1, 2, 3])
    people, drawn = pl.Series(["a", "b", "c", "d"]), 600
    taken = np.array([deal(labels, owner, people, Chance(seed)) for seed in range(drawn)])
    shares = np.array([(taken == member).mean(axis=0) for member in range(4)])
    assert shares == pytest.approx(np.full((4, 8), 0.25), abs=4.5 * sqrt(0.25 * 0.75 / drawn))


@given(shop=purchases, seed=st.integers(0, 99))
def test_receipts_stay_whole_and_none_are_joined(shop, seed):
    release = kb.methods.Deal(min_size=len(shop.customers)).release(shop, seed=seed)
    assert baskets(release.data) == baskets(shop)
    assert release.facts.extras["dealt"] == release.data.receipts


def test_receipts_of_one_name_are_not_joined_in_one_hand():
    """Two shops may number their receipts alike; the one hand that takes both must hold two."""
    table = pl.DataFrame({"who": list("aabb"), "what": list("xyxy"), "slip": list("1212")})
    shop = kb.Purchases.from_frame(table, customer="who", goods="what", receipt="slip")
    for seed in range(10):
        assert baskets(kb.methods.Deal(min_size=2).release(shop, seed=seed).data).total() == 4


def test_single_records_leave_receipts_and_histories_in_pieces():
    shop = kb.demo.shop(24, seed=1)
    whole, apart = (
        kb.methods.Deal(min_size=6, of=of).release(shop, seed=1) for of in ("receipts", "records")
    )
    assert whole.facts.extras["dealt"] == shop.receipts
    assert apart.facts.extras["dealt"] == len(shop)
    assert apart.data.receipts > shop.receipts
    assert apart.facts.extras["undivided"] == 0


def test_people_who_move_in_one_piece_are_counted():
    table = [(0, 0, 0, 0, 100, 1), (1, 1, 0, 0, 100, 1), (2, 2, 0, 0, 100, 1), (2, 2, 1, 9, 100, 1)]
    assert kb.methods.Deal(min_size=3).release(purchases_of(table), seed=1).facts.extras["undivided"] == 2


@pytest.mark.parametrize(
    ("roles", "units"), [(("receipt", "time"), 4), (("receipt",), 4), (("time",), 4), ((), 6)]
)
def test_without_receipts_a_visit_is_a_customer_and_a_time(roles, units, small_frame):
    shop = kb.Purchases.from_frame(
        small_frame, customer="who", goods="what", **{role: ROLES[role] for role in roles}
    )
    release = kb.methods.Deal(min_size=3).release(shop, seed=1)
    assert release.facts.extras["dealt"] == units
    assert len(release.data) == len(shop)


def test_dealing_can_be_chained():
    shop = kb.demo.shop(24, seed=1)
    release = kb.methods.Chain(
        methods=(kb.methods.Deal(min_size=6), kb.methods.Coarsen(times="month"))
    ).release(shop, seed=1)
    assert len(release.data) == len(shop)
    assert release.facts.smallest_group >= 6


def test_the_master_is_dealt_too_within_the_group_unless_it_shall_stay():
    shop = kb.demo.shop(60, seed=1)
    names = [name for name in shop.master.columns if name != "customer"]

    def rows(data, pairing=None):
        if pairing is None:
            return data.master.sort("customer").select(names).rows()
        back = data.master.join(pairing.frame, left_on="customer", right_on="released")
        return back.sort("original").select(names).rows()

    dealt = kb.methods.Deal(min_size=10).release(shop, seed=1)
    assert Counter(rows(dealt.data)) == Counter(rows(shop)), "no row is lost"
    assert rows(dealt.data, dealt.pairing) != rows(shop)
    kept = kb.methods.Deal(min_size=10, master="kept").release(shop, seed=1)
    assert rows(kept.data, kept.pairing) == rows(shop)


def test_a_kept_master_gives_members_away_and_a_dealt_one_does_not():
    shop = kb.demo.shop(120, seed=1)
    attack = kb.attacks.EvidenceAttack(master=True)

    def rate(master):
        release = kb.methods.Deal(min_size=10, of="records", master=master).release(shop, seed=1)
        return kb.reidentification(release.pairing, attack.guess(shop, release.data, seed=1)).rate.value

    assert rate("kept") > 0.3
    assert rate("dealt") < 0.25
