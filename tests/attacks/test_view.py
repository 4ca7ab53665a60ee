"""Views, claims and the attackers that rest on them, against plain Python."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.view import Sight, view
from kakurenbo.chance import Chance
from strategies import purchases_of, rows

SIGHTS = [
    Sight(("goods",), "set"),
    Sight(("goods",), "pieces"),
    Sight(("goods", "month"), "records"),
    Sight(("day", "quantity"), "records"),
    Sight(("goods", "time", "price"), "set"),
    Sight(("receipt",), "set"),
]


def plain(data, sight):
    """Count the keys of every customer with dictionaries."""
    months = {"month": pl.col("time").dt.strftime("%Y-%m"), "day": pl.col("time").dt.date()}
    parts = [months.get(part, pl.col(part)).alias(part) for part in sight.parts]
    table = data.under(None).select("customer", pl.col("quantity").alias("\0pieces"), *parts)
    counts = {}
    for who, pieces, *key in table.iter_rows():
        mine = counts.setdefault(who, {})
        mine[tuple(key)] = mine.get(tuple(key), 0) + (pieces if sight.counting == "pieces" else 1)
    if sight.counting == "set":
        return {who: dict.fromkeys(keys, 1) for who, keys in counts.items()}
    return counts


@pytest.mark.parametrize("sight", SIGHTS, ids=lambda sight: "+".join(sight.parts))
@given(known=rows, released=rows)
def test_a_view_counts_what_everybody_has(sight, known, released):
    one, other = purchases_of(known), purchases_of(released)
    seen = view(one, other, sight)
    words = {}
    for matrix, people, data in ((seen.mine, seen.originals, one), (seen.theirs, seen.released, other)):
        expected = plain(data, sight)
        for row, who in enumerate(people):
            span = slice(matrix.indptr[row], matrix.indptr[row + 1])
            assert sorted(matrix.data[span]) == sorted(expected[who].values())
            words |= {seen.word(int(key)): int(key) for key in matrix.indices[span]}
    common = [set(a) & set(b) for a in plain(one, sight).values() for b in plain(other, sight).values()]
    shared = ((seen.mine > 0).astype(int) @ (seen.theirs > 0).astype(int).T).toarray()
    assert sorted(shared.ravel()) == sorted(len(keys) for keys in common)


@given(table=rows, other=rows, points=st.integers(1, 3), seed=st.integers(0, 5))
def test_knowing_less_is_the_same_view_of_fewer_records(table, other, points, seed):
    original, released = purchases_of(table), purchases_of(other)
    attack = kb.attacks.RowsAttack(points=points)
    tables = Tables(original, released, Chance(seed))
    try:
        known, chosen = attack.known(tables), attack.known_rows(tables)
    except kb.ParameterError:
        return
    sight = Sight(("goods", "day"), "records")
    less, direct = view(original, released, sight).knowing(known, chosen), view(known, released, sight)
    assert less.originals.to_list() == direct.originals.to_list()
    for a, b in ((less.mine, direct.mine), (less.theirs, direct.theirs)):
        assert sorted(a.sum(axis=1)) == sorted(b.sum(axis=1))
    overlap = [(v.theirs @ v.mine.T).toarray().tolist() for v in (less, direct)]
    assert overlap[0] == overlap[1]


def test_the_target_reading_finds_whose_records_are_unique():
    """Three know one record each; two share theirs, so each of the two is found half the time."""
    shop = purchases_of([(0, 1, 0, 1, 100, 1), (1, 2, 0, 2, 100, 1), (2, 2, 0, 2, 100, 1)])
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    attack = kb.attacks.RowsAttack(points=1, votes="contained", reading="target")
    found = kb.reidentification(release.pairing, attack.guess(shop, release.data, seed=1))
    assert found.rate.value == pytest.approx(2 / 3)


def test_the_shorter_history_is_the_likelier_place():
    """Both have the record that is known; one of them has nothing else."""
    released = purchases_of([(0, 1, 0, 1, 100, 1), *((1, good, 0, 1, 100, 1) for good in range(1, 9))])
    known = purchases_of([(0, 1, 0, 1, 100, 1)])
    guess = kb.attacks.ContainmentAttack(reading="target").guess(known, released, seed=1)
    assert guess.to_dict() == {"c0": "c0", "c1": None}


def test_evidence_survives_what_whole_records_do_not():
    shop = kb.demo.shop(60, seed=2)
    release = kb.methods.Noise(quantity_spread=1, price_spread=0.5).release(shop, seed=1)
    hours = pl.Series(np.random.default_rng(0).integers(-480, 480, len(release.data)))
    moved = release.data.under(None).with_columns(pl.col("time") + pl.duration(hours=hours))
    released = release.data.with_records(moved)

    def rate(attack):
        return kb.reidentification(release.pairing, attack.guess(shop, released, seed=1)).rate.value

    assert rate(kb.attacks.RowsAttack()) < 0.5
    assert rate(kb.attacks.EvidenceAttack()) > 0.95
    assert rate(kb.attacks.EvidenceAttack(reading="assignment")) > 0.95


def test_dummies_in_the_papers_format_are_stripped():
    shop = kb.demo.shop(80, seed=2)
    release = kb.Balanced(clusters=10, min_size=8).release(shop, seed=1)

    def rate(attack):
        return kb.reidentification(release.pairing, attack.guess(shop, release.data, seed=1)).rate.value

    assert rate(kb.JaccardAttack()) == pytest.approx(1 / 8)
    assert rate(kb.attacks.StripAttack()) > 0.9


def test_who_would_lose_everything_keeps_it():
    shop = purchases_of([(0, 1, 0, 1, 100, 1), (1, 2, 0, 1, 100, 1), (1, 3, 1, 5, 100, 1)])
    kept = kb.attacks.StripAttack().prepare(Tables(shop, shop, Chance(1))).released
    assert sorted(kept.under(None).select("customer", "goods").rows()) == [("c0", "g1"), ("c1", "g2")]


@pytest.mark.parametrize("column", ["time", "quantity"])
def test_stripping_needs_what_tells_dummies(column):
    shop = kb.demo.shop(10, seed=1)
    table = shop.under(None).drop(column)
    roles = {role: role for role in table.columns}
    bare = kb.Purchases.from_frame(table, **roles)
    with pytest.raises(kb.InputError, match=column):
        kb.attacks.StripAttack().guess(bare, bare)


def test_equal_people_share_what_an_assignment_gives_them():
    """Four released alike and four known: each is named rightly one time in four, in every run."""
    known = purchases_of([(i, g, 0, 0, 100, 1) for i in range(4) for g in (0, i + 1)])
    released = purchases_of([(i, g, 0, 0, 100, 1) for i in range(4) for g in range(5)])
    secret = kb.Pairing(released.customers, known.customers)
    for seed in range(5):
        guess = kb.JaccardAttack(reading="assignment").guess(known, released, seed=seed)
        assert kb.reidentification(secret, guess).by_person["chance"].to_list() == [0.25] * 4


def test_crowds_of_equals_give_the_same_chances_without_every_pair(monkeypatch):
    """Comparing crowds instead of people must change nobody's chance; some have nothing in common at all."""
    known = purchases_of([(i, i % 3, 0, 0, 100, 1) for i in range(30)])
    released = purchases_of([(i, i % 4, 0, 0, 100, 1) for i in range(30)])
    secret = kb.Pairing(released.customers, known.customers)
    attack = kb.attacks.RowsAttack(columns=("goods",), votes="contained")

    def chances():
        found = kb.reidentification(secret, attack.guess(known, released, seed=1))
        return found.by_person["chance"].to_list()

    plain = chances()
    monkeypatch.setattr("kakurenbo.attacks.search.overlap._MANY", 10)
    assert chances() == pytest.approx(plain)
    assert set(np.round(plain, 6)) == {0.0, 0.1, round(1 / 30, 6)}
