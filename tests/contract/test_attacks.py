"""What every attack obeys, over the catalogue: registering an attack tests it."""

from functools import cache, lru_cache
from random import Random
from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

import kakurenbo as kb
from drawn import drawn
from kakurenbo.catalogue import entries
from shops import light_shop
from strategies import TABLE, purchases_of, rows

pytestmark = pytest.mark.usefixtures("words_once")

ATTACKS = entries("attack", "purchases")
COPIES = [entry for entry in ATTACKS if "finds-copies" in entry.obeys]
BLIND = [entry for entry in ATTACKS if "reads-order" in entry.obeys]
SEEING = [entry for entry in ATTACKS if "reads-order" not in entry.obeys]
OTHER = [(6 - who % 7, good, *rest) for who, good, *rest in TABLE[::2]]
FULL = [{}, {"reading": "assignment"}, {"reading": "target"}]


def each(selected):
    return pytest.mark.parametrize("entry", selected, ids=lambda entry: entry.name)


def settings_of(entry):
    fields = entry.what.model_fields
    return [
        chosen
        for chosen in FULL
        if all(
            name in fields and value in get_args(fields[name].annotation) for name, value in chosen.items()
        )
    ]


def told_apart(table):
    """Give everybody a good of his own and an amount of his own, so that any attack can tell them apart."""
    return [
        *table,
        *((who, 100 + who, 0, who, 1000 * (who + 1) ** 2, 7 + who) for who in {row[0] for row in table}),
    ]


@lru_cache
def copied(table, seed):
    """Return a shop and its copy, made once for all who attack it: the same tables are drawn for each."""
    shop = purchases_of(table)
    return shop, kb.methods.Pseudonymize().release(shop, seed=seed)


def rate(secret, guess):
    return kb.reidentification(secret, guess).rate.value


@each(COPIES)
@drawn({"table": TABLE, "seed": 1}, table=rows, seed=st.integers(0, 9))
def test_a_copy_gives_everybody_away(entry, table, seed):
    shop, release = copied(tuple(told_apart(table)), seed)
    for chosen in settings_of(entry):
        guess = entry.what(**chosen).guess(shop, release.data, seed=seed)
        assert rate(release.pairing, guess) == 1
        assert guess.abstained == 0


@each(COPIES)
@drawn({"table": TABLE}, table=rows)
def test_twins_cannot_be_told_apart(entry, table):
    table = told_apart(table)
    shop, release = copied((*table, *((who + 50, *rest) for who, *rest in table)), 1)
    assert rate(release.pairing, entry.what().guess(shop, release.data, seed=2)) == pytest.approx(0.5)


@lru_cache
def altered_twice(table, number):
    """Return a shop, its release and its secret; and the same with other names and rows in another order."""
    shop, order = purchases_of(table), Random(number)
    release = kb.methods.Alter(share=0.3).release(shop, seed=1)

    def moved(data, ids):
        """Give everybody another's id, and shuffle the rows."""
        others = list(ids)
        order.shuffle(others)
        names = dict(zip(ids, others, strict=True))
        renamed = data.under(None).with_columns(pl.col("customer").replace_strict(names))
        return data.with_records(renamed.sample(fraction=1, shuffle=True, seed=order.randint(0, 99))), names

    back = release.pairing.to_dict()
    (known, people), (released, tokens) = moved(shop, list(shop.customers)), moved(release.data, list(back))
    secret = kb.Pairing.of({tokens[token]: people[back[token]] for token in back})
    return (shop, release.data, release.pairing), (known, released, secret)


@each(SEEING)
@drawn({"table": TABLE, "other": OTHER, "number": 1}, table=rows, other=rows, number=st.integers(0, 99))
def test_names_and_order_of_either_side_change_no_rate(entry, table, other, number):
    """Relabel the original's customers and shuffle both tables: the expected rate is the same number."""
    longer = (*table, *((row[0], *other[i % len(other)][1:]) for i, row in enumerate(table)))
    before, after = (
        rate(secret, entry.what().guess(known, released, seed=1))
        for known, released, secret in altered_twice(longer, number)
    )
    assert after == pytest.approx(before)


@each(BLIND)
@drawn({"table": TABLE, "other": OTHER}, table=rows, other=rows)
def test_nothing_but_names_and_order_is_read(entry, table, other):
    shop, released = purchases_of(table), purchases_of(other)
    one_good = shop.with_records(shop.under(None).with_columns(goods=pl.lit("g"), quantity=pl.lit(1)))
    for by in ("names", "rows"):
        guess = entry.what(by=by).guess(shop, released, seed=1)
        assert guess == entry.what(by=by).guess(one_good, released, seed=2)
        assert (guess.abstained, guess.tied) == (0, 0)


@cache
def unrelated(seed):
    """Return a release of other people, and a pairing that says they are those of the shop."""
    noise = kb.methods.Pseudonymize().release(light_shop(80, seed=100 + seed), seed=seed).data
    people = np.random.default_rng(seed).permutation(light_shop(80, seed=1).customers.to_numpy())
    return noise, kb.Pairing(noise.customers, pl.Series(people))


@each(ATTACKS)
def test_unrelated_noise_gives_chance(entry):
    shop = light_shop(80, seed=1)
    inside = 0
    for seed in range(10):
        noise, secret = unrelated(seed)
        found = kb.reidentification(secret, entry.what().guess(shop, noise, seed=seed))
        assert found.chance == 1 / 80
        inside += found.rate.low <= found.chance <= found.rate.high
    assert inside >= 8  # of ten 95 % intervals


@each(ATTACKS)
@drawn(
    {"table": TABLE, "points": 2, "seed": 1},
    table=rows, points=st.integers(1, 3), seed=st.integers(0, 5),
)  # fmt: skip
def test_a_little_knowledge_works_and_a_seed_repeats_it(entry, table, points, seed):
    shop, release = copied(tuple(told_apart(table)), seed)
    for chosen in ({"points": points}, {"share": 0.5}):
        try:
            attack = entry.what(**chosen)
            guess = attack.guess(shop, release.data, seed=seed)
        except kb.ParameterError:
            held = shop.records.group_by("customer").len()["len"].max()
            assert points > 1 or held < points  # more points than anybody has
            continue
        assert guess == attack.guess(shop, release.data, seed=seed)
        assert set(guess.released) == set(release.pairing.released)
        assert 0 <= rate(release.pairing, guess) <= 1


@each(ATTACKS)
def test_more_points_than_anybody_has_are_refused(entry, small):
    release = kb.methods.Pseudonymize().release(small, seed=1)
    with pytest.raises(kb.ParameterError):
        entry.what(points=100).guess(small, release.data)
    for wrong in ({"points": 0}, {"share": 0}, {"share": 1.5}, {"points": 1, "colour": "red"}):
        with pytest.raises(kb.ParameterError):
            entry.what(**wrong)


@drawn({"table": TABLE, "other": OTHER}, table=rows, other=rows)
def test_the_jaccard_attack_is_the_arg_max_of_plain_python(table, other):
    known, released = purchases_of(table), purchases_of(other)
    guess = kb.JaccardAttack().guess(known, released, seed=1)
    sets = [{}, {}]
    for target, rows_ in zip(sets, (table, other), strict=True):
        for row in rows_:
            target.setdefault(f"c{row[0]}", set()).add(row[1])
    expected = {}
    for name, theirs in sets[1].items():
        score = {who: len(theirs & mine) / len(theirs | mine) for who, mine in sets[0].items()}
        best = max(score.values())
        expected[name] = {who for who, value in score.items() if value == best}  # all, where nobody is alike
    found = {name: set() for name in sets[1]}
    for name, who in guess.ties.iter_rows():
        found[name].add(who)
    assert found == expected
    assert all(who in expected[name] for name, who in guess.to_dict().items())
