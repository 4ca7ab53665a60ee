"""Blinding, in short: every way is seen by what looks for it, and one goes through a whole audit."""

from dataclasses import replace
from random import Random

import pytest
from soak.blinding import WAYS, Blinding, blinded, stage
from soak.little_shop import little_shop

import kakurenbo as kb
import sample_audit
from campaign import one_in
from kakurenbo.auditing.undone import own_ids, seed_guessed
from kakurenbo.auditing.verdict import judge
from kakurenbo.chance import Chance
from kakurenbo.data.unseen import Unseen
from kakurenbo.files.unseen import unseen


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    shop, place = little_shop(Random(5)), tmp_path_factory.mktemp("blinding") / "honest"
    stage(shop, place)
    return shop, place


def reasons(place, *, guess=False):
    """Return what the verdict would say beside the attackers, without trying them."""
    original = kb.read_purchases(place / "shop")
    try:
        released = kb.read_purchases(place / "release", like=place / "shop")
    except kb.KakurenboError as refused:
        return "refused", (f"{refused} [{refused.code}]",)
    secret = kb.read_pairing(place / "secret.csv")
    return judge(
        replace(
            sample_audit.kept_limits(),
            limits=sample_audit.purchases().limits,
            unseen=unseen(released, original),
            own_ids=own_ids(original, released, secret, Chance(1)),
            seed_guessed=guess and seed_guessed(original, released, secret, Chance(1)),
        )
    )


def test_an_honest_release_has_nothing_out_of_sight(honest):
    assert reasons(honest[1], guess=True)[0] == "yes"


@pytest.mark.parametrize("way", one_in(4, WAYS))
def test_every_way_is_seen_and_named(honest, tmp_path, way):
    blind, must = WAYS[way]
    blinded(blind, honest[1], honest[0], tmp_path / "case")
    verdict, why = reasons(tmp_path / "case", guess="seed" in way)
    assert verdict in {"no", "refused"}
    assert any(must in reason for reason in why), why


@pytest.mark.campaign
def test_a_whole_audit_says_no_and_the_part_sees_one_that_does_not_look(tmp_path, monkeypatch):
    part, number = Blinding(tmp_path, 1), list(WAYS).index("a column of ids")
    assert part.case(number) is None
    assert part.counts == {"no": 1}
    monkeypatch.setattr("kakurenbo.auditing.audit.unseen", lambda *_: Unseen())
    assert part.case(number) == "a column of ids: the audit says yes"
