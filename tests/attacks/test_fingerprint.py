"""Fingerprint: goods in other codes are learnt from who buys them, and nothing is learnt where nothing is."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases import fingerprint, nameless
from kakurenbo.attacks.purchases.fingerprint import FingerprintAttack
from kakurenbo.attacks.purchases.view import Sight, through
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.controls import luck
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.proof.transformations import fresh_codes, permuted_codes
from kakurenbo.auditing.proof.transformed import prove_transformed
from kakurenbo.chance import Chance
from kakurenbo.kernels.propagation import Pairs
from shops import light_shop
from strategies import purchases_of

BOTH = [FingerprintAttack(), FingerprintAttack(uses="records")]
GOODS, RECORDS = BOTH


@pytest.fixture(scope="module")
def shop():
    return light_shop(150, 3)


def only(data, *roles):
    return replace(data, records=data.records.select("customer", "goods", *roles))


def changed(release, *columns):
    data = release.data
    return replace(release, data=data.with_records(data.under(None).with_columns(*columns)))


def blurred(data, delete=0.2, seed=1):
    """Return a release with some records deleted and numbers blurred."""
    numbers = {f"{role}_spread": 0.3 for role in ("quantity", "price") if role in data.roles}
    steps = [kb.methods.Delete(share=delete), *([kb.methods.Noise(**numbers)] if numbers else [])]
    return kb.methods.Chain(methods=tuple(steps)).release(data, seed=seed)


def recoded(release):
    return replace(release, data=fresh_codes().apply(release.data, Chance(1)))


def found(attack, known, release):
    return kb.reidentification(release.pairing, attack.guess(known, release.data, seed=1)).rate.value


def shuffled(data, seed):
    """Return the same people under each other's names, in another order, and who is whose."""
    names = data.customers.cast(pl.String).to_list()
    others = dict(zip(names, np.random.default_rng(seed).permutation(names).tolist(), strict=True))
    moved = data.under(None).with_columns(pl.col("customer").replace_strict(others))
    return data.with_records(moved.sample(fraction=1, shuffle=True, seed=seed)), others


@pytest.mark.parametrize("attack", BOTH, ids=["goods", "records"])
def test_of_people_who_look_the_same_neither_names_nor_rows_decide(attack):
    """Two of these three bought the same goods, and a record was altered: what is nearest is a tie."""
    bought = [(0, 0), (0, 2), (1, 0), (0, 0), (3, 0), (0, 1), (0, 1), (1, 1), (0, 1), (3, 1)]
    table = purchases_of([(who, good, 0, int(i == 4), 1, 1) for i, (who, good) in enumerate(bought)])
    release = kb.methods.Alter(share=0.3).release(table, seed=1)
    rates = {found(attack, table, release)}
    for seed in range(12):
        known, names = shuffled(table, seed)
        data, tokens = shuffled(release.data, seed + 50)
        pairing = {tokens[token]: names[name] for token, name in release.pairing.to_dict().items()}
        rates.add(found(attack, known, replace(release, data=data, pairing=kb.Pairing.of(pairing))))
    assert len(rates) == 1


@pytest.mark.parametrize("delete", [0.05, 0.2])
@pytest.mark.parametrize("attack", BOTH, ids=["goods", "records"])
def test_other_codes_cost_an_attacker_next_to_nothing(shop, attack, delete):
    made = blurred(shop, delete)
    readable = found(kb.attacks.CosineAttack(), shop, made)
    assert readable > 0.9
    assert found(attack, shop, recoded(made)) >= readable - 0.04
    assert found(kb.attacks.CosineAttack(), shop, recoded(made)) < 0.05


def test_the_bare_graph_of_who_bought_what_tells_everybody(shop):
    bare = only(shop)
    assert found(GOODS, bare, recoded(blurred(bare, 0.1))) >= 0.95


def test_what_many_goods_tell_counts_more_than_how_many_they_are():
    def side(sizes):
        """Five people with goods of a kind each, so many of them; goods have other numbers on either side."""
        sets = sparse.block_diag([np.ones((1, size), np.int64) for size in sizes], format="csr")
        kinds = [who + 0.1 * np.linspace(-1, 1, size) for who, size in enumerate(sizes)]
        return nameless.Side(np.arange(5), sets, np.concatenate(kinds)[:, None])

    grew, shrank = side([36, 37, 38, 39, 40]), side([40, 39, 38, 37, 36])
    pairs = nameless.alike(grew, shrank, np.random.default_rng(1))
    assert (pairs.theirs.tolist(), pairs.mine.tolist()) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])


def test_what_cannot_be_compared_otherwise_does_not_mislead(shop):
    """The clock moved for each person by other days, and prices multiplied: no trace with them agrees."""
    made = recoded(blurred(shop))
    days = pl.col("customer").hash(1).mod(121).cast(pl.Int64) - 60
    moved = changed(made, pl.col("time") + pl.duration(days=days), pl.col("price") * 3)
    assert found(RECORDS, shop, moved) >= 0.95


def test_people_and_goods_may_be_missing_on_either_side(shop):
    names = shop.customers
    known, there = shop.of(names.head(110)), shop.of(names.tail(110))
    made = recoded(blurred(there, 0.1))
    both = kb.Pairing.of({r: o for r, o in made.pairing.frame.iter_rows() if o in set(known.customers)})
    guess = RECORDS.guess(known, made.data, seed=1).frame.join(both.frame, on="released", suffix="_true")
    assert (guess["original"] == guess["original_true"]).mean() >= 0.9


def test_some_codes_dealt_among_goods_that_as_many_buy_are_put_right(shop):
    used = shop.records.group_by(pl.col("goods").cast(pl.String)).agg(pl.col("customer").n_unique())
    order = used.sort("customer", "goods")["goods"].to_list()
    moved = {}
    for first, second in zip(order[::4], order[1::4], strict=False):
        moved |= {first: second, second: first}
    made = kb.methods.Delete(share=0.2).release(shop, seed=1)
    swapped = changed(made, pl.col("goods").replace(moved))
    tables = Tables(shop, swapped.data, Chance(1))
    assert not GOODS.idle(tables)
    said = GOODS.prepare(tables)
    true = made.data.under(None).select("goods", told=pl.col("customer").n_unique().over("goods") >= 4)
    compared = true.select(
        right=pl.col("goods") == said.released.under(None)["goods"],
        before=pl.col("goods") == swapped.data.under(None)["goods"],
    ).filter(true["told"])
    assert compared["before"].mean() < 0.6
    assert compared["right"].mean() > 0.95


def test_records_dealt_to_anybody_tell_nothing_in_any_codes(shop):
    dealt = controls.noise(shop, Chance(5))
    coded = replace(dealt, data=fresh_codes().apply(dealt.data, Chance(5)))
    for release in (dealt, coded):
        for attack in BOTH:
            rate = found(attack, shop, release)
            assert rate * len(shop.customers) <= luck(len(shop.customers))


def test_where_codes_are_kept_he_is_skipped_and_says_why(shop):
    made = kb.methods.Delete(share=0.3).release(shop, seed=1)
    panel = Panel.of(shop, "goods")
    ran = panel.attack(made.data, made.pairing, seed=1)
    (why,) = {one.why for one in ran.skipped if "fingerprint" in one.name}
    assert "original's codes" in why
    assert "fingerprint" not in {one.attack for one in ran.findings}
    everybody = panel.attack(made.data, made.pairing, seed=1, everybody=True)
    assert "fingerprint" in {one.attack for one in everybody.findings}
    for code in (fresh_codes(), permuted_codes()):
        assert not GOODS.idle(Tables(shop, code.apply(made.data, Chance(1)), Chance(1)))


def test_what_he_believes_is_in_the_words_of_the_original(shop):
    """On a copy in other codes: of goods that nothing else has the buyers of, just what everybody has."""
    names = Chance(2).tokens("name", shop.customers, avoid=shop.customers)
    copy = fresh_codes().apply(shop, Chance(1))
    records = copy.under(None).with_columns(pl.col("customer").replace_strict(shop.customers, names))
    tables = Tables(shop, shop.with_records(records), Chance(1))
    targets = np.arange(0, len(shop.customers), 7)
    buyers = shop.records.group_by("goods").agg(pl.col("customer").to_physical().unique().sort())
    told = buyers.filter(pl.col("customer").is_unique())["goods"].cast(pl.String)
    seen = through(tables, Sight(("goods", "day")))
    clear = {key for key in range(seen.mine.shape[1]) if seen.word(key).split(" on ")[0] in set(told)}
    belief = FingerprintAttack(reading="target").locate(tables, targets).over(seen)
    assert np.diff(belief.indptr).tolist() == [1] * len(targets)
    for target, place in zip(targets, belief.indices, strict=True):
        believed, true = belief.bundles[[place]].indices, seen.mine[[target]].indices
        assert set(believed) & clear == set(true) & clear
    assert FingerprintAttack().locate(tables, targets) is None


def test_colours_tell_apart_whom_names_of_goods_would_not():
    """Three who share a good and have one of their own each are alike without names; a fourth is not."""
    sets = np.array([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 1, 1]])
    told = nameless.told_apart(sparse.csr_array(sets), np.random.default_rng(0))
    assert told == pytest.approx(3 / 4)  # the third shares his own good with the fourth


def random_pairs(known, released, rng):
    """Return everybody paired with anybody."""
    theirs, mine = released.sets.shape[0], rng.permutation(known.sets.shape[0])
    return Pairs(np.arange(min(theirs, len(mine))), mine[:theirs])


@pytest.mark.campaign
def test_wrong_seeds_are_caught_by_the_proof(monkeypatch):
    data = light_shop(40, 7)
    assert prove_transformed(data, [fresh_codes()], seed=1).failed == ()
    monkeypatch.setattr(fingerprint, "alike", random_pairs)
    assert {one.attack for one in prove(data, seed=1).failed} == {"fingerprint"}
    assert {one.attack for one in prove_transformed(data, [fresh_codes()], seed=1).failed} == {"fingerprint"}
