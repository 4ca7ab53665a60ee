"""People outside a release, on whom the same attacks show what would be learnt anyway."""

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.learning.outsiders import left_out, of_file
from kakurenbo.auditing.learning.purchases import learning_purchases
from kakurenbo.auditing.search import search
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.demo.world import ShopWorld
from kakurenbo.plan import Plan, Step
from kakurenbo.progress import Progress
from shops import ROLES, light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(90, seed=11)


@pytest.fixture(scope="module")
def inside(shop):
    return shop.of(shop.customers.head(60))


@pytest.fixture(scope="module")
def outside(shop):
    return shop.of(shop.customers.tail(30))


def test_people_of_a_file_stand_beside_those_of_the_original_and_only_they_are_targets(inside, outside):
    released = kb.methods.Pseudonymize().release(inside, seed=1).data
    made = of_file(inside, released, outside)
    assert made.released is released
    assert len(made.known.customers) == 90
    assert len(made.known) == len(inside) + len(outside)
    targets = made.known.customers.gather(made.targets)
    assert [name.split()[-1] for name in targets] == outside.customers.to_list()
    theirs = made.known.under(None).filter(pl.col("customer").is_in(targets.implode())).drop("customer")
    same = outside.under(None).select(theirs.columns)
    assert theirs.sort(theirs.columns).equals(same.sort(theirs.columns))


def test_ids_that_both_files_use_for_different_people_stay_apart(inside, outside):
    names = dict(zip(outside.customers, inside.customers.head(30), strict=True))
    alike = outside.with_records(
        outside.under(None).with_columns(pl.col("customer").replace_strict(names)), master=None
    )
    made = of_file(inside, inside, alike)
    assert len(made.known.customers) == 90
    assert len(made.targets) == 30


def test_people_outside_new_names_are_not_laid_open_and_those_inside_are(inside, outside):
    released = kb.methods.Pseudonymize().release(inside, seed=1).data
    tables = Tables(inside, released, Chance(1))
    taught = learning_purchases(tables, of_file(inside, released, outside))
    assert (taught.control.kind, taught.control.people) == ("file", 30)
    worst = taught.lessons[0]
    assert worst.advantage.value > 0.9
    assert max(lesson.control_laid_open for lesson in taught.lessons) < 0.1
    assert max(told.auc for told in taught.membership) > 0.9


def test_people_outside_must_show_what_the_original_shows(inside, outside):
    bare = kb.Purchases.from_frame(
        outside.under(None).select("customer", "goods"), customer="customer", goods="goods"
    )
    with pytest.raises(kb.InputError, match="lack the role"):
        of_file(inside, inside, bare)


def test_people_of_the_release_are_no_people_outside_it(inside, outside):
    """They are laid open like everybody in it, so that no release would have any advantage over them."""
    renamed = inside.under(None).with_columns(
        customer="x" + pl.col("customer"), receipt="y" + pl.col("receipt")
    )
    some = pl.concat([outside.under(None), renamed.filter(pl.col("customer").rank("dense") <= 20)])
    for control in (inside, inside.with_records(renamed), inside.with_records(some)):
        with pytest.raises(kb.InputError, match="stand in the original"):
            of_file(inside, inside, control)


def test_people_outside_may_be_like_people_inside():
    """Where histories are short and goods are few, many have what another has."""
    data = few_goods(60, seed=1)
    mine, others = data.of(data.customers.head(30)), data.of(data.customers.tail(30))
    bare = [
        kb.Purchases.from_frame(
            part.under(None).select("customer", "goods"), customer="customer", goods="goods"
        )
        for part in (mine, others)
    ]
    assert len(of_file(bare[0], bare[0], bare[1]).targets) == 30


def test_rows_of_the_release_are_no_rows_outside_it():
    people = kb.demo.households(80, seed=1)
    first, last = people.of(people.ids.head(40)), people.of(people.ids.tail(40))
    assert len(of_file(first, first, last).targets) == 40
    with pytest.raises(kb.InputError, match="stand in the original"):
        of_file(first, first, people)


def few_goods(people, seed):
    frame = kb.demo.shop_frame(people, goods=8, seed=seed, world=ShopWorld(lines_mean=3))
    return kb.Purchases.from_frame(frame, **{role: role for role in ROLES})


def of_other_people(seed, each=30):
    """Return what is learnt of people from a release of others, beside a third part of the same shop.

    The shop has eight goods and short histories, so that many are laid open by who knows what people buy.
    """
    data = few_goods(3 * each, seed)
    order = np.random.default_rng(seed).permutation(3 * each).reshape(3, each)
    mine, theirs, others = (data.of(data.customers.gather(np.sort(part))) for part in order)
    released = kb.methods.Pseudonymize().release(theirs, seed=seed).data
    tables = Tables(mine, released, Chance(seed))
    rungs = ("2 records", "half of the records")
    return learning_purchases(tables, of_file(mine, released, others), rungs).lessons


@pytest.mark.campaign
def test_a_release_of_other_people_has_no_advantage_over_people_outside_it():
    """Without the release's doing, 95 % intervals of the advantage hold 0 at least as often as they say."""
    held, control = defaultdict(list), []
    for seed in range(100, 118):
        for lesson in of_other_people(seed):
            held[lesson.knowledge, lesson.name, lesson.grain].append(
                lesson.advantage.low <= 0 <= lesson.advantage.high
            )
            control.append(lesson.control_laid_open)
    assert np.mean(control) > 0.05, "where nobody is laid open anyway, nothing would be shown"
    assert np.mean([here for lesson in held.values() for here in lesson]) >= 0.93
    assert min(np.mean(lesson) for lesson in held.values() if len(lesson) >= 6) >= 0.7


def test_people_outside_are_compared_in_the_very_kinds_of_goods_of_the_release():
    shop = light_shop(60, seed=2)
    plan = Plan("purchases", (Step("coarsen", {"times": "month"}), Step("generalize", {"crowd": 4})))
    release = build(plan).release(shop, seed=1)
    words = set(release.data.goods)
    assert 1 < len(words) < len(shop.goods)
    apart = left_out(shop, plan, Chance(1), release.data)
    assert set(apart.released.goods) <= words
    assert set(apart.known.goods) <= words
    assert apart.released.records["time"].dt.day().unique().to_list() == [1]
    assert not set(left_out(shop, plan, Chance(1)).released.goods) <= words


@pytest.fixture(scope="module")
def small():
    """People inside and outside of a shop of eight goods, and a release in which several fit each of them."""
    data = few_goods(90, seed=1)
    mine, others = data.of(data.customers.head(60)), data.of(data.customers.tail(30))
    return mine, others, kb.methods.Coarsen(times="month").release(mine, seed=3)


def learnt_beside(mine, release, control, targets, blocks=3):
    """Return what is learnt of so many people beside those of a file, the release being in blocks."""
    tables = InMemory(mine, blocks), InMemory(release.data, blocks)
    given = AuditInput.of(*tables, release.pairing, targets, Chance(5), Progress())
    spoken = vocabulary(given.original, given.released)
    seen = Tables(spoken.original, given.released, Chance(5), given.original)
    found = search(given, seen, learners(mine), recode=spoken.alike)
    return learning(found, spoken, control=control)


def of_looking(taught):
    """Return what those learn of people outside who look them up by the keys of what they know."""
    return {
        (one.knowledge, one.name, one.grain): (one.control, one.control_laid_open)
        for one in taught.lessons
        if one.attack in {"evidence", "likelihood", "containment"} and "without" not in one.way
    }


def test_people_outside_are_looked_up_among_everybody_where_half_are_sought(small):
    """What is learnt of them hangs on the whole release, and on nobody who was drawn."""
    mine, others, release = small
    whole, half = (learnt_beside(mine, release, others, targets) for targets in ("all", 30))
    told, again = of_looking(whole), of_looking(half)
    assert told.keys() == again.keys()
    assert max(mean for mean, _ in told.values()) > 0.3
    for way, both in told.items():
        assert again[way] == pytest.approx(both, abs=0.02), way
    assert (half.control.kind, half.control.people, half.control.drawn_from) == ("file", 30, None)
    open_to_half = {(one.knowledge, one.name, one.grain): one.laid_open for one in half.lessons}
    inside = [
        open_to_half[way].low <= one.laid_open.value <= open_to_half[way].high
        for one in whole.lessons
        if (way := (one.knowledge, one.name, one.grain)) in open_to_half
    ]
    assert len(inside) > 40
    assert np.mean(inside) >= 0.9


def test_of_many_people_outside_some_are_drawn_and_it_is_said(small, monkeypatch):
    mine, others, release = small
    monkeypatch.setattr("kakurenbo.auditing.learning.outsiders.MOST", 12)
    asked = (others, 30), (InMemory(others, 2), 30), (InMemory(others, 2), "all")
    made = [learnt_beside(mine, release, control, targets) for control, targets in asked]
    assert [(one.control.people, one.control.drawn_from) for one in made] == [(12, 30)] * 3
    assert of_looking(made[0]) == of_looking(made[1])
    assert learnt_beside(mine, release, others, "all").control.people == 30, "in memory all are taken"


def test_people_of_the_release_who_were_not_drawn_are_no_people_outside_it_either(inside):
    release = kb.methods.Coarsen(times="month").release(inside, seed=3)
    tables = InMemory(inside, 3), InMemory(release.data, 3)
    given = AuditInput.of(*tables, release.pairing, 30, Chance(5), Progress())
    others = inside.customers.filter(~inside.customers.is_in(given.original.customers.implode()))
    with pytest.raises(kb.InputError, match="30 of 30 people outside the release stand in the original"):
        learnt_beside(inside, release, inside.of(others), 30)
