"""The audit as its users see it: what is found, what is named, what is refused."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from judging import judged
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.attacks.search.scores import Pairwise
from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.panel.members import attackers, naming
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.results import Audit
from kakurenbo.chance import Chance
from kakurenbo.progress import Progress
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(64, seed=3)


@pytest.fixture(scope="module")
def few():
    """A shop where the number of people proves nothing."""
    return light_shop(40, seed=3)


@pytest.fixture(scope="module")
def naive(shop):
    return audit(shop, kb.methods.Pseudonymize().release(shop, seed=1), seed=1)


@pytest.fixture(scope="module")
def padded(shop):
    return audit(shop, kb.Balanced(clusters=8, min_size=8).release(shop, seed=1), seed=1)


@pytest.fixture(scope="module")
def dealt(shop):
    return audit(shop, kb.methods.Deal(min_size=16, of="records").release(shop, seed=1), max_risk=0.3, seed=1)


@pytest.fixture(scope="module")
def donated(few):
    """A release of few people, small enough to be audited twice."""
    return kb.methods.Compact(min_size=4, dummies="donor").release(few, seed=2)


@pytest.fixture(scope="module")
def panel(few, donated):
    return audit(few, donated, seed=1)


@pytest.fixture(scope="module")
def careless(few):
    """Random names, but the rows as they stood and the receipts as they were."""
    return audit(few, *under_names(few, random_names(few), receipts="kept"), seed=1)


def rates(result, knowledge):
    return [finding.rate.value for finding in result.attacks if finding.knowledge == knowledge]


def under_names(shop, names, receipts="fresh", dummies=None):
    """Release a shop by hand, as careless people do: rows and their order stay, dummies go to the end."""
    records = shop.under(None).with_columns(pl.col("customer").replace_strict(names))
    if receipts == "fresh":
        records = records.with_columns(receipt=pl.col("receipt").rank("dense").cast(pl.String) + "x")
    if dummies is not None:
        records = pl.concat([records, dummies(records)])
    return shop.with_records(records), kb.Pairing.of({new: old for old, new in names.items()})


def random_names(shop):
    order = np.random.default_rng(5).permutation(len(shop.customers))
    return {old: f"z{place:03}" for old, place in zip(shop.customers, order, strict=True)}


def test_new_names_alone_hide_nobody(naive):
    assert naive.verdict == "no"
    for rung in (
        "goods",
        "goods+method",
        "goods+month",
        "goods+day",
        "goods+quantity",
        "full records",
        "totals",
    ):
        assert min(rates(naive, rung)) > 0.97, rung
    assert max(rates(naive, "order")) < 0.1
    assert naive.kept == 1
    assert naive.nearness.copies == 1
    assert naive.people.found == 64


def test_the_papers_method_holds_the_papers_attacker_and_nobody_else(padded):
    assert max(rates(padded, "goods")) < 0.2
    assert naive_rate(padded) == pytest.approx(8 / 64)
    assert max(rates(padded, "full records")) > 0.99
    assert padded.verdict == "no"
    assert padded.worst.rate.value == max(finding.rate.value for finding in padded.attacks)
    assert any("last receipt" in reason for reason in padded.reasons), "dummies that can be told are named"
    assert padded.groups.smallest == 8


def test_counts_of_people_agree_with_their_table(padded):
    people, table = padded.people, padded.people.table
    assert table.height == people.people == 64
    assert people.found == table.filter(pl.col("attackers") > 0).height
    assert sum(count for _, count in people.by_attackers) == 64
    assert sum(count for _, _, count in people.by_chance) == 64
    assert sum(count for _, count in people.least) == people.found
    assert dict(people.least)["order"] == 0, "luck is not a finding"
    assert table.columns == [
        "released", "original", "highest_chance", "attackers", "found_by", "least_knowledge", "why",
    ]  # fmt: skip
    assert table["highest_chance"].is_between(0, 1).all()


def naive_rate(result):
    (found,) = [one for one in result.attacks if one.attack == "jaccard" and one.reading == "nearest"]
    return found.rate.value


def test_worst_first_and_every_rate_with_interval_chance_and_story(naive):
    values = [finding.rate.value for finding in naive.attacks]
    assert values == sorted(values, reverse=True)
    for finding in naive.attacks:
        assert finding.rate.low <= finding.rate.value <= finding.rate.high
        assert finding.chance == pytest.approx(1 / 64)
        assert finding.story.endswith(".")
    assert {finding.knowledge for finding in naive.attacks} == {name for name, _ in naive.ladder}


@pytest.mark.campaign
def test_every_attacker_finds_through_the_panel_what_he_finds_alone(few, donated, panel):
    """Views and similarities are shared between attackers: the rates are those of each on his own."""
    everybody = naming(attackers(few))
    untaught = {f"{who.knowledge}: {who.name}" for who in everybody if who.stand.practised}
    assert untaught <= {one.name for one in panel.skipped if "too few to practise on" in one.why}
    idle = {skipped.name for skipped in panel.skipped}
    for attacker in (who for who in everybody if not who.stand.practised):
        drawn = getattr(attacker.attack, "points", None) or attacker.reading == "assignment"
        if drawn or attacker.called in idle:
            continue
        alone = kb.reidentification(donated.pairing, attacker.attack.guess(few, donated.data, seed=1))
        wanted = attacker.name, attacker.knowledge, attacker.attack.model_dump(mode="json")
        (shared,) = [one for one in panel.attacks if (one.attack, one.knowledge, one.parameters) == wanted]
        assert shared.rate.value == pytest.approx(alone.rate.value), attacker.key


def test_names_sorted_like_the_ids_are_found_and_named(few):
    sorted_names = {old: f"new{place}" for place, old in enumerate(few.customers)}
    result = audit(few, *under_names(few, sorted_names), seed=1)
    assert max(rates(result, "order")) == 1
    assert any("sorted like the old ids" in reason for reason in result.reasons)


def test_rows_left_in_order_are_found_and_named(careless):
    assert any("same order" in reason for reason in careless.reasons)


def test_kept_receipts_are_found_and_named(careless):
    assert max(rates(careless, "receipts")) == 1
    assert any("Receipt numbers were kept" in reason for reason in careless.reasons)


@pytest.mark.campaign
def test_appended_dummies_are_found_and_named(few):
    """Everybody gets all goods of his group, in rows at the end, with quantities that look real."""
    groups = {name: place % 5 for place, name in enumerate(sorted(random_names(few).values()))}

    def dummies(records):
        held = records.with_columns(group=pl.col("customer").replace_strict(groups))
        offered = held.unique(["group", "goods"], maintain_order=True).drop("customer", "receipt", "time")
        latest = held.sort("time").unique("customer", keep="first", maintain_order=True)
        wanted = latest.select("customer", "receipt", "time", "group").join(offered, on="group")
        mine = records.select("customer", "goods")
        return wanted.join(mine, on=["customer", "goods"], how="anti").select(records.columns)

    released, secret = under_names(few, random_names(few), dummies=dummies)
    result = audit(few, released, secret, seed=1)
    assert naive_rate(result) == pytest.approx(5 / 40)
    (stripped,) = [one for one in result.attacks if one.parameters.get("drop") == "appended"]
    assert stripped.rate.value > 0.95
    assert any("appended to the table" in reason for reason in result.reasons)


def test_dealt_records_name_nobody_and_lay_everybody_open(dealt):
    """Trusting the pairing sets 004's distance aside and nothing else: receipts still tell whose they are."""
    assert dealt.excess.verdict == "excessive"
    assert any("shuffled" in reason for reason in dealt.reasons)
    trusted = judged(dealt, limits=replace(dealt.limits, trust_pairing=True))
    assert not any("shuffled" in reason for reason in trusted.reasons)
    assert dealt.verdict == trusted.verdict == "no"
    assert trusted.worst.rate.value < 0.3
    assert trusted.worst_lesson.advantage.value > 0.9
    assert trusted.owners[0].right > 0.9
    assert any("lays open" in reason for reason in trusted.reasons)


def test_whoever_is_not_found_has_no_reason(dealt):
    hidden = dealt.people.table.filter(pl.col("attackers") == 0)
    assert hidden.height > 8  # which attackers pass for more than lucky is chance
    assert hidden["why"].null_count() == hidden.height


def test_without_the_pairing_what_is_learnt_decides(shop):
    release = kb.methods.Pseudonymize().release(shop)
    result = audit(shop, release.data, seed=1)
    assert result.verdict == "no"
    assert (result.attacks, result.people, result.honesty, result.excess) == ((), None, None, None)
    assert result.proof.holds
    assert result.control.kind == "no release"
    assert result.worst_lesson.laid_open.value > 0.9
    assert {one.name for one in result.utility} >= {"delta-m", "u3-rfm", "co-purchase"}
    assert "likeness" in {one.name for one in result.skipped}
    assert result.nearness.copies == 1
    assert result.uniqueness[-1].rate.value > 0.9


@pytest.mark.campaign
def test_a_release_with_fewer_columns_is_attacked_with_what_is_there(few):
    bare = kb.Purchases.from_frame(
        few.under(None).select("customer", "goods"), customer="customer", goods="goods"
    )
    release = kb.methods.Pseudonymize().release(bare, seed=1)
    result = audit(few, release.data, release.pairing, seed=1)
    assert max(rates(result, "goods")) > 0.97
    assert not rates(result, "goods+day")
    assert any("goods+day" in one.name and "time" in one.why for one in result.skipped)


def test_microdata():
    table = kb.demo.households(200, seed=1)
    release = kb.methods.KAnonymize(k=4).release(table, seed=1)
    result = audit(table, release, seed=1)
    assert result.kind == "microdata"
    assert result.verdict == "no"
    best = {rung: max(rates(result, rung)) for rung, _ in result.ladder if rates(result, rung)}
    assert best["everything"] > 0.95, "k-anonymity leaves the amounts as they are"
    assert best["quasi-identifiers"] <= 0.25 + 1e-9, "one in k"
    assert result.groups.smallest >= 4
    assert result.proof.holds
    assert Audit.from_json(result.to_json()).to_json() == result.to_json()
    assert result.targets is None  # everybody was looked for


def test_limits_on_utility(few):
    release = kb.methods.Delete(share=0.5).release(few, seed=1)
    result = audit(few, release, max_risk=1, min_utility={"mean": 0.2, "likeness": 0.99}, seed=1)
    assert result.verdict == "no"
    assert any("likeness" in reason for reason in result.reasons)
    assert judged(result, limits=replace(result.limits, min_utility={"mean": 0.2})).verdict == "yes"


def test_limits_on_what_nobody_measures_are_refused_before_anything_is_done(few):
    steps = []
    with pytest.raises(kb.ParameterError, match="no utility measure") as refused:
        audit(few, few, min_utility={"nonsense": 0.5}, progress=Progress(steps.append))
    assert refused.value.parameter == "min_utility"
    assert not steps


def test_a_pairing_of_other_people_is_refused(shop):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    wrong = kb.Pairing(release.pairing.released, pl.Series([f"nobody{i}" for i in range(64)]))
    with pytest.raises(kb.InputError, match="64 people"):
        audit(shop, release.data, wrong)
    with pytest.raises(kb.InputError):
        audit(shop, release.data, kb.Pairing.of({"a": "b"}))
    with pytest.raises(kb.ParameterError, match="one kind"):
        audit(shop, kb.demo.households(10, seed=1))


AGAIN = """
import json, sys
import kakurenbo as kb
sys.path.append(sys.argv[1])
from shops import light_shop
few = light_shop(40, seed=3)
donated = kb.methods.Compact(min_size=4, dummies="donor").release(few, seed=2)
again = kb.audit(few, donated, seed=1)
print(json.dumps([again.to_dict(), again.people.table.rows()]))
"""


@pytest.mark.campaign
def test_a_seed_repeats_the_audit_on_any_number_of_threads(panel, root):
    child = subprocess.run(
        [sys.executable, "-c", AGAIN, str(root / "tests")],
        env=os.environ | {"POLARS_MAX_THREADS": "2"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    document, people = json.loads(child.stdout)
    assert comparable(document) == comparable(json.loads(json.dumps(panel.to_dict())))
    assert people == [list(row) for row in panel.people.table.rows()]


@pytest.mark.parametrize("which", ["panel", "naive"])
def test_a_real_audit_is_read_back_whole(which, request):
    result = request.getfixturevalue(which)
    read = Audit.from_json(result.to_json())
    assert (read.verdict, read.reasons, read.attacks) == (result.verdict, result.reasons, result.attacks)
    assert kb.report.markdown(read) == kb.report.markdown(result)


@pytest.mark.campaign
def test_the_page_of_a_real_audit_is_that_of_the_one_read_back(padded):
    assert kb.report.html(Audit.from_json(padded.to_json())) == kb.report.html(padded)


def comparable(document):
    del document["seconds"], document["filing"]["at"]
    for finding in [*document["attacks"], document["worst"]]:
        finding.pop("seconds")
    return document


def test_two_words_never_appear(padded, naive):
    for result in (padded, naive):
        text = json.dumps(result.to_dict()).lower()
        assert "safe" not in text
        assert "anonymous" not in text


def test_the_proof_holds_on_good_attackers(shop, padded):
    few = controls.sample(shop, controls.PEOPLE, Chance(padded.seed).under("proof"))
    alike = few.attributes.unique().height / controls.PEOPLE
    assert padded.proof.people == controls.PEOPLE < 64
    assert padded.proof.holds
    assert len(padded.proof.attackers) == len(padded.attacks)
    for proof in padded.proof.attackers:
        if proof.knowledge == "master":
            assert proof.attainable == pytest.approx(alike)
        elif proof.attack != "visits":  # who promises no more than that times tell apart, and may bet
            assert proof.attainable > 0.9, "people of a shop are unique"
        assert proof.copy >= 0.9 * proof.attainable


def test_a_broken_attacker_is_caught_and_its_low_rate_withheld(few, monkeypatch):
    """An attack that names anybody looks like a low risk; the copy shows that it sees nothing."""

    def blind(released, known):
        return np.random.default_rng(1).random((len(released.people), len(known.people)))

    monkeypatch.setattr(JaccardAttack, "score", lambda *_: Pairwise(blind))
    result = audit(
        few, kb.methods.Deal(min_size=12).release(few, seed=1), max_risk=0.9, trust_pairing=True, seed=1
    )
    assert not result.proof.holds
    assert result.verdict == "no"
    assert "must not be handed out" in result.reasons[0], "it was drawn with a seed"
    assert "jaccard" in result.reasons[1]
    told = [finding for finding in result.to_dict()["attacks"] if finding["attack"] == "jaccard"]
    assert [finding["rate"] for finding in told] == [None, None]


def test_an_attacker_who_cheats_is_caught_in_the_noise(few, panel, monkeypatch):
    """An attack that peeks at the order of rows would find people where there is nothing to find."""

    def no_noise(data, chance):
        return controls.copy(data)

    monkeypatch.setattr(controls, "noise", no_noise)
    others = [who.key for who in attackers(few) if who.name != "jaccard"]
    proof = prove(few, seed=1, without=others)
    assert {one.attack for one in proof.failed} == {"jaccard"}
    generous = replace(panel.limits, max_risk=1.0, max_learnt=1.0, trust_pairing=True)
    assert judged(panel, limits=generous).verdict == "yes"
    assert judged(panel, limits=generous, proof=proof).verdict == "no"
