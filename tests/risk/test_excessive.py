"""Limits and verdicts on small data, against plain Python."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.risk.excess.judge import Verdict
from kakurenbo.risk.excess.limits import contest_limit
from kakurenbo.risk.excess.trials import trials
from shops import held_declared_another, light_shop
from strategies import purchases


@pytest.fixture(scope="module")
def shop():
    return kb.demo.shop(60, seed=3)


def plain_distance(shop, released, secret, distance):
    """d(T, T'; p) in plain Python."""
    held = []
    for data in (shop, released):
        table = {}
        for row in data.under(None).iter_rows(named=True):
            goods = table.setdefault(row["customer"], {})
            goods[row["goods"]] = 1 if distance == "set" else goods.get(row["goods"], 0) + row["quantity"]
        held.append(table)
    back = {original: name for name, original in secret.to_dict().items()}
    total = []
    for who, goods in held[0].items():
        other = held[1].get(back.get(who), {})
        keys = goods.keys() | other.keys()
        both = sum(min(goods.get(key, 0), other.get(key, 0)) for key in keys)
        total.append(1 - both / sum(max(goods.get(key, 0), other.get(key, 0)) for key in keys))
    return math.fsum(total)


@given(data=purchases, seed=st.integers(0, 9), distance=st.sampled_from(["multiset", "set"]))
@settings(max_examples=40)
def test_the_distance_is_that_of_plain_python(data, seed, distance):
    if len(data.customers) < 2:
        return
    judge = kb.Excess(distance=distance, t=1.0, solves=0)
    for method in (kb.methods.Alter(share=0.5), kb.methods.Delete(share=0.3), kb.cheats.Random()):
        release = method.release(data, seed=seed)
        verdict = judge.judge(data, release.data, release.pairing)
        wanted = plain_distance(data, release.data, release.pairing, distance)
        assert verdict.distance == pytest.approx(wanted, abs=1e-12)
        assert verdict.excessive == (verdict.distance > 1.0)
        assert len(verdict.by_person) == len(data.customers)


@given(seed=st.integers(0, 99))
@settings(max_examples=20)
def test_the_sum_does_not_depend_on_the_order_of_rows(shop, seed):
    release = kb.cheats.Random().release(shop, seed=1)
    judge = kb.Excess(solves=0)
    before = judge.judge(shop, release.data, release.pairing)
    shuffled = [
        data.with_records(data.records.sample(fraction=1, shuffle=True, seed=seed), master=data.master)
        for data in (shop, release.data)
    ]
    after = judge.judge(*shuffled, release.pairing)
    assert (after.distance, after.threshold, after.margin) == (
        before.distance,
        before.threshold,
        before.margin,
    )


def test_names_do_not_change_the_sum(shop):
    """Other ids mean another order of people: fsum gives the same number to the last bit."""
    release = kb.cheats.Random().release(shop, seed=1)
    names = dict(zip(shop.customers, reversed(shop.customers.to_list()), strict=True))
    renamed = shop.with_records(shop.under(None).with_columns(pl.col("customer").replace_strict(names)))
    secret = kb.Pairing.of({name: names[who] for name, who in release.pairing.to_dict().items()})
    judge = kb.Excess(solves=0)
    one, two = judge.judge(shop, release.data, release.pairing), judge.judge(renamed, release.data, secret)
    assert (one.distance, one.limits.high, one.limits.low) == (two.distance, two.limits.high, two.limits.low)


def test_at_the_threshold_itself_a_release_is_accepted(shop):
    release = kb.methods.Alter(share=0.5).release(shop, seed=1)
    d = kb.Excess(solves=0).judge(shop, release.data, release.pairing).distance
    at = kb.Excess(t=d, solves=0).judge(shop, release.data, release.pairing)
    below = kb.Excess(t=math.nextafter(d, 0), solves=0).judge(shop, release.data, release.pairing)
    assert (at.verdict, at.margin) == ("accepted", 0)
    assert (below.verdict, below.margin < 0) == ("excessive", True)


def test_the_verdict_is_a_frozen_record_that_explains_itself(shop):
    release = kb.cheats.Shift().release(shop, seed=1)
    verdict = kb.Excess().judge(shop, release.data, release.pairing)
    assert isinstance(verdict, Verdict)
    assert verdict.excessive
    assert verdict.margin == verdict.threshold - verdict.distance < 0
    assert verdict.threshold == verdict.limits.high
    assert "multiset" in verdict.reason
    assert ">" in verdict.reason
    assert verdict.reason.endswith(".")
    told = verdict.to_dict()
    assert told["verdict"] == "excessive"
    assert told["limit_low"] < told["threshold"] <= told["limit_high"]
    assert [row["r"] for row in told["s_lower"]] == [0, 1, 19, 47, 60], "clipped to the people there are"
    assert {row["exact"] for row in told["s_exact"]} <= {True, False}
    with pytest.raises(FrozenInstanceError):
        verdict.distance = 0


def test_strict_looks_at_the_farthest_person(shop):
    release = kb.methods.Alter(share=0.05).release(shop, seed=1)
    average = kb.Excess(t=30, solves=0).judge(shop, release.data, release.pairing)
    strict = kb.Excess(t=30, reading="strict", solves=0).judge(shop, release.data, release.pairing)
    assert not average.excessive
    assert (strict.judged, strict.bound) == (average.farthest, 0.5)
    assert strict.excessive == (average.farthest > 0.5)


def test_someone_who_is_gone_is_at_distance_one(small):
    kept = small.with_records(small.records.filter(pl.col("customer") != "bob"))
    release = kb.methods.Pseudonymize().release(kept, seed=1)
    verdict = kb.Excess(t=1, solves=0).judge(small, release.data, release.pairing)
    assert verdict.distance == 1
    assert not verdict.excessive


def test_an_empty_interval_is_an_error_that_explains_itself(shop):
    far = pl.DataFrame({"who": list("abcd"), "what": list("wxyz")})
    apart = kb.Purchases.from_frame(far, customer="who", goods="what")
    found = kb.Excess(certainty=200).limits(apart)  # nobody has anything in common, and 200 bits need l = n
    assert (found.minimum, found.high, found.l) == (1, 0, 4)
    with pytest.raises(kb.InputError, match="leaves room to anonymize") as error:
        kb.Excess(certainty=200).threshold(found)
    assert error.value.code == "no-threshold"
    assert kb.Excess(certainty=200, t=3.5).threshold(found) == 3.5


def test_the_certainty_gives_l(shop):
    plain = kb.Excess(certainty=20, solves=0).limits(shop)
    grouped = kb.Excess(certainty=20, by=("sex", "country"), solves=0).limits(shop)
    assert kb.theory.smallest_limit([60], 20) == plain.l
    assert plain.l < grouped.l
    assert sum(grouped.groups) == 60
    assert plain.s_exact == ()
    assert kb.Excess(by=("sex",), solves=0).limits(shop).l == kb.theory.smallest_limit(
        list(kb.Excess(by=("sex",), solves=0).limits(shop).groups), 50
    )


def test_the_contests_limit_scales_down_and_not_up():
    assert [contest_limit(n) for n in (2, 40, 399, 400, 4333)] == [0, 9, 98, 99, 99]


def test_microdata_is_judged_by_euclid():
    people = kb.demo.households(80, seed=1)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    verdict = kb.Excess().judge(people, release.data, release.pairing)
    assert (verdict.limits.measure, verdict.distance, verdict.verdict) == ("euclid", 0, "accepted")
    values = people.records.select(people.sa).to_numpy()
    ids = people.ids.to_list()
    back = release.pairing.to_dict()
    turned = dict(zip(sorted(back), [back[name] for name in np.roll(sorted(back), 1)], strict=True))
    cheat = kb.Pairing.of(turned)
    found = kb.Excess(t=1.0).judge(people, release.data, cheat)
    truth = {name: ids.index(back[name]) for name in back}
    wanted = math.fsum(
        float(np.linalg.norm(values[ids.index(said)] - values[truth[name]])) for name, said in turned.items()
    )
    assert found.distance == pytest.approx(wanted)
    with pytest.raises(kb.ParameterError):
        kb.Excess(distance="set").limits(people)
    with pytest.raises(kb.InputError):
        kb.Excess().limits(kb.Microdata.from_frame(people.to_frame(), qi=people.qi))


def test_data_that_does_not_fit_is_refused(shop, small):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    other = kb.methods.Pseudonymize().release(small, seed=1)
    for secret in (other.pairing, kb.Pairing.of(dict.fromkeys(release.pairing.to_dict(), "x"))):
        with pytest.raises(kb.InputError):
            kb.Excess(solves=0).judge(shop, release.data, secret)
    with pytest.raises(kb.InputError):
        kb.Excess(t=1, solves=0).judge(small, release.data, release.pairing)
    with pytest.raises(kb.InputError):
        kb.Excess().limits(small.with_records(small.records.filter(pl.col("customer") == "ann")))
    for wrong in (
        {"t": -1},
        {"t": math.inf},
        {"r": (-1,)},
        {"distance": "euclid"},
        {"approach": "III"},
        {"by": ("shoe",)},
    ):
        with pytest.raises(kb.KakurenboError):
            kb.Excess(**wrong).limits(shop)


def test_trials_without_the_matrix_agree_with_those_that_hold_it(shop, monkeypatch):
    people = shop.baskets(quantity=True).matrix
    groups = np.arange(60) % 3
    held = trials(people, "multiset", groups, 5, np.random.default_rng(1))
    monkeypatch.setattr("kakurenbo.risk.excess.trials._HELD", 0)
    walked = trials(people, "multiset", groups, 5, np.random.default_rng(1))
    assert [one.cheat for one in held] == ["shift", "random", "multi-random"]
    for one, two in zip(held, walked, strict=True):
        assert one.sums == pytest.approx(two.sums)
        assert one.fixed.tolist() == two.fixed.tolist()
    assert len(trials(people, "set", np.zeros(60, dtype=int), 2, np.random.default_rng(1))) == 2


def test_without_s_exact_nothing_holds_people_times_people(shop, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("all distances at once")

    wanted = kb.Excess().limits(shop)
    for place in ("kernels.distances.matrix", "kernels.distances.similarity_block"):
        monkeypatch.setattr(f"kakurenbo.{place}", refuse)
    release = kb.cheats.Shift().release(shop, seed=1)
    verdict = kb.Excess(solves=0).judge(shop, release.data, release.pairing)
    assert verdict.excessive
    assert verdict.limits.s_lower == wanted.s_lower
    monkeypatch.setattr("kakurenbo.risk.excess.limits.DENSE", 10)
    assert kb.Excess().limits(shop).s_exact == ()


def plain_reading(shop, released, secret, part):
    """The mean distance over (good, part), of what stands somewhere in both tables, in plain Python."""
    held = []
    for data in (shop, released):
        table = {}
        for who, good, value, pieces in (
            data.under(None).select("customer", "goods", part, "quantity").iter_rows()
        ):
            mine = table.setdefault(who, {})
            mine[good, value] = mine.get((good, value), 0) + pieces
        held.append(table)
    before, after = ({key for mine in table.values() for key in mine} for table in held)
    there, back = before & after, {original: name for name, original in secret.to_dict().items()}
    apart = []
    for who, goods in held[0].items():
        a = {key: pieces for key, pieces in goods.items() if key in there}
        b = {key: pieces for key, pieces in held[1][back[who]].items() if key in there}
        if a:
            both = sum(min(a.get(key, 0), b.get(key, 0)) for key in a.keys() | b.keys())
            apart.append(1 - both / sum(max(a.get(key, 0), b.get(key, 0)) for key in a.keys() | b.keys()))
    return math.fsum(apart) / len(apart)


def test_a_name_near_in_goods_and_far_in_days_is_excessive():
    shop = light_shop(60, seed=9)
    data, pairing = held_declared_another(shop)
    verdict = kb.Excess(solves=0).judge(shop, data, pairing)
    assert verdict.distance < verdict.threshold, "which 004's own distance accepts"
    days, prices = verdict.readings
    assert (days.of, days.excessive) == ("goods and days", True)
    assert (prices.of, prices.applies, prices.excessive) == ("goods and prices", True, False)
    assert verdict.excessive
    assert prices.mean_distance == pytest.approx(plain_reading(shop, data, pairing, pl.col("price")))
    day = pl.col("time").dt.date().alias("day")
    assert days.mean_distance == pytest.approx(plain_reading(shop, data, pairing, day))
    assert verdict.to_dict()["readings"][0]["excessive"] is True
    assert not kb.Excess(solves=0, t=verdict.threshold).judge(shop, data, pairing).readings, "t is for goods"


@pytest.mark.parametrize(
    ("method", "days", "prices"),
    [
        (kb.methods.Pseudonymize(), "days", True),
        (kb.methods.Alter(share=0.4), "days", True),
        (kb.methods.Delete(share=0.3), "days", True),
        (kb.methods.Compact(min_size=8, dummies="paper"), "days", True),
        (kb.methods.Noise(quantity_spread=0.5, price_spread=0.5), "days", False),
        (kb.methods.Coarsen(times="month", price_bands=3), "months", False),
    ],
)
def test_no_reading_makes_an_honest_release_excessive(method, days, prices):
    shop = light_shop(60, seed=9)
    release = method.release(shop, seed=1)
    verdict = kb.Excess(solves=0).judge(shop, release.data, release.pairing)
    assert not verdict.excessive
    by_time, by_price = verdict.readings
    assert (by_time.of, by_time.applies) == (f"goods and {days}", True)
    assert by_price.applies == prices
    assert ("nothing can be told" in verdict.reason) == (not prices)


def test_blurred_days_in_a_shop_where_everything_is_sold_daily_say_nothing():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({
        "c": rng.integers(0, 60, 2000).astype(str), "g": rng.integers(0, 20, 2000).astype(str),
        "t": [f"2024-01-{day:02d}" for day in rng.integers(5, 25, 2000)], "q": rng.integers(1, 9, 2000),
    })  # fmt: skip
    shop = kb.Purchases.from_frame(frame, customer="c", goods="g", time="t", quantity="q")
    moved = pl.col("time").dt.offset_by(pl.Series([f"{days}d" for days in rng.integers(-4, 5, 2000)]))
    released = shop.with_records(shop.under(None).with_columns(moved))
    verdict = kb.Excess(solves=0).judge(shop, released, kb.Pairing(shop.customers, shop.customers))
    assert not verdict.excessive
    assert verdict.readings[0].of == "goods and months"
