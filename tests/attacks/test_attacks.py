import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.chance import Chance
from kakurenbo.kernels import assignment
from strategies import purchases_of


def test_knowledge_is_sampled_per_person_and_not_by_row_order():
    shop = kb.demo.shop(50, seed=1)
    shuffled = shop.with_records(shop.records.sample(fraction=1, shuffle=True, seed=5), master=shop.master)
    for attack in (
        kb.JaccardAttack(points=3),
        kb.attacks.RowsAttack(share=0.2),
        kb.attacks.RowsAttack(points=2),
    ):
        one, two = (attack.known(Tables(data, data, Chance(4))) for data in (shop, shuffled))
        columns = one.records.columns
        assert one.under(None).sort(columns).equals(two.under(None).sort(columns))
        held = one.records.group_by("customer").len()["len"]
        if attack.points:
            assert held.max() == attack.points
        assert len(one.customers) == 50
    share = kb.attacks.RowsAttack(share=0.2).known(Tables(shop, shop, Chance(4)))
    assert 0.2 <= len(share) / len(shop) < 0.3


def test_goods_known_are_distinct_goods():
    shop = purchases_of([(0, 1, 0, d, 100, 1) for d in range(5)] + [(0, 2, 0, 0, 100, 1)])
    known = kb.JaccardAttack(points=2).known(Tables(shop, shop, Chance(1)))
    assert set(known.goods) == {"g1", "g2"}


def test_nothing_in_common_with_anybody_is_a_guess_at_random():
    known = purchases_of([(i, i, 0, 0, 100, 1) for i in range(4)])
    released = purchases_of([(i, 10 + i, 0, 0, 100, 1) for i in range(4)])
    guess = kb.JaccardAttack().guess(known, released, seed=1)
    secret = kb.Pairing(released.customers, known.customers)
    found = kb.reidentification(secret, guess)
    assert found.rate.value == pytest.approx(1 / 4)
    assert guess.tied == 4
    assert found.by_person["chance"].to_list() == [0.25] * 4


def test_assignment_settles_what_arg_max_cannot():
    """Two released baskets both look most like the same person; only one can be he."""
    known = purchases_of([(0, g, 0, 0, 1, 1) for g in (1, 2, 3, 4)] + [(1, g, 0, 0, 1, 1) for g in (1, 2)])
    released = purchases_of([(0, g, 0, 0, 1, 1) for g in (1, 2, 3, 4)] + [(1, g, 0, 0, 1, 1) for g in (1, 3)])
    secret = kb.Pairing.of({"c0": "c0", "c1": "c1"})
    nearest = kb.JaccardAttack().guess(known, released, seed=1)
    assert nearest.to_dict() == {"c0": "c0", "c1": "c0"}
    both = kb.JaccardAttack(reading="assignment").guess(known, released, seed=1)
    assert kb.reidentification(secret, both).rate.value == 1


def test_large_assignments_use_the_most_similar_few_and_agree(monkeypatch):
    shop = kb.demo.shop(150, seed=2)
    release = kb.methods.Delete(share=0.4).release(shop, seed=1)
    dense = kb.JaccardAttack(reading="assignment").guess(shop, release.data, seed=1)
    monkeypatch.setattr(assignment, "DENSE", 10)
    sparse = kb.JaccardAttack(reading="assignment").guess(shop, release.data, seed=1)
    rates = [kb.reidentification(release.pairing, guess).rate.value for guess in (dense, sparse)]
    assert rates[0] == pytest.approx(rates[1], abs=0.02)
    assert rates[0] > 0.95


def test_who_has_no_partner_in_a_sparse_assignment_abstains(monkeypatch):
    monkeypatch.setattr(assignment, "DENSE", 1)
    known = purchases_of([(0, 1, 0, 0, 1, 1), (1, 2, 0, 0, 1, 1)])
    released = purchases_of([(0, 1, 0, 0, 1, 1), (1, 9, 0, 0, 1, 1)])
    guess = kb.JaccardAttack(reading="assignment").guess(known, released, seed=1)
    assert guess.to_dict() == {"c0": "c0", "c1": None}
    found = kb.reidentification(kb.Pairing.of({"c0": "c0", "c1": "c1"}), guess)
    assert (found.hits, found.abstained) == (1, 1)


@pytest.mark.parametrize("columns", [("goods",), ("goods", "month"), ("day",), ("time", "price", "quantity")])
@pytest.mark.parametrize("votes", ["relative", "contained", "plain"])
def test_rows_count_the_matches_on_the_chosen_columns(columns, votes):
    shop = kb.demo.shop(40, seed=3)
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    guess = kb.attacks.RowsAttack(columns=columns, votes=votes).guess(shop, release.data, seed=1)
    assert kb.reidentification(release.pairing, guess).rate.value > (0.2 if columns == ("day",) else 0.5)


def test_rows_need_their_columns():
    shop = kb.Purchases.from_frame(pl.DataFrame({"u": ["a"], "g": ["x"]}), customer="u", goods="g")
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    with pytest.raises(kb.InputError) as error:
        kb.attacks.RowsAttack().guess(shop, release.data)
    assert error.value.code == "roles"
    assert len(kb.attacks.RowsAttack(columns=("goods",)).guess(shop, release.data)) == 1
    for wrong in ((), ("goods", "goods"), ("colour",)):
        with pytest.raises(kb.ParameterError):
            kb.attacks.RowsAttack(columns=wrong)


def test_chance_draws_among_as_many_as_share_the_set():
    shop = purchases_of(
        [(who, g, 0, 0, 1, 1) for who, goods in enumerate(([1, 2], [2, 3], [7, 8], [8, 9])) for g in goods]
    )
    release = kb.Balanced(clusters=2, min_size=2).release(shop, seed=1)
    found = kb.reidentification(release.pairing, kb.attacks.ChanceAttack().guess(shop, release.data, seed=1))
    assert found.rate.value == pytest.approx(0.5)
