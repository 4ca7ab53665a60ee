"""Learned: who practised the method on other people finds what no single view shows."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.practice import practised
from kakurenbo.auditing.proof import controls
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.plan import Plan, Step
from shops import ROLES, light_shop

SHOP, OTHERS = light_shop(60, 5), light_shop(60, 6)
LARGE = light_shop(300, 5)
THINNED = build(
    Plan(
        "purchases",
        (Step("delete", {"share": 0.5}), Step("alter", {"share": 0.5}), Step("coarsen", {"times": "month"})),
    )
)
RECODED = LARGE.with_records(LARGE.under(None).with_columns(goods="other " + pl.col("goods")))
HUGE_GROUPS = Plan("purchases", (Step("compact", {"min_size": 151}),))


def tables(release, practice=None):
    return Tables(SHOP, release.data, Chance(1), practice=practice)


def practice(method):
    released = method.release(OTHERS, seed=4)
    return Practice(Tables(OTHERS, released.data, Chance(2)), released.pairing)


def found(attack, seen, release):
    return kb.reidentification(release.pairing, attack.named(seen, Chance(1))).rate.value


@pytest.mark.parametrize("reading", ["nearest", "assignment"])
def test_practice_on_other_people_finds_more_than_the_evidence_of_all_traces(reading):
    release = THINNED.release(SHOP, seed=3)
    evidence = kb.attacks.EvidenceAttack().guess(SHOP, release.data, seed=1)
    attack = kb.attacks.LearnedAttack(views="records", reading=reading)
    taught = found(attack, tables(release, practice(THINNED)), release)
    assert taught > kb.reidentification(release.pairing, evidence).rate.value
    assert taught > 0.5


def test_a_lesson_in_nothing_teaches_nothing():
    """Practised where names have nothing to do with people, and seeking where records were dealt."""
    dealt = controls.noise(OTHERS, Chance(7))
    lesson = Practice(Tables(OTHERS, dealt.data, Chance(2)), dealt.pairing)
    release = controls.noise(SHOP, Chance(8))
    attack = kb.attacks.LearnedAttack(views="records")
    assert found(attack, tables(release, lesson), release) < 0.15


def test_who_must_practise_is_on_the_panel_only_where_he_can():
    names = {who.name for who in Panel.of(SHOP).members}
    assert "learned" not in names
    with_practice = Panel.of(SHOP, practice=practice(kb.methods.Pseudonymize()))
    assert {who.name for who in with_practice.members} == names | {"learned"}


def test_an_audit_practises_the_plan_on_half_of_the_people():
    plan = Plan("purchases", (Step("balanced", {"clusters": 20, "min_size": 8}),))
    made = practised(LARGE, plan, Chance(1), released=LARGE)
    assert len(made.tables.original.customers) == 150
    assert set(made.tables.original.customers) < set(LARGE.customers)
    assert len(made.secret) == 150
    assert made.tables.released.baskets().groups.max() + 1 == 10


@pytest.mark.parametrize(
    ("shop", "plan", "why"),
    [
        (LARGE, None, "cannot be guessed"),
        (SHOP, Plan("purchases"), "too few"),
        (
            LARGE,
            HUGE_GROUPS,
            "cannot be carried out",
        ),
    ],
)
def test_it_is_said_why_nobody_practises(shop, plan, why):
    assert why in practised(shop, plan, Chance(1), released=RECODED)


def test_a_plan_is_not_practised_where_the_release_shows_less():
    """Who practised with times cannot weigh a release without them."""
    roles = {role: role for role in ROLES if role != "time"}
    timeless = kb.Purchases.from_frame(LARGE.under(None).select(*roles), **roles)
    why = practised(LARGE, Plan("purchases"), Chance(1), released=timeless)
    assert "lacks the role time" in why
