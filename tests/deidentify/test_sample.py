"""Sample: who is left out is safe, and what is found and learnt of the others is not thinned by it."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.tuning.laboratory import Laboratory
from shops import light_shop

SHARE = 0.25


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, seed=1)


@pytest.fixture(scope="module")
def release(shop):
    return kb.methods.Sample(share=SHARE).release(shop, seed=1)


@pytest.fixture(scope="module")
def ran(shop, release):
    asked = learners(shop, "2 records")
    return Panel.of(shop, "2 records").attack(release.data, release.pairing, seed=1, learners=asked)


def lessons(shop, release, ran, inside):
    """The share laid open by who knows two records, in each way to learn goods."""
    spoken = vocabulary(shop, release.data)
    made = learning(ran.search, spoken, inside=inside, knowledge="2 records").lessons
    return {
        (one.attack, one.way): one.laid_open.value
        for one in made
        if (one.knowledge, one.grain) == ("2 records", "goods")
    }


def test_the_draw_follows_ids_and_not_who_stands_where(shop):
    turned = shop.with_records(shop.under(None).reverse(), master=shop.master)
    one, other = (kb.methods.Sample(share=SHARE).release(data, seed=3) for data in (shop, turned))
    assert one.pairing == other.pairing
    assert len(one.pairing) == 15
    assert len(kb.methods.Sample(share=0.001).release(shop, seed=3).pairing) == 1, "at least one"
    with pytest.raises(kb.ParameterError):
        kb.methods.Sample(share=0)


def test_what_is_found_is_a_share_of_the_released_among_all_who_may_be_meant(ran):
    assert {finding.people for finding in ran.findings} == {15}
    assert max(finding.rate.value for finding in ran.findings) > 0.95
    chances = {(finding.reading == "target", finding.chance) for finding in ran.findings}
    assert chances == {(True, 1 / 15), (False, 1 / 60)}, "who is looked up is sought among the released"


def test_what_is_learnt_is_not_thinned_by_who_was_left_out(shop, release, ran):
    thinned = lessons(shop, release, ran, None)
    told = lessons(shop, release, ran, release.pairing.original)
    assert max(thinned.values()) < SHARE + 0.1
    assert max(told.values()) > 0.9
    assert all(told[way] >= thinned[way] for way in thinned)


def test_a_false_declaration_of_who_is_inside_hides_nothing(shop, release, ran):
    others = shop.customers.filter(~shop.customers.is_in(release.pairing.original.implode()))[:15]
    assert max(lessons(shop, release, ran, others).values()) == max(
        lessons(shop, release, ran, None).values()
    )


def test_a_trial_of_the_tuner_counts_it_so(shop, release):
    outcome = Laboratory(shop, "2 records").judge(release, 1)
    assert outcome.learnt > 0.8
    assert outcome.facts["people_left_out"] == 45


def test_in_a_chain_only_those_left_are_dealt(shop):
    method = kb.methods.Chain(methods=(kb.methods.Sample(share=0.5), kb.methods.Deal(min_size=5, effort=20)))
    release = method.release(shop, seed=1)
    facts = release.facts.extras
    assert facts["people_left_out"] == 30
    assert len(release.pairing) == 30 - facts["left_out"]
    assert pl.Series(release.pairing.original).is_in(shop.customers.implode()).all()
