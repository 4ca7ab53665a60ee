"""Dummies from donors: copies of the cluster's real purchases, beside the customer's own."""

from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from campaign import one_in
from kakurenbo.chance import Chance
from kakurenbo.deidentify.purchases.padding import pad
from strategies import purchases_of, rows

PADDING = [
    kb.methods.KMeans(clusters=6, dummies="donor"),
    kb.methods.Tfidf(clusters=6, dummies="donor"),
    kb.Balanced(clusters=6, min_size=4, dummies="donor"),
    kb.methods.Compact(min_size=4, dummies="donor"),
]
OPTIONAL = ("receipt", "time", "price", "quantity")


def added(shop, padded):
    """The dummies: records of goods that their customer did not have."""
    held = shop.under(None).select("customer", "goods")
    return padded.under(None).join(held, on=["customer", "goods"], how="anti")


@given(table=rows, seed=st.integers(0, 99), data=st.data())
def test_a_dummy_copies_a_donor_of_its_cluster_and_stands_beside_an_own_record(table, seed, data):
    shop = purchases_of(table)
    people = list(shop.customers)
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(people), max_size=len(people)))
    padded = pad(shop, np.array(labels), Chance(seed)).data
    cluster = dict(zip(people, labels, strict=True))
    offered, moments = defaultdict(set), defaultdict(set)
    for row in shop.under(None).iter_rows(named=True):
        offered[cluster[row["customer"]], row["goods"]].add((row["price"], row["quantity"]))
        moments[row["customer"]].add((row["receipt"], row["time"]))
    wanted = {(who, what) for who in people for label, what in offered if label == cluster[who]}
    held = set(shop.under(None).select("customer", "goods").iter_rows())
    dummies = added(shop, padded)
    assert sorted(dummies.select("customer", "goods").rows()) == sorted(wanted - held)
    for row in dummies.iter_rows(named=True):
        assert (row["price"], row["quantity"]) in offered[cluster[row["customer"]], row["goods"]]
        assert (row["receipt"], row["time"]) in moments[row["customer"]]


@pytest.mark.campaign
def test_donors_and_places_are_drawn_by_how_many_records_there_are():
    """One donor bought three of his four by the dozen; the receiver made one visit of four lines of five."""
    table = [(0, 0, 0, 0, 100, quantity) for quantity in (12, 12, 12, 1)]
    table += [(1, goods, int(goods == 5), goods == 5, 100, 1) for goods in range(1, 6)]
    shop = purchases_of(table)
    drawn = 400
    seen = Counter()
    for seed in range(drawn):
        dummies = added(shop, pad(shop, np.zeros(2, dtype=np.int64), Chance(seed)).data)
        (row,) = dummies.filter(pl.col("customer") == "c1").rows(named=True)
        seen.update([("quantity", row["quantity"]), ("receipt", row["receipt"])])
    assert seen["quantity", 12] == pytest.approx(0.75 * drawn, abs=4 * sqrt(0.75 * 0.25 * drawn))
    assert seen["receipt", "r1-0"] == pytest.approx(0.8 * drawn, abs=4 * sqrt(0.8 * 0.2 * drawn))


@pytest.mark.parametrize("method", one_in(3, PADDING), ids=lambda method: type(method).__name__)
def test_the_jaccard_attack_sees_no_difference(method):
    """Goods sets are the same as with the paper's dummies, so its expected rate is the very same."""
    shop = kb.demo.shop(40, seed=1)
    rates = []
    for other in (method, method.model_copy(update={"dummies": "paper"})):
        release = other.release(shop, seed=1)
        guess = kb.JaccardAttack().guess(shop, release.data, seed=1)
        rates.append(kb.reidentification(release.pairing, guess).rate.value)
    assert rates[0] == pytest.approx(rates[1])


def test_dummies_no_longer_sit_on_the_last_receipt_with_one_piece():
    shop = kb.demo.shop(40, seed=1)
    last = shop.under(None).group_by("customer").agg(last=pl.col("time").max())

    def at_a_glance(dummies):
        method = kb.Balanced(clusters=6, min_size=4, dummies=dummies)
        padded = method.change(shop, Chance(1)).data
        found = added(shop, padded).join(last, on="customer")
        return found.select(((pl.col("time") == pl.col("last")) & (pl.col("quantity") == 1)).mean()).item()

    assert at_a_glance("paper") == 1
    assert at_a_glance("donor") < 0.2


@pytest.mark.parametrize(
    "roles", [some for k in range(5) for some in combinations(OPTIONAL, k)], ids="-".join
)
def test_every_set_of_roles_can_be_padded(roles, small_frame):
    names = {"receipt": "slip", "time": "when", "price": "cost", "quantity": "pieces"}
    shop = kb.Purchases.from_frame(
        small_frame, customer="who", goods="what", **{role: names[role] for role in roles}
    )
    release = kb.methods.Compact(min_size=3, dummies="donor").release(shop, seed=1)
    assert len(release.data) == len(shop) + 3
    assert release.data.baskets().sizes.tolist() == [3, 3, 3]
    assert release.data.records.null_count().sum_horizontal().item() == 0
