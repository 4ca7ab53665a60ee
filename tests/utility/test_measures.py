import datetime as dt

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.utility.purchases.co_purchase import CoPurchase
from kakurenbo.utility.purchases.cross_tables import U1, U2
from kakurenbo.utility.purchases.goods import Popularity, TopGoods
from kakurenbo.utility.purchases.likeness import Likeness
from kakurenbo.utility.purchases.records import RecordsAdded, RecordsAltered, RecordsDeleted
from kakurenbo.utility.purchases.rfm import U3


def shop_of(rows, people=None):
    frame = pl.DataFrame(
        rows, schema=["customer", "goods", "receipt", "day", "price", "quantity"], orient="row"
    ).with_columns(
        time=pl.col("day").map_elements(lambda d: dt.datetime(2024, 1, 1) + dt.timedelta(d), pl.Datetime)
    )
    master = (
        None if people is None else pl.DataFrame(people, schema=["customer", "sex", "land"], orient="row")
    )
    roles = {role: role for role in ("customer", "goods", "receipt", "time", "price", "quantity")}
    return kb.Purchases.from_frame(
        frame, **roles, master=master, keep_master=["sex", "land"] if people else []
    )


PEOPLE = [("a", "f", "no"), ("b", "f", "no"), ("c", "m", "se")]
BEFORE = [("a", "x", "1", 0, 2.0, 5), ("b", "y", "2", 3, 1.0, 10), ("c", "x", "3", 9, 4.0, 1)]


def test_cross_tables_by_hand():
    before = shop_of(BEFORE, PEOPLE)
    # under pseudonyms p, q, r: the two women spend 10 + 30, the man 4; he is now listed as a Danish woman
    after = shop_of(
        [("p", "x", "7", 0, 2.0, 5), ("q", "y", "8", 3, 3.0, 10), ("r", "x", "9", 9, 4.0, 1)],
        [("p", "f", "no"), ("q", "f", "no"), ("r", "f", "dk")],
    )
    secret = kb.Pairing.of({"p": "a", "q": "b", "r": "c"})
    women = 2 * abs(20 - 40) / 60
    assert U1().of(before, after).value == pytest.approx((women + 2 + 2) / 3)  # two cells on one side only
    assert U2().of(before, after, secret).value == pytest.approx((women + 0) / 2)
    assert U1(by=("sex",)).of(before, after).value == pytest.approx((2 * abs(20 - 44) / 64 + 2) / 2)
    assert U2(normaliser="total").of(before, after, secret).value == pytest.approx(20 / 24)
    assert U2(cell="records").of(before, after, secret).value == 0
    with pytest.raises(kb.InputError):
        U1(by=("age",)).of(before, after)


def test_amounts_that_no_number_holds_are_refused():
    before = shop_of([("a", "x", "1", 0, 1.0, 9)], PEOPLE[:1])
    huge = before.records.with_columns(price=pl.lit(1e308))  # what no table that is read can hold
    before = before.with_records(huge, master=before.master)
    for measure in (U1(), U1(normaliser="total"), U2()):
        with pytest.raises(kb.InputError, match="too large"):
            measure.of(before, before, kb.Pairing.of({"a": "a"}))


def test_only_u2_sees_people_swapped_between_groups():
    before = shop_of(BEFORE, PEOPLE)
    release = kb.methods.Pseudonymize().release(before, seed=1)
    back = release.pairing.to_dict()
    swapped = kb.Pairing.of({token: {"a": "c", "c": "a", "b": "b"}[who] for token, who in back.items()})
    assert U1().of(before, release.data).value == 0
    assert U2().of(before, release.data, swapped).value > 0


def test_rfm_by_hand():
    rows = [(f"c{i}", "x", f"r{i}-{j}", 10 * i, 1.0, 1 + i) for i in range(10) for j in range(1 + i)]
    before = shop_of(rows)
    assert U3().of(before, before).value == 0
    # one customer of ten falls from the highest spending class to the lowest
    poorer = shop_of([(*row[:5], 1) if row[0] == "c9" else row for row in rows])
    assert U3().of(before, poorer).value == pytest.approx(0.1)


def test_best_sellers_lost_and_popularity_moved():
    before = shop_of(
        [(f"c{i}", good, "1" + str(i), 0, 1.0, 1) for i in range(4) for good in "xyz"[: 1 + i % 3]]
    )
    after = shop_of([(f"c{i}", "w", "1" + str(i), 0, 1.0, 1) for i in range(4)])
    assert TopGoods(count=2).of(before, before).value == 0
    assert TopGoods(count=2).of(before, after).value == 1
    assert Popularity().of(before, after).value == 1


def test_goods_bought_together_by_hand():
    before = shop_of([("a", "x", "1", 0, 1.0, 1), ("a", "y", "1", 0, 1.0, 1), ("b", "x", "2", 0, 1.0, 1)])
    # the cosine of x (receipts 1, 2) and y (receipt 1) is 1/sqrt(2); apart it is 0
    apart = shop_of([("a", "x", "1", 0, 1.0, 1), ("a", "y", "3", 0, 1.0, 1), ("b", "x", "2", 0, 1.0, 1)])
    assert CoPurchase().of(before, apart).value == pytest.approx(1)
    closer = shop_of([("a", "x", "1", 0, 1.0, 1), ("a", "y", "1", 0, 1.0, 1)])
    assert CoPurchase().of(before, closer).value == pytest.approx((1 - 0.5**0.5) / 0.5**0.5)


@pytest.mark.parametrize("name", ["value", "price", "goods", "time", "pseudonym"])
def test_a_column_of_the_master_may_have_any_name(name):
    people = pl.DataFrame(PEOPLE, schema=["customer", "sex", name], orient="row")
    before = shop_of(BEFORE)
    before = kb.Purchases.from_frame(
        before.to_frame(), **{role: role for role in before.roles}, master=people, keep_master=["sex", name]
    )
    release = kb.methods.Pseudonymize().release(before, seed=1)
    assert release.data.master.columns == ["customer", "sex", name]
    assert U1(by=(name,)).of(before, release.data).value == 0
    fewer = before.with_records(before.records.filter(pl.col("customer") != "c"), master=before.master)
    assert U1(by=(name,)).of(before, fewer).value == pytest.approx((0 + 2) / 2)


def edits(before, after, secret):
    kinds = (RecordsAltered, RecordsAdded, RecordsDeleted)
    return tuple(kind().of(before, after, secret).value for kind in kinds)


def test_altered_added_and_deleted_are_three_things():
    before = shop_of(
        [
            ("a", "x", "1", 0, 2.0, 5),
            ("a", "x", "1", 0, 2.0, 5),
            ("a", "y", "1", 0, 3.0, 1),
            ("a", "z", "2", 9, 1.0, 1),
            ("b", "x", "3", 3, 2.0, 1),
        ]
    )
    after = shop_of(
        [
            ("p", "x", "7", 0, 2.0, 5),  # kept
            ("p", "x", "7", 0, 2.0, 6),  # another quantity
            ("p", "y", "7", 4, 3.0, 1),  # another day
            ("p", "w", "8", 9, 1.0, 1),  # another good: one less, one more
            ("q", "x", "9", 3, 2.0, 1),
            ("q", "x", "9", 3, 2.0, 1),  # a copy
        ]
    )
    secret = kb.Pairing.of({"p": "a", "q": "b"})
    assert edits(before, after, secret) == (2, 2, 1)


def test_coarsening_neither_alters_nor_adds_nor_deletes():
    shop = kb.demo.shop(60, seed=1)
    coarse = kb.methods.Coarsen(times="month", price_bands=3).release(shop, seed=1)
    assert edits(shop, coarse.data, coarse.pairing) == (0, 0, 0)
    noised = kb.methods.Noise(price_spread=0.5).release(coarse.data, seed=1)
    names = noised.pairing.to_dict()
    secret = kb.Pairing.of({name: coarse.pairing.to_dict()[was] for name, was in names.items()})
    altered, *others = edits(shop, noised.data, secret)
    assert altered > 0.9 * len(shop)
    assert others == [0, 0]


def cut(shop, characters):
    """A release by hand: goods cut to their first characters, everybody under his own name."""
    goods = pl.col("goods").cast(pl.String).str.slice(0, characters)
    return shop.with_records(shop.records.with_columns(goods))


def test_goods_cut_short_are_compared_in_the_words_of_the_release():
    shop = kb.demo.shop(60, seed=1)
    released = cut(shop, 2)
    assert len(released.goods) < len(shop.goods)
    secret = kb.Pairing(shop.customers, shop.customers)
    assert edits(shop, released, secret) == (0, 0, 0)
    for measure in (Popularity(), TopGoods(), CoPurchase()):
        assert measure.of(shop, released).value == pytest.approx(0, abs=1e-12)
    assert Likeness().of(shop, released, secret).value == 1


def test_receipts_left_out_leave_customers_to_compare():
    shop = kb.demo.shop(60, seed=1)
    bare = kb.Purchases.from_frame(
        shop.under(None), customer="customer", goods="goods", time="time", price="price", quantity="quantity"
    )
    told = CoPurchase().of(shop, bare)
    assert told.value == 0
    assert told.detail == {"customers compared": 60}
    assert CoPurchase().of(shop, shop).detail == {"receipts compared": shop.receipts}
    by_days = U3().of(shop, bare)
    assert by_days.value == 0, "days against days, not receipts against days"
