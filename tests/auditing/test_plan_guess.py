"""The plan of a release of purchases, guessed from both tables: right, or said not to be had."""

import json

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.auditing import practice
from kakurenbo.auditing.plan_guess import guess_plan
from kakurenbo.catalogue import build
from kakurenbo.cli.main import run
from kakurenbo.plan import Plan, Step
from shops import ROLES, light_shop

SHOP = light_shop(200, 7)
QUICK = {"effort": 30}
DONOR = Step("compact", {"min_size": 8, "dummies": "donor"})
PAPER = Step("compact", {"min_size": 12})
BALANCED = Step("balanced", {"clusters": 20, "min_size": 8})
TFIDF = Step("tfidf", {"clusters": 60})
RECORDS = Step("deal", {"min_size": 6})
RECEIPTS = Step("deal", {"min_size": 5, "of": "receipts"})
DELETE = Step("delete", {"share": 0.3})
ALTER = Step("alter", {"share": 0.4})
NOISE = Step("noise", {"quantity_spread": 0.3, "price_spread": 0.3})
SLIGHT = Step("noise", {"quantity_spread": 0.1})
MONTH = Step("coarsen", {"times": "month"})
BANDS = Step("coarsen", {"times": "week", "price_bands": 10})
WEEKDAYS = Step("coarsen", {"times": "weekday-hour", "quantity_bands": 2})
SEASONS = Step("coarsen", {"times": "season", "price_unit": 5.0})
AMOUNTS = Step("coarsen", {"amount_bands": 10})
OMIT = Step("omit", {"columns": ["price", "quantity"]})
MADE = [
    (), (DONOR,), (PAPER,), (BALANCED,), (RECORDS,), (RECEIPTS,), (DELETE,), (ALTER,), (NOISE,), (SLIGHT,),
    (MONTH,), (BANDS,), (DELETE, DONOR), (DELETE, BALANCED), (DONOR, MONTH), (PAPER, NOISE), (RECORDS, MONTH),
    (DELETE, RECORDS), (NOISE, BANDS), (ALTER, NOISE), (DELETE, DONOR, NOISE, MONTH),
    (WEEKDAYS,), (SEASONS,), (AMOUNTS,), (OMIT, MONTH),
]  # fmt: skip


def released(*steps, seed=1):
    """Carry out a plan; groups are searched for in a moment, which leaves a few dummies more."""
    quick = [
        Step(step.method, {**step.parameters, **(QUICK if step.method in {"compact", "deal"} else {})})
        for step in steps
    ]
    return build(Plan("purchases", tuple(quick))).release(SHOP, seed=seed)


@pytest.mark.parametrize("steps", MADE, ids=lambda steps: "+".join(step.method for step in steps) or "names")
def test_a_plan_is_guessed_from_both_tables(steps):
    guess = guess_plan(SHOP, released(*steps).data)
    assert guess.plan is not None, guess.reasons
    assert guess.likely == tuple(step.method for step in steps)
    assert len(guess.reasons) == max(len(steps), 1)
    for made, told in zip(steps, guess.plan.steps, strict=True):
        assert told.parameters.keys() == made.parameters.keys()
        for name, value in made.parameters.items():
            near = value if isinstance(value, str | int | list) else pytest.approx(value, abs=0.05)
            assert told.parameters[name] == near, (told, name)


def test_clusters_of_one_are_no_methods_that_promises_a_size():
    guess = guess_plan(SHOP, released(TFIDF).data)
    assert guess.plan == Plan("purchases", (TFIDF,))


def changed(release, **columns):
    data = release.data
    return data.with_records(data.under(None).with_columns(**columns))


MOVED = pl.duration(days=pl.col("customer").hash(1) % 20)  # each person's clock by a span of its own
JITTER = pl.duration(minutes=pl.struct("goods", "time").hash(1) % 5000)
FOREIGN = {
    "other codes": ((), {"goods": pl.lit("no. ") + pl.col("goods").rank("dense").cast(pl.String)}),
    "codes cut": ((), {"goods": pl.col("goods").str.slice(0, 3)}),
    "names by the month": ((), {"customer": pl.col("customer") + pl.col("time").dt.strftime("%Y-%m")}),
    "clocks moved apart": ((), {"time": pl.col("time") + MOVED}),
    "padded, and every time moved": ((DONOR,), {"time": pl.col("time") + JITTER}),
    "prices in another money": ((), {"price": pl.col("price") * 1.37}),
    "by day, ten days later": ((), {"time": pl.col("time").dt.truncate("1d").dt.offset_by("10d")}),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_what_no_plan_does_is_not_guessed(case):
    steps, columns = FOREIGN[case]
    guess = guess_plan(SHOP, changed(released(*steps), **columns))
    assert guess.plan is None
    assert guess.likely == ()
    assert len(guess.reasons) == 1
    assert guess.to_dict() == {"likely": [], "plan": None, "reasons": list(guess.reasons)}


def test_people_left_out_are_no_plan_and_columns_left_out_are_one():
    names = released().data
    half = names.of(names.customers.head(100))
    assert "people" in guess_plan(SHOP, half).reasons[0]
    timeless = kb.Purchases.from_frame(
        names.under(None).drop("time"), **{role: role for role in ROLES if role != "time"}
    )
    guess = guess_plan(SHOP, timeless)
    assert guess.plan == Plan("purchases", (Step("omit", {"columns": ["time"]}),))
    assert guess.reasons == ("omit: the release lacks time",)


def test_where_goods_alone_are_known_only_what_they_tell_is_guessed():
    roles = {role: role for role in ROLES[:2]}
    bare = kb.Purchases.from_frame(SHOP.under(None).select(*roles), **roles)
    padded = kb.methods.Compact(min_size=8, effort=30).release(bare, seed=1)
    assert guess_plan(bare, padded.data).plan == Plan("purchases", (Step("compact", {"min_size": 8}),))
    altered = kb.methods.Alter(share=0.4).release(bare, seed=1)
    assert guess_plan(bare, altered.data).plan is None
    few = bare.with_records(bare.under(None).unique())  # nobody buys again, and hardly a good is alone
    common = few.with_records(few.under(None).filter(pl.len().over("goods") > 1))
    assert (
        "cannot be told"
        in guess_plan(common, kb.methods.Pseudonymize().release(common, seed=1).data).reasons[0]
    )


def test_tables_of_two_shops_have_no_plan():
    assert guess_plan(SHOP, light_shop(190, 8)).plan is None


@pytest.mark.campaign
def test_an_audit_practises_a_plan_that_it_guessed(monkeypatch):
    """Handed over without its plan, a padded release is attacked all the same by who practised it."""
    monkeypatch.setattr(practice, "_LEAST", 30)
    roles = {role: role for role in ("customer", "goods", "receipt")}
    shop = kb.Purchases.from_frame(light_shop(60, 5).under(None).select(*roles), **roles)
    release = kb.methods.Compact(min_size=8, dummies="donor", effort=30).release(shop, seed=2)
    result = kb.audit(shop, release.data, release.pairing, seed=1)
    assert result.practised == "guessed"
    assert result.to_dict()["practised"] == "guessed"
    assert result.provenance.plan is None
    taught = [finding for finding in result.attacks if finding.attack == "learned"]
    assert taught
    told = "The plan was guessed: compact (min size 8, dummies donor)."
    assert all(finding.story.endswith(told) for finding in taught)
    assert not any(told in finding.story for finding in result.attacks if finding.attack != "learned")


def test_the_command_prints_the_plan_of_purchases(tmp_path, capsys):
    SHOP.under(None).write_csv(tmp_path / "shop.csv")
    shop, out, secret = (str(tmp_path / name) for name in ("shop.csv", "out", "secret.csv"))
    columns = [word for role in ROLES for word in (f"--{role}", role)]
    made = ["--share", "0.3", "--then", "coarsen times=month", "--out", out, "--secret", secret, "--quiet"]
    assert run(["deidentify", "delete", shop, *made, *columns]) == 0
    capsys.readouterr()
    assert run(["guess-method", shop, out, *columns]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "Plan: delete (share 0.3), then coarsen (times month)" in words
    assert "30% of the records are not there" in words
    assert run(["guess-method", shop, out, "--json", *columns]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["likely"] == ["delete", "coarsen"]
    assert Plan.from_dict(found["plan"]) == Plan("purchases", (DELETE, MONTH))
    assert run(["guess-method", shop, out, "--secret", secret, *columns]) == 2
    assert "--secret" in capsys.readouterr().err
