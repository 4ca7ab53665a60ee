"""Dummies: what is padded is sought by how likely every good under a name is real."""

import numpy as np
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases import looks
from kakurenbo.attacks.purchases.candidates import Candidates
from kakurenbo.attacks.purchases.looks import Season
from kakurenbo.attacks.purchases.view import Sight, through
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.release_traits import dummies_told
from kakurenbo.chance import Chance
from shops import light_shop

SHOP = light_shop(64, 5)


def rate(release, shop, **chosen):
    guess = kb.attacks.DummiesAttack(**chosen).guess(shop, release.data, seed=1)
    return kb.reidentification(release.pairing, guess).rate.value


def panel(shop):
    who = tuple(one for one in attackers(shop) if one.name == "dummies")
    return Panel(shop, who, ("goods+method",))


def told(shop, release):
    ran = panel(shop).attack(release.data, release.pairing, seed=1)
    return dummies_told(ran, kb.Owners.of(release.pairing))


@pytest.fixture(scope="module")
def padded():
    return kb.methods.Compact(min_size=4, dummies="donor").release(SHOP, seed=2)


def test_people_are_found_among_copies_of_real_purchases(padded):
    by_goods = kb.reidentification(
        padded.pairing, kb.attacks.JaccardAttack().guess(SHOP, padded.data, seed=1)
    )
    assert by_goods.rate.value < 0.3
    assert rate(padded, SHOP) > 0.6
    assert rate(padded, SHOP, reading="assignment") > 0.6


def test_an_audit_says_how_well_dummies_are_told(padded):
    found = told(SHOP, padded)
    held, shown = SHOP.baskets().matrix.nnz, padded.data.baskets().matrix.nnz
    assert found.real == pytest.approx(held / shown)
    assert 0.6 < found.auc < 1
    papers = kb.methods.Compact(min_size=4).release(SHOP, seed=2)
    assert told(SHOP, papers).auc > 0.95


def test_where_nothing_is_made_up_nothing_is_told():
    assert told(SHOP, kb.methods.Pseudonymize().release(SHOP, seed=3)) is None


def test_where_nothing_tells_dummies_nobody_is_told_apart(padded):
    """One record a pair, and nothing but who and what: no look is left, and a name is any of its group."""

    def bare(data):
        frame = data.under(None).select("customer", "goods").unique().sort("customer", "goods")
        return kb.Purchases.from_frame(frame, customer="customer", goods="goods")

    shop, release = bare(SHOP), kb.Release(bare(padded.data), padded.pairing)
    assert told(shop, release).auc == pytest.approx(0.5)
    people = len(shop.customers)
    by_luck = 1 / 4 + 4 * np.sqrt(3 / 16 / people)
    assert rate(release, shop) < by_luck


def test_candidates_and_their_sums_are_those_of_plain_sets(padded):
    view = through(Tables(SHOP, padded.data, Chance(1)), Sight())
    found = Candidates.of(view.theirs, view.mine, np.random.default_rng(1))
    sets = [
        [set(matrix.indices[a:b]) for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)]
        for matrix in (view.theirs, view.mine)
    ]
    place = {
        (y, good): i for i, (y, good) in enumerate((y, g) for y, of in enumerate(sets[0]) for g in sorted(of))
    }
    values = np.random.default_rng(2).random(len(place))
    sums = found.summed(values)
    some = np.random.default_rng(3).choice(len(sums), 200, replace=False)
    for i in some:
        theirs, mine = sets[0][found.theirs[i]], sets[1][found.mine[i]]
        assert found.missing[i] == len(mine - theirs)
        assert found.beyond[i] == len(theirs - mine)
        assert sums[i] == pytest.approx(sum(values[place[found.theirs[i], good]] for good in theirs & mine))
    settled = found.settled(sums)
    assert np.bincount(found.theirs, weights=settled) == pytest.approx(np.ones(len(sets[0])))


def test_a_season_is_what_lies_within_thirty_days():
    rng = np.random.default_rng(4)
    key, day, real = rng.integers(0, 3, 80), rng.integers(0, 200, 80), rng.random(80)
    near = (key[:, None] == key) & (np.abs(day[:, None] - day) <= 30)
    assert Season.of(key, day).sold(real) == pytest.approx(near @ real)


@pytest.mark.parametrize("chosen", [{"points": 5}, {"share": 0.5}])
def test_who_knows_a_part_finds_fewer_and_more_than_luck(padded, chosen):
    people = len(SHOP.customers)
    assert 4 / people < rate(padded, SHOP, **chosen) <= rate(padded, SHOP) + 0.1


@pytest.mark.campaign
def test_the_contest_table_padded_by_donors(real):
    """The figure of an attacker written from scratch, who was shown no dummy, is 77 % of the people."""
    shop = kb.read_purchases(real("tc400.csv"))
    release = kb.methods.Balanced(clusters=50, min_size=8, dummies="donor").release(shop, seed=7)
    assert rate(release, shop, reading="assignment") >= 0.77
    assert told(shop, release).auc > 0.72


def test_the_last_digits_of_a_sum_put_nobody_on_another_level():
    """The same people in another order: sums differ in their last digits, and what is equal stays so."""
    values = np.array([0.1 + 0.2, 0.3, 0.3, 0.6, 0.1 + 0.5, 0.2 + 0.4, 0.9, np.inf])
    levels = looks._levels(values)
    assert levels.tolist() == looks._levels(np.round(values, 6)).tolist()
    assert len(set(levels[:3])) == len(set(levels[3:6])) == 1
