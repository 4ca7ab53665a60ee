"""Deal: whose purchases are whose is decided by chance, and everything else stays."""

from collections import Counter, defaultdict
from math import ceil, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.deidentify.purchases.deal import deal
from strategies import purchases_of, rows

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


def histories(table):
    """Everybody's receipts, as lists of the numbers of their records; a record's price is its number."""
    held = defaultdict(lambda: defaultdict(list))
    for place, row in enumerate(table, start=1):
        held[f"c{row[0]}"][row[2]].append(place)
    return {who: list(visits.values()) for who, visits in held.items()}


@given(table=rows, parts=st.integers(2, 5), seed=st.integers(0, 99))
def test_receipts_stay_whole_unless_one_holds_too_much_of_its_owner_and_none_are_joined(table, parts, seed):
    known = {who: visits for who, visits in histories(table).items() if sum(map(len, visits)) > 1}
    assume(len(known) > 1)
    shop = purchases_of([(*row[:4], place, row[5]) for place, row in enumerate(table, start=1)])
    method = kb.methods.Deal(min_size=len(known), of="receipts", parts=parts, effort=20)
    release = method.release(shop, seed=seed)
    lines = defaultdict(set)
    for receipt, price in release.data.under(None).select("receipt", "price").iter_rows():
        lines[receipt].add(round(100 * price))
    divided = 0
    for visits in known.values():
        most = ceil(sum(map(len, visits)) / parts)
        for visit in visits:
            pieces = [part for part in lines.values() if part & set(visit)]
            assert all(part <= set(visit) for part in pieces), "two receipts do not become one"
            assert len(pieces) <= ceil(len(visit) / most), "no more pieces than are needed"
            divided += len(visit) > most
    assert release.facts.extras["divided"] == divided


def test_receipts_of_one_name_are_not_joined_in_one_hand():
    """Two shops may number their receipts alike; the one hand that takes both must hold two."""
    table = pl.DataFrame({"who": list("aabb"), "what": list("xyxy"), "slip": list("1212")})
    shop = kb.Purchases.from_frame(table, customer="who", goods="what", receipt="slip")
    for seed in range(10):
        release = kb.methods.Deal(min_size=2, of="receipts").release(shop, seed=seed)
        assert baskets(release.data).total() == 4


def test_single_records_leave_receipts_and_histories_in_pieces():
    shop = kb.demo.shop(24, seed=1)
    whole, apart = (
        kb.methods.Deal(min_size=6, of=of).release(shop, seed=1) for of in ("receipts", "records")
    )
    assert shop.receipts < whole.facts.extras["dealt"] < apart.facts.extras["dealt"] == len(shop)
    assert shop.receipts < whole.data.receipts < apart.data.receipts
    assert kb.methods.Deal(min_size=6) == kb.methods.Deal(min_size=6, of="records"), "the form that holds"


@pytest.mark.parametrize("of", ["receipts", "records"])
def test_who_has_one_receipt_is_divided_and_who_has_one_record_is_left_out(of):
    one, two = [(0, 0, 0, 0, 100, 1)], [(1, good, 0, 0, 100, 1) for good in range(2)]
    table = [*one, *two, *((2, good, good, 0, 100, 1) for good in range(3))]
    release = kb.methods.Deal(min_size=2, of=of).release(purchases_of(table), seed=1)
    facts = release.facts.extras
    assert (facts["left_out"], facts["undivided"], release.facts.deleted) == (1, 0, 1)
    assert facts["divided"] == (of == "receipts")
    assert set(release.pairing.original) == {"c1", "c2"}
    alone = kb.methods.Deal(min_size=1, of=of).release(purchases_of(table), seed=1)
    assert (len(alone.pairing), alone.facts.extras["left_out"]) == (3, 0), "nobody is dealt, nobody left out"
    with pytest.raises(kb.ParameterError, match="only 2 people have more than one record"):
        kb.methods.Deal(min_size=3, of=of).release(purchases_of(table))


def test_groups_never_mix_cells_of_the_master_and_small_cells_are_refused():
    shop = kb.demo.shop(60, seed=1)
    cells = dict(shop.master.select("customer", "sex").iter_rows())
    release = kb.methods.Deal(min_size=5, within=("sex",), effort=50).release(shop, seed=1)

    def sold(data, whose):
        held = defaultdict(list)
        for who, *record in data.under(None).select("customer", "goods", "time", "quantity").iter_rows():
            held[whose[who]].append(tuple(record))
        return {cell: sorted(records) for cell, records in held.items()}

    there = shop.of(release.pairing.original)
    behind = {name: cells[who] for name, who in release.pairing.to_dict().items()}
    assert sold(release.data, behind) == sold(there, cells)
    assert dict(release.data.master.select("customer", "sex").iter_rows()) == behind, (
        "rows stay in their cell"
    )
    assert release.facts.smallest_group >= 5
    with pytest.raises(kb.ParameterError, match="cells of the master hold fewer than 20 people"):
        kb.methods.Deal(min_size=20, within=("sex", "birth")).release(shop)
    with pytest.raises(kb.ParameterError, match="within cells"):
        kb.methods.Deal(min_size=2, clusters=2, within=("sex",))


@pytest.mark.parametrize(
    ("roles", "units"), [(("receipt", "time"), 4), (("receipt",), 4), (("time",), 4), ((), 5)]
)
def test_without_receipts_a_visit_is_a_customer_and_a_time(roles, units, small_frame):
    shop = kb.Purchases.from_frame(
        small_frame, customer="who", goods="what", **{role: ROLES[role] for role in roles}
    )
    release = kb.methods.Deal(min_size=2, of="receipts", parts=2).release(shop, seed=1)
    assert release.facts.extras["dealt"] == units
    assert len(release.data) == len(shop) - 1, "bob has one record"


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


@pytest.mark.campaign
def test_a_kept_master_gives_members_away_and_a_dealt_one_does_not():
    shop = kb.demo.shop(120, seed=1)
    attack = kb.attacks.EvidenceAttack(master=True)

    def rate(master):
        release = kb.methods.Deal(min_size=10, of="records", master=master).release(shop, seed=1)
        return kb.reidentification(release.pairing, attack.guess(shop, release.data, seed=1)).rate.value

    assert rate("kept") > 0.3
    assert rate("dealt") < 0.25
