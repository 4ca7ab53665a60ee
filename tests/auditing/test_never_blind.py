"""Releases that hide nobody and look as if they did: false pairings, and tables written in other words.

None of them may be called yes: not with their pairing, not when it is trusted, not without it, and not for
any knowledge on which nobody could have seen anything.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from judging import judged
from kakurenbo.attacks.ladder import up_to
from kakurenbo.attacks.purchases.nameless import told_apart
from kakurenbo.auditing.audit import audit
from kakurenbo.cli.main import run
from proving import proved_once
from shops import ROLES, held_declared_another, light_shop

SEED = 83520571  # of releases: one that nobody would try
NUMBERS = ((pl.col("price") * 1.37).round(2), pl.col("quantity") * 3)
CLOCK = pl.col("time") + pl.duration(days=400)
CODED = ["permuted", "nothing but other codes", *in_campaign("rewritten", "codes alone")]
SOME = ("1 record", "2 records", "4 records", "half of the records")


@pytest.fixture(scope="module")
def shop():
    return light_shop(30, seed=5)


@pytest.fixture(scope="module", autouse=True)
def _proved_once():
    with proved_once():
        yield


def named(shop, frame):
    """Return the records under new names and receipts, and the pairing."""
    rng = np.random.default_rng(3)
    fresh = {}
    for role in ("customer", "receipt"):
        old = frame[role].unique().sort()
        fresh[role] = dict(
            zip(old, [f"{role[0]}{n:08}" for n in rng.permutation(10**6)[: len(old)]], strict=True)
        )
    frame = frame.with_columns(pl.col(role).replace_strict(new) for role, new in fresh.items())
    frame = frame.select(role for role in ROLES if role in frame.columns)
    pairing = kb.Pairing.of({new: old for old, new in fresh["customer"].items()})
    return kb.Purchases.from_frame(
        frame.sort(frame.columns), **{role: role for role in frame.columns}
    ), pairing


def other_codes(shop):
    numbers = np.random.default_rng(1).permutation(10**6)[: len(shop.goods)]
    return pl.col("goods").replace_strict(dict(zip(shop.goods, [f"SKU-{n}" for n in numbers], strict=True)))


def dealt_codes(shop):
    codes = np.random.default_rng(2).permutation(shop.goods.to_list()).tolist()
    return pl.col("goods").replace_strict(dict(zip(shop.goods, codes, strict=True)))


@pytest.fixture(scope="module")
def released(shop):
    """Return a function that gives a release of each name and its pairing."""
    records = shop.under(None)
    disguised = {
        "rewritten": lambda: records.with_columns(*NUMBERS, CLOCK, goods=other_codes(shop)),
        "prefixed": lambda: records.with_columns(*NUMBERS, CLOCK, goods="SKU-" + pl.col("goods")),
        "permuted": lambda: records.with_columns(goods=dealt_codes(shop)),
        "codes alone": lambda: records.with_columns(goods=other_codes(shop)),
        "nothing but other codes": lambda: records.select("customer", "receipt", goods=other_codes(shop)),
    }
    cheats = {
        "new names": kb.methods.Pseudonymize(), "shift": kb.cheats.Shift(), "random": kb.cheats.Random(),
        "multi-random": kb.cheats.MultiRandom(by=("country",)), "push-away": kb.cheats.PushAway(),
    }  # fmt: skip

    def make(name):
        if name == "built":
            return held_declared_another(shop)
        if name in disguised:
            return named(shop, disguised[name]())
        made = cheats[name].release(shop, seed=SEED)
        return made.data, made.pairing

    return cache(make)


@pytest.fixture(scope="module")
def audited(shop, released):
    """Return a function that audits a release with its pairing, each once."""
    return cache(lambda name: audit(shop, *released(name), seed=1))


def unpaired(made):
    """Return the audit as it is without a pairing."""
    return judged(made, attacks=(), excess=None, people=None, honesty=None, own_ids=(), worst_again=None)


def trusted(made):
    return judged(made, limits=replace(made.limits, trust_pairing=True))


def by_who_knows(made, rung):
    return judged(
        made,
        deciding=tuple(one.name for one in up_to(rung, "purchases")),
        limits=replace(made.limits, knowledge=rung, trust_pairing=True),
    )


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["shift", *in_campaign("rewritten")])
def test_an_audit_without_a_pairing_is_what_is_left_of_one_with_it(shop, released, audited, name):
    alone, left = audit(shop, released(name)[0], seed=1), unpaired(audited(name))
    assert (alone.verdict, alone.reasons) == (left.verdict, left.reasons)
    assert alone.to_dict()["learnt"] == left.to_dict()["learnt"]


def opened(made):
    return {(one.knowledge, one.name, one.grain): one.laid_open.value for one in made.learnt}


@pytest.mark.parametrize("name", ["shift", *in_campaign("random", "multi-random")])
def test_a_false_pairing_changes_nothing_of_what_is_learnt(audited, name):
    plain, cheat = opened(audited("new names")), opened(audited(name))
    assert set(cheat) == set(plain)
    assert max(abs(cheat[way] - plain[way]) for way in plain) <= 0.02
    assert cheat["1 record", "evidence", "goods"] > 0.95


@pytest.mark.campaign
def test_quantities_multiplied_hide_quantities_and_nothing_else(audited):
    plain, cheat = opened(audited("new names")), opened(audited("push-away"))
    for rung in ("1 record", "2 records", "4 records"):
        way = rung, "evidence", "goods"
        assert cheat[way] >= plain[way] - 0.05


@pytest.mark.parametrize("name", ["shift", *in_campaign("push-away", "random", "multi-random")])
def test_cheats_are_never_called_yes(audited, name):
    made = audited(name)
    for answer in (made, trusted(made), unpaired(made)):
        assert answer.verdict == "no"
        assert any("No pairing changes this" in reason for reason in answer.reasons)
    for answer in (made, trusted(made)):
        assert any("The pairing looks false" in reason for reason in answer.reasons)
        assert answer.holding == (), "what is found against a false pairing keeps no limit"
        assert not any("are kept for" in reason for reason in answer.reasons)


def test_receipts_dealt_among_people_of_one_receipt_are_no_cheat_and_time_stamps_undo_it(shop):
    """Nobody's history moves in one piece to another's name, and its moment puts it together again."""
    first = pl.col("receipt") == pl.col("receipt").first().over("customer")
    single = shop.with_records(shop.under(None).filter(first), master=shop.master)
    dealt = kb.methods.Deal(min_size=5, of="receipts").release(single, seed=SEED)
    made = audit(single, dealt.data, dealt.pairing, seed=1)
    for answer in (made, trusted(made), unpaired(made)):
        assert answer.verdict == "no"
        assert any("No pairing changes this" in reason for reason in answer.reasons)
    assert made.honesty.elsewhere == 0
    assert max(one.right for one in made.owners if one.knowledge == "goods") > 0.9


def test_cheats_end_in_exit_code_1_by_the_command_line(released, shop, tmp_path, capsys):
    data, pairing = released("shift")
    shop.under(None).write_csv(tmp_path / "shop.csv")
    data.under(None).write_csv(tmp_path / "out.csv")
    pairing.frame.write_csv(tmp_path / "secret.csv")
    roles = [word for role in ROLES for word in (f"--{role}", role)]
    words = ["audit", str(tmp_path / "shop.csv"), str(tmp_path / "out.csv"), *roles, "--seed", "1", "--quiet"]
    assert run([*words, "--secret", str(tmp_path / "secret.csv"), "--trust-pairing"]) == 1
    assert "No pairing changes this" in " ".join(capsys.readouterr().out.split())


REASONS = {
    "rewritten": "none of the released goods is one of the original's",
    "permuted": "they look rewritten",
}


@pytest.mark.parametrize("name", ["permuted", *in_campaign("rewritten")])
def test_tables_in_other_words_are_never_called_yes(audited, name):
    made = audited(name)
    for answer in (made, trusted(made), unpaired(made)):
        assert answer.verdict == "no"
        (blind,) = (reason for reason in answer.reasons if "could not be compared" in reason)
        assert REASONS[name] in blind
        assert "not measured" in blind


def test_what_can_be_undone_hides_nobody(audited):
    """Codes with a text before them, prices and quantities multiplied, the clock moved: all of it is read."""
    made = audited("prefixed")
    for answer in (made, trusted(made), unpaired(made)):
        assert answer.verdict == "no"
        assert not answer.blind
    assert len(made.inferred) == 4
    assert made.worst.rate.value > 0.99


@pytest.mark.campaign
def test_a_name_that_holds_one_and_is_declared_another_is_never_called_yes(audited):
    made = audited("built")
    for answer in (made, trusted(made)):
        assert answer.verdict == "no"
        assert any("The pairing looks false" in reason for reason in answer.reasons)
    assert unpaired(made).verdict == "no"


@pytest.mark.parametrize("rung", SOME)
@pytest.mark.parametrize("name", CODED)
def test_no_knowledge_is_called_safe_that_could_not_see(audited, name, rung):
    """Nothing can be learnt about goods in codes that nobody can read, whether people are found or not."""
    for made in (audited(name), unpaired(audited(name))):
        answer = by_who_knows(made, rung)
        assert answer.verdict == "no"
        assert any("could not be compared" in reason for reason in answer.reasons)
        assert rung not in answer.holding
        assert not any(one.knowledge == rung for one in answer.taught)


def test_who_sees_through_days_and_quantities_finds_people_whatever_the_codes(audited):
    made = audited("codes alone")
    assert made.worst_of("2 records").rate.value > 0.9
    assert "2 records" not in made.blind


def test_the_copy_in_disguise_shows_no_more_than_the_release(audited):
    made = audited("nothing but other codes")
    assert {"1 record", "4 records", "a receipt", "a month"} <= set(made.blind)


@pytest.mark.parametrize("name", CODED)
def test_who_knows_what_everybody_bought_learns_the_codes(shop, audited, name):
    """Two of these people cannot be told apart where no good has a name: which is who, is a coin's toss.

    Of c colours among n people at least 2c - n are somebody's alone, and he must be found.
    """
    made = audited(name)
    colours = told_apart(shop.baskets().matrix, np.random.default_rng(0))
    assert 2 * colours - 1 == pytest.approx(28 / 30)
    shown = {"goods": 2 * colours - 1, "full records": 2 * colours - 1}
    if name in {"permuted", "codes alone"}:  # days and quantities tell the two apart
        shown["full records"] = 0.99
    for rung, least in shown.items():
        assert rung not in made.blind
        assert made.worst_of(rung).rate.value >= least
    assert made.disguised.failed == ()
    assert made.proof.holds
    if name in {"permuted", "codes alone"}:  # the others show no days to be learnt, or other quantities
        assert made.lesson_of("goods").attack == "fingerprint"
        assert made.lesson_of("goods").laid_open.value > 0.5
