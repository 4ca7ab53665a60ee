"""Audits of a release that is not the first of its people."""

import json

import pytest

import kakurenbo as kb
from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.results import Audit
from kakurenbo.errors import ParameterError
from people import microdata_of
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(40, seed=3)


@pytest.fixture(scope="module")
def releases(shop):
    method = kb.methods.Compact(min_size=8, dummies="donor")
    return [method.release(shop, seed=seed) for seed in (1, 2)]


@pytest.fixture(scope="module")
def held(shop, releases):
    return audit(shop, releases[0], earlier=releases[1:], seed=1)


def goods(result, releases):
    found = (one for one in result.attacks if one.knowledge == "goods" and one.releases == releases)
    return max(one.rate.value for one in found)


def test_two_releases_give_away_what_one_hides(held):
    assert goods(held, 1) < 0.4
    assert goods(held, 2) > 0.8


def test_what_is_learnt_from_both_counts_too(held):
    ways = {lesson.way for lesson in held.learnt}
    assert any(way.endswith("2 releases") for way in ways)
    assert held.worst_lesson is not None
    assert held.worst_lesson.name.endswith("2 releases")


def test_links_are_counted_and_judged(held):
    (one,) = held.earlier
    assert one.names == 40
    assert one.rightly is not None
    assert 0.95 * 40 <= one.rightly <= one.linked


def test_the_json_says_how_many_releases_were_held(held):
    document = json.loads(held.to_json())
    assert {row["releases"] for row in document["attacks"]} == {1, 2}
    assert document["earlier"][0]["linked"] == held.earlier[0].linked
    assert document["engine"] == {"name": "memory", "sampled": []}
    assert Audit.from_json(held.to_json()).to_json() == held.to_json()


@pytest.mark.campaign
def test_without_secrets_nobody_is_counted_and_links_are_not_judged(shop, releases):
    result = audit(shop, releases[0].data, earlier=[releases[1].data], seed=1)
    assert not result.attacks
    assert result.earlier[0].rightly is None
    assert any(lesson.way.endswith("2 releases") for lesson in result.learnt)


@pytest.mark.campaign
def test_other_people_and_other_goods_do_no_harm(shop, releases, held):
    other = light_shop(30, seed=9)
    stranger = kb.methods.Pseudonymize().release(other, seed=5)
    beside = audit(shop, releases[0], earlier=[stranger], seed=1)
    assert beside.earlier[0].rightly == 0
    assert goods(beside, 1) == goods(held, 1)
    assert goods(beside, 2) <= goods(held, 1) + 0.05


def test_microdata_is_refused():
    data = microdata_of([(20 + k, "a", k, k) for k in range(12)])
    release = kb.methods.PseudonymizeMicrodata().release(data, seed=1)
    with pytest.raises(ParameterError, match="purchases only"):
        audit(data, release, earlier=[release])
