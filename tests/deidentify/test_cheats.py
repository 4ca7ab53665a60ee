"""004's cheats: whose record is declared to be whose."""

import polars as pl
import pytest

import kakurenbo as kb


def declared(shop, release):
    """Return person -> owner of the record declared to be his, told by goods that only the owner has."""
    owners = {what: who for who, what in shop.under(None).select("customer", "goods").iter_rows()}
    said = release.pairing.to_dict()
    return {
        said[name]: owners[what]
        for name, what in release.data.under(None).select("customer", "goods").iter_rows()
    }


@pytest.fixture
def distinct():
    """Six customers with one good each, in three countries."""
    who = [f"c{i}" for i in range(6)]
    return kb.Purchases.from_frame(
        pl.DataFrame({"u": who, "g": [f"g{i}" for i in range(6)], "q": [1, 2, 3, 4, 5, 6]}),
        customer="u",
        goods="g",
        quantity="q",
        master=pl.DataFrame({"u": who, "land": ["no", "no", "no", "se", "se", "dk"]}),
    )


def test_the_shift_declares_the_next_ones_record(distinct):
    # 004 section 2.1.2: person i becomes record p(i) = (i mod n) + 1.
    found = declared(distinct, kb.cheats.Shift().release(distinct, seed=1))
    assert found == {f"c{i}": f"c{(i + 1) % 6}" for i in range(6)}


def test_after_relabelling_nobody_keeps_his_own_either(distinct):
    seen = set()
    for seed in range(20):
        found = declared(distinct, kb.cheats.Shift(relabel=True).release(distinct, seed=seed))
        assert sorted(found.values()) == sorted(found)
        assert all(person != owner for person, owner in found.items())
        seen.add(tuple(found.values()))
    assert len(seen) > 5


def test_multi_random_stays_inside_its_groups(distinct):
    land = dict(distinct.master.iter_rows())
    for cheat in (kb.cheats.MultiRandom(by=("land",)), kb.cheats.MultiRandom()):
        seen = set()
        for seed in range(20):
            found = declared(distinct, cheat.release(distinct, seed=seed))
            assert all(land[person] == land[owner] for person, owner in found.items())
            seen.add(tuple(found.values()))
        assert len(seen) > 3
    with pytest.raises(kb.InputError):
        kb.cheats.MultiRandom(by=("shoe",)).release(distinct)


def test_random_moves_people_and_noise_moves_pieces(distinct):
    found = [declared(distinct, kb.cheats.Random().release(distinct, seed=seed)) for seed in range(20)]
    assert len({tuple(one.values()) for one in found}) > 15
    noisy = kb.cheats.Random(noise=1.0).release(distinct, seed=1)
    assert declared(distinct, noisy)
    assert sorted(noisy.data.records["quantity"]) != [1, 2, 3, 4, 5, 6]


def test_pushed_away_quantities_are_multiplied(distinct, small_frame):
    release = kb.cheats.PushAway(factor=3).release(distinct, seed=1)
    assert sorted(release.data.records["quantity"]) == [3, 6, 9, 12, 15, 18]
    assert declared(distinct, release)["c0"] == "c1"
    bare = kb.Purchases.from_frame(small_frame, customer="who", goods="what")
    with pytest.raises(kb.InputError):
        kb.cheats.PushAway().release(bare)


def test_a_chain_carries_the_false_pairing_to_the_end(distinct):
    twice = kb.methods.Chain(methods=(kb.cheats.Shift(), kb.cheats.Shift())).release(distinct, seed=1)
    assert declared(distinct, twice) == {f"c{i}": f"c{(i + 2) % 6}" for i in range(6)}
    then = kb.methods.Chain(methods=(kb.cheats.Shift(), kb.methods.Noise(quantity_spread=0.1))).release(
        distinct, seed=1
    )
    assert declared(distinct, then)["c5"] == "c0"
    fewer = kb.methods.Chain(
        methods=(kb.cheats.Random(), kb.methods.Delete(share=0.5), kb.cheats.Random())
    ).release(distinct, seed=1)
    assert len(fewer.pairing) == 3
    assert fewer.pairing.is_bijection
    assert fewer.data.customers.sort().equals(fewer.pairing.released)


def test_an_attacker_finds_every_owner_and_the_false_pairing_denies_it(distinct):
    release = kb.cheats.Shift().release(distinct, seed=1)
    guess = kb.JaccardAttack().guess(distinct, release.data, seed=1)
    assert kb.reidentification(release.pairing, guess).rate.value == 0
    verdict = kb.Excess(t=5).judge(distinct, release.data, release.pairing)
    assert (verdict.distance, verdict.verdict) == (6, "excessive")
