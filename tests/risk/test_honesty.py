"""Whether a declared pairing looks true: cheats of every kind are told, and honest methods accuse nobody."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.methods import Alter, Chain, Coarsen, Compact, Deal, Delete, KMeans, Noise, Pseudonymize, Tfidf
from kakurenbo.risk.honesty import honesty
from shops import held_declared_another, light_shop

MONTHS = Coarsen(times="month")
HONEST = {
    "pseudonymize": Pseudonymize(),
    "balanced": kb.Balanced(clusters=6, min_size=4),
    "paper": kb.Balanced(clusters=6, min_size=4, dummies="paper"),
    "donors": Compact(min_size=8, dummies="donor"),
    "compact": Compact(min_size=8, dummies="paper"),
    "kmeans": KMeans(clusters=6),
    "tfidf": Tfidf(clusters=6),
    "alter half": Alter(share=0.5),
    "alter all": Alter(share=1.0),
    "noise": Noise(quantity_spread=1, price_spread=1),
    "delete": Delete(share=0.6),
    "delete nearly all": Delete(share=0.9),
    "months": MONTHS,
    "a chain": Chain(methods=(Delete(share=0.5), Alter(share=0.5), Noise(quantity_spread=0.5))),
}
CHEATS = {
    "shift": kb.cheats.Shift(),
    "random": kb.cheats.Random(),
    "multi-random": kb.cheats.MultiRandom(),
    "push-away": kb.cheats.PushAway(),
    "with noise": kb.cheats.Shift(noise=0.5),
    "half deleted": Chain(methods=(kb.cheats.Shift(), Delete(share=0.5))),
    "half altered": Chain(methods=(kb.cheats.Shift(), Alter(share=0.5))),
    "padded": Chain(methods=(kb.cheats.Shift(), Compact(min_size=8))),
}


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, seed=9)


@pytest.fixture(scope="module")
def tc400(real):
    return kb.read_purchases(real("tc400.csv"))


@pytest.mark.parametrize("name", HONEST)
def test_honest_methods_accuse_nobody(name, shop):
    release = HONEST[name].release(shop, seed=3)
    seen = MONTHS.change(shop, Chance(0)).data if name == "months" else shop
    found = honesty(seen, release.data, release.pairing)
    assert (found.elsewhere, found.unpaired) == (0, 0)
    assert found.agreed <= 1
    assert not found.looks_false


@pytest.mark.parametrize("name", CHEATS)
def test_cheats_are_told(name, shop):
    release = CHEATS[name].release(shop, seed=3)
    found = honesty(shop, release.data, release.pairing)
    assert found.looks_false
    assert found.agreed > 30
    assert found.rightly < 20
    if "half" not in name:
        assert found.elsewhere > 40


def test_tc400_tells_the_built_pairing_and_cheats_from_honest_releases_and_nobody_dealt_stands_whole(tc400):
    data, pairing = held_declared_another(tc400)
    built = honesty(tc400, data, pairing)
    assert (built.elsewhere, built.looks_false) == (400, True)
    dealt = Deal(min_size=8, of="receipts", effort=100).release(tc400, seed=1)
    assert honesty(tc400, dealt.data, dealt.pairing).elsewhere == 0, "140 have a single receipt"
    shifted = kb.cheats.Shift().release(tc400, seed=1)
    assert honesty(tc400, shifted.data, shifted.pairing).elsewhere == 400
    for method in (Alter(share=0.8), Alter(share=1.0)):
        release = method.release(tc400, seed=1)
        found = honesty(tc400, release.data, release.pairing)
        assert found.elsewhere <= 1
        assert not found.looks_false


def test_who_stands_elsewhere_is_whom_a_plain_count_finds(shop):
    release = kb.cheats.MultiRandom().release(shop, seed=2)
    found = honesty(shop, release.data, release.pairing)
    grains = [("goods", "time", "price", "quantity"), ("goods", "day"), ("goods", "price", "quantity")]
    stand = {who for grain in grains for who in plainly_elsewhere(shop, release, grain)}
    assert found.elsewhere == len(stand) > 5


def plainly_elsewhere(shop, release, grain):
    def lists(data):
        made = {}
        table = data.under(None).with_columns(day=pl.col("time").dt.date())
        for who, *record in table.select("customer", *grain).iter_rows():
            made.setdefault(who, []).append(tuple(record))
        return made

    def holds(theirs, mine):
        left = list(theirs)
        return sum(record in left and left.remove(record) is None for record in mine)

    before, after = lists(shop), lists(release.data)
    own = {original: released for released, original in release.pairing.to_dict().items()}
    for who, mine in before.items():
        others = max(holds(records, mine) for other, records in before.items() if other != who)
        if others < len(mine) / 2 and holds(after[own[who]], mine) < len(mine) / 2:
            best = max(holds(records, mine) for records in after.values())
            if best >= 0.9 * len(mine):
                yield who


def test_a_few_false_rows_are_counted_and_from_some_on_they_matter(shop):
    release = Pseudonymize().release(shop, seed=5)
    names, people = release.pairing.released, release.pairing.original.to_list()
    for wrong, false in ((2, False), (12, True)):
        declared = people[1:wrong] + people[:1] + people[wrong:]
        found = honesty(shop, release.data, kb.Pairing(names, pl.Series(declared)))
        assert (found.elsewhere, found.looks_false) == (wrong, false)
        assert found.rightly > 60 - wrong - 10


def test_people_who_are_declared_fakes_or_left_out_and_stand_whole_were_released(shop):
    release = Pseudonymize().release(shop, seed=5)
    frame = release.pairing.frame.with_columns(
        original=pl.when(pl.int_range(pl.len()) % 3 > 0).then("original")
    )
    found = honesty(shop, release.data, kb.Owners(frame["released"], frame["original"]))
    assert (found.elsewhere, found.unpaired, found.looks_false) == (0, 20, True)
    fewer = release.data.of(frame.drop_nulls()["released"])
    honest = honesty(shop, fewer, kb.Owners(*frame.drop_nulls()))
    assert (honest.elsewhere, honest.unpaired, honest.looks_false) == (0, 0, False), "they are not in it"


def test_several_names_of_one_person_hold_him_together(shop):
    half = pl.when(pl.col("time").dt.month() <= 6).then(pl.lit("s")).otherwise(pl.lit("w"))
    records = shop.under(None).with_columns(person="customer", customer=pl.col("customer") + half)
    whose = records.select("customer", "person").unique()
    released = shop.with_records(records.drop("person"))
    honest = honesty(shop, released, kb.Owners(whose["customer"], whose["person"]))
    assert (honest.elsewhere, honest.agreed, honest.looks_false) == (0, 0, False)
    other = dict(zip(shop.customers, shop.customers.gather(np.roll(np.arange(60), 1)), strict=True))
    false = kb.Owners(whose["customer"], whose["person"].replace_strict(other))
    assert honesty(shop, released, false).looks_false


def test_goods_alone_suffice_to_tell_a_cheat():
    frame = light_shop(60, seed=9).under(None).select("customer", "goods").unique()
    shop = kb.Purchases.from_frame(frame, customer="customer", goods="goods")
    cheat, honest = (
        method.release(shop, seed=1) for method in (kb.cheats.Random(), Chain(methods=(Alter(share=0.5),)))
    )
    assert honesty(shop, cheat.data, cheat.pairing).looks_false
    assert not honesty(shop, honest.data, honest.pairing).looks_false


def test_microdata_shuffled_by_rows_is_told_and_honest_methods_are_not():
    people = kb.demo.households(150, seed=3)
    methods = kb.methods
    noise = methods.NoiseMicrodata(scale=0.1)
    cheat = kb.cheats.CheatMicrodata().release(people, seed=2)
    found = honesty(people, cheat.data, cheat.pairing)
    assert found.looks_false
    assert found.elsewhere > 140
    for method in (
        methods.KAnonymize(k=3),
        methods.Microaggregate(k=3),
        methods.Swap(),
        noise,
    ):
        release = method.release(people, seed=2)
        found = honesty(people, release.data, release.pairing)
        assert (found.elsewhere, found.looks_false) == (0, False)
