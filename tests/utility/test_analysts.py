"""What analysts feel, against their definitions in plain Python."""

import datetime as dt
from collections import Counter, defaultdict
from itertools import permutations
from random import Random

import polars as pl
import pytest
from hypothesis import assume, given, settings

import kakurenbo as kb
from kakurenbo.measures import (
    BasketSize,
    CategoryMix,
    Cohorts,
    CustomerRules,
    Detail,
    NextBuyer,
    NextCategory,
    RepeatRate,
    RfmPerson,
    RfmSegments,
    Rules,
    Sales,
)
from kakurenbo.utility.purchases import acid
from strategies import purchases_of, rows

some = settings(max_examples=10)
ROLES = ("customer", "goods", "receipt", "time", "price", "quantity")


def listed(shop):
    """The records as dictionaries."""
    return shop.under(None).rename({"time": "when"}).to_dicts()


def same_names(shop):
    return kb.Pairing(shop.customers, shop.customers)


def without(shop, *roles):
    kept = {role: role for role in ROLES if role in shop.roles and role not in roles}
    return kb.Purchases.from_frame(shop.under(None), **kept)


def by(records, *keys):
    groups = defaultdict(list)
    for record in records:
        groups[tuple(record[key] for key in keys)].append(record)
    return groups


def rounded(shop, every):
    """A release by hand: times rounded down, everybody under his own name."""
    return shop.with_records(shop.records.with_columns(pl.col("time").dt.truncate(every)), master=shop.master)


@given(table=rows, other=rows)
@some
def test_sales_are_those_of_plain_python(table, other):
    before, after = purchases_of(table), purchases_of(other)

    def cells(shop, money):
        sums = Counter()
        for r in listed(shop):
            sums[r["when"].year, r["when"].month, r["goods"]] += r["price"] * r["quantity"] if money else 1
        return sums

    for change, money in ((lambda shop: shop, True), (lambda shop: without(shop, "price"), False)):
        x, y = cells(before, money), cells(after, money)
        error = sum(abs(x[c] - y[c]) for c in x.keys() | y.keys()) / sum(x.values())
        found = Sales().of(before, change(after), spoken=before)
        assert found.value == pytest.approx(error)
        assert f"{'money' if money else 'records'} by month" in found.detail
    timeless = Sales().of(before, without(after, "time"), spoken=before)
    assert list(timeless.detail) == ["money by category"]


@given(table=rows, other=rows)
@some
def test_who_comes_back_is_that_of_plain_python(table, other):
    before, after = purchases_of(table), purchases_of(other)

    def rate(shop, key):
        visits = [len({r[key] for r in group}) for group in by(listed(shop), "customer").values()]
        return sum(n > 1 for n in visits) / len(visits)

    found = RepeatRate().of(before, after, spoken=before)
    shares = rate(before, "receipt"), rate(after, "receipt")
    assert (found.detail["repeat rate before"], found.detail["repeat rate after"]) == pytest.approx(shares)
    assert "receipts compared" in found.detail
    assert found.value == pytest.approx(100 * abs(shares[0] - shares[1]))
    bare = RepeatRate().of(before, without(after, "receipt"), spoken=before)
    assert (bare.detail["repeat rate before"], bare.detail["repeat rate after"]) == pytest.approx(
        (rate(before, "when"), rate(after, "when"))
    )
    assert "times compared" in bare.detail


@given(table=rows, other=rows)
@some
def test_retention_is_that_of_plain_python(table, other):
    before, after = purchases_of(table), purchases_of(other)

    def came(shop):
        groups = by(listed(shop), "customer").values()
        return [{(r["when"].year, r["when"].month) for r in group} for group in groups]

    periods = sorted(set().union(*came(before), *came(after)))

    def kept(shop, first, then):
        cohort = [months for months in came(shop) if min(months) == first]
        return sum(then in months for months in cohort) / len(cohort) if cohort else 0, len(cohort)

    cells = [
        (*kept(before, first, then), kept(after, first, then)[0])
        for i, first in enumerate(periods)
        for then in periods[i + 1 :]
    ]
    people = sum(size for _, size, _ in cells)
    assume(people)
    error = sum(size * abs(was - now) for was, size, now in cells) / people
    assert Cohorts().of(before, after, spoken=before).value == pytest.approx(100 * error)


def test_all_in_one_month_cannot_come_back():
    shop = purchases_of([(0, 1, 0, 3, 100, 1), (1, 2, 0, 4, 100, 1)])
    with pytest.raises(kb.InputError) as error:
        Cohorts().of(shop, shop)
    assert error.value.code == "unmeasurable"


def test_retention_is_by_quarter_where_the_release_is():
    shop = kb.demo.shop(80, seed=2)
    assert Cohorts().of(shop, rounded(shop, "1q")).value == 0
    assert RepeatRate().of(shop, without(rounded(shop, "1q"), "receipt")).value == 0


@given(table=rows, other=rows)
@some
def test_basket_sizes_are_those_of_plain_python(table, other):
    before, after = purchases_of(table), purchases_of(other)
    sizes = [sorted(map(len, by(listed(shop), "receipt").values())) for shop in (before, after)]
    many = len(sizes[0]) * len(sizes[1])  # both drawn out to the same number, then compared one by one
    x, y = ([n for n in side for _ in range(many // len(side))] for side in sizes)
    moved = sum(abs(a - b) for a, b in zip(x, y, strict=True)) / many
    found = BasketSize().of(before, after, spoken=before)
    assert found.value == pytest.approx(moved / (sum(sizes[0]) / len(sizes[0])))


def fifth(value, values):
    """The fifth of a value: how many of the four bounds lie below it, by linear interpolation."""
    ordered = sorted(values)

    def bound(share):
        place = share * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

    return sum(value > bound(k / 5) for k in range(1, 5))


def segments(shop, amounts):
    """Everybody's segment by the textbook's rules, scores from 1 to 5."""
    people = by(listed(shop), "customer")
    figures = {
        who: (
            max(r["when"] for r in group).timestamp(),
            len({r["receipt"] for r in group}),
            sum(sorted(r["price"] * r["quantity"] for r in group)),
        )
        for (who,), group in people.items()
    }
    named = {}
    for who, own in figures.items():
        r, f, m = (1 + fifth(value, [x[k] for x in figures.values()]) for k, value in enumerate(own))
        worth = int((f + m + 1) / 2) if amounts else f
        if r <= 2:
            named[who] = "hibernating" if worth <= 2 else "at risk" if worth <= 4 else "cannot lose"
        elif r == 3:
            named[who] = "about to sleep" if worth <= 2 else "need attention" if worth == 3 else "loyal"
        elif worth == 1:
            named[who] = "promising" if r == 4 else "new"
        elif worth <= 3:
            named[who] = "potential loyalists"
        else:
            named[who] = "loyal" if r == 4 else "champions"
    return named


@pytest.mark.parametrize("left_out", [(), ("price",)])
def test_segments_are_those_of_plain_python(left_out):
    shop = kb.demo.shop(70, seed=3)
    changed = kb.methods.Delete(share=0.4).release(shop, seed=1)
    after = without(changed.data, *left_out)
    back = changed.pairing.to_dict()
    was, now = segments(shop, not left_out), segments(changed.data, not left_out)
    stay = sum(was[back[who]] == segment for who, segment in now.items()) / len(was)
    assert 0 < stay < 1
    assert RfmPerson().of(shop, after, changed.pairing).value == pytest.approx(stay)
    x, y = Counter(was.values()), Counter(now.values())
    moved = sum(abs(x[s] / len(was) - y[s] / len(now)) for s in x | y) / 2
    assert RfmSegments().of(shop, after).value == pytest.approx(moved)


def top_rules(baskets, support, count):
    goods = sorted(set().union(*baskets))
    holding = {good: sum(good in basket for basket in baskets) for good in goods}
    ranked = []
    for a, b in permutations(goods, 2):
        both = sum(a in basket and b in basket for basket in baskets)
        if both >= max(2, support * len(baskets)):
            lift = both * len(baskets) / (holding[a] * holding[b])
            ranked.append((-lift, -both / holding[a], a, b))
    return {(a, b): -lift for lift, _, a, b in sorted(ranked)[:count]}


@pytest.mark.parametrize("times", [1e-9, 1e9], ids=["sparse", "full"])
@pytest.mark.parametrize(("measure", "key"), [(Rules, "receipt"), (CustomerRules, "customer")])
def test_rules_are_those_of_plain_python(measure, key, times, monkeypatch):
    monkeypatch.setattr("kakurenbo.utility.purchases.rules._FULL", times)
    draw = Random(1)
    table = [(draw.randrange(40), draw.randrange(8), draw.randrange(3), 0, 100, 1) for _ in range(300)]
    shop = purchases_of(table)
    after = kb.methods.Delete(share=0.3).release(shop, seed=1).data
    sides = [
        [{r["goods"] for r in group} for group in by(listed(data), key).values()] for data in (shop, after)
    ]
    x, y = (top_rules(baskets, 0.03, 20) for baskets in sides)
    survive = [rule for rule in x if rule in y]
    assert 0 < len(survive) < len(x)
    found = measure(support=0.03, count=20).of(shop, after)
    assert found.value == pytest.approx(len(survive) / len(x))
    off = sum(abs(y[rule] - x[rule]) / x[rule] for rule in survive) / len(survive)
    assert found.detail["lift off by"] == pytest.approx(off)


def test_rules_are_by_customers_where_receipts_are_left_out():
    shop = kb.demo.shop(50, seed=4)
    found = Rules().of(shop, without(shop, "receipt"))
    assert found.value == 1
    assert "rules by customers" in found.detail


@given(table=rows, other=rows)
@some
def test_the_mix_is_that_of_plain_python(table, other):
    people = sorted({row[0] for row in table})
    before = purchases_of(table)
    after = purchases_of([(people[who % len(people)], *rest) for who, *rest in other])

    def shares(shop, who):
        goods = Counter(r["goods"] for r in listed(shop) if r["customer"] == who)
        return {good: n / sum(goods.values()) for good, n in goods.items()}

    moved = []
    for who in before.customers:
        x, y = shares(before, who), shares(after, who)
        moved.append(sum(abs(x.get(g, 0) - y.get(g, 0)) for g in x | y) / 2 if y else 1)
    found = CategoryMix().of(before, after, same_names(after), spoken=before)
    assert found.value == pytest.approx(sum(moved) / len(moved))


def test_detail_is_what_coarser_words_cost():
    shop = kb.demo.shop(80, seed=2)
    coarse = rounded(shop, "1mo")
    cut = pl.col("goods").cast(pl.String).str.slice(0, 2)
    coarse = coarse.with_records(coarse.records.with_columns(cut))
    records = listed(shop)

    def penalty(word, value):
        below = defaultdict(set)
        for r in records:
            below[word(r)].add(value(r))
        leaves = len(set().union(*below.values()))
        return sum((len(below[word(r)]) - 1) / (leaves - 1) for r in records) / len(records)

    goods = penalty(lambda r: r["goods"][:2], lambda r: r["goods"])
    times = penalty(lambda r: (r["when"].year, r["when"].month), lambda r: r["when"])
    found = Detail().of(shop, coarse)
    assert found.detail == pytest.approx({"goods": goods, "time": times})
    assert found.value == pytest.approx((goods + times) / 2)
    assert Detail().of(shop, without(shop, "time")).detail == {"goods": 0, "time": 1}


def swapped(shop):
    """A release in which neighbours change their names for the last months: nobody's history is his own."""
    name = pl.col("customer").cast(pl.String).str.slice(1).cast(pl.Int64)
    other = pl.format("c{}", name + 1 - 2 * (name % 2))
    late = pl.col("time") > dt.datetime(2024, 9, 20)
    own = pl.col("customer").cast(pl.String)
    return shop.with_records(shop.records.with_columns(customer=pl.when(late).then(other).otherwise(own)))


def habits(n):
    """A shop in which who came lately comes again, and everybody buys what he bought."""
    start, table = dt.datetime(2024, 1, 1), []
    for who in range(n):
        faithful = who % 2 == 0
        days = (10, 200, 260, 280, 340) if faithful else (10, 20, 30, 40)
        table += [(f"c{who}", f"g{who % 3}", f"{who}-{day}", start + dt.timedelta(day)) for day in days]
        if who % 7 == 0:  # some surprise
            table.append((f"c{who}", "g0", f"{who}-x", start + dt.timedelta(350)))
    frame = pl.DataFrame(table, schema=["customer", "goods", "receipt", "time"], orient="row")
    return kb.Purchases.from_frame(frame, **{role: role for role in ("customer", "goods", "receipt", "time")})


def test_a_model_of_whole_histories_foretells_and_one_of_mixed_ones_does_not():
    shop = habits(400)
    secret = same_names(shop)
    for measure, score, good in ((NextBuyer(), "AUC", 0.9), (NextCategory(), "accuracy", 0.8)):
        copy, lost = measure.of(shop, shop, secret), measure.of(shop, swapped(shop), secret)
        assert copy.value == 0
        assert copy.detail[f"{score} before"] == copy.detail[f"{score} after"] > good
        before, after = lost.detail[f"{score} before"], lost.detail[f"{score} after"]
        assert before == copy.detail[f"{score} before"]
        assert lost.value == pytest.approx(100 * max(0, before - after))
        assert lost.value > 10


def test_both_halves_of_the_people_are_taught_and_both_are_tried(monkeypatch):
    shop = habits(400)
    measured = NextBuyer().of(shop, swapped(shop), same_names(shop)).detail
    drawn = acid._SPLIT.uniform
    monkeypatch.setattr(acid._SPLIT, "uniform", lambda *asked: 1 - drawn(*asked))
    exchanged = NextBuyer().of(shop, swapped(shop), same_names(shop)).detail
    assert exchanged == measured, "whichever half is called the first"


def test_models_are_tried_in_the_words_of_the_release():
    shop = kb.demo.shop(300, seed=1)
    found = NextBuyer().of(shop, rounded(shop, "1mo"), same_names(shop))
    assert found.detail["AUC after"] == found.detail["AUC in the release's words"]
    own = NextBuyer().of(shop, shop, same_names(shop)).detail["AUC after"]
    assert found.detail["AUC before"] == max(own, found.detail["AUC after"]), (
        "coarser words cost something too"
    )
    assert NextCategory().of(shop, rounded(shop, "1mo"), same_names(shop)).value == 0
    with pytest.raises(kb.InputError) as error:
        NextBuyer().of(shop, rounded(shop, "10y"), same_names(shop), spoken=rounded(shop, "10y"))
    assert error.value.code == "unmeasurable"
    small = kb.demo.shop(30, seed=1)
    with pytest.raises(kb.InputError, match="too few"):
        NextBuyer().of(small, small, same_names(small))


def test_who_has_several_names_is_as_many_people_to_a_partner():
    shop = habits(400)
    rotated = kb.methods.Rotate(by="month").release(shop, seed=1)
    with pytest.raises(kb.InputError) as error:
        NextBuyer().of(shop, rotated.data, rotated.pairing)
    assert error.value.code == "unmeasurable", "no name comes twice, so there is nothing to be learnt"
    copy = kb.methods.Pseudonymize().release(shop, seed=1)
    assert RfmPerson().of(shop, copy.data, copy.pairing).value == 1
    assert RfmPerson().of(shop, rotated.data, rotated.pairing).value < 0.7
