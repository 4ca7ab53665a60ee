"""An audit of a release whose names change: said, counted by name and by person, linked, judged and shown."""

import json

import pytest

import kakurenbo as kb
from kakurenbo import report
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.attacks.purchases.linked_names import linked
from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.release_traits import naming
from kakurenbo.auditing.results import Audit
from kakurenbo.chance import Chance
from names import MONTH, renamed, true_links


@pytest.fixture(scope="module")
def shop():
    return kb.demo.shop(60, seed=5)


@pytest.fixture(scope="module")
def by_month(shop):
    return renamed(shop, MONTH)


@pytest.fixture(scope="module")
def result(shop, by_month):
    return audit(shop, *by_month, max_risk=0.7, knowledge="1 record", seed=1)


def test_how_names_change_is_said(result, by_month):
    names = len(by_month[1].names)
    assert result.inferred == (f"a new name every month: {names} names, where the original has 60 people",)
    assert (result.names.lifetime, result.names.names, result.names.people) == ("month", names, 60)


def test_links_are_counted_against_the_truth(result, shop, by_month):
    released, owners = by_month
    recall, precision = true_links(released, owners, linked(released, lifetime(shop, released)))
    assert result.names.found.value == pytest.approx(recall)
    assert result.names.right.value == pytest.approx(precision)


def test_names_and_people_are_counted_apart_and_the_larger_share_decides(result):
    one = next(f for f in result.attacks if f.attack == "renamed" and f.knowledge == "1 record")
    assert one.rate.value < 0.7 < one.persons_rate.value
    assert one.exposed == one.persons_rate
    assert one.luck == one.persons_chance > one.chance == pytest.approx(1 / 60)
    assert result.verdict == "no"
    assert any("1 record" in reason and "of the people" in reason for reason in result.reasons)


def test_everybody_passed_his_proof_and_who_is_meant_for_it_was_tried_on_it(result):
    assert result.proof.failed == ()
    tried = [one for one in result.proof.attackers if one.attack == "renamed"]
    assert tried
    assert all(
        through == "everybody under another name every month" and found >= 0.9 * best
        for one in tried
        for through, found, best in one.through
    )


def test_more_is_learnt_through_all_names_of_a_person(result):
    def mean(attack, way):
        lessons = [one for one in result.learnt if (one.knowledge, one.grain) == ("2 records", "goods")]
        return max(one.mean for one in lessons if one.attack == attack and one.way == way)

    one_name = max(
        one.mean
        for one in result.learnt
        if (one.knowledge, one.grain) == ("2 records", "goods") and one.attack != "renamed"
    )
    assert mean("renamed", "") > one_name
    assert mean("renamed", "linking names") > one_name


def test_json_and_report_tell_it(result, by_month):
    document = json.loads(result.to_json())
    assert document["names"]["names"] == len(by_month[1].names)
    assert {"rate", "persons_rate"} <= document["attacks"][0].keys()
    assert Audit.from_json(result.to_json()).names == result.names
    shown = report.markdown(result)
    assert "of names | of people" in shown
    assert str(result.names) in shown


def test_without_the_pairing_links_are_only_counted(shop, by_month, result):
    names = naming(shop, Tables(shop, by_month[0], Chance(1)), None)
    assert names.links == result.names.links > 0
    assert (names.right, names.found) == (None, None)
