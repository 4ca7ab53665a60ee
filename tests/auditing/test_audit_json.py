"""An audit read back from its JSON gives the same answer and the very same report, and names nobody."""

import dataclasses
import json
import math

import pytest

import kakurenbo as kb
import sample_audit
from campaign import in_campaign
from kakurenbo import report
from kakurenbo.auditing.results import Audit
from kakurenbo.theory.rate import Rate


@pytest.fixture(scope="module", params=list(sample_audit.ALL))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def audit(name):
    return sample_audit.ALL[name]()


@pytest.fixture(scope="module")
def read(audit):
    return Audit.from_json(audit.to_json())


def test_the_answer_and_its_reasons_are_the_same(audit, read):
    assert (read.verdict, read.reasons, read.limits) == (audit.verdict, audit.reasons, audit.limits)
    assert (read.kept, read.proof, read.worst) == (audit.kept, audit.proof, audit.worst)
    for name in ("ladder", "utility", "excess", "nearness", "uniqueness", "groups", "pictures", "provenance"):
        assert getattr(read, name) == getattr(audit, name)


def test_the_report_is_the_same_to_the_byte(audit, read):
    assert report.markdown(read, "figures") == report.markdown(audit, "figures")
    assert read.to_json() == audit.to_json()


@pytest.mark.parametrize(
    "page", ["purchases", *in_campaign(*sorted(sample_audit.ALL.keys() - {"purchases"}))]
)
def test_the_page_is_the_same_to_the_byte(page):
    assert report.html(Audit.from_json(sample_audit.ALL[page]().to_json())) == sample_audit.page(page)


def test_only_who_is_who_is_missing(audit, read):
    if audit.people is None:
        assert read.people is None
        return
    assert read.people.table is None
    assert read.people == dataclasses.replace(audit.people, table=None)
    assert not any(secret in audit.to_json() for secret in sample_audit.SECRETS)


def test_a_withheld_rate_stays_withheld():
    audit = sample_audit.failed_proof()
    read = Audit.from_json(audit.to_json())
    hidden = [one for one in audit.attacks if audit.withheld(one)]
    assert hidden
    for one in audit.attacks:
        place = audit.attacks.index(one)
        assert read.withheld(read.attacks[place]) == audit.withheld(one)
        assert math.isnan(read.attacks[place].rate.value) == (one in hidden)
    assert read.shown == audit.shown


def test_an_audit_from_before_draws_were_averaged_is_read_without_their_spread():
    audit = sample_audit.purchases()
    document = json.loads(audit.to_json())
    assert [row["spread"] and row["spread"]["draws"] for row in document["attacks"]].count(60) > 3
    for row in (*document["attacks"], document["worst"]):
        del row["spread"]
    read = Audit.from_json(json.dumps(document))
    assert read.attacks == tuple(dataclasses.replace(one, spread=None) for one in audit.attacks)


def test_numbers_json_cannot_hold_come_back_as_no_number():
    audit = sample_audit.purchases()
    cost = dataclasses.replace(audit.utility[0], value=math.inf)
    read = Audit.from_json(dataclasses.replace(audit, utility=(cost,)).to_json())
    assert math.isnan(read.utility[0].value)
    assert read.utility[0].loss == cost.loss
    assert report.markdown(read) == report.markdown(dataclasses.replace(audit, utility=(cost,)))


def test_the_plan_of_a_release_comes_back_as_a_plan():
    audit = sample_audit.purchases()
    document = audit.to_dict()["provenance"]["plan"]
    assert document["steps"] == [{"method": "balanced", "clusters": 50, "min_size": 8}]
    assert Audit.from_json(audit.to_json()).provenance == audit.provenance
    unknown = dataclasses.replace(audit, provenance=dataclasses.replace(audit.provenance, plan=None))
    assert Audit.from_json(unknown.to_json()).provenance.plan is None


def broken():
    """Yield documents that are no audit, each wrong in one place."""
    whole = json.loads(sample_audit.purchases().to_json())
    for name in ("attacks", "measures", "limits", "groups", "verdict", "ladder"):
        yield {key: value for key, value in whole.items() if key != name}
    yield {**whole, "verdict": "perhaps"}
    yield {**whole, "reasons": "one sentence"}
    yield {**whole, "limits": {**whole["limits"], "max_risk": "much"}}
    yield {**whole, "people": {**whole["people"], "found": 1.5}}
    yield {**whole, "pictures": [{"name": "neither bars nor dots"}]}
    yield {**whole, "proof": []}
    yield []


@pytest.mark.parametrize("document", [*map(json.dumps, broken()), "", "{", "null", "[" * 100_000])
def test_another_document_is_refused_in_one_sentence(document):
    with pytest.raises(kb.InputError, match="not the JSON of an audit") as refused:
        Audit.from_json(document)
    assert refused.value.code == "file-broken"


def test_a_later_version_may_say_more():
    audit = sample_audit.microdata()
    more = {**audit.to_dict(), "foreseen": [{"attack": "new"}]}
    assert Audit.from_json(json.dumps(more)).to_json() == audit.to_json()


def test_an_earlier_version_may_say_less():
    audit = sample_audit.purchases()
    filed = audit.to_dict()
    del filed["proof"]["validation"], filed["targets"]
    for one in filed["proof"]["attackers"]:
        del one["made_up"]
    read = Audit.from_json(json.dumps(filed))
    assert read.proof.validation is None
    assert {one.made_up for one in read.proof.attackers} == {None}
    assert read.proof.holds == audit.proof.holds


def test_rates_stand_flat_beside_their_attacker():
    document = sample_audit.purchases().to_dict()
    worst = document["worst"]
    assert Rate(worst["rate"], worst["low"], worst["high"], worst["exact"]) == (
        sample_audit.purchases().worst.rate
    )
    assert document["excess"]["histogram"][0] == {"from": 0.0, "to": 0.05, "people": 0}
    assert document["counts"]["original"]["customers"] == 400
